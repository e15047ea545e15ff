import { systemClock } from '../time/clock.js';
import type { Clock } from '../time/clock.js';

/** What tabs have in common, as far as it is used here. */
export interface Tabs {
  readonly clock: Clock;
  /** A channel on which every tab hears what the others post, never itself. */
  open(heard: (data: unknown) => void): Line;
  /**
   * A lock that one tab has at a time, and that ends with its tab. `undefined`: another has it. With `steal`
   * it is taken from a tab that has been given up.
   */
  lock(name: string, how: 'if-free' | 'steal'): Promise<HeldLock | undefined>;
}

export interface Line {
  post(data: unknown): void;
  close(): void;
}

export interface HeldLock {
  release(): void;
}

/** Those of this browser; `undefined` where it lacks a channel or locks. */
export function platformTabs(channel: string): Tabs | undefined {
  // Types promise both; platforms do not. `locks` is there in secure contexts alone.
  const locks = (globalThis.navigator as Partial<Navigator> | undefined)?.locks;
  if (typeof BroadcastChannel !== 'function' || locks === undefined) return undefined;
  return {
    clock: systemClock,
    open: (heard) => lineOf(new BroadcastChannel(channel), heard),
    lock: (name, how) => lockOf(locks, `${channel}:${name}`, how),
  };
}

function lineOf(channel: BroadcastChannel, heard: (data: unknown) => void): Line {
  channel.addEventListener('message', ({ data }) => heard(data));
  // Node has both since 24.5, for its worker threads: an open channel is no reason to keep a process alive.
  (channel as { readonly unref?: () => void }).unref?.();
  return {
    post: (data) => channel.postMessage(data),
    close: () => channel.close(),
  };
}

function lockOf(locks: LockManager, name: string, how: 'if-free' | 'steal'): Promise<HeldLock | undefined> {
  return new Promise((settle, reject) => {
    const options = how === 'steal' ? { steal: true } : { ifAvailable: true };
    const held = (lock: Lock | null): Promise<void> => {
      if (lock === null) {
        settle(undefined);
        return Promise.resolve();
      }
      return new Promise((end) => settle({ release: () => end() }));
    };
    // Rejects when it is stolen later: then it is another's, and everything has been said.
    locks.request(name, options, held).catch(reject);
  });
}
