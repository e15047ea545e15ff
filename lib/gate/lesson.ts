import type { Phase, Sample } from './estimate.js';
import type { GateRecord } from './gate-record.js';
import type { Gliding, Moment, Open, Ramping } from './gate-state.js';
import { rampGapMs } from './ramp.js';
import { freshUntil, learned } from './rate.js';
import type { LearnedRate, Lesson } from './rate.js';

/** The rate after a limit of this epoch: only what had waiters all the time is a measurement. */
export function rateAfterLimit(gate: GateRecord, moment: Moment, hintMs: number): LearnedRate | undefined {
  const { state, rate } = gate;
  switch (state.kind) {
    case 'open':
      // Nobody waits where the server has kept up so far.
      if (rate !== undefined || moment.waiting === 0) return rate;
      return learned(rate, openLesson(gate, state, { moment, hintMs }));
    case 'ramping':
      return learned(rate, rampLesson(gate, state, { moment, hintMs }));
    case 'gliding':
      return learned(rate, glideLesson(gate, state, { moment, hintMs }));
    case 'held':
    case 'asking':
    case 'probing':
      return rate;
  }
}

interface LimitFacts {
  readonly moment: Moment;
  readonly hintMs: number;
}

/** From its first pass on; what it was may still grow. */
interface Epoch {
  readonly sinceMonoMs: number;
  readonly accepted: number;
}

type Sampled = Pick<Lesson, 'epoch' | 'sample' | 'freshUntilMonoMs'>;

function sampled(
  { epoch }: GateRecord,
  { sinceMonoMs, accepted }: Epoch,
  { moment, hintMs }: LimitFacts,
): Sampled {
  const { nowMonoMs } = moment;
  const tookMs = nowMonoMs - sinceMonoMs;
  const sample: Sample = { accepted, tookMs, endedMonoMs: nowMonoMs, hintMs, waitMs: hintMs };
  return { epoch, sample, freshUntilMonoMs: freshUntil(nowMonoMs, hintMs) };
}

function openLesson(gate: GateRecord, { rush }: Open, facts: LimitFacts): Lesson {
  return { ...sampled(gate, rush, facts), phase: 'open', provenPerMs: 0 };
}

function rampLesson(gate: GateRecord, ramp: Ramping, facts: LimitFacts): Lesson {
  const gapMs = Math.max(LEAST_GAP_MS, rampGapMs(gate, ramp, facts.moment));
  return {
    ...sampled(gate, ramp, facts),
    phase: 'ramping',
    provenPerMs: 0,
    failedPerMs: 1 / (gapMs * gate.share),
  };
}

function glideLesson(gate: GateRecord, glide: Gliding, facts: LimitFacts): Lesson {
  const { provenPerMs, steps, perMs } = glide;
  const failedPerMs = steps > 0 ? perMs : undefined;
  return { ...sampled(gate, glide, facts), phase: phaseOf(glide), provenPerMs, failedPerMs };
}

function phaseOf({ cycles, steps, bursting }: Gliding): Phase {
  if (cycles > 0) return 'cycling';
  if (steps > 0) return 'stepped';
  return bursting ? 'bursting' : 'gliding';
}

const LEAST_GAP_MS = 0.1;
