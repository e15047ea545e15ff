import { afterEach, describe, expect, test } from '@jest/globals';
import axios from 'axios';
import type { AxiosInstance, AxiosResponse } from 'axios';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { heed } from 'axios-heed';
import type { Heeding } from 'axios-heed';
import { ordersApp } from '../../examples/recipes/express-deadline';
import { answers, loopbackServer, saysNothing } from '../support/loopback-server';
import type { LoopbackServer, LoopbackStep } from '../support/loopback-server';

interface Service {
  readonly upstream: LoopbackServer;
  readonly heeding: Heeding;
  readonly caller: AxiosInstance;
  ask(timeoutMs?: number): Promise<AxiosResponse>;
}

const services: { readonly upstream: LoopbackServer; readonly server: Server }[] = [];

afterEach(async () => {
  for (const { upstream, server } of services.splice(0)) {
    server.closeAllConnections();
    server.close();
    await upstream.close();
  }
});

/** The recipe between a caller and an upstream, all three real. */
async function service(...steps: LoopbackStep[]): Promise<Service> {
  const upstream = await loopbackServer(...steps);
  const api = axios.create({ baseURL: upstream.url });
  const heeding = heed(api, { jitter: 0 });
  const server = ordersApp(api).listen(0, '127.0.0.1');
  await once(server, 'listening');
  services.push({ upstream, server });
  const { port } = server.address() as AddressInfo;
  const caller = axios.create({ baseURL: `http://127.0.0.1:${port}`, validateStatus: () => true });
  const ask = (timeoutMs?: number): Promise<AxiosResponse> =>
    caller.get('/orders/7', { headers: { 'x-timeout-ms': timeoutMs } });
  return { upstream, heeding, caller, ask };
}

const busyFor = (seconds: number): LoopbackStep => answers(503, { 'retry-after': String(seconds) });
const order = answers(200, { 'content-type': 'application/json' }, '{"id":7}');

describe('the Express recipe', () => {
  test('waits for the upstream where the caller has the time', async () => {
    const { ask, upstream } = await service(busyFor(1), order);
    await expect(ask(5000)).resolves.toMatchObject({ status: 200, data: { id: 7 } });
    expect(upstream.requests).toHaveLength(2);
  });

  test('tells a caller who has not at once, and passes on when to come back', async () => {
    const { ask } = await service(busyFor(3), order);
    const startMs = performance.now();
    const { status, data, headers } = await ask(2000);
    expect(performance.now() - startMs).toBeLessThan(1000);
    expect([status, data, headers['retry-after']]).toEqual([503, { reason: 'deadline-too-near' }, '3']);
  });

  test('answers in time although the upstream does not', async () => {
    const { ask } = await service(saysNothing);
    const startMs = performance.now();
    const { status, data } = await ask(500);
    expect([status, data]).toEqual([504, { reason: 'deadline-passed' }]);
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(440);
    expect(performance.now() - startMs).toBeLessThan(1500);
  });

  test('takes nonsense in the header for a caller who does not say', async () => {
    const { caller, upstream } = await service(busyFor(1), order);
    for (const nonsense of ['soon', '-5', '0', '1e999']) {
      await expect(caller.get('/orders/7', { headers: { 'x-timeout-ms': nonsense } })).resolves.toMatchObject(
        { status: 200 },
      );
    }
    expect(upstream.requests).toHaveLength(5);
  });

  test('leaves the queue when the caller has gone', async () => {
    const { caller, heeding, upstream } = await service(busyFor(2), order);
    const controller = new AbortController();
    const asked = caller.get('/orders/7', { signal: controller.signal }).catch((error: unknown) => error);
    while (heeding.snapshot().waiting === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort();
    await asked;
    while (heeding.snapshot().waiting > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(upstream.requests).toHaveLength(1);
  });

  test('calls a final refusal of the upstream a bad gateway', async () => {
    const { ask } = await service(answers(400));
    await expect(ask()).resolves.toMatchObject({ status: 502, data: { reason: 'not-transient' } });
  });
});
