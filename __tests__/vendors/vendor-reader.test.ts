import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readHints } from '../../lib/hint/hint';
import type { HintFacts, HintReader, WeighedReading } from '../../lib/hint/hint';
import { retryAfterReader } from '../../lib/hint/retry-after-reader';
import * as vendors from '../../lib/vendors/index';
import { factsOf } from '../hint/facts';
import type { Headers } from '../hint/facts';

const T0 = Date.UTC(2026, 0, 1);
const { xRateLimit, ...named } = vendors;
const readers: readonly (readonly [string, HintReader])[] = [
  ...Object.entries(named).map(([name, make]) => [name, make()] as const),
  ['xRateLimit', xRateLimit({ reset: 'epoch-seconds' })],
];

const read = (
  reader: HintReader,
  status: number,
  headers: Headers,
  more: Partial<HintFacts> = {},
): WeighedReading => readHints(factsOf(status, headers, more), [retryAfterReader, reader]);

describe('every reader', () => {
  test.each(readers)('%s says nothing of an answer that says nothing', (_, reader) => {
    for (const status of [200, 301, 404, 500, 503]) {
      expect(read(reader, status, {}, { body: '{}' })).toEqual({ kind: 'silent', because: 'missing' });
    }
  });

  test.each(readers)('%s looks at no body of a success whose fields say nothing', (_, reader) => {
    let looked = false;
    const facts = factsOf(200, {});
    const watched = Object.defineProperty({ ...facts }, 'body', {
      get: () => {
        looked = true;
        return '{"data":1}';
      },
    });
    readHints(watched, [reader]);
    // GraphQL and Slack tell limits in a 200, and their fields may be hidden.
    const asksTheBody = ['github', 'shopify', 'slack'].includes(reader.name);
    expect(looked).toBe(asksTheBody);
  });

  test.each(readers)('%s leaves Retry-After the first word, unless a finer field is there', (_, reader) => {
    expect(read(reader, 429, { 'Retry-After': '7' })).toMatchObject({
      hint: { source: 'retry-after', delayMs: 7000 },
    });
  });

  const fields = [
    'retry-after',
    'retry-after-ms',
    'x-ratelimit-remaining',
    'x-ratelimit-reset',
    'x-ratelimit-reset-after',
    'x-ratelimit-reset-tokens',
    'x-ratelimit-remaining-tokens',
    'x-sentry-rate-limits',
    'zendesk-ratelimit-x',
    'ratelimit-reason',
    'x-should-retry',
    'date',
    'age',
  ];
  const anyValue = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '0',
      '1',
      '5.5',
      '1767225700',
      '1767225700000',
      '6m0s',
      '2026-01-01T00:00:09Z',
      'true',
      'false',
    ),
  );
  const anyHeaders = fc.dictionary(fc.constantFrom(...fields), anyValue);
  const anyBody = fc.oneof(fc.json(), fc.string(), fc.constantFrom(undefined, null, 5), fc.object());

  test.each(readers)('%s never fails and never gives a wait that is none', (_, reader) => {
    fc.assert(
      fc.property(
        fc.constantFrom(200, 400, 403, 429, 503, 529),
        anyHeaders,
        anyBody,
        (status, headers, body) => {
          const reading = read(reader, status, headers, { body });
          expect(JSON.stringify(reading)).not.toContain('reader-failed');
          const told = [reading, ...(reading.passedOver ?? [])];
          const waits = told.flatMap((one) => (one.kind === 'hint' ? [one.hint] : []));
          expect(waits.filter(({ delayMs }) => !Number.isSafeInteger(delayMs) || delayMs < 0)).toEqual([]);
          expect(waits.filter(({ raw }) => raw.length > 128 || /[^ -~]/.test(raw))).toEqual([]);
        },
      ),
      { numRuns: 200 },
    );
  });

  const megabyte = (text: string) => text.repeat(1_000_000 / text.length);

  test.each(readers)('%s reads a megabyte in linear time, and keeps little of it', (_, reader) => {
    const start = performance.now();
    for (const text of ['9', ' ', '60:', ';='].map(megabyte)) {
      const all = Object.fromEntries(fields.map((name) => [name, text]));
      const reading = read(reader, 429, all, { body: text });
      expect(JSON.stringify(reading).length).toBeLessThan(5000);
    }
    expect(performance.now() - start).toBeLessThan(6000);
  });
});

describe('waits', () => {
  test('the first that can be read counts, and the others are told', () => {
    const headers = { 'retry-after-ms': 'abc', 'x-ms-retry-after-ms': '250', 'Retry-After': '3' };
    expect(read(vendors.azure(), 503, headers)).toMatchObject({
      hint: { source: 'x-ms-retry-after-ms', form: 'milliseconds', delayMs: 250 },
      passedOver: [
        { kind: 'hint', hint: { source: 'retry-after' } },
        { kind: 'malformed', because: 'invalid', source: 'retry-after-ms', raw: 'abc' },
      ],
    });
  });

  test.each([200, 404])('are not read on a %i', (status) => {
    expect(read(vendors.retryAfterMs(), status, { 'retry-after-ms': '250' })).toEqual({
      kind: 'silent',
      because: 'missing',
    });
  });

  test.each([429, 500, 503, 529])('are read on a %i', (status) => {
    expect(read(vendors.retryAfterMs(), status, { 'retry-after-ms': '250' })).toMatchObject({ kind: 'hint' });
  });

  test('of more ms than can be told apart are an overflow, which Retry-After does not shorten', () => {
    const headers = { 'retry-after-ms': '9'.repeat(400), 'Retry-After': '3' };
    expect(read(vendors.retryAfterMs(), 429, headers)).toMatchObject({
      kind: 'overflow',
      source: 'retry-after-ms',
    });
  });

  test('several lines of a field are none of a number', () => {
    expect(read(vendors.retryAfterMs(), 429, { 'retry-after-ms': ['250', '900'] })).toMatchObject({
      kind: 'malformed',
      raw: '250, 900',
    });
  });

  test('the documented one counts only where nothing else is told', () => {
    const documented = {
      source: 'documented-default',
      raw: '',
      form: 'documented',
      delayMs: 60_000,
      clock: 'none',
    };
    expect(read(vendors.sentry(), 429, {})).toEqual({ kind: 'hint', hint: documented });
    expect(read(vendors.sentry(), 429, { 'Retry-After': '5' })).not.toHaveProperty('passedOver');
    expect(read(vendors.sentry(), 429, { 'Retry-After': 'soon' })).toMatchObject({ kind: 'malformed' });
    expect(read(vendors.sentry(), 503, {})).toEqual({ kind: 'silent', because: 'missing' });
    expect(read(vendors.airtable(), 429, {})).toMatchObject({ hint: { delayMs: 30_000 } });
  });
});

describe('quotas', () => {
  const epoch = (seconds: number) => String(T0 / 1000 + seconds);

  test('are told with every answer, and a used-up one is a wait on limits only', () => {
    const headers = {
      'x-ratelimit-remaining': '0',
      'x-ratelimit-limit': '10',
      'x-ratelimit-reset': epoch(9),
    };
    const quota = {
      kind: 'quota',
      source: 'x-ratelimit-reset',
      raw: epoch(9),
      remaining: 0,
      limit: 10,
      resetMs: 9000,
      clock: 'local',
    };
    expect(read(vendors.auth0(), 200, headers)).toEqual({
      kind: 'silent',
      because: 'missing',
      quota: [quota],
    });
    expect(read(vendors.auth0(), 404, headers)).toEqual({
      kind: 'silent',
      because: 'missing',
      quota: [quota],
    });
    expect(read(vendors.auth0(), 429, headers)).toMatchObject({ hint: { delayMs: 9000 }, quota: [quota] });
    expect(read(vendors.auth0(), 503, headers)).toMatchObject({ hint: { delayMs: 9000 }, quota: [quota] });
  });

  test('of which something is left are no wait', () => {
    const headers = { 'x-ratelimit-remaining': '3', 'x-ratelimit-reset': epoch(9) };
    expect(read(vendors.auth0(), 429, headers)).toMatchObject({ kind: 'silent', quota: [{ remaining: 3 }] });
  });

  test('in fractions count down: a part of one request is none', () => {
    const reading = (left: string) =>
      read(vendors.reddit(), 200, { 'x-ratelimit-remaining': left, 'x-ratelimit-reset': '9' });
    expect(reading('0.9').quota).toMatchObject([{ remaining: 0 }]);
    expect(reading('41.0').quota).toMatchObject([{ remaining: 41 }]);
  });

  test.each(['-1', '', 'none', '1e3', '1, 2'])('of %j are malformed, which is told', (left) => {
    const headers = { 'x-ratelimit-remaining': left, 'x-ratelimit-reset': epoch(9) };
    expect(read(vendors.auth0(), 200, headers)).toMatchObject({
      kind: 'malformed',
      source: 'x-ratelimit-remaining',
    });
    expect(read(vendors.auth0(), 200, headers)).not.toHaveProperty('quota');
  });

  test('keep what is left where only the end is malformed', () => {
    const headers = { 'x-ratelimit-remaining': '4', 'x-ratelimit-reset': 'later' };
    expect(read(vendors.auth0(), 200, headers)).toEqual({
      kind: 'malformed',
      because: 'invalid',
      source: 'x-ratelimit-reset',
      raw: 'later',
      quota: [{ kind: 'quota', source: 'x-ratelimit-remaining', raw: '4', remaining: 4 }],
    });
  });

  test('are not read from what a cache has kept', () => {
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': epoch(9), Age: '5' };
    expect(read(vendors.auth0(), 429, headers)).toEqual({ kind: 'silent', because: 'missing' });
  });

  test('end by the clock of the server, and never before the instant that it named', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 1e6 }),
        fc.integer({ min: -1e9, max: 1e9 }),
        fc.nat({ max: 999 }),
        (ahead, skewMs, ms) => {
          const serverEpochMs = T0 + ms;
          const headers = {
            'x-ratelimit-remaining': '0',
            'x-ratelimit-reset': epoch(ahead),
            Date: new Date(serverEpochMs).toUTCString(),
          };
          const reading = read(vendors.auth0(), 429, headers, { receivedEpochMs: serverEpochMs + skewMs });
          const waitMs = reading.kind === 'hint' ? reading.hint.delayMs : -1;
          expect(serverEpochMs + waitMs).toBeGreaterThanOrEqual(T0 + ahead * 1000);
          expect(waitMs).toBeLessThanOrEqual(ahead * 1000 + 1000);
        },
      ),
    );
  });
});

describe('single vendors', () => {
  test('GitHub asks for a minute after a secondary limit that tells nothing', () => {
    const secondary = { body: '{"message":"You have exceeded a secondary rate limit. Wait 5 minutes."}' };
    const documented = { hint: { source: 'documented-default', delayMs: 60_000 } };
    const left = { 'x-ratelimit-remaining': '4987', 'x-ratelimit-reset': String(T0 / 1000 + 1800) };
    expect(read(vendors.github(), 403, left, secondary)).toMatchObject(documented);
    expect(read(vendors.github(), 429, left)).toMatchObject(documented);
    expect(read(vendors.github(), 403, left)).not.toHaveProperty('said');
    expect(read(vendors.github(), 403, left, { body: { message: 'secondary rate limit' } })).toMatchObject(
      documented,
    );
  });

  test("GitLab and RateLimit fields of the same names do not get in each other's way", () => {
    const headers = { 'RateLimit-Remaining': '0', 'RateLimit-Reset': String(T0 / 1000 + 45) };
    expect(read(vendors.gitlab(), 429, headers)).toMatchObject({ hint: { delayMs: 45_000 } });
  });

  test('Discord prefers seconds to wait to seconds since 1970', () => {
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(T0 / 1000 + 90) };
    expect(read(vendors.discord(), 200, headers).quota).toMatchObject([{ resetMs: 90_000 }]);
    expect(
      read(vendors.discord(), 200, { ...headers, 'x-ratelimit-reset-after': '0.250' }).quota,
    ).toMatchObject([{ resetMs: 250 }]);
  });

  test('Discord tells the wait in the body, where a browser hides the fields', () => {
    expect(read(vendors.discord(), 429, {}, { body: '{"retry_after":64.57,"global":false}' })).toMatchObject({
      hint: { source: 'body.retry_after', raw: '64.57', delayMs: 64_570 },
    });
  });

  test('Google tells the wait among the details', () => {
    const info = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '30.5s' };
    const body = (details: unknown) => ({ body: JSON.stringify({ error: { details } }) });
    expect(read(vendors.google(), 429, {}, body([{ '@type': 'x' }, info]))).toMatchObject({
      hint: { delayMs: 30_500 },
    });
    for (const details of [[], [{ ...info, retryDelay: 5 }], 'x', null]) {
      expect(read(vendors.google(), 429, {}, body(details)).kind).toBe('silent');
    }
  });

  test('Sentry holds everything by a limit on all categories only', () => {
    const on = (limits: string, status = 200) =>
      read(vendors.sentry(), status, { 'X-Sentry-Rate-Limits': limits });
    expect(on('60:transaction:key, 2700:default;error:organization')).toEqual({
      kind: 'silent',
      because: 'missing',
    });
    expect(on('60::organization, 5:error:key').quota).toMatchObject([{ remaining: 0, resetMs: 60_000 }]);
    expect(on('60:transaction:key, 2700:default;error:organization', 429)).toMatchObject({
      hint: { delayMs: 2_700_000 },
    });
    expect(on('soon:error:key', 429)).toMatchObject({ hint: { delayMs: 60_000 } });
  });

  test('Zendesk tells the endpoint whose quota is used up', () => {
    const headers = {
      'ratelimit-remaining': '9',
      'ratelimit-reset': '12',
      'Zendesk-RateLimit-Search': 'total=5; remaining=0; resets=33',
    };
    expect(read(vendors.zendesk(), 429, headers)).toMatchObject({
      hint: { source: 'zendesk-ratelimit-search', raw: '33', delayMs: 33_000 },
      said: [{ scope: { by: 'endpoint', value: 'search', reach: 'narrowest' } }],
    });
  });

  test('AWS throttles by the type of the error, whatever the status', () => {
    const headers = { 'x-amzn-errortype': 'ThrottlingException:http://internal.amazon.com/' };
    expect(read(vendors.aws(), 400, headers).said).toMatchObject([
      { verdict: 'limit', source: 'x-amzn-errortype' },
    ]);
    expect(read(vendors.aws(), 400, { 'x-amzn-errortype': 'ValidationException' })).not.toHaveProperty(
      'said',
    );
    expect(read(vendors.aws(), 200, headers)).not.toHaveProperty('said');
  });

  test('MediaWiki refuses with a 200', () => {
    const headers = { 'Retry-After': '5', 'MediaWiki-API-Error': 'maxlag' };
    expect(read(vendors.mediawiki(), 200, headers)).toMatchObject({
      hint: { delayMs: 5000 },
      said: [{ verdict: 'limit' }],
    });
    expect(read(vendors.mediawiki(), 200, { 'MediaWiki-API-Error': 'badtoken' })).not.toHaveProperty('said');
  });

  test('Shopify: a bucket that is never refilled tells no time', () => {
    const body = (cost: object) =>
      JSON.stringify({ errors: [{ extensions: { code: 'THROTTLED' } }], extensions: { cost } });
    const throttleStatus = { currentlyAvailable: 0, restoreRate: 0 };
    for (const cost of [
      { requestedQueryCost: 5, throttleStatus },
      { requestedQueryCost: 0, throttleStatus },
      {},
    ]) {
      const reading = read(vendors.shopify(), 200, {}, { body: body(cost) });
      expect(reading.kind).not.toBe('hint');
      expect(reading.said).toMatchObject([{ verdict: 'limit' }]);
    }
  });

  test.each(['minutes', 'toString', '', undefined, 5])('xRateLimit refuses %p for a unit', (reset) => {
    expect(() => xRateLimit({ reset } as never)).toThrow(TypeError);
    expect(() => xRateLimit({ reset } as never)).toThrow(/reset: expected one of seconds, .*, got/);
  });
});
