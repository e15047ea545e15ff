import { describe, expect, test } from '@jest/globals';
import type { HeedPolicy, HintReader } from '../../lib/index';
import { fractionalSeconds, github, retryAfterMs, xRateLimit } from '../../lib/vendors/index';
import { EXACT, hintsIn, scriptedClient, T0 } from '../support/scripted-client';

/** When the second exchange went, after a 429 with these headers, and what the journal says of the hint. */
async function afterLimit(headers: Record<string, string>, policy: HeedPolicy) {
  const client = scriptedClient([{ status: 429, headers }, { status: 200 }], { ...EXACT, ...policy });
  const { status, journal } = await client.get();
  expect(status).toBe(200);
  return { times: client.server.times(), hint: hintsIn(journal)[0] };
}

describe('PAR-04: fractional seconds', () => {
  test.each([
    ['299.997', 299_997],
    ['2.0', 2000],
    ['0.5', 500],
    ['0.4931', 494],
  ])('%s waits %d ms where the reader is on, rounded up', async (value, waitMs) => {
    const policy = { hints: [fractionalSeconds()], maxHint: { seconds: 600 } };
    const { times, hint } = await afterLimit({ 'Retry-After': value }, policy);
    expect(times).toEqual([0, waitMs]);
    expect(hint).toMatchObject({ kind: 'hint', source: 'retry-after', raw: value, form: 'seconds' });
    // That the grammar does not have it is told all the same.
    expect(hint).toMatchObject({ passedOver: [{ kind: 'malformed', source: 'retry-after' }] });
  });

  test.each(['1e3', '.5', '5.', '1.5s', '-2.0', '1.5, x'])('%s stays malformed', async (value) => {
    const { times, hint } = await afterLimit({ 'Retry-After': value }, { hints: [fractionalSeconds()] });
    expect(times).toEqual([0, 200]);
    expect(hint).toMatchObject({ kind: 'malformed', because: 'invalid' });
  });

  test('what the grammar has is read once', async () => {
    const { times, hint } = await afterLimit({ 'Retry-After': '2' }, { hints: [fractionalSeconds()] });
    expect(times).toEqual([0, 2000]);
    expect(hint).toMatchObject({ form: 'delay-seconds' });
    expect(hint).not.toHaveProperty('passedOver');
  });
});

test.each([
  ['1500', 1500],
  ['30001', 30_001],
  ['soon', 30_000],
])('PAR-14: retry-after-ms: %s comes before Retry-After: 30 by choice', async (value, waitMs) => {
  const headers = { 'retry-after-ms': value, 'Retry-After': '30' };
  expect((await afterLimit(headers, { hints: [retryAfterMs()] })).times).toEqual([0, waitMs]);
  expect((await afterLimit(headers, {})).times).toEqual([0, 30_000]);
});

const epoch = (offsetSeconds: number) => String(T0 / 1000 + offsetSeconds);
const resetReaders: [string, HintReader][] = [
  ['xRateLimit', xRateLimit({ reset: 'epoch-seconds' })],
  ['github', github()],
];

describe.each(resetReaders)('a reset instant, by %s', (_, reader) => {
  const policy = { hints: [reader], maxHint: { seconds: 300 } };

  test('is waited for', async () => {
    const { times, hint } = await afterLimit({ 'X-RateLimit-Reset': epoch(60) }, policy);
    expect(times).toEqual([0, 60_000]);
    expect(hint).toMatchObject({
      source: 'x-ratelimit-reset',
      raw: epoch(60),
      clock: 'local',
      atEpochMs: T0 + 60_000,
    });
  });

  test('PAR-16: that has just gone is no wait, and no number of seconds', async () => {
    const { times, hint } = await afterLimit({ 'X-RateLimit-Reset': epoch(-5) }, policy);
    expect(times).toEqual([0, 200]);
    expect(hint).toMatchObject({ kind: 'hint', delayMs: 0, elapsed: true });
  });

  test('is measured by the clock of the server', async () => {
    const headers = { 'X-RateLimit-Reset': epoch(3605), Date: new Date(T0 + 3_600_000).toUTCString() };
    const { times, hint } = await afterLimit(headers, policy);
    expect(times).toEqual([0, 5000]);
    expect(hint).toMatchObject({ clock: 'server-date', skewMs: 3_600_000 });
  });

  test('counts for nothing unless asked for', async () => {
    expect((await afterLimit({ 'X-RateLimit-Reset': epoch(60) }, {})).times).toEqual([0, 200]);
  });
});

test.each(['seconds', 'epoch-seconds'] as const)(
  'PAR-17: Retry-After comes before a later reset in %s',
  async (reset) => {
    const headers = { 'Retry-After': '1', 'X-RateLimit-Reset': reset === 'seconds' ? '6' : epoch(6) };
    const { times, hint } = await afterLimit(headers, { hints: [xRateLimit({ reset })] });
    expect(times).toEqual([0, 1000]);
    expect(hint).toMatchObject({
      source: 'retry-after',
      passedOver: [{ kind: 'hint', hint: { source: 'x-ratelimit-reset', delayMs: 6000 } }],
    });
  },
);

test('what the policy itself says of the wait comes before all fields', async () => {
  const headers = { 'Retry-After': '30', 'X-RateLimit-Reset': epoch(60), 'X-RateLimit-Remaining': '0' };
  const { times, hint } = await afterLimit(headers, {
    hints: [xRateLimit({ reset: 'epoch-seconds' })],
    classify: ({ status }) => (status === 429 ? { kind: 'limit', delayMs: 700 } : undefined),
  });
  expect(times).toEqual([0, 700]);
  expect(hint).toMatchObject({ source: 'classify', form: 'own', quota: [{ remaining: 0 }] });
});
