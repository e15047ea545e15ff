import { CAUTION, HORIZON_CYCLES, LEAST_HINT_MS, LEAST_WINDOW, LENGTHS_DIFFER, RENEWED } from './figures.js';

/** One epoch from its first pass to the limit that it ran into, and the hold after it. */
export interface Sample {
  readonly accepted: number;
  readonly tookMs: number;
  /** The limit. */
  readonly endedMonoMs: number;
  /** The hold as the server announced it, and as it proved to be. */
  readonly hintMs: number;
  readonly waitMs: number;
}

export interface Estimate {
  /** What the scope serves in the long run, as far as it is known. */
  readonly perMs: number;
  /** No capacity is thought to exceed it. */
  readonly mostPerMs: number;
  /** Accepted at once after a hold, over and above the rate; and the pace at which it was. */
  readonly burst: number;
  readonly burstPerMs: number;
}

/**
 * How a quota is renewed, as far as it shows: bit by bit (a bucket), or not before its time is over (a
 * window). A bucket can be sent at its rate for ever; a window takes the same number again, as fast as the
 * last time, once per cycle.
 */
export type Shape = 'unknown' | 'bucket' | 'window';

/** Where in an epoch a limit was met. */
export type Phase = 'open' | 'ramping' | 'bursting' | 'gliding' | 'stepped' | 'cycling';

export interface Evidence {
  readonly samples: readonly Sample[];
  /** More accepted per more time, between the last two epochs. */
  readonly slope: number | undefined;
  readonly shape: Shape;
  readonly provenPerMs: number;
  readonly failedPerMs?: number | undefined;
}

/**
 * By renewal-reward: what a full cycle gave, over its length. Exact for a fixed window, and for a bucket that
 * does not run over while the hold lasts; in the long run for a sliding window. Servers round hints up to
 * whole seconds, and buckets run over meanwhile: there the slope tells, since two epochs of different lengths
 * differ by what was renewed in between, whatever the bucket holds.
 */
export function estimateOf(evidence: Evidence): Estimate {
  const { samples, slope } = evidence;
  const newest = newestOf(samples);
  const burstPerMs = newest.accepted / Math.max(1, newest.tookMs);
  const mostPerMs = evidence.failedPerMs ?? burstPerMs;
  const announcedPerMs = 1 / Math.max(LEAST_HINT_MS, newest.hintMs);
  const renewalPerMs = Math.max(renewalOf(samples), evidence.provenPerMs / CAUTION, announcedPerMs);
  const hasSlope = evidence.shape === 'bucket' && slope !== undefined;
  const perMs = hasSlope ? Math.max(renewalPerMs, Math.min(slope, mostPerMs)) : renewalPerMs;
  const burst = Math.max(0, newest.accepted - perMs * newest.tookMs);
  return { perMs, mostPerMs, burstPerMs, burst };
}

/** Of none, one that says nothing. */
export function newestOf(samples: readonly Sample[]): Sample {
  return samples[samples.length - 1] ?? NO_SAMPLE;
}

/** The largest mean over the newest cycle and those shortly before it: one cut short must not slow all to come. */
function renewalOf(samples: readonly Sample[]): number {
  const newest = newestOf(samples);
  const endMonoMs = newest.endedMonoMs + newest.waitMs;
  const horizonMonoMs = endMonoMs - HORIZON_CYCLES * (newest.tookMs + newest.waitMs);
  const near = samples.filter((one) => one === newest || one.endedMonoMs - one.tookMs >= horizonMonoMs);
  return Math.max(...near.map((_, at) => meanOf(near.slice(at))));
}

function meanOf(samples: readonly Sample[]): number {
  let accepted = 0;
  let cyclesMs = 0;
  for (const one of samples) {
    accepted += one.accepted;
    cyclesMs = cyclesMs + one.tookMs + one.waitMs;
  }
  return accepted / Math.max(1, cyclesMs);
}

/** Undefined where the two are too much alike in length. */
export function slopeBetween(a: Sample, b: Sample): number | undefined {
  if (Math.max(a.tookMs, b.tookMs) < LENGTHS_DIFFER * Math.min(a.tookMs, b.tookMs)) return undefined;
  return Math.max(0, (b.accepted - a.accepted) / (b.tookMs - a.tookMs));
}

interface ShapeEvidence {
  readonly shape: Shape;
  readonly previous: Sample | undefined;
  readonly sample: Sample;
  readonly slope: number | undefined;
  readonly phase: Phase;
}

export function shapeAfter(evidence: ShapeEvidence): Shape {
  const { shape, previous, sample, slope } = evidence;
  switch (evidence.phase) {
    case 'bursting':
      return shape === 'window' && !isSameAgain(previous, sample) ? 'unknown' : shape;
    case 'gliding':
      // At its estimate, with caution, a bucket would not have run dry.
      return isSameAgain(previous, sample) ? 'window' : 'unknown';
    case 'stepped':
      if (slope === undefined) return shape;
      if (slope > RENEWED * meanOf([sample])) return 'bucket';
      return sample.accepted >= LEAST_WINDOW ? 'window' : 'unknown';
    default:
      return 'unknown';
  }
}

/** The number that was accepted before. */
function isSameAgain(previous: Sample | undefined, { accepted }: Sample): boolean {
  if (previous === undefined || accepted < LEAST_WINDOW) return false;
  return accepted > 0.8 * previous.accepted && accepted < 1.15 * previous.accepted;
}

const NO_SAMPLE: Sample = { accepted: 1, tookMs: 1, endedMonoMs: 0, hintMs: 0, waitMs: 0 };

export { CAUTION } from './figures.js';
