import { NO_SAMPLE, estimateOf, shapeAfter, slopeBetween } from './estimate.js';
import type { Estimate, Phase, Sample, Shape } from './estimate.js';

/** What saturated epochs have taught about a scope's capacity. */
export interface LearnedRate extends Estimate {
  readonly shape: Shape;
  /** The newest last. */
  readonly samples: readonly Sample[];
  readonly freshUntilMonoMs: number;
  /** The share of the burst that is used. */
  readonly burstShare: number;
  /** Accepted in the last ramp: the measure of a step. */
  readonly rampAccepted: number;
  /** What a step that goes wrong is reckoned to cost, as a multiple of what it costs by the last hold. */
  readonly priceFactor: number;
  /** From a rush at an open gate: what a quiet hour had saved up may be in it. */
  readonly provisional: boolean;
  /** No probe has been accepted since the newest sample: its hold may yet prove longer. */
  readonly unfinished: boolean;
}

/** What a limit teaches that ends an epoch. */
export interface Lesson {
  readonly sample: Sample;
  readonly phase: Phase;
  /** Kept up without a limit before the last step, not counting what may have been saved up. */
  readonly provenPerMs: number;
  /** The rate that met the limit, where it was above the estimate. */
  readonly failedPerMs?: number | undefined;
  readonly freshUntilMonoMs: number;
}

/** What is known after one more saturated epoch. */
export function learned(before: LearnedRate | undefined, lesson: Lesson): LearnedRate {
  const { sample, phase, freshUntilMonoMs } = lesson;
  if (before !== undefined && isStub(before, sample))
    return { ...withStub(before, sample), freshUntilMonoMs };
  const known = before === undefined || before.provisional ? [] : before.samples;
  const samples = [...known, sample].slice(-LOOK_BACK);
  const previous = before?.samples.at(-1);
  const slope = previous === undefined ? undefined : slopeBetween(previous, sample);
  const shape = shapeAfter({
    shape: before?.shape ?? 'unknown',
    previous,
    sample,
    slope,
    phase,
  });
  return {
    ...estimateOf({ ...lesson, samples, slope, shape }),
    ...{ samples, shape, freshUntilMonoMs },
    burstShare: burstShareAfter(before?.burstShare ?? BURST_CAUTION, phase),
    rampAccepted: before === undefined || phase === 'ramping' ? sample.accepted : before.rampAccepted,
    priceFactor: (before?.priceFactor ?? 1) * (phase === 'stepped' ? DEARER : 1),
    provisional: phase === 'open',
    unfinished: true,
  };
}

/** The hold after the newest sample lasts longer than the hint had said. */
export function prolonged(rate: LearnedRate, untilMonoMs: number): LearnedRate {
  return rate.unfinished ? amended(rate, { untilMonoMs, accepted: 0 }) : rate;
}

export function freshUntil(nowMonoMs: number, hintMs: number): number {
  return nowMonoMs + Math.max(FRESH_AT_LEAST_MS, FRESH_HINTS * hintMs);
}

/** What the newest cycle gave, and how long it was. */
export function cycleOf({ samples }: LearnedRate): {
  readonly accepted: number;
  readonly lengthMs: number;
} {
  const { accepted, tookMs, waitMs } = samples.at(-1) ?? NO_SAMPLE;
  return { accepted, lengthMs: tookMs + waitMs };
}

/** Over before it had begun: the hold before it was too short, and this is part of it. */
function isStub({ samples }: LearnedRate, { accepted, tookMs }: Sample): boolean {
  const last = samples.at(-1);
  return (
    last !== undefined && accepted <= STUB * last.accepted && tookMs <= STUB * (last.tookMs + last.waitMs)
  );
}

function withStub(rate: LearnedRate, { accepted, endedMonoMs, waitMs }: Sample): LearnedRate {
  return {
    ...amended(rate, { untilMonoMs: endedMonoMs + waitMs, accepted }),
    unfinished: true,
  };
}

function amended(rate: LearnedRate, more: { untilMonoMs: number; accepted: number }): LearnedRate {
  const newest = rate.samples.at(-1) ?? NO_SAMPLE;
  const waitMs = Math.max(newest.waitMs, more.untilMonoMs - newest.endedMonoMs);
  const samples = [
    ...rate.samples.slice(0, -1),
    { ...newest, waitMs, accepted: newest.accepted + more.accepted },
  ];
  return {
    ...rate,
    ...estimateOf({
      samples,
      slope: undefined,
      shape: rate.shape,
      provenPerMs: 0,
    }),
    samples,
  };
}

/** A limit within the burst says that less was saved up; within the cycles of a window, that there is none. */
function burstShareAfter(share: number, phase: Phase): number {
  if (phase === 'cycling') return 0;
  return phase === 'bursting' ? share / 2 : share;
}

const BURST_CAUTION = 0.9;
const DEARER = 3;
const STUB = 0.1;
const LOOK_BACK = 8;
const FRESH_AT_LEAST_MS = 300_000;
const FRESH_HINTS = 3;
