import type { Clock } from '../../lib/time/clock';
import type { HeldLock, Tabs } from '../../lib/broadcast/platform-tabs';

/** A browser without a browser: tabs that hear each other after some ms, and locks. */
export interface FakeBrowser {
  /** A tab more. */
  tab(): FakeTab;
  /** Everything that was posted, in order. */
  readonly posted: readonly unknown[];
  /** Puts something on the channel that no tab of ours has posted. */
  inject(data: unknown): void;
  /** Open ends of the channel. */
  readonly lines: number;
  readonly locks: ReadonlyMap<string, object>;
}

export interface FakeTab extends Tabs {
  /** Hears nothing until it thaws, then everything; keeps its locks. */
  freeze(): void;
  thaw(): void;
  /** Its locks go with it, and nobody hears a word. */
  crash(): void;
}

export function fakeBrowser(clock: Clock, latencyMs = 2): FakeBrowser {
  const lines = new Map<object, (data: unknown) => void>();
  const locks = new Map<string, Owner>();
  const posted: unknown[] = [];
  const send = (data: unknown, from?: object): void => {
    posted.push(data);
    const text = structuredClone(data);
    for (const [line, heard] of [...lines]) {
      if (line === from) continue;
      clock.setTimer(latencyMs, () => lines.has(line) && heard(structuredClone(text)));
    }
  };
  const tab = (): FakeTab => {
    const own = new Set<object>();
    let frozen: (() => void)[] | undefined;
    return {
      clock,
      open: (heard) => {
        const line = {};
        own.add(line);
        lines.set(line, (data) => {
          if (frozen === undefined) heard(data);
          else frozen.push(() => heard(data));
        });
        return { post: (data) => send(data, line), close: () => lines.delete(line) };
      },
      lock: (name, how) => {
        const owner: Owner = { tab: own };
        if (locks.has(name) && how === 'if-free') return Promise.resolve(undefined);
        locks.set(name, owner);
        const held: HeldLock = { release: () => locks.get(name) === owner && locks.delete(name) };
        return Promise.resolve(held);
      },
      freeze: () => {
        frozen = [];
      },
      thaw: () => {
        const late = frozen ?? [];
        frozen = undefined;
        for (const hear of late) hear();
      },
      crash: () => {
        for (const line of own) lines.delete(line);
        for (const [name, owner] of [...locks]) if (owner.tab === own) locks.delete(name);
      },
    };
  };
  return {
    tab,
    posted,
    inject: (data) => send(data),
    get lines() {
      return lines.size;
    },
    locks,
  };
}

interface Owner {
  readonly tab: object;
}
