import { estimateOf, newestOf, shapeAfter, slopeBetween } from './estimate.js';
import type { Estimate, Phase, Sample, Shape } from './estimate.js';
import { CAUTION, DEARER, FRESH_AT_LEAST_MS, FRESH_HINTS, LEAST_RUSH, LOOK_BACK, STUB } from './figures.js';

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
  /** The newest lesson, until the next probe is accepted: answers under way and a longer hold belong to it. */
  readonly open: OpenLesson | undefined;
}

export interface OpenLesson {
  readonly before: LearnedRate | undefined;
  readonly lesson: Lesson;
}

/** What a limit teaches that ends an epoch. */
export interface Lesson {
  readonly sample: Sample;
  /** That of the passes it is about. */
  readonly epoch: number;
  readonly phase: Phase;
  /** Kept up without a limit before the last step, not counting what may have been saved up. */
  readonly provenPerMs: number;
  /** The rate that met the limit, where it was above the estimate. */
  readonly failedPerMs?: number | undefined;
}

/** What is known after one more saturated epoch. */
export function learned(before: LearnedRate | undefined, lesson: Lesson): LearnedRate {
  const settled = before && concluded(before);
  const known = settled ?? NOTHING_LEARNED;
  const { sample, phase } = lesson;
  const fresh = {
    freshUntilMonoMs: freshUntil(sample.endedMonoMs, sample.hintMs),
    open: { before: settled, lesson },
  };
  const longer = settled && withStub(settled, sample);
  if (longer !== undefined) return { ...longer, ...fresh };
  const [previous] = known.samples.slice(-1);
  const samples = [...(known.provisional ? [] : known.samples), sample].slice(-LOOK_BACK);
  const slope = previous && slopeBetween(previous, sample);
  const shape = shapeAfter({ ...lesson, shape: known.shape, previous, slope });
  return {
    ...estimateOf({ ...lesson, samples, slope, shape }),
    ...fresh,
    samples,
    shape,
    burstShare: known.burstShare * (BURST_KEPT[phase] ?? 1),
    rampAccepted: settled === undefined || phase === 'ramping' ? sample.accepted : known.rampAccepted,
    priceFactor: known.priceFactor * (phase === 'stepped' ? DEARER : 1),
    provisional: phase === 'open',
  };
}

/** A probe was accepted: whatever comes now belongs to another epoch. */
export function concluded(rate: LearnedRate): LearnedRate {
  return rate.open === undefined ? rate : { ...rate, open: undefined };
}

/** An answer that was under way when the limit came was accepted after all. */
export function moreAccepted(rate: LearnedRate, epoch: number, more: number): LearnedRate {
  const { open } = rate;
  if (open?.lesson.epoch !== epoch) return rate;
  return relearned(open, { accepted: open.lesson.sample.accepted + more });
}

/** The hold lasts longer than the hint had said. */
export function prolonged(rate: LearnedRate, untilMonoMs: number): LearnedRate {
  const { open } = rate;
  if (open === undefined) return rate;
  const { waitMs, endedMonoMs } = open.lesson.sample;
  return relearned(open, { waitMs: Math.max(waitMs, untilMonoMs - endedMonoMs) });
}

function relearned({ before, lesson }: OpenLesson, changes: Partial<Sample>): LearnedRate {
  return learned(before, { ...lesson, sample: { ...lesson.sample, ...changes } });
}

/** By what all were accepted who share the gate, where one client had its own part to go by. */
export function retold(
  rate: LearnedRate,
  { accepted, tookMs }: { readonly accepted: number; readonly tookMs: number },
): LearnedRate {
  if (rate.provisional || accepted === 0) return rate;
  const sample = { ...newestOf(rate.samples), accepted, tookMs };
  const previous = rate.samples[rate.samples.length - 2];
  return withNewest(rate, sample, previous && slopeBetween(previous, sample));
}

/** A rate that others have learned. */
export function adopted(perMs: number, nowMonoMs: number): LearnedRate {
  return {
    ...NOTHING_LEARNED,
    ...{ perMs: perMs / CAUTION, mostPerMs: perMs / CAUTION, burst: 0, burstPerMs: perMs, burstShare: 0 },
    freshUntilMonoMs: freshUntil(nowMonoMs, 0),
  };
}

/** A rush that was accepted next to nothing of is no measurement: the server may have been down. */
export function isTelling(rate: LearnedRate): boolean {
  return !rate.provisional || newestOf(rate.samples).accepted >= LEAST_RUSH;
}

export function freshUntil(nowMonoMs: number, hintMs: number): number {
  return nowMonoMs + Math.max(FRESH_AT_LEAST_MS, FRESH_HINTS * hintMs);
}

/** Where it was over before it had begun: the hold before it was too short, and this is part of it. */
function withStub(
  rate: LearnedRate,
  { accepted, tookMs, endedMonoMs, waitMs }: Sample,
): LearnedRate | undefined {
  const [last] = rate.samples.slice(-1);
  if (last === undefined || accepted > STUB * last.accepted || tookMs > STUB * (last.tookMs + last.waitMs))
    return undefined;
  const longer = {
    ...last,
    waitMs: Math.max(last.waitMs, endedMonoMs + waitMs - last.endedMonoMs),
    accepted: last.accepted + accepted,
  };
  return withNewest(rate, longer, undefined);
}

/** Its last measurement replaced. */
function withNewest(rate: LearnedRate, newest: Sample, slope: number | undefined): LearnedRate {
  const samples = [...rate.samples.slice(0, -1), newest];
  return { ...rate, ...estimateOf({ samples, slope, shape: rate.shape, provenPerMs: 0 }), samples };
}

/** A limit within the burst says that less was saved up; within the cycles of a window, that there is none. */
const BURST_KEPT: Partial<Record<Phase, number>> = { bursting: 0.5, cycling: 0 };

const NOTHING_LEARNED: Omit<LearnedRate, keyof Estimate | 'freshUntilMonoMs'> = {
  shape: 'unknown',
  samples: [],
  burstShare: 0.9,
  rampAccepted: 0,
  priceFactor: 1,
  provisional: false,
  open: undefined,
};
