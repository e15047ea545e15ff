import type { GateStand, GateWord, StoreName } from './gate-store.js';

/** What came from a store, checked and copied; `undefined` when it is no word. Others may write there, too. */
export function readWord(value: unknown): GateWord | undefined {
  try {
    return wordIn(value as Fields);
  } catch {
    // Nothing that has fields, or a getter among them: whatever is thrown stays here.
    return undefined;
  }
}

/** The name of a scope, checked in the same way. */
export function readName(value: unknown): StoreName | undefined {
  if (!isRecord(value)) return undefined;
  const { kind, name } = value;
  if (kind === 'shared') return typeof name === 'string' ? { kind, name } : undefined;
  return kind === 'local' || kind === 'no-secret' ? { kind } : undefined;
}

function wordIn({ gate: stand, members, perSecond, exchangeMs, lastRelease }: Fields): GateWord | undefined {
  const gate = readStand(stand as Fields);
  if (gate === undefined || !isWithin(members, 1, Number.MAX_SAFE_INTEGER)) return undefined;
  return {
    ...{ gate, members: Math.min(members, MOST_MEMBERS) },
    ...(isWithin(perSecond, LEAST_RATE, MOST_RATE) ? { perSecond } : {}),
    ...(isDuration(exchangeMs) ? { exchangeMs: Math.min(exchangeMs, LONGEST_LEASE_MS) } : {}),
    ...readRelease(lastRelease),
  };
}

function readStand({ kind, forMs, hintMs, generation }: Fields): GateStand | undefined {
  switch (kind) {
    case 'unknown':
    case 'over':
    case 'released':
    case 'let-go':
      return { kind };
    case 'held':
      if (!isWithin(forMs, 0, LONGEST_HOLD_MS) || !isDuration(hintMs)) return undefined;
      // No timer is that short: it would be asked again at once.
      return forMs < 1 ? { kind: 'over' } : { kind, forMs, hintMs };
    case 'probed':
      return isDuration(forMs) ? { kind, forMs: Math.min(forMs, LONGEST_LEASE_MS) } : undefined;
    case 'yours':
      return isWithin(generation, 0, Number.MAX_SAFE_INTEGER) ? { kind, generation } : undefined;
    default:
      return undefined;
  }
}

function readRelease(value: unknown): Pick<GateWord, 'lastRelease'> {
  if (!isRecord(value)) return {};
  const { accepted, tookMs } = value;
  return isWithin(accepted, 0, MOST_ACCEPTED) && isDuration(tookMs)
    ? { lastRelease: { accepted, tookMs } }
    : {};
}

type Fields = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function isDuration(value: unknown): value is number {
  return isWithin(value, 0, Number.MAX_SAFE_INTEGER);
}

function isWithin(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && value >= least && value <= most;
}

/** Nobody is told of a longer one: whoever says so means something else, an instant for example. */
export const LONGEST_HOLD_MS: number = 7 * 86_400_000;
// As many as have been tried: more count as so many.
const MOST_MEMBERS = 10_000;
const MOST_ACCEPTED = 1_000_000_000;
const LEAST_RATE = 1e-6;
const MOST_RATE = 1_000_000;
const LONGEST_LEASE_MS = 60_000;
