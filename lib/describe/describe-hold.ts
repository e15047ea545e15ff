import type { GateSnapshot, GatesSnapshot } from '../gate/snapshot.js';
import { distanceUntil, instantIn, presentOf } from './distance.js';
import type { DistanceLocale } from './distance.js';

export type { DistanceLocale } from './distance.js';

/** The wait of one operation, as `onProgress` tells it and `heeding.waiting()` lists it. */
export interface Wait {
  readonly state: GateSnapshot['state'] | 'offline';
  readonly ahead: number;
  readonly releaseAt?: number | undefined;
}

/** In whose words, counted from when, and of which gate. */
export interface DescribeOptions {
  /** A date-fns locale, for the distance. @default date-fns' default, which is English */
  readonly locale?: DistanceLocale | undefined;
  /** What the distance is counted from, a `Date` or ms since 1970. @default the present */
  readonly now?: Date | number | undefined;
  /** The label of the gate to describe. @default of a whole snapshot, the gate that opens last */
  readonly gate?: string | undefined;
  /** Words of your own, in any language. @default English */
  readonly sentence?: ((parts: HoldParts) => string) | undefined;
}

/** What a sentence is made of. */
export interface HoldParts {
  /**
   * `held`: nothing goes before `releaseAt`; `due`: that has come, and somebody is about to try; `asking`: one
   * goes first, to see whether the service is back; `turns`: the others follow one after the other; `offline`:
   * a network is waited for.
   */
  readonly stage: 'held' | 'due' | 'asking' | 'turns' | 'offline';
  /** Until the next try, such as "12 seconds", rounded up; with `held` only. */
  readonly distance?: string;
  /** How many go first; of a snapshot, before the last who waits. */
  readonly ahead: number;
  /** The earliest next try, ms since 1970; with `held` and `due` only. */
  readonly releaseAt?: number;
}

export interface HoldDescription extends HoldParts {
  readonly sentence: string;
}

/**
 * What to tell a person who waits, of a snapshot, one of its gates, or the progress of an operation;
 * `undefined` where nobody waits and nothing is held. A hold that is over is never called a recovery.
 * @throws TypeError for what is none of these
 */
export function describeHold(
  subject: GatesSnapshot | GateSnapshot | Wait,
  options: DescribeOptions = {},
): HoldDescription | undefined {
  const nowEpochMs = presentOf(options.now);
  const wait = waitIn(subject, options.gate, nowEpochMs);
  if (wait === undefined) return undefined;
  const parts = partsOf(wait, nowEpochMs, options.locale);
  return { ...parts, sentence: (options.sentence ?? englishOf)(parts) };
}

function waitIn(
  subject: GatesSnapshot | GateSnapshot | Wait,
  label: string | undefined,
  nowEpochMs: number,
): Wait | undefined {
  try {
    if ('ahead' in subject) return waitOf(subject);
    const gates = 'gates' in subject ? subject.gates : [subject];
    const named = label === undefined ? gates : gates.filter(({ gate }) => gate === label);
    const [first, ...others] = named.filter((gate) => isOfInterest(gate, nowEpochMs));
    if (first === undefined) return undefined;
    const last = others.reduce((one, gate) => (isAfter(gate, one) ? gate : one), first);
    // Whoever asks is taken for the last who waits.
    return waitOf({ ...last, ahead: last.waiting - 1, releaseAt: last.hold?.releaseAtEpochMs });
  } catch {
    const came = (subject as unknown) === null ? 'null' : typeof subject;
    throw new TypeError(
      `describeHold: expected a snapshot, one of its gates, or the wait of an operation, got ${came}`,
    );
  }
}

/** What is no number is left out: a sentence without it is better than none. */
function waitOf({ state, ahead, releaseAt }: Wait): Wait {
  return { state, ahead: Number.isFinite(ahead) ? Math.max(0, ahead) : 0, releaseAt: instantIn(releaseAt) };
}

// A hold that is over and that nobody waits behind keeps nobody from anything.
function isOfInterest({ waiting, state, inFlight, hold }: GateSnapshot, nowEpochMs: number): boolean {
  if (typeof (waiting as unknown) !== 'number') throw new TypeError('no gate');
  if (waiting > 0) return true;
  if (hold !== undefined) return hold.releaseAtEpochMs > nowEpochMs;
  return state === 'probing' && inFlight > 0;
}

function isAfter(one: GateSnapshot, other: GateSnapshot): boolean {
  const later = (one.hold?.releaseAtEpochMs ?? 0) - (other.hold?.releaseAtEpochMs ?? 0);
  return later > 0 || (later === 0 && one.waiting > other.waiting);
}

function partsOf(
  { state, ahead, releaseAt }: Wait,
  nowEpochMs: number,
  locale: DescribeOptions['locale'],
): HoldParts {
  if (state === 'offline') return { stage: state, ahead };
  if (state === 'probing' || state === 'asking') return { stage: 'asking', ahead };
  if (releaseAt === undefined) return { stage: 'turns', ahead };
  const distance = distanceUntil(releaseAt, nowEpochMs, locale);
  return distance === undefined
    ? { stage: 'due', ahead, releaseAt }
    : { stage: 'held', distance, ahead, releaseAt };
}

function englishOf({ stage, distance, ahead }: HoldParts): string {
  const others = ahead === 0 ? '' : `, ${ahead} ahead of you`;
  switch (stage) {
    case 'held':
      return `Busy. Next try in ${distance ?? 'a moment'}${others}`;
    case 'due':
      return `Busy. Next try now${others}`;
    case 'asking':
      return `Asking whether the service is back${others}`;
    case 'offline':
      return 'Offline. Goes on when the connection is back';
    case 'turns':
      return ahead === 0 ? 'Busy. Yours goes next' : `Busy. One goes after the other${others}`;
  }
}
