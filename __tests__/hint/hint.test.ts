import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readHints } from '../../lib/hint/hint.js';
import { retryAfterReader } from '../../lib/hint/retry-after-reader.js';
import type { Hint, HintFacts, HintReader, HintReading, Reading } from '../../lib/hint/hint.js';
import { asctimeDate, imfFixdate, rfc850Date } from './dates.js';
import { factsOf } from './facts.js';
import type { Headers } from './facts.js';

const T0 = Date.UTC(2026, 0, 1);

function answer(headers: Headers, more: Partial<HintFacts> = {}): HintFacts {
  return factsOf(429, headers, more);
}

function hintOf(headers: Headers, more: Partial<HintFacts> = {}): Hint | undefined {
  const reading = retryAfterReader(answer(headers, more));
  return reading.kind === 'hint' ? reading.hint : undefined;
}

describe('the reader of Retry-After', () => {
  test('tells seconds, which need no clock', () => {
    expect(retryAfterReader(answer({ 'retry-after': '120' }))).toEqual({
      kind: 'hint',
      hint: { source: 'retry-after', raw: '120', form: 'delay-seconds', delayMs: 120_000, clock: 'none' },
    });
  });

  test('tells an explicit zero, which is no silence and has not elapsed', () => {
    const hint = hintOf({ 'retry-after': '0' });
    expect(hint).toMatchObject({ raw: '0', delayMs: 0 });
    expect(hint).not.toHaveProperty('elapsed');
  });

  test.each<[string, Headers]>([
    ['missing', {}],
    ['missing', { 'retry-after': [] }],
    ['missing', { date: imfFixdate(T0) }],
  ])('is silent because it is %s: %j', (because, headers) => {
    expect(retryAfterReader(answer(headers))).toEqual({ kind: 'silent', because });
  });

  test('cannot know whether a field is missing that a browser may hide', () => {
    const hidden = { headersMayBeHidden: true };
    expect(retryAfterReader(answer({}, hidden))).toEqual({ kind: 'silent', because: 'not-visible' });
    expect(retryAfterReader(answer({ date: imfFixdate(T0) }, hidden))).toMatchObject({ because: 'missing' });
    expect(retryAfterReader(answer({ 'retry-after': '5' }, hidden))).toMatchObject({ kind: 'hint' });
    expect(retryAfterReader(answer({}, { headersMayBeHidden: undefined }))).toMatchObject({
      because: 'missing',
    });
  });

  test.each([
    ['', 'empty'],
    [' ', 'empty'],
    ['soon', 'invalid'],
    ['-1', 'invalid'],
    ['1.5', 'invalid'],
    ['Wed, 99 Foo 2026 25:61:00 GMT', 'invalid'],
  ])('calls %j malformed, which is neither silence nor zero', (raw, because) => {
    expect(retryAfterReader(answer({ 'retry-after': raw }))).toEqual({
      kind: 'malformed',
      because,
      source: 'retry-after',
      raw,
    });
  });

  test('calls a number beyond all bounds an overflow', () => {
    const raw = '9'.repeat(25);
    expect(retryAfterReader(answer({ 'retry-after': raw }))).toEqual({
      kind: 'overflow',
      source: 'retry-after',
      raw,
    });
  });

  test('keeps a bounded and escaped text of what came', () => {
    const raw = `a\u001b[2J\r\n${'x'.repeat(1000)}`;
    const reading = retryAfterReader(answer({ 'retry-after': raw }));
    expect(reading).toMatchObject({
      kind: 'malformed',
      raw: expect.stringMatching(/^a\\u\{1b\}\[2J.*\.\.\.$/),
    });
    expect(reading).toMatchObject({ raw: expect.stringMatching(/^.{1,128}$/) });
  });
});

describe('a date that a server names', () => {
  const at = (seconds: number) => T0 + seconds * 1000;

  test.each([[imfFixdate], [rfc850Date], [asctimeDate]])('counts from its own Date (%p)', (write) => {
    expect(hintOf({ date: write(T0), 'retry-after': write(at(30)) })).toEqual({
      source: 'retry-after',
      raw: write(at(30)),
      form: 'http-date',
      delayMs: 30_000,
      atEpochMs: at(30),
      clock: 'server-date',
      skewMs: 0,
    });
  });

  test.each([[-600], [600], [-86_400]])('does not depend on a local clock that is %d s off', (offSeconds) => {
    const headers = { date: imfFixdate(T0), 'retry-after': imfFixdate(at(30)) };
    expect(hintOf(headers, { receivedEpochMs: at(offSeconds) })).toMatchObject({
      delayMs: 30_000,
      clock: 'server-date',
      skewMs: -offSeconds * 1000,
    });
  });

  test('takes its century from the clock of the server', () => {
    const headers = { date: imfFixdate(T0), 'retry-after': rfc850Date(at(30)) };
    expect(hintOf(headers, { receivedEpochMs: Date.UTC(1970, 0, 1) })).toMatchObject({ delayMs: 30_000 });
  });

  test.each<[string, Headers]>([
    ['missing', {}],
    ['malformed', { date: 'yesterday' }],
    ['a number', { date: '30' }],
    ['of another zone', { date: 'Thu, 01 Jan 2026 00:00:00 EST' }],
    ['there twice', { date: [imfFixdate(T0), imfFixdate(T0)] }],
    ['there twice in one line', { date: `${imfFixdate(T0)}, ${imfFixdate(T0)}` }],
  ])('counts by the local clock where Date is %s', (_, headers) => {
    const hint = hintOf({ ...headers, 'retry-after': imfFixdate(at(30)) }, { receivedEpochMs: at(10) });
    expect(hint).toMatchObject({ delayMs: 20_000, clock: 'local' });
    expect(hint).not.toHaveProperty('skewMs');
  });

  test.each<[string, Headers]>([
    ['of a wrong day-name', { date: 'Sun, 01 Jan 2026 00:00:00 GMT' }],
    ['with white space around', { date: ' Thu, 01 Jan 2026 00:00:00 GMT\t' }],
    ['in a list of one', { date: ['Thu, 01 Jan 2026 00:00:00 GMT'] }],
  ])('counts from a Date %s', (_, headers) => {
    const hint = hintOf({ ...headers, 'retry-after': imfFixdate(at(30)) }, { receivedEpochMs: at(10) });
    expect(hint).toMatchObject({ delayMs: 30_000, clock: 'server-date' });
  });

  test('that has passed is elapsed, and says by which clock', () => {
    const headers = { date: imfFixdate(T0), 'retry-after': imfFixdate(at(-10)) };
    expect(hintOf(headers)).toMatchObject({ delayMs: 0, elapsed: true, clock: 'server-date' });
    expect(hintOf({ ...headers, 'retry-after': imfFixdate(T0) })).toMatchObject({
      delayMs: 0,
      elapsed: true,
    });
    expect(hintOf({ 'retry-after': imfFixdate(at(-10)) })).toMatchObject({ elapsed: true, clock: 'local' });
    expect(hintOf({ ...headers, 'retry-after': imfFixdate(at(1)) })).not.toHaveProperty('elapsed');
  });

  test('is rounded up to whole ms', () => {
    const headers = { 'retry-after': imfFixdate(at(1)) };
    expect(hintOf(headers, { receivedEpochMs: T0 + 700.25 })).toMatchObject({ delayMs: 300 });
  });

  test('has a wrong day-name told', () => {
    expect(hintOf({ 'retry-after': 'Sun, 01 Jan 2026 00:00:30 GMT' })).toMatchObject({
      delayMs: 30_000,
      dayName: 'wrong',
    });
    expect(hintOf({ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' })).not.toHaveProperty('dayName');
  });

  test('is malformed without any clock, while seconds are not', () => {
    const lost = { receivedEpochMs: NaN };
    const headers = { 'retry-after': imfFixdate(at(30)) };
    expect(retryAfterReader(answer(headers, lost))).toMatchObject({ kind: 'malformed', because: 'invalid' });
    expect(hintOf({ 'retry-after': '5', date: imfFixdate(T0) }, lost)).toMatchObject({ delayMs: 5000 });
    expect(hintOf({ 'retry-after': '5', date: imfFixdate(T0) }, lost)).not.toHaveProperty('skewMs');
  });
});

describe('the Age of a response', () => {
  const dated = { date: imfFixdate(T0), 'retry-after': imfFixdate(T0 + 600_000) };

  test('moves the clock of the server on, less the second that it may be ahead', () => {
    expect(hintOf({ ...dated, age: '100' })).toMatchObject({
      delayMs: 501_000,
      ageSeconds: 100,
      skewMs: 100_000,
    });
  });

  test('of 0 moves nothing', () => {
    expect(hintOf({ ...dated, age: '0' })).toMatchObject({ delayMs: 600_000, ageSeconds: 0, skewMs: 0 });
  });

  test.each<[string | readonly string[]]>([['100, 5'], [['100', '5']], ['100,'], [' 100 '], ['0100']])(
    'of a list is its first member: %j',
    (age) => {
      expect(hintOf({ ...dated, age })).toMatchObject({ delayMs: 501_000, ageSeconds: 100 });
    },
  );

  test.each<[string | readonly string[]]>([
    ...([['-1'], ['1.5'], ['old'], [''], [', 5'], ['2147483648'], ['9'.repeat(30)], [imfFixdate(T0)]] as [
      string,
    ][]),
    [[]],
  ])('is ignored where it is invalid or no measure of time: %j', (age) => {
    const hint = hintOf({ ...dated, age });
    expect(hint).toMatchObject({ delayMs: 600_000, skewMs: 0 });
    expect(hint).not.toHaveProperty('ageSeconds');
  });

  test('shortens no number of seconds', () => {
    expect(hintOf({ 'retry-after': '60', age: '30' })).toMatchObject({ delayMs: 60_000, ageSeconds: 30 });
  });

  test('changes nothing where there is no Date', () => {
    expect(hintOf({ 'retry-after': imfFixdate(T0 + 60_000), age: '30' })).toMatchObject({
      delayMs: 60_000,
      clock: 'local',
      ageSeconds: 30,
    });
  });
});

describe('a Retry-After of several members', () => {
  const minute = imfFixdate(T0 + 60_000);
  const five = rfc850Date(T0 + 300_000);

  test.each<[string | readonly string[], number, number]>([
    ['120, 60', 120_000, 2],
    ['60,120', 120_000, 2],
    [['60', '120'], 120_000, 2],
    [['0', '120'], 120_000, 2],
    ['120, 120', 120_000, 2],
    ['7, 5, 6', 7000, 3],
    [['7, 5', '6'], 7000, 3],
    [`${minute}, ${five}`, 300_000, 2],
    [`${five} , ${minute}`, 300_000, 2],
    [[minute, five], 300_000, 2],
    [`${asctimeDate(T0 + 90_000)}, ${minute}`, 90_000, 2],
    [`120, ${minute}`, 120_000, 2],
    [`${five}, 120`, 300_000, 2],
    [`0,${minute},${five},1`, 300_000, 4],
  ])('is the longest of them: %j', (field, delayMs, members) => {
    expect(hintOf({ 'retry-after': field })).toMatchObject({ delayMs, members });
  });

  test('keeps the text of all, and the form of the longest', () => {
    expect(hintOf({ 'retry-after': ['120', minute] })).toMatchObject({
      raw: `120, ${minute}`,
      form: 'delay-seconds',
      clock: 'none',
    });
    expect(hintOf({ 'retry-after': ['5', minute] })).toMatchObject({ form: 'http-date', clock: 'local' });
  });

  test.each<[string | readonly string[], string]>([
    ['120, soon', 'invalid'],
    ['soon, 120', 'invalid'],
    ['120s, 60', 'invalid'],
    ['120, -1', 'invalid'],
    [['120', '1.5'], 'invalid'],
    ['120,', 'empty'],
    [',120', 'empty'],
    [',', 'empty'],
    [['120', ''], 'empty'],
    [['Sun', '06 Nov 1994 08:49:37 GMT'], 'invalid'],
    [`${minute} ${minute}`, 'invalid'],
    [`soon, ${'9'.repeat(25)}`, 'invalid'],
    [`${'9'.repeat(25)}, soon`, 'invalid'],
  ])('is malformed where one of them is: %j', (field, because) => {
    expect(retryAfterReader(answer({ 'retry-after': field }))).toMatchObject({ kind: 'malformed', because });
  });

  test('overflows where one of them does', () => {
    for (const field of [`120, ${'9'.repeat(25)}`, `${'9'.repeat(25)}, 120`, ['9'.repeat(25), minute]]) {
      expect(retryAfterReader(answer({ 'retry-after': field }))).toMatchObject({ kind: 'overflow' });
    }
  });

  test('counts one member only where there is one', () => {
    expect(hintOf({ 'retry-after': ['120'] })).not.toHaveProperty('members');
  });

  test.each<[string, string]>([
    ['seconds', Array<string>(500_000).fill('9').join(', ')],
    ['dates', Array<string>(30_000).fill(minute).join(', ')],
    ['commas', ','.repeat(1_000_000)],
    ['commas after small letters', 'a,'.repeat(500_000)],
    ['day-names', 'Sun,'.repeat(250_000)],
    ['spaces before commas', `${' '.repeat(1000)},`.repeat(1000)],
    ['padded seconds', `9${' '.repeat(1000)},`.repeat(1000) + '9'],
  ])('is read in linear time, a megabyte of %s', (_, field) => {
    const start = performance.now();
    expect(['hint', 'malformed']).toContain(retryAfterReader(answer({ 'retry-after': field })).kind);
    expect(performance.now() - start).toBeLessThan(4000);
  });
});

describe('any reading', () => {
  const anyDate = fc
    .tuple(fc.integer({ min: -1e6, max: 1e9 }), fc.constantFrom(imfFixdate, rfc850Date, asctimeDate))
    .map(([seconds, write]) => write(T0 + seconds * 1000));
  const anySeconds = fc.nat().map(String);
  const anyText = fc.oneof(anyDate, anySeconds, fc.string({ unit: 'binary' }));
  const anyField = fc.option(fc.oneof(anyText, fc.array(anyText, { maxLength: 3 })), { nil: undefined });

  test('is a wait of 0 or more whole ms, or none at all', () => {
    const anyAnswer = fc.record({ 'retry-after': anyField, date: anyField, age: anyField });
    fc.assert(
      fc.property(anyAnswer, fc.double(), (headers: Record<string, string | string[] | undefined>, now) => {
        const reading = retryAfterReader(factsOf(503, headers, { receivedEpochMs: now }));
        const sound =
          reading.kind !== 'hint' || (reading.hint.delayMs >= 0 && reading.hint.delayMs % 1 === 0);
        expect(sound).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  // The server stamps Date with its clock cut to seconds, a cache adds the time that passed, likewise in
  // whole seconds: whoever waits from receipt comes at the server's instant or after it.
  test('never lets anyone come before the instant that the server named', () => {
    const milliseconds = (max: number) => fc.integer({ min: 0, max });
    fc.assert(
      fc.property(
        milliseconds(1e9),
        milliseconds(1e7),
        milliseconds(5000),
        fc.integer({ min: -1e9, max: 1e9 }),
        (aheadMs, cachedMs, travelMs, skewMs) => {
          const generated = T0 + (aheadMs % 1000);
          const named = Math.floor((generated + aheadMs) / 1000) * 1000;
          const received = generated + cachedMs + travelMs;
          const hint = hintOf(
            {
              'retry-after': imfFixdate(named),
              date: imfFixdate(generated),
              ...(cachedMs > 0 && { age: String(Math.round(cachedMs / 1000)) }),
            },
            { receivedEpochMs: received + skewMs },
          );
          expect(received + (hint?.delayMs ?? 0)).toBeGreaterThanOrEqual(named);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('readHints', () => {
  const saying =
    (reading: HintReading): HintReader =>
    () =>
      reading;
  const hint = (source: string, delayMs: number): HintReading => ({
    kind: 'hint',
    hint: { source, raw: String(delayMs), form: 'delay-seconds', delayMs, clock: 'none' },
  });
  const malformed = (source: string): HintReading => ({
    kind: 'malformed',
    because: 'invalid',
    source,
    raw: 'x',
  });
  const overflow = (source: string): HintReading => ({ kind: 'overflow', source, raw: '9' });
  const finer = (reading: HintReading): HintReading =>
    ({ ...reading, overrules: 'retry-after' }) as HintReading;
  const missing: HintReading = { kind: 'silent', because: 'missing' };
  const notVisible: HintReading = { kind: 'silent', because: 'not-visible' };
  const retryAfter = hint('retry-after', 1000);

  test.each<[string, readonly HintReading[], HintReading, readonly HintReading[]]>([
    ['Retry-After comes before later releases', [hint('b', 6000), retryAfter], retryAfter, [hint('b', 6000)]],
    ['Retry-After comes before an overflow', [overflow('b'), retryAfter], retryAfter, [overflow('b')]],
    [
      'an overflow of Retry-After comes before other hints',
      [hint('b', 6000), overflow('retry-after')],
      overflow('retry-after'),
      [hint('b', 6000)],
    ],
    [
      'what overrules Retry-After comes before it',
      [retryAfter, finer(hint('b', 5))],
      finer(hint('b', 5)),
      [retryAfter],
    ],
    [
      'an overflow that overrules it does, too',
      [retryAfter, finer(overflow('b'))],
      finer(overflow('b')),
      [retryAfter],
    ],
    ['among others the latest release counts', [hint('a', 5), hint('b', 9)], hint('b', 9), [hint('a', 5)]],
    ['in whatever order', [hint('b', 9), hint('a', 5)], hint('b', 9), [hint('a', 5)]],
    ['of equals the first counts', [hint('a', 5), hint('b', 5)], hint('a', 5), [hint('b', 5)]],
    ['an overflow is later than all', [hint('a', 5), overflow('b')], overflow('b'), [hint('a', 5)]],
    ['a hint counts before silence', [missing, hint('b', 5)], hint('b', 5), []],
    [
      'a hint counts before what is malformed',
      [malformed('retry-after'), hint('b', 5)],
      hint('b', 5),
      [malformed('retry-after')],
    ],
    ['the first malformed one counts', [malformed('a'), malformed('b')], malformed('a'), [malformed('b')]],
    ['what is malformed counts before silence', [missing, malformed('b')], malformed('b'), []],
    ['the first silence counts', [notVisible, missing], notVisible, []],
  ])('%s', (_, readings, chosen, passedOver) => {
    const expected = { ...chosen, ...(passedOver.length > 0 && { passedOver }) };
    expect(readHints(answer({}), readings.map(saying))).toEqual(expected);
    // One reader that says all of it is no different.
    expect(readHints(answer({}), [() => readings])).toEqual(expected);
  });

  test('hands on quotas and judgments beside the wait', () => {
    const quota: Reading = { kind: 'quota', source: 'a', raw: '5', remaining: 5, resetMs: 1000 };
    const limit: Reading = { kind: 'verdict', verdict: 'limit', source: 'a', raw: 'x' };
    expect(readHints(answer({}), [saying(missing), () => [quota, limit]])).toEqual({
      ...missing,
      quota: [quota],
      said: [limit],
    });
  });

  test('takes an empty list for silence', () => {
    expect(readHints(answer({}), [() => []])).toEqual(missing);
    expect(readHints(answer({}), [saying(notVisible), () => []])).toEqual(notVisible);
  });

  test('without readers is silent', () => {
    expect(readHints(answer({}), [])).toEqual(missing);
  });

  const failed = (source: string): HintReading => ({ kind: 'silent', because: 'reader-failed', source });
  function broken(): HintReading {
    throw new Error('secret');
  }

  test('takes a reader that throws for silent, and says so', () => {
    expect(readHints(answer({}), [broken])).toEqual(failed('broken'));
    expect(readHints(answer({}), [broken, saying(hint('b', 5))])).toEqual({
      ...hint('b', 5),
      passedOver: [failed('broken')],
    });
  });

  test.each<[string, unknown]>([
    ['NaN', hint('a', NaN)],
    ['a negative', hint('a', -1)],
    ['Infinity', hint('a', Infinity)],
    ['more than 2^53-1 ms', hint('a', 1e16)],
    ['nothing', undefined],
    ['null', null],
    ['a promise', Promise.resolve(hint('a', 5))],
    ['an unknown kind', { kind: 'toString' }],
    ['a hint without one', { kind: 'hint' }],
    ['a function', () => hint('a', 5)],
    ['a list with one that is not sound', [hint('a', 5), hint('b', NaN)]],
    ['a list of lists', [[hint('a', 5)]]],
    ['a quota below 0', { kind: 'quota', source: 'a', raw: '', remaining: -1 }],
    [
      'a quota that is renewed before now',
      { kind: 'quota', source: 'a', raw: '', remaining: 1, resetMs: -5 },
    ],
    ['a quota without end', { kind: 'quota', source: 'a', raw: '', remaining: 1, windowMs: Infinity }],
  ])('takes a reader that gives %s for failed', (_, reading) => {
    function own(): HintReading {
      return reading as HintReading;
    }
    expect(readHints(answer({}), [own])).toEqual(failed('own'));
  });

  test('asks every reader for the same answer, once and in order', () => {
    const facts = answer({ 'retry-after': '5' }, { body: { error: 'x' } });
    const asked: [string, HintFacts][] = [];
    const reader =
      (name: string): HintReader =>
      (seen) => {
        asked.push([name, seen]);
        return missing;
      };
    readHints(facts, [reader('a'), reader('b')]);
    expect(asked).toEqual([
      ['a', facts],
      ['b', facts],
    ]);
  });

  test('changes neither the facts nor the list of readers', () => {
    const facts = Object.freeze(answer(Object.freeze({ 'retry-after': Object.freeze(['5', '6']) })));
    expect(readHints(facts, Object.freeze([retryAfterReader]))).toMatchObject({ hint: { delayMs: 6000 } });
  });
});
