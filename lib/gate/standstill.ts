import type { Clock } from '../time/clock.js';
import { latestOf, refusalOf } from './certainty.js';
import type { GateSettings } from './gate-state.js';
import type { Gate } from './gate.js';
import { roomAt } from './release.js';
import type { EnterTerms, Refused, Waiting } from './ticket.js';

/** A wait as it would begin. */
export type Standstill = Omit<Waiting, 'entered'>;

interface House {
  readonly clock: Clock;
  readonly settings: GateSettings;
}

/** What would hold up a newcomer at these gates, narrow to wide; unlike entering it leaves them as they are. */
export function standstillOf(
  gates: readonly Gate[],
  terms: EnterTerms,
  { clock, settings }: House,
): Refused | Standstill | undefined {
  const nowMonoMs = clock.monoMs();
  const at = gates.find(
    (gate) => gate.line.size > 0 || roomAt(gate.record, gate.moment(nowMonoMs, 1), settings).kind !== 'room',
  );
  if (at === undefined) return undefined;
  const dueMonoMs = terms.notBeforeMonoMs ?? nowMonoMs;
  const latestMonoMs = latestOf(terms, nowMonoMs, clock);
  return refusalOf({ ...terms, gates, dueMonoMs, latestMonoMs }, at, nowMonoMs) ?? placeAt(at, nowMonoMs);
}

/** The end of the line at a gate, for whoever comes now. */
export function placeAt(at: Gate, nowMonoMs: number): Standstill {
  const { line } = at;
  const releaseAtMonoMs = at.heldUntilMonoMs(nowMonoMs);
  // Who waits for his own instant is older, and has come to it by the end of a hold.
  const ahead = releaseAtMonoMs === undefined ? line.due : line.size;
  return { kind: 'waiting', gate: at.label, state: at.record.state.kind, ahead, releaseAtMonoMs };
}
