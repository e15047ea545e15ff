import type { GateMessage, GateStand, GateWord } from './gate-store.js';

/** What a store keeps of one gate. Instants are the store's own. */
export interface Ledger {
  readonly untilMs?: number | undefined;
  readonly hintMs: number;
  readonly lease?: Lease | undefined;
  readonly generation: number;
  /** When the probe of the last hold was accepted; how long the release before that hold took. */
  readonly releasedMs?: number | undefined;
  readonly tookMs?: number | undefined;
  readonly accepted: number;
  readonly perSecond?: number | undefined;
  readonly exchangeMs?: number | undefined;
  /** Until when each of those who share it counts. */
  readonly members: ReadonlyMap<string, number>;
  readonly expiresMs: number;
}

interface Lease {
  readonly owner: string;
  readonly untilMs: number;
}

/** A message, from whom it is, and when it came. */
export interface LedgerEntry {
  readonly from: string;
  readonly atMs: number;
  readonly message: GateMessage;
}

export interface LedgerTurn {
  readonly ledger: Ledger;
  /** For the sender, and for all others when it is news to them. */
  readonly word: GateWord;
  readonly news?: GateWord | undefined;
}

/** The rules of a store, pure: every store does as this does. An expired ledger is as good as none. */
export function entered(
  before: Ledger | undefined,
  entry: LedgerEntry,
  counting: Counting = membersAfter,
): LedgerTurn {
  const known = before === undefined || before.expiresMs <= entry.atMs ? EMPTY : before;
  const members = counting(known.members, entry);
  const { ledger, news } = turned(withSender({ ...known, members }, entry), entry);
  const kept = { ...ledger, expiresMs: expiryOf(ledger, entry.atMs) };
  const size = Math.max(1, members.size);
  const word = { ...wordOf(kept, standOf(kept, entry), size), ...lastReleaseIn(news) };
  return { ledger: kept, word, news: news && { ...wordOf(kept, news.gate, size), ...lastReleaseIn(news) } };
}

/** Who shares the gate after a message; a store may count them in a way of its own. */
export type Counting = (members: Ledger['members'], entry: LedgerEntry) => Ledger['members'];

const EMPTY: Ledger = { hintMs: 0, generation: 0, accepted: 0, members: new Map(), expiresMs: 0 };
const KEPT_MS = 60_000;

interface Turn {
  readonly ledger: Ledger;
  readonly news?: Pick<GateWord, 'gate' | 'lastRelease'> | undefined;
}

function wordOf({ perSecond, exchangeMs }: Ledger, gate: GateStand, members: number): GateWord {
  const pace = perSecond === undefined ? {} : { perSecond };
  return { gate, members, ...pace, ...(exchangeMs === undefined ? {} : { exchangeMs }) };
}

function lastReleaseIn(news: Turn['news']): Pick<GateWord, 'lastRelease'> {
  return news?.lastRelease === undefined ? {} : { lastRelease: news.lastRelease };
}

function expiryOf({ untilMs = 0, lease }: Ledger, atMs: number): number {
  return Math.max(atMs, untilMs, lease?.untilMs ?? 0) + KEPT_MS;
}

/** The sender among the members, without those whose time is over. */
function membersAfter(before: Ledger['members'], { from, atMs, message }: LedgerEntry): Ledger['members'] {
  const members = new Map([...before].filter(([, untilMs]) => untilMs > atMs));
  if (message.memberMs > 0) members.set(from, atMs + message.memberMs);
  else members.delete(from);
  return members;
}

function withSender(ledger: Ledger, { atMs, message }: LedgerEntry): Ledger {
  const { lease, accepted } = ledger;
  const isPast = lease !== undefined && lease.untilMs <= atMs;
  return { ...ledger, lease: isPast ? undefined : lease, accepted: accepted + message.accepted };
}

function turned(ledger: Ledger, { from, atMs, message }: LedgerEntry): Turn {
  switch (message.kind) {
    case 'met':
      return met(ledger, { from, atMs });
    case 'sharing':
      return { ledger };
    case 'over':
      return { ledger: leased(ledger, { from, atMs, leaseMs: message.leaseMs }) };
    case 'left': {
      if (ledger.lease?.owner !== from) return { ledger };
      const gate = standOf({ ...ledger, lease: undefined }, { from, atMs });
      return { ledger: { ...ledger, lease: undefined }, ...(gate.kind === 'over' ? { news: { gate } } : {}) };
    }
    case 'held':
      return held(ledger, { atMs, forMs: message.forMs, hintMs: message.hintMs });
    case 'accepted':
      return accepted(ledger, { ...message, atMs });
    case 'paced':
      return paced(ledger, message.perSecond);
    case 'let-go':
      return {
        ledger: { ...ledger, untilMs: atMs, lease: undefined, releasedMs: undefined },
        news: { gate: { kind: 'let-go' } },
      };
  }
}

/** Whoever came when they were few would go on as if they were: each doubling is news. */
function met(ledger: Ledger, sender: { from: string; atMs: number }): Turn {
  const { size } = ledger.members;
  const gate = standOf(ledger, sender);
  const isDoubled = size > 1 && Number.isInteger(Math.log2(size));
  return isDoubled && gate.kind === 'unknown' ? { ledger, news: { gate } } : { ledger };
}

/** A faster pace of a release; there is none to tell when a hold has ended it. */
function paced(ledger: Ledger, perSecond: number): Turn {
  if (ledger.releasedMs === undefined) return { ledger };
  return { ledger: { ...ledger, perSecond }, news: { gate: { kind: 'released' } } };
}

interface Wish {
  readonly from: string;
  readonly atMs: number;
  readonly leaseMs: number;
}

/** The lease for whoever asks first; whoever has it renews it by asking again. */
function leased(ledger: Ledger, { from, atMs, leaseMs }: Wish): Ledger {
  const { lease, generation } = ledger;
  const isFree = (ledger.untilMs ?? 0) <= atMs && ledger.releasedMs === undefined;
  if (!isFree || (lease !== undefined && lease.owner !== from)) return ledger;
  return {
    ...ledger,
    untilMs: ledger.untilMs ?? atMs,
    lease: { owner: from, untilMs: atMs + leaseMs },
    generation: lease === undefined ? generation + 1 : generation,
  };
}

/** The later end counts; whoever is probing has his answer. */
function held(
  ledger: Ledger,
  { atMs, forMs, hintMs }: { atMs: number; forMs: number; hintMs: number },
): Turn {
  const untilMs = atMs + forMs;
  if (untilMs <= Math.max(atMs, ledger.untilMs ?? 0)) return { ledger };
  const { releasedMs } = ledger;
  const tookMs = releasedMs === undefined ? ledger.tookMs : atMs - releasedMs;
  return {
    ledger: { ...ledger, untilMs, hintMs, tookMs, lease: undefined, releasedMs: undefined },
    news: { gate: { kind: 'held', forMs, hintMs } },
  };
}

interface Acceptance {
  readonly atMs: number;
  readonly generation: number;
  readonly perSecond?: number | undefined;
  readonly exchangeMs?: number | undefined;
}

/** Begins a release, unless there has been another hold or another lease meanwhile. */
function accepted(ledger: Ledger, { atMs, generation, perSecond, exchangeMs }: Acceptance): Turn {
  if (generation !== ledger.generation || (ledger.untilMs ?? 0) > atMs) return { ledger };
  const { tookMs } = ledger;
  const lastRelease = tookMs === undefined ? undefined : { accepted: ledger.accepted, tookMs };
  return {
    ledger: {
      ...ledger,
      perSecond,
      exchangeMs,
      lease: undefined,
      releasedMs: atMs,
      tookMs: undefined,
      accepted: 0,
    },
    news: { gate: { kind: 'released' }, lastRelease },
  };
}

function standOf(ledger: Ledger, { from, atMs }: { from: string; atMs: number }): GateStand {
  const { untilMs, lease, generation, hintMs } = ledger;
  if (untilMs !== undefined && untilMs > atMs) return { kind: 'held', forMs: untilMs - atMs, hintMs };
  if (ledger.releasedMs !== undefined) return { kind: 'released' };
  if (lease?.owner === from) return { kind: 'yours', generation };
  if (lease !== undefined) return { kind: 'probed', forMs: lease.untilMs - atMs };
  return { kind: untilMs === undefined ? 'unknown' : 'over' };
}
