import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { OtelOptions } from '../../lib/otel/index';
import { DENIALS, REFUSAL_REASONS, STOP_REASONS } from '../../lib/reasons';
import { T0 } from '../support/scripted-client';
import { LIMITED, observedClient } from './observed-client';
import type { ObservedClient } from './observed-client';
import { epochMs, eventsOf, followContexts, forgetContexts } from './telemetry-world';

beforeAll(followContexts);
afterAll(forgetContexts);

describe('an operation that is limited once', () => {
  async function limitedOnce(options: OtelOptions = {}): Promise<ObservedClient> {
    const world = observedClient([LIMITED, { status: 200, afterMs: 30 }], options);
    await world.ended(world.api.get('/things/7?page=2'));
    return world;
  }

  test('is one INTERNAL span with a CLIENT span for every exchange below it', async () => {
    const world = await limitedOnce();
    const [operation] = world.operations();
    expect(world.spans()).toHaveLength(3);
    expect(operation).toMatchObject({ name: 'heed GET /things/:number', kind: SpanKind.INTERNAL });
    for (const exchange of world.exchanges()) {
      expect(exchange).toMatchObject({ name: 'GET /things/:number', kind: SpanKind.CLIENT });
      expect(exchange.parentSpanContext?.spanId).toBe(operation?.spanContext().spanId);
    }
  });

  test('says of its exchanges what the conventions ask for', async () => {
    const [first, second] = (await limitedOnce()).exchanges();
    expect(first?.attributes).toEqual({
      'http.request.method': 'GET',
      'server.address': 'api.example.com',
      'server.port': 443,
      'url.template': '/things/:number',
      'http.response.status_code': 429,
      'error.type': '429',
      'heed.exchange.number': 1,
      'heed.exchange.end': 'answer',
      'heed.exchange.verdict': 'limit',
      'heed.knowledge': 'not-applied',
      'heed.hint.kind': 'hint',
      'heed.hint.duration': 2,
    });
    expect(first?.status).toEqual({ code: SpanStatusCode.ERROR });
    expect(second?.attributes).toMatchObject({
      'http.request.resend_count': 1,
      'http.response.status_code': 200,
      'heed.exchange.probe': true,
    });
    expect(second?.attributes).not.toHaveProperty('error.type');
    expect(second?.status).toEqual({ code: SpanStatusCode.UNSET });
  });

  test('is no error itself, and tells its waits as events', async () => {
    const [operation] = (await limitedOnce()).operations();
    expect(operation?.status).toEqual({ code: SpanStatusCode.UNSET });
    expect(operation?.attributes).toMatchObject({
      'heed.operation.outcome': 'succeeded',
      'heed.operation.exchanges': 2,
      'heed.operation.mode': 'act',
      'heed.knowledge': 'answered',
    });
    expect(eventsOf(operation)).toEqual([
      ['heed.permission', expect.objectContaining({ 'heed.permission.result': 'granted' })],
      [
        'heed.decision',
        {
          'heed.exchange.number': 1,
          'heed.decision.kind': 'again',
          'heed.decision.row': 11,
          'heed.decision.delay': 2,
          'heed.decision.floor': 'hint',
        },
      ],
      ['heed.hold', { 'heed.gate.state': 'held', 'heed.queue.ahead': 0, 'heed.wait.expected': 2 }],
      ['heed.wait_ended', { 'heed.wait.duration': 2, 'heed.wait.end': 'pass' }],
      ['heed.probe_accepted', { 'heed.exchange.number': 2 }],
      ['heed.decision', expect.objectContaining({ 'heed.decision.kind': 'settle' })],
    ]);
  });

  test('has the times of the journal', async () => {
    const world = await limitedOnce();
    const times = world
      .spans()
      .map(({ startTime, endTime }) => [epochMs(startTime) - T0, epochMs(endTime) - T0]);
    expect(times).toEqual([
      [0, 50],
      [2050, 2080],
      [0, 2080],
    ]);
    const hold = world.operations()[0]?.events.find(({ name }) => name === 'heed.hold');
    expect(epochMs(hold?.time ?? [0, 0]) - T0).toBe(50);
  });

  test('has its exchanges as events where spans of exchanges are off', async () => {
    const world = await limitedOnce({ exchangeSpans: false });
    expect(world.spans()).toHaveLength(1);
    const exchanges = eventsOf(world.spans()[0]).filter(([name]) => name === 'heed.exchange');
    expect(exchanges).toEqual([
      ['heed.exchange', expect.objectContaining({ 'error.type': '429', 'heed.exchange.duration': 0.05 })],
      ['heed.exchange', expect.objectContaining({ 'http.request.resend_count': 1 })],
    ]);
  });

  test('names gates only when asked', async () => {
    const labels = async (options: OtelOptions): Promise<unknown> =>
      (await limitedOnce(options)).operations()[0]?.events.find(({ name }) => name === 'heed.hold')
        ?.attributes?.['heed.gate.label'];
    expect(await labels({})).toBeUndefined();
    expect(await labels({ gateLabels: true })).toEqual(expect.stringContaining('api.example.com'));
  });
});

describe('the reason of an end', () => {
  const reasons: readonly string[] = [...STOP_REASONS, ...REFUSAL_REASONS, ...DENIALS];

  test('is the very string of the journal: a deadline that is too near', async () => {
    const world = observedClient([{ status: 503, headers: { 'Retry-After': '60' } }]);
    const { error } = await world.get({ heed: { budget: 1000 } });
    const [operation] = world.operations();
    expect(operation?.attributes).toMatchObject({
      'heed.operation.outcome': 'stopped',
      'heed.reason': error?.heed.reason,
      'error.type': 'deadline-too-near',
    });
    expect(operation?.status).toEqual({ code: SpanStatusCode.ERROR });
    expect(reasons).toContain(operation?.attributes['heed.reason']);
  });

  test('is there when nothing was sent, with no exchange', async () => {
    const world = observedClient([LIMITED]);
    await world.get({ heed: { exchanges: 1 } });
    await world.get({ heed: { budget: 1000 } });
    const [, refused] = world.operations();
    expect(world.exchanges()).toHaveLength(1);
    expect(refused?.attributes).toMatchObject({
      'heed.operation.outcome': 'refused',
      'heed.operation.exchanges': 0,
      'heed.reason': 'deadline-too-near',
      'heed.knowledge': 'not-sent',
    });
    expect(eventsOf(refused)).toEqual([
      ['heed.refused', expect.objectContaining({ 'heed.reason': 'deadline-too-near' })],
    ]);
  });

  test('is there for a POST that is not repeated', async () => {
    const world = observedClient([{ code: 'ECONNRESET' }]);
    await world.ended(world.api.post('/orders', { id: 7 }));
    const [operation] = world.operations();
    expect(operation?.attributes).toMatchObject({
      'heed.reason': 'outcome-unknown',
      'heed.knowledge': 'unknown',
    });
    expect(eventsOf(operation)[0]).toEqual([
      'heed.permission',
      { 'heed.permission.result': 'denied', 'heed.reason': 'outcome-unknown', 'heed.knowledge': 'unknown' },
    ]);
    expect(world.exchanges()).toHaveLength(1);
    expect(world.exchanges()[0]?.attributes).not.toHaveProperty('http.response.status_code');
  });

  test('is that of the caller who cancels while waiting', async () => {
    const world = observedClient([LIMITED]);
    const caller = new AbortController();
    world.clock.setTimer(500, () => caller.abort());
    await world.get({ signal: caller.signal });
    expect(world.operations()[0]?.attributes).toMatchObject({
      'heed.operation.outcome': 'cancelled',
      'error.type': 'cancelled',
    });
    expect(eventsOf(world.operations()[0])).toContainEqual(['heed.cancel_requested', {}]);
    expect(eventsOf(world.operations()[0])).toContainEqual([
      'heed.wait_ended',
      { 'heed.wait.duration': 0.45, 'heed.wait.end': 'left' },
    ]);
  });
});

describe('the error of an exchange', () => {
  test.each([
    [{ status: 404 }, '404'],
    [{ status: 503 }, '503'],
    [{ code: 'ECONNREFUSED' }, 'ECONNREFUSED'],
    [{ code: 'ERR_NETWORK', causeCode: 'ENOTFOUND' }, 'ENOTFOUND'],
    [{ code: 'of user 7, at home' }, 'network-failure'],
    [{ silent: true }, 'timeout'],
    [{ status: 200, cut: true }, 'cut-answer'],
  ] as const)('of %j has the type %s', async (step, type) => {
    const world = observedClient([step], { policy: { exchanges: 1 } });
    await world.get({ timeout: 1000 });
    const [exchange] = world.exchanges();
    expect(exchange?.attributes['error.type']).toBe(type);
    expect(exchange?.status).toEqual({ code: SpanStatusCode.ERROR });
  });

  test.each([200, 204, 304])('is not there for %d', async (status) => {
    const world = observedClient([{ status }]);
    await world.get({ validateStatus: () => true });
    expect(world.exchanges()[0]?.attributes).not.toHaveProperty('error.type');
    expect(world.exchanges()[0]?.status).toEqual({ code: SpanStatusCode.UNSET });
  });

  test('stays with the span where the caller accepts the status, as the conventions want it', async () => {
    const world = observedClient([{ status: 404 }]);
    await world.get({ validateStatus: () => true });
    expect(world.exchanges()[0]?.status).toEqual({ code: SpanStatusCode.ERROR });
    expect(world.operations()[0]?.status).toEqual({ code: SpanStatusCode.UNSET });
  });
});

describe('the request', () => {
  test.each([
    ['http://API.example.com:8080', { 'server.address': 'api.example.com', 'server.port': 8080 }],
    ['http://[::1]', { 'server.address': '::1', 'server.port': 80 }],
    ['https://user:secret@api.example.com', { 'server.address': 'api.example.com', 'server.port': 443 }],
  ])('to %s is told by server and port', async (baseURL, server) => {
    const world = observedClient([{ status: 200 }]);
    await world.get({ baseURL });
    expect(world.exchanges()[0]?.attributes).toMatchObject(server);
  });

  test('that is relative, outside a page, has no server, and none is made up', async () => {
    const world = observedClient([{ status: 200 }]);
    await world.get({ baseURL: '' });
    expect(Object.keys(world.exchanges()[0]?.attributes ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^server\./)]),
    );
  });

  test.each([
    [undefined, 'HTTP /things', '_OTHER', 'PURGE'],
    [['PURGE'], 'PURGE /things', 'PURGE', undefined],
  ])('of a method that is not known (%j) is `_OTHER`', async (knownMethods, name, method, original) => {
    const world = observedClient([{ status: 200 }], { knownMethods });
    await world.ended(world.api.request({ url: '/things', method: 'purge' }));
    const [exchange] = world.exchanges();
    expect(exchange?.name).toBe(name);
    expect(exchange?.attributes['http.request.method']).toBe(method);
    expect(exchange?.attributes['http.request.method_original']).toBe(original);
  });
});

describe('the parent of an operation', () => {
  /** Calls within a span of the application; gives its id, and what comes of the call. */
  function callWithin(
    { provider }: ObservedClient,
    call: () => Promise<unknown>,
  ): { readonly caller: string; readonly ended: Promise<unknown> } {
    return provider.getTracer('application').startActiveSpan('caller', (span) => {
      const ended = call().finally(() => span.end());
      return { caller: span.spanContext().spanId, ended };
    });
  }

  test('is the span that is active where the call is made, also when other work is done before', async () => {
    const world = observedClient([LIMITED, { status: 200 }]);
    world.api.interceptors.request.use(async (config) => {
      await Promise.resolve();
      return config;
    });
    const { caller, ended } = callWithin(world, () => world.api.get('/things'));
    await world.ended(ended);
    expect(world.operations()[0]?.parentSpanContext?.spanId).toBe(caller);
  });

  test('is each caller its own, of several that wait behind one gate', async () => {
    const world = observedClient(({ number }) => (number === 1 ? LIMITED : { status: 200 }));
    await world.get({ heed: { exchanges: 1 } });
    const calls = [1, 2, 3].map((id) =>
      callWithin(world, () => world.api.get('/things', { params: { id } })),
    );
    await world.ended(Promise.all(calls.map(({ ended }) => ended)));
    const callers = calls.map(({ caller }) => caller);
    const parents = world.operations().map(({ parentSpanContext }) => parentSpanContext?.spanId);
    expect(new Set(parents.slice(1))).toEqual(new Set(callers));
    expect(new Set(callers).size).toBe(3);
  });

  test('is found on the stack alone, where no interceptor makes the call asynchronous', async () => {
    const world = observedClient([{ status: 200 }]);
    const call = world.api.get('/things');
    expect(world.entries.map(({ event }) => event)).toContain('operation-opened');
    await world.ended(call);
  });

  test('is nobody where no span is active', async () => {
    const world = observedClient([{ status: 200 }]);
    await world.get();
    expect(world.operations()[0]?.parentSpanContext).toBeUndefined();
  });

  test('does not reach into the exchange: what an instrumentation makes there belongs to the caller', async () => {
    const world = observedClient([{ status: 200 }]);
    const { adapter } = world.api.defaults;
    const active: unknown[] = [];
    world.api.defaults.adapter = (config) => {
      active.push(trace.getSpan(context.active())?.spanContext().spanId);
      return (adapter as (given: typeof config) => ReturnType<typeof world.server.adapter>)(config);
    };
    const { caller, ended } = callWithin(world, () => world.api.get('/things'));
    await world.ended(ended);
    expect(active).toEqual([caller]);
  });
});
