import type { Phase } from './estimate.js';
import { LEAST_RAMP_GAP_MS } from './figures.js';
import type { GateRecord } from './gate-record.js';
import { isReleasing } from './gate-state.js';
import type { Moment, Open, Gliding, Ramping } from './gate-state.js';
import { rampGapMs } from './ramp.js';
import { learned } from './rate.js';
import type { LearnedRate, Lesson } from './rate.js';

/** The rate after a limit of this epoch: only what had waiters all the time is a measurement. */
export function rateAfterLimit(gate: GateRecord, moment: Moment, hintMs: number): LearnedRate | undefined {
  const { state, rate, epoch } = gate;
  const { nowMonoMs } = moment;
  if (state.kind !== 'open' && !isReleasing(state)) return rate;
  // Nobody waits where the server has kept up so far.
  if (state.kind === 'open' && (rate !== undefined || moment.waiting === 0)) return rate;
  const run = state.kind === 'open' ? state.rush : state;
  const tookMs = nowMonoMs - run.sinceMonoMs;
  return learned(rate, {
    epoch,
    sample: { accepted: run.accepted, tookMs, endedMonoMs: nowMonoMs, hintMs, waitMs: hintMs },
    phase: phaseOf(state),
    provenPerMs: state.kind === 'gliding' ? state.provenPerMs : 0,
    failedPerMs: failedPerMsOf(gate, state, moment),
  });
}

type Releasing = Open | Ramping | Gliding;

function failedPerMsOf(gate: GateRecord, state: Releasing, moment: Moment): Lesson['failedPerMs'] {
  if (state.kind === 'ramping')
    return 1 / (Math.max(LEAST_RAMP_GAP_MS, rampGapMs(gate, state, moment)) * gate.share);
  return state.kind === 'gliding' && state.steps > 0 ? state.perMs : undefined;
}

function phaseOf(state: Releasing): Phase {
  if (state.kind !== 'gliding') return state.kind;
  if (state.cycles > 0) return 'cycling';
  if (state.steps > 0) return 'stepped';
  return state.bursting ? 'bursting' : 'gliding';
}
