import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { levelOf, sentenceOf } from '../../lib/journal/index';
import type { JournalEntry } from '../../lib/operation/journal-entry';
import { STOP_REASONS } from '../../lib/reasons';
import { entryOf, EVENTS, journals } from './entries';

const stamp = { v: 1, n: 1, atEpochMs: Date.UTC(2026, 0, 1), monoMs: 1 };
const foreign = (fields: object): JournalEntry => ({ ...stamp, ...fields }) as unknown as JournalEntry;
const with_ = (event: JournalEntry['event'], fields: object): JournalEntry => ({
  ...entryOf(event),
  ...fields,
});

describe('sentenceOf', () => {
  test.each(EVENTS)('puts %s into one sentence of words, with nothing missing in it', (event) => {
    const sentence = sentenceOf(entryOf(event));
    expect(sentence).toMatch(/^[A-Z].*\.$/);
    expect(sentence).not.toMatch(/undefined|null|NaN|\[object|\n/);
    expect(sentence).not.toContain(`${event}:`);
  });

  test.each(EVENTS)('tells %s apart from all others', (event) => {
    const same = EVENTS.filter((other) => sentenceOf(entryOf(other)) === sentenceOf(entryOf(event)));
    expect(same).toEqual([event]);
  });

  test.each(['missing', 'not-visible'] as const)(
    'says nothing of a hint that an answer did not need: %s',
    (because) => {
      const observation = { ...entryOf('observation'), verdict: 'final', hint: { kind: 'silent', because } };
      expect(sentenceOf(observation as JournalEntry)).toMatch(/: final[^.]*\.$/);
    },
  );

  test('says what the server said, and by which clock', () => {
    expect(sentenceOf(entryOf('observation'))).toBe(
      'Exchange 1 is answered (429 ERR_BAD_REQUEST) after 10 ms by https://elsewhere.example.com, where a redirect led, from a cache: limit; the server has not applied it. ' +
        'The server says retry-after "Thu, 01 Jan 2026 12:00:02 GMT": come back in 2 s, ' +
        "at 2026-01-01T12:00:02.000Z by the server's own clock, 0.5 s from ours.",
    );
  });

  test.each([
    [{ kind: 'silent', because: 'missing' }, 'The server names no time to come back.'],
    [{ kind: 'silent', because: 'not-visible' }, 'A hint may have been kept from scripts (CORS).'],
    [{ kind: 'silent', because: 'reader-failed', source: 'mine' }, 'The reader mine failed.'],
    [
      { kind: 'malformed', because: 'invalid', source: 'retry-after', raw: 'soon' },
      'Its retry-after cannot be read (invalid): "soon".',
    ],
    [
      { kind: 'overflow', source: 'retry-after', raw: '9e99' },
      'Its retry-after is too far away to count: "9e99".',
    ],
    [
      { kind: 'hint', source: 'retry-after', raw: '2', form: 'delay-seconds', delayMs: 2000, clock: 'none' },
      'The server says retry-after "2": come back in 2 s.',
    ],
    [
      {
        kind: 'hint',
        source: 'retry-after',
        raw: 'Thu, 01 Jan 2026 00:00:00 GMT',
        form: 'http-date',
        delayMs: 0,
        atEpochMs: 0,
        clock: 'local',
        elapsed: true,
      },
      'an instant that had passed, at 1970-01-01T00:00:00.000Z by our own clock.',
    ],
  ])('says of the hint %j what it is', (hint, words) => {
    expect(sentenceOf(with_('observation', { hint })).endsWith(words)).toBe(true);
  });

  test.each(STOP_REASONS)('gives %s in the word of the journal and in plain words', (because) => {
    expect(sentenceOf(with_('operation-closed', { because }))).toMatch(
      new RegExp(`\\(${because}: [a-z].{8,}\\), after 4 exchanges`),
    );
  });

  test('says of a refused operation that nothing was sent, and nothing of a server', () => {
    const refused = { outcome: 'refused', because: 'queue-full', exchanges: 0, knowledge: 'not-sent' };
    const sentence = sentenceOf(
      with_('operation-closed', { ...refused, earlierOutcome: undefined, tookMs: 0 }),
    );
    expect(sentence).toBe('Ends refused (queue-full: too many wait already), nothing was sent, in 0 ms.');
  });

  test.each(EVENTS.filter((event) => event.startsWith('gate-') && event !== 'gate-proven'))(
    'never says of %s that the server has recovered',
    (event) => {
      expect(sentenceOf(entryOf(event))).not.toMatch(/recovered|is back(?! is)|works again|healthy/);
    },
  );

  test('tells an event that it does not know by its fields', () => {
    expect(sentenceOf(foreign({ event: 'gate-dreamt', gate: 'g', of: ['sheep'], count: 3 }))).toBe(
      'gate-dreamt: gate g, of ..., count 3.',
    );
    expect(sentenceOf(foreign({ event: 'toString' }))).toBe('toString.');
    expect(sentenceOf(foreign({ event: '__proto__' }))).toBe('__proto__.');
  });

  test('gives a word that it does not know as it stands', () => {
    expect(
      sentenceOf(with_('hold-refused', { because: 'moon-phase', releaseAtEpochMs: undefined })),
    ).toContain('(moon-phase)');
  });

  test('stays one line of at most 500 characters, whatever is in the entry', () => {
    const gate = `a\r\n\u001b[31m\u2028\u202e${'x'.repeat(9999)}`;
    const sentence = sentenceOf(with_('gate-opened', { gate }));
    expect(sentence).toHaveLength(500);
    expect(sentence).toContain('a\\u{d}\\u{a}\\u{1b}[31m\\u{2028}\\u{202e}xxx');
  });

  test('never throws: fields of any type, fields that are not there', () => {
    const broken = fc.tuple(fc.constantFrom(...EVENTS), fc.object({ maxDepth: 2 }));
    fc.assert(
      fc.property(broken, ([event, fields]) => {
        const sentence = sentenceOf({ ...fields, event } as unknown as JournalEntry);
        expect(sentence.length).toBeGreaterThan(0);
        expect(sentence).not.toMatch(/\p{Cc}/u);
      }),
    );
  });
});

describe('levelOf', () => {
  const close = (fields: object): JournalEntry =>
    with_('operation-closed', { because: undefined, ...fields });

  test.each([
    ['debug', close({ outcome: 'succeeded', exchanges: 1 })],
    ['info', close({ outcome: 'succeeded', exchanges: 2 })],
    ['info', close({ outcome: 'cancelled', exchanges: 1 })],
    ['info', close({ outcome: 'stopped', because: 'not-transient', exchanges: 1 })],
    ['warn', close({ outcome: 'stopped', because: 'exchanges-spent' })],
    ['warn', close({ outcome: 'refused', because: 'queue-full', exchanges: 0 })],
    ['info', with_('decision', { decision: 'again' })],
    ['debug', with_('decision', { decision: 'settle' })],
    ['debug', with_('hook-ended', { how: 'done' })],
    ['warn', with_('hook-ended', { how: 'failed' })],
    ['warn', with_('hook-ended', { how: 'hook-timed-out' })],
    ['info', entryOf('gate-hold-began')],
    ['debug', entryOf('gate-hold-extended')],
    ['warn', entryOf('gate-store-failed')],
    ['debug', entryOf('exchange-sent')],
    ['debug', foreign({ event: 'gate-dreamt' })],
  ])('is %s for what matters so much', (level, entry) => {
    expect(levelOf(entry)).toBe(level);
  });

  test('has one for every entry', () => {
    fc.assert(
      fc.property(journals, (entries) => {
        expect(['debug', 'info', 'warn']).toEqual(expect.arrayContaining(entries.map(levelOf)));
      }),
    );
  });
});
