import 'reflect-metadata';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { HttpModule, HttpService } from '@nestjs/axios';
import { Logger } from '@nestjs/common';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import axios from 'axios';
import { OrdersModule, OrdersService } from '../../examples/recipes/nestjs';
import { failure } from '../support/scripted-client';
import { answers, gapsOf, loopbackServer } from '../support/loopback-server';
import type { LoopbackServer, LoopbackStep } from '../support/loopback-server';

let server: LoopbackServer;
let context: INestApplicationContext;

async function start(...steps: LoopbackStep[]): Promise<OrdersService> {
  server = await loopbackServer(...steps);
  process.env['ORDERS_URL'] = server.url;
  context = await NestFactory.createApplicationContext(OrdersModule);
  return context.get(OrdersService);
}

const json = { 'content-type': 'application/json' };
const order = answers(200, json, '{"id":7,"state":"shipped"}');
const busyFor = (seconds: number): LoopbackStep => answers(429, { 'retry-after': String(seconds) });

beforeAll(() => {
  Logger.overrideLogger(false);
});

afterEach(async () => {
  await context.close();
  await server.close();
});

describe('the NestJS recipe', () => {
  test('takes an instance of its own, where a bare HttpModule takes the global axios', async () => {
    await start(order);
    const bare = await NestFactory.createApplicationContext(HttpModule);
    expect(bare.get(HttpService).axiosRef).toBe(axios);
    expect(context.get(HttpService, { strict: false }).axiosRef).not.toBe(axios);
    await bare.close();
  });

  test('waits as long as the server asks', async () => {
    const orders = await start(busyFor(1), order);
    await expect(orders.find(7)).resolves.toEqual({ id: 7, state: 'shipped' });
    expect(server.requests).toHaveLength(2);
    expect(gapsOf(server)[0]).toBeGreaterThanOrEqual(999);
  });

  test('tells whoever waits when the application closes', async () => {
    const orders = await start(busyFor(5));
    const told = failure(orders.find(7));
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 50));
    await context.close();
    expect((await told).heed.reason).toBe('detached');
  });

  test('leaves a wait when the subscriber leaves', async () => {
    await start(busyFor(1), order);
    const http = context.get(HttpService, { strict: false });
    const subscription = http.get('/orders/7').subscribe();
    await new Promise((resolve) => setTimeout(resolve, 200));
    subscription.unsubscribe();
    await new Promise((resolve) => setTimeout(resolve, 1300));
    expect(server.requests).toHaveLength(1);
  });
});
