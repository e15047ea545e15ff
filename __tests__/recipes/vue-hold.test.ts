/** @jest-environment jsdom */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createApp } from 'vue';
import type { App } from 'vue';
import { ordersComponent } from '../../examples/recipes/vue-hold';
import { busyFor, closePage, openPage, ORDERS } from './page';
import type { Page } from './page';

let page: Page;
let app: App;

beforeEach(() => {
  page = openPage();
  app = createApp(ordersComponent(page.api, page.heeding));
});

afterEach(() => {
  app.unmount();
  closePage(page);
});

const pass = async (ms: number): Promise<void> => {
  await jest.advanceTimersByTimeAsync(ms);
};

describe('the Vue recipe', () => {
  test('counts down to the next try, and then shows the data', async () => {
    page.mock
      .onGet('/orders')
      .replyOnce(...busyFor(12))
      .onGet('/orders')
      .reply(200, ORDERS);
    app.mount(page.root);
    expect(page.shown('status')).toBe('Loading your orders');
    await pass(100);
    expect([page.shown('status'), page.shown('timer')]).toEqual([
      'Busy. It goes on by itself',
      'Next try in 12 seconds',
    ]);
    await pass(4900);
    expect(page.shown('timer')).toBe('Next try in 7 seconds');
    await pass(7000);
    expect([page.shown('list'), page.shown('timer')]).toEqual(['A lampA chair', undefined]);
  });

  test('cancels a wait at once, and asks no more', async () => {
    page.mock.onGet('/orders').reply(...busyFor(12));
    app.mount(page.root);
    await pass(1000);
    page.button()?.click();
    await pass(0);
    expect(page.shown('alert')).toBe('Cancelled');
    await pass(60_000);
    expect(page.asked()).toBe(1);
  });

  test('leaves nobody, no timer and no listener behind when it is taken off the page', async () => {
    page.mock.onGet('/orders').reply(...busyFor(12));
    app.mount(page.root);
    await pass(1000);
    expect(page.heeding.snapshot().waiting).toBe(1);
    app.unmount();
    await pass(0);
    expect([page.heeding.snapshot().waiting, jest.getTimerCount()]).toEqual([0, 0]);
    const read = jest.spyOn(page.heeding, 'snapshot');
    await Promise.allSettled([page.api.get('/elsewhere')]);
    await pass(200);
    expect(read).not.toHaveBeenCalled();
  });
});
