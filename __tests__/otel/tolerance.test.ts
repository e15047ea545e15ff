import { describe, expect, test } from '@jest/globals';
import { SpanStatusCode } from '@opentelemetry/api';
import * as fc from 'fast-check';
import { otel } from '../../lib/otel/index';
import type { OtelOptions } from '../../lib/otel/index';
import { T0 } from '../support/scripted-client';
import { observedClient } from './observed-client';
import { entry, epochMs, eventsOf, telemetryWorld } from './telemetry-world';
import type { TelemetryWorld } from './telemetry-world';

const OPENED = {
  event: 'operation-opened',
  method: 'GET',
  origin: 'https://api.example.com',
  route: '/things',
};
const EVENTS = [
  'operation-opened',
  'hold-entered',
  'pause-entered',
  'hold-refused',
  'wait-ended',
  'hook-ended',
  'reconciled',
  'probe-sent',
  'exchange-sent',
  'probe-accepted',
  'observation',
  'weighed',
  'permission-granted',
  'permission-denied',
  'decision',
  'cancel-requested',
  'concluded',
  'operation-closed',
  'gate-hold-began',
  'gate-verdict',
  'gate-of-another-version',
  'constructor',
];

function tell({ telemetry }: TelemetryWorld, ...entries: readonly object[]): void {
  for (const [at, facts] of entries.entries()) {
    telemetry.onEntry(entry({ operation: 'a-1', atEpochMs: T0 + at * 10, ...facts }));
  }
}

async function queueLength({ points }: TelemetryWorld): Promise<number> {
  return (await points('heed.queue.length')).reduce((total, { value }) => total + Number(value), 0);
}

describe('whatever comes', () => {
  const value = fc.oneof(
    fc.constantFrom(undefined, null, NaN, Infinity, -1, 0, 200, 1e300, '', 'GET', 'a-1', true),
    fc.anything(),
  );
  const facts = fc.record(
    {
      event: fc.oneof(fc.constantFrom(...EVENTS), value),
      operation: fc.oneof(fc.constantFrom('a-1', 'a-2'), value),
      atEpochMs: fc.oneof(fc.constantFrom(T0, T0 + 1, 0), value),
      ...Object.fromEntries(
        [
          'exchange',
          'method',
          'origin',
          'route',
          'status',
          'end',
          'code',
          'hint',
          'tookMs',
          'waitedMs',
          'how',
        ].map((name) => [name, value]),
      ),
      because: value,
      outcome: value,
      gate: value,
      epoch: value,
    },
    { requiredKeys: [] },
  );

  test('nothing throws, and no span stays open after the end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(facts, value), { maxLength: 40 }), async (entries) => {
        const world = telemetryWorld({ requestDuration: true, gateLabels: true });
        let started = 0;
        const tracer = world.provider.getTracer('counted');
        const counted: OtelOptions['tracer'] = {
          startSpan: (...given) => {
            started += 1;
            return tracer.startSpan(...given);
          },
          startActiveSpan: tracer.startActiveSpan.bind(tracer),
        };
        const telemetry = otel({ tracer: counted });
        for (const one of [...entries]) telemetry.onEntry(entry(one as object));
        telemetry.close();
        expect(world.spans()).toHaveLength(started);
      }),
      { numRuns: 200 },
    );
  });

  test('a tracer and a meter that throw do not reach the client', async () => {
    const failing = (): never => {
      throw new Error('out of order');
    };
    const tracer = { startSpan: failing, startActiveSpan: failing };
    const world = observedClient([{ status: 200 }], { tracer });
    expect((await world.get()).status).toBe(200);
    expect(() => world.telemetry.close()).not.toThrow();
  });

  test('an entry whose fields throw is passed over', () => {
    const world = telemetryWorld();
    const hostile = new Proxy({}, { get: () => { throw new Error('no'); } }); // prettier-ignore
    expect(() => world.telemetry.onEntry(entry(hostile))).not.toThrow();
    expect(() => world.telemetry.onEntry(undefined as never)).not.toThrow();
  });
});

describe('entries out of order', () => {
  test('of an operation whose opening was not seen are counted, and make no span', async () => {
    const world = telemetryWorld();
    tell(
      world,
      { event: 'exchange-sent', exchange: 1 },
      { event: 'observation', exchange: 1, end: 'answer', status: 200, verdict: 'final' },
      { event: 'operation-closed', outcome: 'succeeded' },
    );
    expect(world.spans()).toEqual([]);
    expect(await world.points('heed.operations')).toEqual([
      { attributes: { 'heed.operation.outcome': 'succeeded' }, value: 1 },
    ]);
  });

  test('an observation of another exchange ends no span, the end of the operation does', () => {
    const world = telemetryWorld();
    tell(
      world,
      OPENED,
      { event: 'exchange-sent', exchange: 2 },
      { event: 'observation', exchange: 1, end: 'answer', status: 500 },
      { event: 'operation-closed', outcome: 'stopped', because: 'detached' },
    );
    const [exchange, operation] = world.spans();
    expect(exchange?.attributes).not.toHaveProperty('http.response.status_code');
    expect(exchange?.status).toEqual({ code: SpanStatusCode.UNSET });
    expect(operation?.attributes).toMatchObject({ 'heed.reason': 'detached' });
  });

  test('a wall clock that is set back ends no span before it began', () => {
    const world = telemetryWorld();
    tell(
      world,
      OPENED,
      { event: 'exchange-sent', exchange: 1, atEpochMs: T0 + 100 },
      { event: 'observation', exchange: 1, end: 'answer', status: 200, atEpochMs: T0 - 3_600_000 },
      { event: 'operation-closed', outcome: 'succeeded', atEpochMs: T0 - 3_600_000 },
    );
    expect(world.spans().map(({ endTime }) => epochMs(endTime) - T0)).toEqual([100, 100]);
  });

  test('a conclusion after the end changes nothing', () => {
    const world = telemetryWorld();
    tell(
      world,
      OPENED,
      { event: 'operation-closed', outcome: 'succeeded' },
      { event: 'concluded', conclusion: 'x' },
    );
    expect(JSON.stringify(world.spans()[0]?.events)).toBe('[]');
  });
});

describe('an exchange that follows a redirect by itself', () => {
  test.each([
    ['POST', 303, 'GET'],
    ['PUT', 303, 'GET'],
    ['HEAD', 303, 'HEAD'],
    ['POST', 302, 'GET'],
    ['PUT', 301, 'PUT'],
    ['POST', 307, 'POST'],
    ['POST', 308, 'POST'],
  ])('of a %s, after a %d, is a %s to nobody knows where', (method, status, next) => {
    const world = telemetryWorld();
    tell(
      world,
      { ...OPENED, method },
      { event: 'exchange-sent', exchange: 1 },
      { event: 'observation', exchange: 1, end: 'redirect', status, verdict: 'redirect' },
      { event: 'exchange-sent', exchange: 2 },
      { event: 'observation', exchange: 2, end: 'answer', status: 200, verdict: 'final' },
    );
    const [first, second] = world.spans();
    expect(first?.attributes).toMatchObject({
      'http.request.method': method,
      'server.address': 'api.example.com',
    });
    expect(first?.status).toEqual({ code: SpanStatusCode.UNSET });
    expect(second?.name).toBe(next);
    expect(second?.attributes).toMatchObject({ 'http.request.method': next, 'http.request.resend_count': 1 });
    expect(second?.attributes).not.toHaveProperty(['server.address']);
    expect(second?.attributes).not.toHaveProperty(['url.template']);
  });
});

describe('values that cannot be', () => {
  test('are left out or bounded', async () => {
    const world = telemetryWorld();
    tell(
      world,
      OPENED,
      { event: 'hold-entered', state: 'x'.repeat(500), ahead: 'many', releaseAtEpochMs: T0 - 5000 },
      { event: 'wait-ended', waitedMs: -1, how: 'pass' },
      { event: 'exchange-sent', exchange: 1 },
      { event: 'observation', exchange: 1, end: 'answer', status: 99_999, verdict: 'final' },
      { event: 'operation-closed', outcome: 'succeeded' },
    );
    expect(eventsOf(world.spans()[1])).toEqual([
      ['heed.hold', { 'heed.gate.state': 'x'.repeat(128), 'heed.wait.expected': 0 }],
      ['heed.wait_ended', { 'heed.wait.end': 'pass' }],
    ]);
    expect(await world.points('heed.wait.duration')).toEqual([]);
    const [exchange] = await world.points('heed.exchanges');
    expect(exchange?.attributes).not.toHaveProperty(['heed.exchange.status_class']);
  });
});

describe('operations that never end', () => {
  test('are let go from the oldest on, their spans ended where they were last heard of', async () => {
    const world = telemetryWorld({ maxOpenOperations: 2 });
    tell(world, OPENED, { event: 'hold-entered', state: 'held', ahead: 0 });
    expect(await queueLength(world)).toBe(1);
    tell(world, { ...OPENED, operation: 'a-2' }, { ...OPENED, operation: 'a-3' });
    const [oldest] = world.spans();
    expect(world.spans()).toHaveLength(1);
    expect(oldest?.attributes).toMatchObject({
      'heed.operation.id': 'a-1',
      'heed.operation.abandoned': 'evicted',
    });
    expect(oldest?.status).toEqual({ code: SpanStatusCode.UNSET });
    expect(epochMs(oldest?.endTime ?? [0, 0])).toBe(T0 + 10);
    expect(await queueLength(world)).toBe(0);
  });

  test('are ended by close(), with what they have in flight', async () => {
    const world = observedClient([{ silent: true }]);
    void world.api.get('/things');
    await world.clock.advance(10);
    world.telemetry.close();
    expect(world.spans()).toHaveLength(2);
    expect(world.operations()[0]?.attributes['heed.operation.abandoned']).toBe('closed');
    world.telemetry.close();
    expect(world.spans()).toHaveLength(2);
  });

  test('are let go when their number comes up again', () => {
    const world = telemetryWorld();
    tell(world, OPENED, OPENED);
    expect(world.spans().map(({ attributes }) => attributes['heed.operation.abandoned'])).toEqual([
      'evicted',
    ]);
  });

  test('are not pushed out by those that have ended', () => {
    const world = telemetryWorld({ maxOpenOperations: 2 });
    tell(world, OPENED);
    for (const operation of ['a-2', 'a-3', 'a-4']) {
      tell(world, { ...OPENED, operation }, { event: 'operation-closed', outcome: 'succeeded', operation });
    }
    expect(world.spans().map(({ attributes }) => attributes['heed.operation.id'])).toEqual([
      'a-2',
      'a-3',
      'a-4',
    ]);
  });

  test('are ten thousand at most', () => {
    const world = telemetryWorld();
    for (let id = 1; id <= 10_050; id += 1) tell(world, { ...OPENED, operation: `a-${id}` });
    expect(world.spans()).toHaveLength(50);
  });
});

describe('options', () => {
  test.each([
    [{ exchangeSpan: true }, 'exchangeSpan'],
    [{ maxOpenOperations: 0 }, 'maxOpenOperations'],
    [{ maxOpenOperations: Infinity }, 'maxOpenOperations'],
  ])('%j is refused by name', (options, name) => {
    expect(() => otel(options as OtelOptions)).toThrow(name);
  });

  test('that are undefined are absent', () => {
    expect(() =>
      otel({ tracer: undefined, meter: undefined, exchangeSpans: undefined, maxOpenOperations: undefined }),
    ).not.toThrow();
  });
});
