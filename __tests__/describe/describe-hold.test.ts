import { describe, expect, test } from '@jest/globals';
import { de } from 'date-fns/locale/de';
import { ja } from 'date-fns/locale/ja';
import { describeHold, describeStop } from '../../lib/describe/index';
import type { Wait } from '../../lib/describe/index';
import { STOP_REASONS } from '../../lib/reasons';
import { EXACT, scriptedClient } from '../support/scripted-client';
import { settled } from '../support/world';

const NOW = Date.UTC(2026, 0, 1);
const wait = (more: Partial<Wait> = {}): Wait => ({
  state: 'held',
  ahead: 3,
  releaseAt: NOW + 12_000,
  ...more,
});

describe('describeHold', () => {
  test('says how long, and how many go first', () => {
    expect(describeHold(wait(), { now: NOW })).toEqual({
      stage: 'held',
      distance: '12 seconds',
      ahead: 3,
      releaseAt: NOW + 12_000,
      sentence: 'Busy. Next try in 12 seconds, 3 ahead of you',
    });
  });

  test('speaks of others only where there are any', () => {
    expect(describeHold(wait({ ahead: 0 }), { now: new Date(NOW) })?.sentence).toBe(
      'Busy. Next try in 12 seconds',
    );
  });

  test.each([
    [11_001, '12 seconds'],
    [59_999, '1 minute'],
    [61_000, '2 minutes'],
    [1, '1 second'],
  ])('rounds %d ms up to %s: nobody is told to come back too early', (ms, distance) => {
    expect(describeHold(wait({ releaseAt: NOW + ms }), { now: NOW })?.distance).toBe(distance);
  });

  test('names the distance in the language of a date-fns locale, and the sentence in yours', () => {
    expect(describeHold(wait(), { now: NOW, locale: ja })?.distance).toBe('12秒');
    const sentence = describeHold(wait(), {
      now: NOW,
      locale: de,
      sentence: ({ distance, ahead }) => `Noch ${distance ?? ''}, ${ahead} vor Ihnen`,
    })?.sentence;
    expect(sentence).toBe('Noch 12 Sekunden, 3 vor Ihnen');
  });

  test.each([
    ['due', wait({ releaseAt: NOW }), 'Busy. Next try now, 3 ahead of you'],
    ['asking', wait({ state: 'probing' }), 'Asking whether the service is back, 3 ahead of you'],
    ['asking', wait({ state: 'asking', ahead: 0 }), 'Asking whether the service is back'],
    ['turns', { state: 'ramping', ahead: 2 }, 'Busy. One goes after the other, 2 ahead of you'],
    ['turns', { state: 'gliding', ahead: 0 }, 'Busy. Yours goes next'],
  ] as const)('stage %s of %j', (stage, subject, sentence) => {
    const described = describeHold(subject, { now: NOW });
    expect(described).toMatchObject({ stage, sentence });
    expect(described).not.toHaveProperty('distance');
    expect(sentence).not.toMatch(/recovered|up again|works/);
  });

  test('counts from the present where no other instant is given', () => {
    expect(describeHold(wait({ releaseAt: Date.now() - 1 }))?.stage).toBe('due');
    expect(describeHold(wait({ releaseAt: Date.now() + 3_600_000 }))?.distance).toBe('1 hour');
  });

  test('describes the snapshot of a client: nothing, a hold, one gate of several', async () => {
    const { api, clock, heeding } = scriptedClient(
      (exchange) =>
        exchange.url.includes('calm')
          ? { status: 200 }
          : { status: 429, headers: { 'retry-after': exchange.url.includes('long') ? '50' : '20' } },
      { ...EXACT, exchanges: 2 },
    );
    const now = clock.wallEpochMs();
    await settled(api.get('/calm'));
    expect(describeHold(heeding.snapshot(), { now })).toBeUndefined();
    const calls = ['/short', '/long', '/long'].map((url) => settled(api.get(url)));
    await clock.advance(0);
    const described = describeHold(heeding.snapshot(), { now });
    expect(described).toMatchObject({ stage: 'held', distance: '50 seconds', ahead: 1 });
    const short = heeding.snapshot().gates.find(({ gate }) => gate.includes('short'));
    expect(describeHold(heeding.snapshot(), { now, gate: short?.gate })?.distance).toBe('20 seconds');
    expect(short && describeHold(short, { now })?.ahead).toBe(0);
    expect(describeHold(heeding.snapshot(), { now: now + 60_000 })?.stage).toBe('due');
    heeding.detach();
    await Promise.all(calls);
    // Nobody waits any more: a hold is of interest as long as it lasts.
    expect(describeHold(heeding.snapshot(), { now })?.stage).toBe('held');
    expect(describeHold(heeding.snapshot(), { now: now + 60_000 })).toBeUndefined();
  });
});

describe('describeStop', () => {
  test('says when trying again makes sense', () => {
    const report = { reason: 'deadline-too-near', releaseAt: NOW + 42_000, retryable: true } as const;
    expect(describeStop(report, { now: NOW })).toEqual({
      distance: '42 seconds',
      releaseAt: NOW + 42_000,
      retryable: true,
      sentence: 'Busy. Try again in 42 seconds',
    });
  });

  test('invites nobody to repeat what may have been done', () => {
    for (const reason of ['outcome-unknown', 'answer-lost', 'body-not-replayable', 'body-changed'] as const) {
      const described = describeStop({ reason, releaseAt: NOW + 1000, retryable: false }, { now: NOW });
      expect(described).not.toHaveProperty('distance');
      expect(described.sentence).toMatch(/before you try again$/);
    }
  });

  test.each(STOP_REASONS)('%s has a sentence of its own kind', (reason) => {
    expect(describeStop({ reason, retryable: false }).sentence).toMatch(/^[A-Z].{5,}/);
  });
});
