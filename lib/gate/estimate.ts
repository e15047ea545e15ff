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
export function estimateOf({ samples, slope, shape, provenPerMs, failedPerMs }: Evidence): Estimate {
  const newest = newestOf(samples);
  const burstPerMs = newest.accepted / Math.max(1, newest.tookMs);
  const mostPerMs = failedPerMs ?? burstPerMs;
  const announcedPerMs = 1 / Math.max(LEAST_HINT_MS, newest.hintMs);
  const renewalPerMs = Math.max(renewalOf(samples), provenPerMs / CAUTION, announcedPerMs);
  const hasSlope = shape === 'bucket' && slope !== undefined;
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
  const accepted = samples.reduce((sum, one) => sum + one.accepted, 0);
  const cyclesMs = samples.reduce((sum, one) => sum + one.tookMs + one.waitMs, 0);
  return accepted / Math.max(1, cyclesMs);
}

/** Undefined where the two are too much alike in length. */
export function slopeBetween(a: Sample, b: Sample): number | undefined {
  const [short, long] = a.tookMs <= b.tookMs ? [a, b] : [b, a];
  if (long.tookMs < LENGTHS_DIFFER * short.tookMs) return undefined;
  return Math.max(0, (long.accepted - short.accepted) / (long.tookMs - short.tookMs));
}

interface ShapeEvidence {
  readonly shape: Shape;
  readonly previous: Sample | undefined;
  readonly sample: Sample;
  readonly slope: number | undefined;
  readonly phase: Phase;
}

export function shapeAfter({ shape, previous, sample, slope, phase }: ShapeEvidence): Shape {
  switch (phase) {
    case 'open':
    case 'ramping':
    case 'cycling':
      return 'unknown';
    case 'bursting':
      return shape === 'window' && !isSameAgain(previous, sample) ? 'unknown' : shape;
    case 'gliding':
      // At its estimate, with caution, a bucket would not have run dry.
      return isSameAgain(previous, sample) ? 'window' : 'unknown';
    case 'stepped':
      if (slope === undefined) return shape;
      if (slope > RENEWED * meanOf([sample])) return 'bucket';
      return sample.accepted >= LEAST_WINDOW ? 'window' : 'unknown';
  }
}

/** The number that was accepted before. */
function isSameAgain(previous: Sample | undefined, { accepted }: Sample): boolean {
  if (previous === undefined || accepted < LEAST_WINDOW) return false;
  return accepted > 0.8 * previous.accepted && accepted < 1.15 * previous.accepted;
}

/** Caution: the share of an estimate that is used. */
export const CAUTION = 0.95;

const NO_SAMPLE: Sample = { accepted: 1, tookMs: 1, endedMonoMs: 0, hintMs: 0, waitMs: 0 };

// A server that says "in h seconds" says that by then one more can be served: at least one per h.
const LEAST_HINT_MS = 1000;
const HORIZON_CYCLES = 3;
const LENGTHS_DIFFER = 1.5;
const RENEWED = 0.5;
// Of a small number a cautious share would be a small share.
const LEAST_WINDOW = 20;
