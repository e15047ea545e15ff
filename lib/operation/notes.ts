import type { Standstill } from '../gate/standstill.js';
import type { Refused } from '../gate/ticket.js';
import type { WeighedReading } from '../hint/hint.js';
import type { Knowledge, Observation, Verdict } from '../model.js';
import type { Judgment, Weighed } from '../policy/judgment.js';
import { shownEpochMs } from '../time/clock.js';
import type { Clock } from '../time/clock.js';
import type { Journal } from './journal.js';
import type { HintNote, ObservationEvent, OperationEvent } from './journal-entry.js';

/** What an operation waits for: a gate that refuses it for now, or only its own instant. */
export function noteWait(
  { journal, clock }: NotePorts,
  { gate, state, ahead, releaseAtMonoMs }: Standstill,
  notBeforeMonoMs: number | undefined,
): void {
  const isPause = state === 'open' && releaseAtMonoMs === undefined;
  if (isPause && notBeforeMonoMs !== undefined && notBeforeMonoMs > clock.monoMs()) {
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

/** What a gate would have said to an operation that goes past it. */
export function noteForeseen(ports: NotePorts, foreseen: Refused | Standstill | undefined): void {
  if (foreseen?.kind === 'refused') noteRefusal(ports, foreseen);
  else if (foreseen !== undefined) noteWait(ports, foreseen, ports.clock.monoMs());
}

interface NotePorts {
  readonly journal: Journal;
  readonly clock: Clock;
}

function releaseOf(clock: Clock, atMonoMs: number | undefined): { releaseAtEpochMs?: number } {
  return atMonoMs === undefined ? {} : { releaseAtEpochMs: shownEpochMs(clock, atMonoMs) };
}

interface ExchangeFacts {
  readonly exchange: number;
  readonly verdict: Verdict;
  readonly knowledge: Knowledge;
  readonly sentEpochMs: number;
  readonly tookMs: number;
}

/** Named one by one: what an observation comes to hold is not journalled by that alone. */
export function noteObservation(journal: Journal, observation: Observation, facts: ExchangeFacts): void {
  const { end, resolved, hint, receivedEpochMs, classified, status, code } = observation;
  const { serverDateEpochMs, ageSeconds, fromCache, headersHidden, answeredBy } = observation;
  const note: Writable<ObservationEvent> = {
    event: 'observation',
    ...facts,
    ...{ end, resolved, receivedEpochMs, hint: hintNoteOf(hint) },
  };
  if (classified !== undefined) note.classified = classified;
  if (status !== undefined) note.status = status;
  if (code !== undefined) note.code = code;
  if (serverDateEpochMs !== undefined) note.serverDateEpochMs = serverDateEpochMs;
  if (ageSeconds !== undefined) note.ageSeconds = ageSeconds;
  if (fromCache) note.fromCache = fromCache;
  if (headersHidden) note.headersHidden = headersHidden;
  if (answeredBy !== undefined) note.answeredBy = answeredBy;
  journal.write(note);
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

/** Permission is an event of its own, granted or not, wherever repeating was in question. */
export function noteJudgment(journal: Journal, weighed: Weighed, { decision, facts }: Judgment): void {
  const { exchange, knowledge } = weighed;
  const { kind: permitted, ...why } = facts.permission;
  const { kind, ...rest } = decision;
  journal.write({ event: 'weighed', ...weighed });
  if (decision.row >= PERMISSION_ROW)
    journal.write({ event: `permission-${permitted}`, ...why, knowledge } as OperationEvent);
  journal.write({ event: 'decision', exchange, decision: kind, ...rest });
}

// Rows before this one end the operation without asking whether it may be sent again.
const PERMISSION_ROW = 6;

function hintNoteOf(reading: WeighedReading): HintNote {
  if (reading.kind !== 'hint') return reading;
  const { hint, ...beside } = reading;
  return { ...hint, ...beside };
}
