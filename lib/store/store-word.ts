import type { GateStand, GateWord } from './gate-store.js';

/** What came from a store, checked; `undefined` when it is no word. Others may write there, too. */
export function readWord(value: unknown): GateWord | undefined {
  if (!isRecord(value)) return undefined;
  const { members, perSecond, exchangeMs, lastRelease } = value;
  const gate = readStand(value['gate']);
  if (gate === undefined || !isWithin(members, 1, MOST_MEMBERS)) return undefined;
  return {
    ...{ gate, members },
    ...(isWithin(perSecond, LEAST_RATE, MOST_RATE) ? { perSecond } : {}),
    ...(isDuration(exchangeMs) ? { exchangeMs } : {}),
    ...(isRelease(lastRelease) ? { lastRelease } : {}),
  };
}

function readStand(value: unknown): GateStand | undefined {
  if (!isRecord(value)) return undefined;
  const { kind, forMs, hintMs, generation } = value;
  switch (kind) {
    case 'unknown':
    case 'over':
    case 'released':
    case 'let-go':
      return { kind };
    case 'held':
      return isDuration(forMs) && isDuration(hintMs) ? { kind, forMs, hintMs } : undefined;
    case 'probed':
      return isDuration(forMs) ? { kind, forMs: Math.min(forMs, LONGEST_LEASE_MS) } : undefined;
    case 'yours':
      return isWithin(generation, 0, Number.MAX_SAFE_INTEGER) ? { kind, generation } : undefined;
    default:
      return undefined;
  }
}

type Release = NonNullable<GateWord['lastRelease']>;

function isRelease(value: unknown): value is Release {
  return isRecord(value) && isWithin(value['accepted'], 0, MOST_ACCEPTED) && isDuration(value['tookMs']);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isDuration(value: unknown): value is number {
  return isWithin(value, 0, Number.MAX_SAFE_INTEGER);
}

function isWithin(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && value >= least && value <= most;
}

const MOST_MEMBERS = 1_000_000;
const MOST_ACCEPTED = 1_000_000_000;
const LEAST_RATE = 1e-6;
const MOST_RATE = 1_000_000;
const LONGEST_LEASE_MS = 60_000;
