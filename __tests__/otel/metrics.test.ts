import { describe, expect, test } from '@jest/globals';
import axios from 'axios';
import { createGates, heed } from '../../lib/index';
import { virtualClock } from '../../lib/testing/index';
import { scriptedAdapter } from '../support/scripted-adapter';
import { EXACT } from '../support/scripted-client';
import { LIMITED, observedClient } from './observed-client';
import type { ObservedClient } from './observed-client';
import { telemetryWorld } from './telemetry-world';
import type { Point } from './telemetry-world';

const SERVER = { 'server.address': 'api.example.com' };

/** Several operations behind one hold: the first meets it, the others wait for its probe. */
async function heldTogether(options: Parameters<typeof observedClient>[1] = {}): Promise<ObservedClient> {
  const world = observedClient(({ number }) => (number === 1 ? LIMITED : { status: 200 }), options);
  const first = world.api.get('/things');
  await world.clock.advance(100);
  const others = [1, 2, 3].map((id) => world.api.get('/things', { params: { id } }));
  await world.ended(Promise.all([first, ...others]));
  return world;
}

function sum(points: readonly Point[]): number {
  return points.reduce((total, { value }) => total + Number(value), 0);
}

describe('operations', () => {
  test('are counted by outcome and reason', async () => {
    const world = observedClient([{ status: 200 }, { status: 404 }, { code: 'ECONNRESET' }, LIMITED]);
    await world.get();
    await world.get();
    await world.ended(world.api.post('/things'));
    await world.get({ heed: { budget: 1000 } });
    await world.get({ heed: { budget: 1000 } });
    const counted = (outcome: string, reason?: string): Point => ({
      attributes: {
        'heed.operation.outcome': outcome,
        ...SERVER,
        ...(reason === undefined ? {} : { 'heed.reason': reason }),
      },
      value: 1,
    });
    expect(await world.points('heed.operations')).toEqual([
      counted('succeeded'),
      counted('stopped', 'not-transient'),
      counted('stopped', 'outcome-unknown'),
      counted('stopped', 'deadline-too-near'),
      counted('refused', 'deadline-too-near'),
    ]);
    expect(await world.points('heed.refusals')).toEqual([
      { attributes: { 'heed.reason': 'deadline-too-near', ...SERVER }, value: 1 },
    ]);
  });
});

describe('exchanges', () => {
  test('are counted by method, class of status and verdict', async () => {
    const world = observedClient([LIMITED, { status: 201 }, { code: 'ECONNRESET' }]);
    await world.get();
    await world.ended(world.api.post('/things'));
    const counted = (method: string, verdict: string, status?: string): Point => ({
      attributes: {
        'http.request.method': method,
        'heed.exchange.verdict': verdict,
        ...SERVER,
        ...(status === undefined ? {} : { 'heed.exchange.status_class': status }),
      },
      value: 1,
    });
    expect(await world.points('heed.exchanges')).toEqual([
      counted('GET', 'limit', '4xx'),
      counted('GET', 'final', '2xx'),
      counted('POST', 'transient'),
    ]);
  });

  test('are timed under the name of the conventions only when asked, because instrumentations do', async () => {
    const untimed = observedClient([{ status: 200, afterMs: 250 }]);
    await untimed.get();
    expect([...(await untimed.metrics()).keys()]).not.toContain('http.client.request.duration');
    const timed = observedClient([{ status: 200, afterMs: 250 }, { status: 503 }], {
      requestDuration: true,
      policy: { exchanges: 1 },
    });
    await timed.get();
    await timed.get();
    expect(await timed.points('http.client.request.duration')).toEqual([
      {
        attributes: {
          'http.request.method': 'GET',
          'http.response.status_code': 200,
          'server.address': 'api.example.com',
          'server.port': 443,
        },
        value: expect.objectContaining({ count: 1, sum: 0.25 }),
      },
      {
        attributes: expect.objectContaining({ 'http.response.status_code': 503, 'error.type': '503' }),
        value: expect.objectContaining({ count: 1 }),
      },
    ]);
  });
});

describe('gates', () => {
  test('tell their holds by cause and their probes by verdict', async () => {
    const world = await heldTogether();
    expect(await world.points('heed.holds')).toEqual([
      { attributes: { 'heed.hold.cause': 'hint' }, value: 1 },
    ]);
    expect(await world.points('heed.probes')).toEqual([
      { attributes: { 'heed.probe.verdict': 'accepted' }, value: 1 },
    ]);
  });

  test('are named only when asked', async () => {
    const [hold] = await (await heldTogether({ gateLabels: true })).points('heed.holds');
    expect(hold?.attributes['heed.gate.label']).toEqual(expect.stringContaining('api.example.com'));
  });

  test('that clients share are counted once', async () => {
    const { telemetry, points } = telemetryWorld();
    const clock = virtualClock();
    const policy = { ...EXACT, clock };
    const gates = createGates({ clock, jitter: 0 });
    const [api] = [1, 2].map(() => {
      const { adapter } = scriptedAdapter(clock, [LIMITED, { status: 200 }]);
      const instance = axios.create({ baseURL: 'https://api.example.com', adapter });
      heed(instance, { ...policy, gates, onEntry: telemetry.onEntry });
      return instance;
    });
    await clock.until(api!.get('/things'));
    expect(sum(await points('heed.holds'))).toBe(1);
    expect(sum(await points('heed.probes'))).toBe(1);
  });
});

describe('waits', () => {
  test('are timed by kind and by how they ended', async () => {
    const world = await heldTogether();
    expect(await world.points('heed.wait.duration')).toEqual([
      {
        attributes: { 'heed.wait.kind': 'hold', 'heed.wait.end': 'pass' },
        value: expect.objectContaining({ count: 4, min: 1.95, max: expect.any(Number) }),
      },
    ]);
  });

  test('of an operation for itself are pauses', async () => {
    const world = observedClient([{ code: 'ECONNREFUSED' }, { status: 200 }]);
    await world.get();
    expect(await world.points('heed.wait.duration')).toEqual([
      {
        attributes: { 'heed.wait.kind': 'pause', 'heed.wait.end': 'pass' },
        value: expect.objectContaining({ count: 1, sum: 0.2 }),
      },
    ]);
  });

  test('are the length of the queue while they last', async () => {
    const world = observedClient(({ number }) => (number === 1 ? LIMITED : { status: 200 }));
    const length = async (): Promise<number> => sum(await world.points('heed.queue.length'));
    const first = world.api.get('/things');
    expect(await length()).toBe(0);
    await world.clock.advance(100);
    expect(await length()).toBe(1);
    const others = [1, 2].map((id) => world.api.get('/things', { params: { id } }));
    await world.clock.advance(100);
    expect(await length()).toBe(3);
    await world.ended(Promise.all([first, ...others]));
    expect(await length()).toBe(0);
  });
});
