import { entered } from '../../lib/store/ledger';
import type { Ledger } from '../../lib/store/ledger';
import type { GateMessage, GateStore, GateWord } from '../../lib/store/gate-store';
import type { Clock } from '../../lib/time/clock';

/** A store in the memory of the test: the rules alone, with a network between it and each client. */
export interface LedgerHub {
  /** The store as one more client sees it. */
  join(): GateStore;
  /** What it was told, by whom and when. */
  readonly told: readonly Told[];
  /** What it does with what comes: `lost` never answers, `refused` rejects. */
  state: 'up' | 'lost' | 'refused';
  latencyMs: number;
  /** Forgets everything. */
  restart(): void;
  /** How many listen. */
  readonly listeners: number;
}

export interface Told {
  readonly from: string;
  readonly name: string;
  readonly atMs: number;
  readonly message: GateMessage;
}

export function ledgerHub(clock: Clock, { latencyMs = 0, timeoutMs = 100 } = {}): LedgerHub {
  const ledgers = new Map<string, Ledger>();
  const listeners = new Map<(name: string, word: GateWord) => void, string>();
  const told: Told[] = [];
  let clients = 0;
  const hub: LedgerHub = {
    ...{ told, latencyMs, state: 'up' },
    get listeners() {
      return listeners.size;
    },
    restart: () => ledgers.clear(),
    join: () => {
      clients += 1;
      const from = `client ${clients}`;
      return {
        timeoutMs,
        nameOf: (scope) => ({ kind: 'shared', name: scope.map(({ by, value }) => `${by}=${value}`).join() }),
        tell: (name, message) => travel(clock, hub, () => take({ from, name, message })),
        subscribe: (listener) => {
          const entry: typeof listener = (name, word) => listener(name, word);
          listeners.set(entry, from);
          return () => listeners.delete(entry);
        },
      };
    },
  };
  const take = (entry: Omit<Told, 'atMs'>): GateWord => {
    const { from, name, message } = entry;
    told.push({ ...entry, atMs: clock.monoMs() });
    const turn = entered(ledgers.get(name), { from, atMs: clock.monoMs(), message });
    ledgers.set(name, turn.ledger);
    const { news } = turn;
    if (news !== undefined)
      void travel(clock, hub, () => tellOthers(from, name, news)).catch(() => undefined);
    return turn.word;
  };
  const tellOthers = (from: string, name: string, news: GateWord): void => {
    for (const [listener, owner] of [...listeners]) if (owner !== from) listener(name, news);
  };
  return hub;
}

/** There, the act, and back. */
async function travel<Result>(clock: Clock, hub: LedgerHub, act: () => Result): Promise<Result> {
  await pause(clock, hub.latencyMs / 2);
  if (hub.state === 'refused') throw new Error('the store is down');
  if (hub.state === 'lost') return await new Promise<Result>(() => undefined);
  const result = act();
  await pause(clock, hub.latencyMs / 2);
  return result;
}

function pause(clock: Clock, ms: number): Promise<void> {
  return ms === 0 ? Promise.resolve() : new Promise((resolve) => void clock.setTimer(ms, resolve));
}
