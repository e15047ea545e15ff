import { describe, expect, test } from '@jest/globals';
import {
  concurrencyLimit,
  fixedWindow,
  noLimit,
  outage,
  quotaServer,
  slidingWindow,
  tokenBucket,
  virtualClock,
  workQueue,
} from '../../lib/testing/index';

// A model without its numbers limits nothing, and a test of it would pass.
describe('the test kit refuses arguments with which it would count nothing', () => {
  test.each<[string, () => unknown, RegExp]>([
    [
      'a bucket without a rate',
      () => tokenBucket({ capacity: 20 } as never),
      /tokenBucket: expected `perSecond` to be a number above 0, got undefined/,
    ],
    [
      'a misspelt option',
      () => tokenBucket({ capacity: 1, perSecond: 1, token: 3 } as never),
      /options capacity, perSecond, tokens, got `token`/,
    ],
    [
      'a window of no length',
      () => fixedWindow({ quota: 5, windowMs: 0 }),
      /`windowMs` to be a number above 0, got 0/,
    ],
    [
      'a window without a quota',
      () => slidingWindow({ windowMs: 5 } as never),
      /slidingWindow: expected `quota`/,
    ],
    [
      'slots that are none',
      () => concurrencyLimit({ slots: NaN, serviceMs: 1 }),
      /`slots` to be a number above 0, got NaN/,
    ],
    [
      'an outage with nothing after it',
      () => outage({ forMs: 5 } as never),
      /outage: expected `then` to be an object/,
    ],
    ['a queue without a rate', () => workQueue({} as never), /workQueue: expected `perSecond`/],
    [
      'a server without a model',
      () => quotaServer({ clock: virtualClock() } as never),
      /quotaServer: expected `model`/,
    ],
    [
      'a server without a clock',
      () => quotaServer({ model: noLimit() } as never),
      /quotaServer: expected `clock`/,
    ],
    [
      'nothing at all',
      () => tokenBucket(undefined as never),
      /tokenBucket: expected an object, got undefined/,
    ],
  ])('%s', (_, make, message) => {
    expect(make).toThrow(message);
  });
});
