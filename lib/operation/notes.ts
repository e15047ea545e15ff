import type { Waiting } from '../gate/ticket.js';
import type { WeighedReading } from '../hint/hint.js';
import type { Knowledge, Observation, Verdict } from '../model.js';
import type { Decision, DecisionFacts } from '../policy/decide.js';
import type { Clock } from '../time/clock.js';
import type { HintNote, Journal } from './journal.js';

/** The gate that refuses an operation for now, and when it is expected to let go. */
export function noteHold(journal: Journal, clock: Clock, waiting: Waiting): void {
  const { gate, state, ahead, releaseAtMonoMs } = waiting;
  const release =
    releaseAtMonoMs === undefined
      ? {}
      : { releaseAtEpochMs: Math.ceil(clock.wallEpochMs() + releaseAtMonoMs - clock.monoMs()) };
  journal.write({ event: 'hold-entered', gate, state, ahead, ...release });
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
