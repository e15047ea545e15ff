import axios from 'axios';
import fc from 'fast-check';
import { byRoute, heed } from '../../lib/index';
import type { HeedConfig, HeedPolicy, JournalEntry } from '../../lib/index';
import { virtualClock } from '../../lib/testing/index';
import { scriptedAdapter } from '../support/scripted-adapter';
import type { Step } from '../support/scripted-adapter';
import { settled } from '../support/world';

/** A client, a server and what both do, by chance; the journal of it all. */
export interface RunPlan {
  readonly steps: readonly Step[];
  readonly calls: readonly PlannedCall[];
  readonly policy: HeedPolicy;
  readonly jumps: readonly { readonly atMs: number; readonly byMs: number }[];
  readonly seed: number;
}

interface PlannedCall {
  readonly atMs: number;
  readonly method: string;
  readonly url: string;
  readonly heed: HeedConfig | false | undefined;
  readonly takesAll: boolean;
  readonly timeout: number;
  readonly abortAfterMs: number | undefined;
}

/** Plays the plan to its end and gives every entry of it, as it comes back from a file. */
export async function journalOfRun({
  steps,
  calls,
  policy,
  jumps,
  seed,
}: RunPlan): Promise<readonly JournalEntry[]> {
  const clock = virtualClock({ seed });
  const server = scriptedAdapter(clock, ({ number }) => steps[number % steps.length]!);
  const api = axios.create({ baseURL: 'https://api.test', adapter: server.adapter });
  const entries: JournalEntry[] = [];
  heed(api, { ...policy, clock, onEntry: (entry) => entries.push(entry) });
  const pending: Promise<unknown>[] = [];
  const acts = [
    ...jumps.map(({ atMs, byMs }) => ({ atMs, act: () => clock.jumpWall(byMs) })),
    ...calls.flatMap(({ atMs, abortAfterMs, takesAll, ...config }) => {
      const controller = new AbortController();
      const judge = takesAll ? { validateStatus: () => true } : {};
      const request = { ...config, ...judge, signal: controller.signal };
      const call = { atMs, act: () => void pending.push(settled(api.request(request))) };
      if (abortAfterMs === undefined) return [call];
      return [call, { atMs: atMs + abortAfterMs, act: () => controller.abort() }];
    }),
  ].sort((a, b) => a.atMs - b.atMs);
  for (const { atMs, act } of acts) {
    await clock.advanceTo(atMs);
    act();
  }
  await clock.until(Promise.all(pending));
  return entries.map((entry) => JSON.parse(JSON.stringify(entry)) as JournalEntry);
}

const hints = fc.oneof(
  fc.constant(undefined),
  fc.nat({ max: 100 }).map(String),
  fc.constantFrom('soon', '', '-1', '1.5', '99999999999999999999', '120, 5', 'Thu, 01 Jan 2026 00:00:30 GMT'),
  fc.constantFrom('Wed, 31 Dec 2025 23:00:00 GMT', 'Fri, 02 Jan 2026 00:00:00 GMT'),
);

const answer: fc.Arbitrary<Step> = fc
  .record({
    status: fc.constantFrom(
      200,
      200,
      201,
      302,
      404,
      403,
      408,
      409,
      413,
      425,
      429,
      429,
      500,
      502,
      503,
      503,
      504,
    ),
    hint: hints,
    afterMs: fc.constantFrom(0, 1, 20, 700),
  })
  .map(({ status, hint, afterMs }) => ({
    status,
    afterMs,
    ...(hint === undefined ? {} : { headers: { 'retry-after': hint } }),
  }));

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: answer },
  { weight: 1, arbitrary: answer.map((one) => ({ ...one, cut: true })) },
  {
    weight: 2,
    arbitrary: fc.record({
      code: fc.constantFrom('ECONNRESET', 'ECONNREFUSED', 'ENOTFOUND', 'ERR_NETWORK', 'CERT_HAS_EXPIRED'),
      afterMs: fc.constantFrom(0, 5, 300),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ silent: true } as const) },
);

const optional = <T>(some: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(some, { nil: undefined });
const span = fc.integer({ min: 0, max: 90_000 });

const requestOptions: fc.Arbitrary<HeedConfig> = fc.record({
  budget: optional(fc.integer({ min: 1, max: 90_000 })),
  deadline: optional(fc.integer({ min: 1, max: 90_000 }).map((ms) => Date.UTC(2026, 0, 1) + ms)),
  reserve: optional(span),
  maxHint: optional(fc.oneof(span, fc.constant('none' as const))),
  exchanges: optional(fc.integer({ min: 1, max: 5 })),
  idempotent: optional(fc.boolean()),
  idempotencyKey: optional(fc.constant('auto' as const)),
});

const call: fc.Arbitrary<PlannedCall> = fc.record({
  // The first ones at the start of the client, whose allowance is counted from there.
  atMs: fc.oneof(fc.constant(0), fc.nat({ max: 60_000 })),
  method: fc.constantFrom('get', 'get', 'post', 'put', 'delete', 'patch'),
  url: fc.constantFrom('/orders/1', '/orders/2', '/users'),
  heed: fc.oneof(
    { weight: 2, arbitrary: fc.constant(undefined) },
    { weight: 4, arbitrary: requestOptions },
    { weight: 1, arbitrary: fc.constant(false as const) },
  ),
  takesAll: fc.constantFrom(false, false, false, true),
  timeout: fc.constantFrom(1000, 5000),
  abortAfterMs: fc.option(fc.nat({ max: 30_000 }), { nil: undefined, freq: 4 }),
});

const statuses = fc.uniqueArray(fc.constantFrom(404, 408, 409, 425, 429, 500, 502, 503, 504));

/** Policies, with functions where the library takes them. */
const policies: fc.Arbitrary<HeedPolicy> = fc.record({
  budget: optional(fc.integer({ min: 1, max: 120_000 })),
  reserve: optional(span),
  maxHint: optional(fc.oneof(span, fc.constant('none' as const))),
  exchanges: optional(fc.integer({ min: 1, max: 6 })),
  backoff: optional(
    fc.oneof(
      fc.record({
        first: fc.nat({ max: 5000 }),
        factor: fc.constantFrom(1, 2, 3),
        max: fc.nat({ max: 20_000 }),
      }),
      fc.constant((failures: number) => 100 * failures),
    ),
  ),
  jitter: optional(fc.constantFrom(0, 0.1, 1)),
  transient: optional(
    fc.oneof(
      statuses,
      fc.constant(({ status = 503 }: { status?: number }) => status >= 502),
    ),
  ),
  notApplied: optional(
    fc.oneof(
      statuses,
      fc.constant(({ status }: { status?: number }) => status === 503),
    ),
  ),
  allowance: optional(
    fc.oneof(
      fc.constant('none' as const),
      fc.record({
        start: fc.nat({ max: 3 }),
        perSecond: fc.constantFrom(0, 0.1),
        max: fc.constantFrom(1, 5),
      }),
    ),
  ),
  mode: fc.constantFrom(undefined, undefined, undefined, 'act', 'observe'),
  concurrency: fc.constantFrom(undefined, undefined, 1, 2),
  scopes: optional(fc.constant([byRoute(['/orders/:id'])])),
  reconcile: optional(
    fc.constantFrom<NonNullable<HeedPolicy['reconcile']>>(
      () => ({ outcome: 'not-applied' }),
      () => ({ outcome: 'applied' }),
      () => ({ outcome: 'unknown' }),
    ),
  ),
  classify: fc.constantFrom<HeedPolicy['classify']>(undefined, undefined, ({ status }) =>
    status === 201 ? { kind: 'limit', delayMs: 900 } : undefined,
  ),
});

/** What a policy file may hold. */
export const policyFiles: fc.Arbitrary<object> = policies.map(dataOf);

/** The part of a policy that a file can hold. */
export function dataOf(policy: HeedPolicy): object {
  const { budget, reserve, maxHint, exchanges, backoff, jitter, transient, notApplied, allowance } = policy;
  const data = { budget, reserve, maxHint, exchanges, backoff, jitter, transient, notApplied, allowance };
  return JSON.parse(JSON.stringify(data)) as object;
}

export const runs: fc.Arbitrary<RunPlan> = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 10 }),
  calls: fc.array(call, { minLength: 2, maxLength: 12 }),
  policy: policies,
  jumps: fc.array(
    fc.record({ atMs: fc.nat({ max: 90_000 }), byMs: fc.integer({ min: -3_600_000, max: 3_600_000 }) }),
    { maxLength: 1 },
  ),
  seed: fc.integer({ min: 1, max: 1_000_000 }),
});
