import type { Phase, Sample } from './estimate.js';
import type { Limited } from './gate-event.js';
import type { GateRecord } from './gate-record.js';
import type { Gliding, Open, Ramping } from './gate-state.js';
import { rampGapMs } from './ramp.js';
import { freshUntil, learned } from './rate.js';
import type { LearnedRate, Lesson } from './rate.js';

/** The rate after a limit of this epoch: only what had waiters all the time is a measurement. */
export function rateAfterLimit(gate: GateRecord, event: Limited, hintMs: number): LearnedRate | undefined {
  const { state, rate } = gate;
  switch (state.kind) {
    case 'open':
      // Nobody waits where the server has kept up so far; and what is down has accepted next to nothing.
      if (rate !== undefined || event.moment.waiting === 0 || state.rush.accepted < LEAST_RUSH) return rate;
      return learned(rate, openLesson(state, event, hintMs));
    case 'ramping':
      return learned(rate, rampLesson(gate, state, { event, hintMs }));
    case 'gliding':
      return learned(rate, glideLesson(state, event, hintMs));
    case 'held':
    case 'asking':
    case 'probing':
      return rate;
  }
}

interface Epoch {
  readonly sinceMonoMs: number;
  readonly accepted: number;
}

function sampled({ sinceMonoMs, accepted }: Epoch, { moment }: Limited, hintMs: number): SampleFacts {
  const { nowMonoMs } = moment;
  const ended = { endedMonoMs: nowMonoMs, hintMs, waitMs: hintMs };
  return {
    sample: {
      accepted: Math.max(1, accepted),
      tookMs: nowMonoMs - sinceMonoMs,
      ...ended,
    },
    freshUntilMonoMs: freshUntil(nowMonoMs, hintMs),
  };
}

interface SampleFacts {
  readonly sample: Sample;
  readonly freshUntilMonoMs: number;
}

function openLesson({ rush }: Open, event: Limited, hintMs: number): Lesson {
  return { ...sampled(rush, event, hintMs), phase: 'open', provenPerMs: 0 };
}

function rampLesson(
  gate: GateRecord,
  ramp: Ramping,
  { event, hintMs }: { event: Limited; hintMs: number },
): Lesson {
  const gapMs = Math.max(LEAST_GAP_MS, rampGapMs(gate, ramp, event.moment));
  return {
    ...sampled(ramp, event, hintMs),
    phase: 'ramping',
    provenPerMs: 0,
    failedPerMs: 1 / gapMs,
  };
}

function glideLesson(glide: Gliding, event: Limited, hintMs: number): Lesson {
  const { provenPerMs, steps, perMs } = glide;
  const failedPerMs = steps > 0 ? perMs : undefined;
  return {
    ...sampled(glide, event, hintMs),
    phase: phaseOf(glide),
    provenPerMs,
    failedPerMs,
  };
}

function phaseOf({ cycles, steps, bursting }: Gliding): Phase {
  if (cycles > 0) return 'cycling';
  if (steps > 0) return 'stepped';
  return bursting ? 'bursting' : 'gliding';
}

const LEAST_RUSH = 10;
const LEAST_GAP_MS = 0.1;
