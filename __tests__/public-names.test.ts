import { describe, expect, test } from '@jest/globals';
import * as root from '../lib/index.js';
import * as broadcast from '../lib/broadcast/index.js';
import * as describing from '../lib/describe/index.js';
import * as journal from '../lib/journal/index.js';
import * as node from '../lib/node/index.js';
import * as otel from '../lib/otel/index.js';
import * as redis from '../lib/redis/index.js';
import * as store from '../lib/store/index.js';
import * as retryAfter from '../lib/hint/retry-after.js';
import * as rateLimit from '../lib/rate-limit/index.js';
import * as testing from '../lib/testing/index.js';
import * as vendors from '../lib/vendors/index.js';

// A name that is added or lost here is a change that users see: it belongs in the CHANGELOG.
describe('public names', () => {
  test('of axios-heed', () => {
    expect(Object.keys(root).sort()).toEqual([
      'HeedOptionsError',
      'byOrigin',
      'byRoute',
      'byTenant',
      'byToken',
      'combine',
      'createGates',
      'heed',
      'isHeedError',
      'journalOf',
    ]);
  });

  test('of axios-heed/retry-after', () => {
    expect(Object.keys(retryAfter).sort()).toEqual([
      'RetryDelayError',
      'isRetryDelayError',
      'parseHttpDate',
      'parseRetryAfter',
      'retryDelay',
    ]);
  });

  test('of axios-heed/rate-limit', () => {
    expect(Object.keys(rateLimit).sort()).toEqual([
      'parseOlderRateLimit',
      'parseRateLimit',
      'parseRateLimitPolicy',
      'rateLimit',
    ]);
  });

  test('of axios-heed/vendors', () => {
    expect(Object.keys(vendors).sort()).toMatchSnapshot();
  });

  test('of axios-heed/testing', () => {
    expect(Object.keys(testing).sort()).toMatchSnapshot();
  });

  test('of axios-heed/broadcast', () => {
    expect(Object.keys(broadcast).sort()).toEqual(['broadcastStore']);
  });

  test('of axios-heed/describe', () => {
    expect(Object.keys(describing).sort()).toEqual(['describeHold', 'describeStop']);
  });

  test('of axios-heed/journal', () => {
    expect(Object.keys(journal).sort()).toEqual([
      'journalRing',
      'levelOf',
      'parseJournal',
      'readJournal',
      'sentenceOf',
      'tee',
      'toConsole',
      'toLogger',
      'toPino',
    ]);
  });

  test('of axios-heed/node', () => {
    expect(Object.keys(node).sort()).toEqual(['journalChannel', 'journalFile', 'readJournalFile']);
  });

  test('of axios-heed/otel', () => {
    expect(Object.keys(otel).sort()).toEqual(['otel']);
  });

  test('of axios-heed/redis', () => {
    expect(Object.keys(redis).sort()).toEqual(['fromIoredis', 'fromNodeRedis', 'redisStore']);
  });

  test('of axios-heed/store', () => {
    expect(Object.keys(store).sort()).toEqual(['sharedStore']);
  });
});
