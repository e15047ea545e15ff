import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import axios, { AxiosError, AxiosHeaders, CanceledError } from 'axios';
import type { AxiosAdapter, AxiosInstance, AxiosResponse, InternalAxiosRequestConfig } from 'axios';
import fc from 'fast-check';
import { heed } from '../../lib/index';
import type { HeedConfig, Heeding, HeedPolicy } from '../../lib/index';
import { virtualClock } from '../../lib/testing/index';
import type { VirtualClock } from '../../lib/testing/index';
import { rejecting, settled } from '../support/world';
import type { Thrown } from '../support/world';

// What is random here is the world, not the axios below: the older ones are tried with fewer.
const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly devDependencies: { readonly axios: string };
};
const NEWEST = devDependencies.axios;

// Calls, aborts, answers and jumps of the wall clock, all by chance; what must hold whatever happens is below.

/** What the server does with one exchange, so many ms after it came. */
interface Step {
  readonly kind: 'ok' | 'limit' | 'broken' | 'reset' | 'silent' | 'throws' | 'nonsense';
  readonly seconds: number;
  readonly as: 'seconds' | 'date' | 'none';
  readonly status: number;
  readonly afterMs: number;
}

interface Call {
  readonly atMs: number;
  readonly scope: string;
  readonly method: 'get' | 'put' | 'post';
  readonly budgetMs: number | undefined;
  readonly exchanges: number;
  readonly abortAfterMs: number | undefined;
}

interface Jump {
  readonly atMs: number;
  readonly byMs: number;
}

interface Plan {
  readonly steps: readonly Step[];
  readonly calls: readonly Call[];
  readonly jumps: readonly Jump[];
  readonly concurrency: number | undefined;
  readonly jitter: number;
  readonly maxQueued: number;
  readonly hook: 'none' | 'quick' | 'slow' | 'fails' | 'moves';
  readonly timersEarlyByMs: number;
  readonly detachAtMs: number | undefined;
  readonly seed: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('ok', 'limit') },
    { weight: 1, arbitrary: fc.constantFrom('broken', 'reset', 'silent', 'throws', 'nonsense') },
  ),
  seconds: fc.integer({ min: 0, max: 40 }),
  as: fc.constantFrom('seconds', 'seconds', 'date', 'none'),
  status: fc.constantFrom(429, 503, 403),
  afterMs: fc.constantFrom(1, 5, 50, 1500),
});

const call: fc.Arbitrary<Call> = fc.record({
  atMs: fc.integer({ min: 0, max: 60_000 }),
  scope: fc.constantFrom('a', 'b'),
  method: fc.constantFrom('get', 'put', 'post'),
  budgetMs: fc.option(fc.integer({ min: 1, max: 90_000 }), { nil: undefined }),
  exchanges: fc.integer({ min: 1, max: 4 }),
  abortAfterMs: fc.option(fc.integer({ min: 0, max: 60_000 }), { nil: undefined, freq: 3 }),
});

const jump: fc.Arbitrary<Jump> = fc.record({
  atMs: fc.integer({ min: 0, max: 90_000 }),
  byMs: fc.integer({ min: -3_600_000, max: 3_600_000 }),
});

const plan: fc.Arbitrary<Plan> = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 12 }),
  calls: fc.array(call, { minLength: 1, maxLength: 14 }),
  jumps: fc.array(jump, { maxLength: 2 }),
  concurrency: fc.constantFrom(undefined, undefined, 1, 2),
  jitter: fc.constantFrom(0, 0.1, 1),
  maxQueued: fc.constantFrom(10_000, 10_000, 2),
  hook: fc.constantFrom('none', 'none', 'quick', 'slow', 'fails', 'moves'),
  timersEarlyByMs: fc.constantFrom(0, 0, 3),
  detachAtMs: fc.option(fc.integer({ min: 0, max: 90_000 }), { nil: undefined, freq: 6 }),
  seed: fc.integer({ min: 1, max: 1_000_000 }),
});

/** An exchange as the server saw it. */
interface Seen {
  readonly call: number;
  readonly scope: string;
  readonly sentMs: number;
  endedMs?: number;
  /** By which the scope is closed, counted from the end. */
  hintMs?: number;
}

interface Ended {
  readonly call: number;
  readonly atMs: number;
  readonly value?: unknown;
  readonly error?: Thrown;
}

class World {
  readonly clock: VirtualClock;
  readonly seen: Seen[] = [];
  readonly ends: Ended[] = [];
  readonly heeding: Heeding;
  readonly #plan: Plan;
  readonly #api: AxiosInstance;
  readonly #originEpochMs: number;
  #refreshed = 0;

  constructor(plan: Plan) {
    this.#plan = plan;
    this.clock = virtualClock({ seed: plan.seed, timersEarlyByMs: plan.timersEarlyByMs });
    this.#originEpochMs = this.clock.wallEpochMs();
    this.#api = axios.create({ adapter: this.#adapter, timeout: 3000 });
    this.heeding = heed(this.#api, this.#policy());
  }

  /** Plays the plan to its end, and on until every call has settled. */
  async run(): Promise<void> {
    const { calls, jumps, detachAtMs } = this.#plan;
    const pending: Promise<void>[] = [];
    const controllers = calls.map(() => new AbortController());
    const acts = [
      ...calls.map((one, n) => ({
        atMs: one.atMs,
        act: () => void pending.push(this.#call(n, one, controllers[n]!)),
      })),
      ...calls.flatMap(({ atMs, abortAfterMs }, n) =>
        abortAfterMs === undefined ? [] : [{ atMs: atMs + abortAfterMs, act: () => controllers[n]!.abort() }],
      ),
      ...jumps.map(({ atMs, byMs }) => ({ atMs, act: () => this.clock.jumpWall(byMs) })),
      ...(detachAtMs === undefined ? [] : [{ atMs: detachAtMs, act: () => this.heeding.detach() }]),
    ].sort((a, b) => a.atMs - b.atMs);
    for (const { atMs, act } of acts) {
      await this.clock.advanceTo(atMs);
      act();
    }
    await this.clock.until(Promise.all(pending));
  }

  async #call(
    number: number,
    { scope, method, budgetMs, exchanges }: Call,
    { signal }: AbortController,
  ): Promise<void> {
    const options: HeedConfig = { exchanges, budget: budgetMs };
    const { value, error } = await settled(
      this.#api.request({
        method,
        url: 'https://api.test/things',
        headers: { 'X-Scope': scope, 'X-Call': String(number) },
        signal,
        heed: options,
      }),
    );
    this.ends.push({ call: number, atMs: this.clock.monoMs(), value, error });
  }

  readonly #adapter: AxiosAdapter = (config) => {
    const { clock, seen } = this;
    const { steps } = this.#plan;
    const now = steps[seen.length % steps.length]!;
    const exchange: Seen = {
      call: Number(config.headers.get('X-Call')),
      scope: String(config.headers.get('X-Scope')),
      sentMs: clock.monoMs(),
    };
    seen.push(exchange);
    if (now.kind === 'throws') throw new Error('an adapter that is broken');
    return played(clock, config, now).then(
      () => this.#end(config, exchange, now),
      (error: unknown) => {
        exchange.endedMs = clock.monoMs();
        return rejecting(error);
      },
    );
  };

  #end(
    config: InternalAxiosRequestConfig,
    exchange: Seen,
    { kind, status, as, seconds }: Step,
  ): AxiosResponse {
    const { clock } = this;
    exchange.endedMs = clock.monoMs();
    const limits = kind === 'limit' && (status === 429 || as !== 'none');
    // Its own clock, which no jump of ours moves.
    const serverEpochMs = Math.floor((this.#originEpochMs + clock.monoMs()) / 1000) * 1000;
    const headers = AxiosHeaders.from({ date: new Date(serverEpochMs).toUTCString() });
    if (kind === 'nonsense') headers.set('retry-after', 'sooner or later');
    if (kind === 'limit' && as === 'seconds') headers.set('retry-after', String(seconds));
    if (kind === 'limit' && as === 'date')
      headers.set('retry-after', new Date(serverEpochMs + seconds * 1000).toUTCString());
    if (limits) exchange.hintMs = as === 'none' ? 0 : seconds * 1000;
    const code = kind === 'ok' ? 200 : kind === 'limit' ? status : 503;
    const response: AxiosResponse = { status: code, statusText: '', headers, data: '', config, request: {} };
    if (code === 200) return response;
    throw new AxiosError(`Request failed with status code ${code}`, 'ERR_BAD_RESPONSE', config, {}, response);
  }

  #policy(): HeedPolicy {
    const { concurrency, jitter, maxQueued, hook } = this.#plan;
    return {
      clock: this.clock,
      jitter,
      maxQueued,
      concurrency,
      backoff: { first: 100, factor: 2, max: 5000 },
      scopes: [({ header }) => header('X-Scope'), () => 'all'],
      ...(hook === 'none' ? {} : { beforeExchange: () => this.#hook(hook) }),
    };
  }

  async #hook(kind: Exclude<Plan['hook'], 'none'>): Promise<{ headers: Record<string, string> } | undefined> {
    this.#refreshed += 1;
    if (kind === 'slow') await new Promise<void>((resolve) => this.clock.setTimer(700, resolve));
    if (kind === 'fails' && this.#refreshed % 3 === 0) throw new Error('a hook that failed');
    return kind === 'moves' ? { headers: { 'X-Scope': 'c' } } : undefined;
  }
}

/** Ends as its step says, unless its signal or its timeout is sooner. */
function played(
  clock: VirtualClock,
  config: InternalAxiosRequestConfig,
  { kind, afterMs }: Step,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const undo: (() => void)[] = [];
    const end = (settle: () => void) => (): void => {
      for (const one of undo) one();
      settle();
    };
    const { signal, timeout = 0 } = config;
    const cancel = end(() => reject(new CanceledError(undefined, config)));
    signal?.addEventListener?.('abort', cancel);
    undo.push(() => signal?.removeEventListener?.('abort', cancel));
    const late = end(() => reject(new AxiosError('timeout exceeded', 'ECONNABORTED', config, {})));
    undo.push(clock.setTimer(timeout, late));
    if (kind === 'silent') return;
    const reset = end(() => reject(new AxiosError('socket hang up', 'ECONNRESET', config, {})));
    undo.push(clock.setTimer(afterMs, kind === 'reset' ? reset : end(resolve)));
  });
}

/** Sent while a hint of the server stood for its scope. Whoever detaches has let go of that. */
function early({ seen }: World, { detachAtMs = Number.MAX_VALUE }: Plan): unknown {
  return seen.filter(({ scope, sentMs }) =>
    seen.some(({ scope: limited, endedMs, hintMs }) => {
      if (limited !== scope || endedMs === undefined || hintMs === undefined) return false;
      return endedMs < sentMs && sentMs < endedMs + hintMs && sentMs < detachAtMs;
    }),
  );
}

/** Calls that did not end, or more than once. */
function unended({ ends }: World, { calls }: Plan): unknown {
  return calls.filter((_, n) => ends.filter(({ call }) => call === n).length !== 1);
}

/** Passes, waiters and timers that nobody will ever give back, let go or cancel. */
function left({ heeding, clock }: World): unknown {
  const { gates, waiting } = heeding.snapshot();
  const lost = gates.filter(({ inFlight, waiting: there }) => inFlight > 0 || there > 0);
  return [...lost, ...clock.pending, ...(waiting > 0 ? [waiting] : [])];
}

/** Ended, or sent something, after the deadline. Calls after detach() are axios' alone. */
function outlived({ seen, ends }: World, { calls, detachAtMs = Number.MAX_VALUE }: Plan): unknown {
  return ends.filter(({ call, atMs }) => {
    const { atMs: startMs, budgetMs } = calls[call]!;
    if (budgetMs === undefined || startMs >= detachAtMs) return false;
    const endMs = startMs + budgetMs;
    return atMs > endMs || seen.some((exchange) => exchange.call === call && exchange.sentMs >= endMs);
  });
}

/** Ended, or sent something, after the caller had aborted. */
function overruled({ seen, ends }: World, { calls }: Plan): unknown {
  return ends.filter(({ call, atMs }) => {
    const { atMs: startMs, abortAfterMs } = calls[call]!;
    if (abortAfterMs === undefined) return false;
    const abortMs = startMs + abortAfterMs;
    return atMs > abortMs || seen.some((exchange) => exchange.call === call && exchange.sentMs > abortMs);
  });
}

/** Sent more exchanges than it may, or got an answer without sending any. */
function miscounted({ seen, ends }: World, { calls }: Plan): unknown {
  return ends.filter(({ call, value }) => {
    const { length } = seen.filter((exchange) => exchange.call === call);
    return length > calls[call]!.exchanges || (value !== undefined && length === 0);
  });
}

/** A POST that was sent again after an exchange of which nothing is known. */
function repeated({ seen }: World, { calls, steps }: Plan): unknown {
  return seen.filter(({ call }, n) => {
    const unknown = UNKNOWN.has(steps[n % steps.length]!.kind);
    return (
      calls[call]!.method === 'post' && unknown && seen.slice(n + 1).some((later) => later.call === call)
    );
  });
}

const UNKNOWN: ReadonlySet<Step['kind']> = new Set<Step['kind']>(['reset', 'silent', 'broken', 'nonsense']);

test('whatever happens, no exchange is early, late, unwanted or unsafe, and nothing is left behind', async () => {
  const nothing: unknown[] = [];
  await fc.assert(
    fc.asyncProperty(plan, async (one) => {
      const world = new World(one);
      await world.run();
      expect({
        early: early(world, one),
        unended: unended(world, one),
        left: left(world),
        outlived: outlived(world, one),
        overruled: overruled(world, one),
        miscounted: miscounted(world, one),
        repeated: repeated(world, one),
      }).toEqual({
        early: nothing,
        unended: nothing,
        left: nothing,
        outlived: nothing,
        overruled: nothing,
        miscounted: nothing,
        repeated: nothing,
      });
    }),
    { numRuns: axios.VERSION === NEWEST ? 250 : 40, seed: 20_260_101 },
  );
}, 60_000);
