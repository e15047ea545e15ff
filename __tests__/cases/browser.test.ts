import { expect, test } from '@jest/globals';
import { EXACT, hintsIn, scriptedClient } from '../support/scripted-client';
import { settled } from '../support/world';

/** What a page may read of an answer whose server exposes nothing. */
const SAFELISTED = { 'content-type': 'application/json' } as const;

test('BRW-01: a hint that cannot be seen is not a hint of zero', async () => {
  const { get, server } = scriptedClient([
    { status: 429, headers: SAFELISTED },
    { status: 429, headers: SAFELISTED },
    { status: 200, headers: SAFELISTED },
  ]);
  const { status, journal } = await get();
  expect(status).toBe(200);
  const [first, second, third] = server.times();
  expect(first).toBe(0);
  expect(second).toBeGreaterThanOrEqual(200);
  expect(third! - second!).toBeGreaterThanOrEqual(400);
  expect(hintsIn(journal).slice(0, 2)).toEqual([
    { kind: 'silent', because: 'not-visible' },
    { kind: 'silent', because: 'not-visible' },
  ]);
});

test('BRW-03: timers that come late find the deadline passed, and send nothing', async () => {
  const { api, clock, server } = scriptedClient([{ status: 429, headers: { 'retry-after': '10' } }], EXACT, {
    timersEveryMs: 60_000,
  });
  const calls = Array.from({ length: 5 }, () => settled(api.get('/things', { heed: { budget: 30_000 } })));
  const ends = await clock.until(Promise.all(calls));
  expect(clock.monoMs()).toBe(60_000);
  expect(ends.map(({ error }) => error.heed.reason)).toEqual(
    Array.from({ length: 5 }, () => 'deadline-passed'),
  );
  await clock.advance(120_000);
  expect(server.times()).toEqual([0, 0, 0, 0, 0]);
});

test('BRW-05: no header is added to any exchange', async () => {
  const { get, server } = scriptedClient([{ status: 503 }, { status: 200 }]);
  await get();
  const [first, second] = server.sent.map(({ headers }) => Object.keys(headers).sort());
  expect(second).toEqual(first);
  expect(first).toEqual(['accept']);
});
