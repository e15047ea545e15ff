import { alarmAt } from '../time/clock.js';
import type { CancelTimer, Clock } from '../time/clock.js';
import type { Deadline } from '../time/deadline.js';
import { firstOf } from './first-of.js';
import type { Journal } from './journal.js';
import type { HookNote } from './journal-entry.js';

/** What a hook is told of the exchange that is about to be sent. */
export interface ExchangeContext {
  readonly operationId: string;
  /** The number of the exchange about to be sent, from 1. */
  readonly exchange: number;
  /** How long this exchange waited at gates. */
  readonly waitedMs: number;
  readonly method: string;
  /** Without query and user info. */
  readonly url: string;
  /** A header as it would be sent now. */
  readonly header: (name: string) => string | undefined;
  /** For requests made inside the hook through the same client, so that they cannot wait for themselves. */
  readonly bare: { readonly heed: false };
}

/** What to send instead. Headers replace those of the same name, `null` removes; `data` is sent as it is. */
export interface ExchangeChanges {
  readonly headers?: Readonly<Record<string, string | null>> | undefined;
  readonly data?: unknown;
}

/** Gives fresh facts for the exchange that is about to be sent; `undefined` for none. Ten seconds at most. */
export type BeforeExchange = (
  context: ExchangeContext,
) => ExchangeChanges | undefined | Promise<ExchangeChanges | undefined>;

/** A question that is asked before an exchange that waited or is not the first. */
export interface ReadinessCheck {
  /** Stands in the journal. */
  readonly name: string;
  /** Ten seconds at most. What it throws rejects the call. */
  readonly check: (context: ExchangeContext) => ReadinessAnswer | Promise<ReadinessAnswer>;
}

/** Send; not before an instant (a `Date` or ms since 1970); or never, with a word on why for the journal. */
export type ReadinessAnswer = 'ready' | { readonly notBefore: Date | number } | { readonly stop: string };

/** The longest that a hook may take, so that one that hangs cannot hold a gate's pass for ever. */
export const LONGEST_HOOK_MS = 10_000;

/** Nothing is in the way of sending. */
export const READY = { kind: 'ready' } as const;

/** What bounds a hook besides `LONGEST_HOOK_MS`: the operation that it is asked for. */
export interface HookBounds {
  readonly clock: Clock;
  readonly journal: Journal;
  readonly deadline: Deadline | undefined;
  onCancel(run: () => void): (() => void) | undefined;
}

/** What comes of a hook. */
export interface HookAnswer {
  readonly kind: string;
  /** What the journal says of it, where it is more than that it is done. */
  readonly note?: HookNote;
}

export interface HookCut extends HookAnswer {
  readonly kind: 'stop';
  readonly because: 'hook-timed-out' | 'deadline-passed' | 'cancelled';
}

/**
 * Runs a hook of the caller within bounds and journals how it ended; one that is cut goes on unheard.
 * @throws what the hook throws
 */
export async function runHook<Answer extends HookAnswer>(
  bounds: HookBounds,
  hook: string,
  run: () => Promise<Answer>,
): Promise<Answer | HookCut> {
  const { clock, journal } = bounds;
  const startMonoMs = clock.monoMs();
  let how: HookNote = { how: 'failed' };
  try {
    const answer = await bounded(bounds, run);
    how = answer.note ?? { how: 'done' };
    return answer;
  } finally {
    journal.write({ event: 'hook-ended', hook, tookMs: clock.monoMs() - startMonoMs, ...how });
  }
}

function bounded<Answer>(bounds: HookBounds, run: () => Promise<Answer>): Promise<Answer | HookCut> {
  return firstOf((resolve, reject) => {
    const cut = (because: HookCut['because']) => () => {
      resolve({ kind: 'stop', because, note: { how: because } });
    };
    const undo = [alarmOf(bounds, cut), bounds.onCancel(cut('cancelled'))];
    run().then(resolve, reject);
    return undo;
  });
}

function alarmOf(
  { clock, deadline }: HookBounds,
  cut: (because: 'hook-timed-out' | 'deadline-passed') => () => void,
): CancelTimer {
  const longestMonoMs = clock.monoMs() + LONGEST_HOOK_MS;
  return deadline !== undefined && deadline.atMonoMs <= longestMonoMs
    ? alarmAt(clock, deadline.atMonoMs, cut('deadline-passed'))
    : alarmAt(clock, longestMonoMs, cut('hook-timed-out'));
}
