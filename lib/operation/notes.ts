import type { Refused, Waiting } from '../gate/ticket.js';
import type { WeighedReading } from '../hint/hint.js';
import type { Knowledge, Observation, Verdict } from '../model.js';
import type { Decision, DecisionFacts } from '../policy/decide.js';
import type { Clock } from '../time/clock.js';
import type { HintNote, Journal } from './journal.js';

/** What an operation waits for: a gate that refuses it for now, or only its own instant. */
export function noteWait(
  { journal, clock }: NotePorts,
  { gate, state, ahead, releaseAtMonoMs }: Waiting,
  notBeforeMonoMs: number,
): void {
  if (state === 'open' && releaseAtMonoMs === undefined && notBeforeMonoMs > clock.monoMs()) {
    journal.write({ event: 'pause-entered', ...releaseOf(clock, notBeforeMonoMs) });
  } else {
    journal.write({ event: 'hold-entered', gate, state, ahead, ...releaseOf(clock, releaseAtMonoMs) });
  }
}

/** A gate at which waiting is not worth it, or no longer. */
export function noteRefusal(
  { journal, clock }: NotePorts,
  { gate, because, releaseAtMonoMs }: Refused,
): void {
  journal.write({ event: 'hold-refused', gate, because, ...releaseOf(clock, releaseAtMonoMs) });
}

interface NotePorts {
  readonly journal: Journal;
  readonly clock: Clock;
}

// Whole ms, rounded up: as a Date a fraction would be cut off, and the gate still closed then.
function releaseOf(clock: Clock, atMonoMs: number | undefined): { releaseAtEpochMs?: number } {
  if (atMonoMs === undefined) return {};
  return { releaseAtEpochMs: Math.ceil(clock.wallEpochMs() + atMonoMs - clock.monoMs()) };
}

interface ExchangeFacts {
  readonly exchange: number;
  readonly sentMonoMs: number;
  readonly verdict: Verdict;
  readonly knowledge: Knowledge;
}

export function noteObservation(journal: Journal, observation: Observation, facts: ExchangeFacts): void {
  const { end, status, code, hint, receivedEpochMs, receivedMonoMs } = observation;
  const { exchange, sentMonoMs, verdict, knowledge } = facts;
  journal.write({
    event: 'observation',
    exchange,
    end,
    verdict,
    knowledge,
    tookMs: receivedMonoMs - sentMonoMs,
    receivedEpochMs,
    ...(status === undefined ? {} : { status }),
    ...(code === undefined ? {} : { code }),
    hint: hintNoteOf(hint),
  });
}

interface Weighed {
  readonly facts: DecisionFacts;
  readonly roll: number;
  readonly knowledge: Knowledge;
  readonly exchange: number;
}

/** Permission first: it is an event of its own, granted or not, wherever repeating was in question. */
export function noteDecision(journal: Journal, decision: Decision, weighed: Weighed): void {
  const { facts, roll, knowledge, exchange } = weighed;
  const { permission, exchangesLeft, ownBackoffMs, reserveMs, maxHintMs, remainingMs } = facts;
  if (decision.row >= PERMISSION_ROW) {
    if (permission.kind === 'denied')
      journal.write({ event: 'permission-denied', because: permission.because, knowledge });
    else journal.write({ event: 'permission-granted', grounds: permission.grounds, knowledge });
  }
  const { kind, ...rest } = decision;
  journal.write({
    event: 'decision',
    exchange,
    decision: kind,
    ...rest,
    weighed: {
      ownBackoffMs,
      roll,
      exchangesLeft,
      reserveMs,
      ...(maxHintMs === undefined ? {} : { maxHintMs }),
      ...(remainingMs === undefined ? {} : { remainingMs }),
    },
  });
}

// Rows before this one end the operation without asking whether it may be sent again.
const PERMISSION_ROW = 6;

function hintNoteOf(reading: WeighedReading): HintNote {
  if (reading.kind !== 'hint') return reading;
  const { hint, ...beside } = reading;
  return { ...hint, ...beside };
}
