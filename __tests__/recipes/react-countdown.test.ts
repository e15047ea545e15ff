/** @jest-environment jsdom */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, createElement, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { Orders } from '../../examples/recipes/react-countdown';
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

const show = (): Promise<void> => {
  const { api, heeding } = page;
  return act(async () => root.render(createElement(StrictMode, {}, createElement(Orders, { api, heeding }))));
};

describe('the React recipe', () => {
  test('counts down to the next try, and then shows the data', async () => {
    page.mock
      .onGet('/orders')
      .replyOnce(...busyFor(12))
      .onGet('/orders')
      .reply(200, ORDERS);
    await show();
    expect(page.shown('status')).toBe('Loading your orders');
    await pass(100);
    expect([page.shown('status'), page.shown('timer')]).toEqual([
      'Busy. It goes on by itself',
      'Next try in 12 seconds',
    ]);
    await pass(5000);
    expect(page.shown('timer')).toBe('Next try in 7 seconds');
    await pass(6500);
    expect([page.shown('timer'), page.asked()]).toEqual(['Next try in 1 second', 1]);
    await pass(500);
    expect([page.shown('list'), page.shown('timer')]).toEqual(['A lampA chair', undefined]);
  });

  test('is quiet for a screen reader while the seconds go by', async () => {
    page.mock.onGet('/orders').reply(...busyFor(12));
    await show();
    await pass(100);
    const status = page.root.querySelector('[role="status"]');
    const changes: MutationRecord[] = [];
    const observer = new MutationObserver((found) => void changes.push(...found));
    observer.observe(status as Node, { subtree: true, characterData: true, childList: true });
    await pass(5000);
    observer.disconnect();
    expect([changes.length, page.shown('timer')]).toEqual([0, 'Next try in 7 seconds']);
  });

  test('cancels a wait at once, and asks no more', async () => {
    page.mock.onGet('/orders').reply(...busyFor(12));
    await show();
    await pass(1000);
    act(() => page.button()?.click());
    await pass(0);
    expect(page.shown('alert')).toBe('Cancelled');
    await pass(60_000);
    expect([page.asked(), page.heeding.snapshot().waiting]).toEqual([1, 0]);
  });

  test('leaves nobody waiting when it is taken off the page', async () => {
    page.mock.onGet('/orders').reply(...busyFor(12));
    await show();
    await pass(1000);
    expect(page.heeding.snapshot().waiting).toBe(1);
    await act(async () => root.render(null));
    await pass(0);
    expect([page.heeding.snapshot().waiting, jest.getTimerCount()]).toEqual([0, 0]);
  });

  test('says when it makes sense to come back, where waiting was not worth it', async () => {
    page.mock.onGet('/orders').reply(...busyFor(90));
    await show();
    await pass(0);
    expect(page.shown('alert')).toBe('Busy. Try again in 2 minutes');
  });

  test('renders on a server, where nobody waits', () => {
    const { api, heeding } = page;
    expect(renderToString(createElement(Orders, { api, heeding }))).toContain('Loading your orders');
  });
});
