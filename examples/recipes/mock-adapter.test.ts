// Testing your own code with axios-mock-adapter and Jest's fake timers: one answer after the other.
// To change: the code under test and the answers. For many requests and quotas take axios-heed/testing.
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import axios from 'axios';
import AxiosMockAdapter from 'axios-mock-adapter';
import { heed } from 'axios-heed';

const api = axios.create({ baseURL: 'https://api.example.com' });
heed(api, { jitter: 0 }); // in tests every wait is exact
const mock = new AxiosMockAdapter(api);

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
  mock.reset();
});

test('a 429 is waited for as long as the server asks, to the millisecond', async () => {
  mock.onGet('/orders').replyOnce(429, {}, { 'Retry-After': '60' }).onGet('/orders').reply(200, ['a']);

  const orders = api.get('/orders');
  await jest.advanceTimersByTimeAsync(59_999);
  expect(mock.history.get).toHaveLength(1);
  await jest.advanceTimersByTimeAsync(1);

  await expect(orders).resolves.toMatchObject({ data: ['a'] });
  expect(mock.history.get).toHaveLength(2);
});

test('a broken connection is no reason to order twice', async () => {
  mock.onPost('/orders').networkError();

  await expect(api.post('/orders', { article: 7 })).rejects.toMatchObject({
    heed: { reason: 'outcome-unknown', exchanges: 1 },
  });
});

test('whoever leaves while he waits is told at once', async () => {
  mock.onGet('/orders').reply(503, {}, { 'Retry-After': '60' });
  const controller = new AbortController();

  const orders = api.get('/orders', { signal: controller.signal });
  const told = expect(orders).rejects.toMatchObject({ code: 'ERR_CANCELED' });
  await jest.advanceTimersByTimeAsync(1000);
  controller.abort();

  await told;
  expect(mock.history.get).toHaveLength(1);
});
