/** @jest-environment jsdom */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, createElement } from 'react';
import { createRoot } from 'react-dom/client';
import type { Root } from 'react-dom/client';
import { createQueryClient, Orders } from '../../examples/recipes/tanstack-query';
import { busyFor, closePage, openPage, ORDERS } from './page';
import type { Page } from './page';

let page: Page;
let root: Root;

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  page = openPage();
  root = createRoot(page.root);
});

afterEach(async () => {
  await act(async () => root.unmount());
  closePage(page);
});

const pass = (ms: number): Promise<void> =>
  act(async () => {
    await jest.advanceTimersByTimeAsync(ms);
  });

const show = (client: QueryClient, shown: boolean = true): Promise<void> => {
  const orders = shown ? createElement(Orders, { api: page.api }) : null;
  return act(async () => root.render(createElement(QueryClientProvider, { client, children: orders })));
};

describe('the recipe for TanStack Query', () => {
  test('loads through a limit', async () => {
    page.mock
      .onGet('/orders')
      .replyOnce(...busyFor(5))
      .onGet('/orders')
      .reply(200, ORDERS);
    await show(createQueryClient());
    await pass(4999);
    expect(page.shown('status')).toBe('Loading your orders');
    await pass(100);
    expect([page.shown('list'), page.asked()]).toEqual(['A lampA chair', 2]);
  });

  test('has one layer that sends again: four exchanges, where the default of a query makes more', async () => {
    page.mock.onGet('/orders').reply(500);
    await show(createQueryClient());
    await pass(120_000);
    expect(page.asked()).toBe(4);
    page.mock.resetHistory();
    await act(async () => root.render(null));
    await show(new QueryClient());
    await pass(120_000);
    expect(page.asked()).toBe(16);
  });

  test('shows why, from error.heed, and offers to try again where that makes sense', async () => {
    page.mock
      .onGet('/orders')
      .replyOnce(...busyFor(42))
      .onGet('/orders')
      .reply(200, ORDERS);
    await show(createQueryClient());
    await pass(100);
    expect([page.shown('alert'), page.asked()]).toEqual(['Busy. Try again in 42 secondsTry again', 1]);
    await pass(42_000);
    act(() => page.button()?.click());
    await pass(100);
    expect(page.shown('list')).toBe('A lampA chair');
  });

  test('offers no repetition of what is final', async () => {
    page.mock.onGet('/orders').reply(404);
    await show(createQueryClient());
    await pass(100);
    expect([page.shown('alert'), page.button()]).toEqual(['The service could not do it', null]);
  });

  test('does not wait for a query that nobody looks at any more', async () => {
    page.mock.onGet('/orders').reply(...busyFor(5));
    const client = createQueryClient();
    await show(client);
    await pass(1000);
    expect(page.heeding.snapshot().waiting).toBe(1);
    await show(client, false);
    await pass(0);
    expect(page.heeding.snapshot().waiting).toBe(0);
  });

  test('asks for what is fresh only once', async () => {
    page.mock.onGet('/orders').reply(200, ORDERS);
    const client = createQueryClient();
    await show(client);
    await pass(100);
    await show(client, false);
    await pass(20_000);
    await show(client);
    await pass(100);
    expect([page.shown('list'), page.asked()]).toEqual(['A lampA chair', 1]);
  });
});
