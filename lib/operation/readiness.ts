import { alarmAt } from '../time/clock.js';
import type { Clock } from '../time/clock.js';

/** What a `beforeExchange` hook is told. */
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

export type BeforeExchange = (
  context: ExchangeContext,
) => ExchangeChanges | undefined | Promise<ExchangeChanges | undefined>;

/** The longest that a hook may take, so that one that hangs cannot hold a gate's pass for ever. */
export const LONGEST_HOOK_MS = 10_000;

/** Runs a hook of the caller within bounds. @throws what the hook throws */
export function runHook<T>(
  clock: Clock,
  hook: () => T | Promise<T>,
): Promise<{ kind: 'done'; value: T } | { kind: 'timed-out' }> {
  return new Promise((resolve, reject) => {
    const cancel = alarmAt(clock, clock.monoMs() + LONGEST_HOOK_MS, () => {
      resolve({ kind: 'timed-out' });
    });
    // An async function, so that a hook that throws at once rejects like one that throws later.
    const run = async (): Promise<T> => hook();
    run()
      .then((value) => {
        resolve({ kind: 'done', value });
      }, reject)
      .finally(cancel);
  });
}
