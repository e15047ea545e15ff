import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Attributes } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import * as conventions from '@opentelemetry/semantic-conventions';
import { ATTR_URL_TEMPLATE } from '@opentelemetry/semantic-conventions/incubating';
import { ATTRIBUTE, EVENT, METRIC } from '../../lib/otel/names';
import { readDocument, tableUnder } from '../docs/markdown';
import { T0 } from '../support/scripted-client';
import { LIMITED, observedClient } from './observed-client';
import type { ObservedClient } from './observed-client';
import { entry } from './telemetry-world';

const page = readDocument('docs/otel.md');

describe('names of the conventions', () => {
  test('are theirs', () => {
    expect(ATTRIBUTE).toMatchObject({
      method: conventions.ATTR_HTTP_REQUEST_METHOD,
      methodOriginal: conventions.ATTR_HTTP_REQUEST_METHOD_ORIGINAL,
      resendCount: conventions.ATTR_HTTP_REQUEST_RESEND_COUNT,
      status: conventions.ATTR_HTTP_RESPONSE_STATUS_CODE,
      serverAddress: conventions.ATTR_SERVER_ADDRESS,
      serverPort: conventions.ATTR_SERVER_PORT,
      errorType: conventions.ATTR_ERROR_TYPE,
      urlTemplate: ATTR_URL_TEMPLATE,
    });
    expect(METRIC.requestDuration).toBe(conventions.METRIC_HTTP_CLIENT_REQUEST_DURATION);
  });

  test('are all stable but for the template', () => {
    const stable: readonly unknown[] = Object.values(conventions);
    const borrowed = [...Object.values(ATTRIBUTE), ...Object.values(METRIC)].filter(
      (name) => !name.startsWith('heed.'),
    );
    expect(borrowed.filter((name) => !stable.includes(name))).toEqual([ATTR_URL_TEMPLATE]);
  });

  test('are lower case words between dots, none the beginning of another', () => {
    const own = Object.values(ATTRIBUTE);
    expect(own.filter((name) => !/^[a-z]+(\.[a-z]+(_[a-z]+)*)+$/.test(name))).toEqual([]);
    expect(own.filter((name) => own.some((other) => other.startsWith(`${name}.`)))).toEqual([]);
  });
});

describe('docs/otel.md', () => {
  let worlds: readonly ObservedClient[] = [];
  beforeAll(async () => {
    worlds = await everything();
  });

  const firstCells = (heading: string): readonly string[] =>
    tableUnder(page, heading).map(([name = '']) => name);

  test('lists every attribute, event, metric and option, and no other', () => {
    expect([...firstCells('Attributes')].sort()).toEqual(Object.values(ATTRIBUTE).sort());
    expect([...firstCells('Events')].sort()).toEqual(Object.values(EVENT).sort());
    expect([...firstCells('Metrics')].sort()).toEqual(Object.values(METRIC).sort());
  });

  test('says of every metric what attributes it has', async () => {
    const points = (await Promise.all(worlds.map((world) => world.metrics()))).flatMap((one) => [...one]);
    const seen = namesBy(
      points.flatMap(([name, found]) => found.map(({ attributes }) => ({ name, attributes }))),
    );
    const documented = tableUnder(page, 'Metrics').map(([name = '', , , , attributes]) => [
      name,
      listOf(attributes),
    ]);
    expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(documented));
  });

  test('says of every event what attributes it has', () => {
    const seen = new Map(namesBy(worlds.flatMap(eventsIn)));
    // That of an exchange has what a span would have.
    expect(seen.get(EVENT.exchange)).toContain(ATTRIBUTE.exchangeDuration);
    const documented = tableUnder(page, 'Events').map(([name = '', , attributes]) => [
      name,
      listOf(attributes),
    ]);
    const without = { [EVENT.exchange]: undefined };
    expect({ ...Object.fromEntries(seen), ...without }).toEqual({
      ...Object.fromEntries(documented),
      ...without,
    });
  });

  test('names no attribute that is never exported, and leaves none out', async () => {
    const metrics = await Promise.all(worlds.map((world) => world.metrics()));
    const holders = [
      ...worlds.flatMap((world) => [...world.spans(), ...eventsIn(world)]),
      ...metrics.flatMap((one) => [...one.values()].flat()),
    ];
    const seen = new Set(holders.flatMap(({ attributes = {} }) => Object.keys(attributes)));
    expect([...seen].sort()).toEqual(Object.values(ATTRIBUTE).sort());
  });
});

/** The attributes of all that has one name, sorted. */
function namesBy(
  holders: readonly { readonly name: string; readonly attributes?: Attributes | undefined }[],
): readonly (readonly [string, readonly string[]])[] {
  const names = new Map<string, Set<string>>();
  for (const { name, attributes = {} } of holders) {
    names.set(name, new Set([...(names.get(name) ?? []), ...Object.keys(attributes)]));
  }
  return [...names].map(([name, found]) => [name, [...found].sort()]);
}

function listOf(cell: string = ''): readonly string[] {
  return cell === '' ? [] : cell.split(', ').sort();
}

function eventsIn(world: ObservedClient): ReadableSpan['events'] {
  return world.spans().flatMap(({ events }) => events);
}

/** One client for each thing that can happen. */
async function everything(): Promise<readonly ObservedClient[]> {
  return Promise.all([
    limited(),
    withoutExchangeSpans(),
    hooked(),
    doubtful(),
    deletedTwice(),
    cancelled(),
    leftOpen(),
  ]);
}

const ALL = { gateLabels: true, requestDuration: true } as const;

async function limited(): Promise<ObservedClient> {
  const world = observedClient(
    [LIMITED, { status: 200 }, { code: 'ECONNREFUSED' }, { status: 200 }, LIMITED],
    ALL,
  );
  await world.get();
  await world.get();
  await world.get({ heed: { budget: 1000 } });
  await world.get({ heed: { budget: 1000 } });
  return world;
}

async function withoutExchangeSpans(): Promise<ObservedClient> {
  const world = observedClient([{ status: 200 }], { exchangeSpans: false });
  await world.ended(world.api.request({ url: '/things', method: 'purge' }));
  return world;
}

async function hooked(): Promise<ObservedClient> {
  const world = observedClient([LIMITED, { status: 200 }], { policy: { beforeExchange: () => undefined } });
  await world.get();
  return world;
}

async function doubtful(): Promise<ObservedClient> {
  const world = observedClient([{ code: 'ECONNRESET' }], {
    policy: { reconcile: () => ({ outcome: 'unknown' }) } as never,
  });
  await world.ended(world.api.post('/orders', { id: 7 }));
  return world;
}

async function deletedTwice(): Promise<ObservedClient> {
  const world = observedClient([{ code: 'ECONNRESET' }, { status: 404 }]);
  await world.ended(world.api.delete('/things/7'));
  return world;
}

async function cancelled(): Promise<ObservedClient> {
  const world = observedClient([LIMITED]);
  const caller = new AbortController();
  world.clock.setTimer(500, () => caller.abort());
  await world.get({ signal: caller.signal });
  return world;
}

async function leftOpen(): Promise<ObservedClient> {
  const world = observedClient([{ silent: true }]);
  void world.api.get('/things');
  await world.clock.advance(10);
  const [opened] = world.entries;
  const later = { operation: opened?.operation, atEpochMs: T0 + 10 };
  world.telemetry.onEntry(entry({ ...later, event: 'pause-entered', because: 'offline' }));
  world.telemetry.close();
  return world;
}
