import { describe, expect, test } from '@jest/globals';
import axios from 'axios';
import pino from 'pino';
import { heed } from '../../lib/index';
import { journalRing, parseJournal, sentenceOf, toPino } from '../../lib/journal/index';
import type { JournalEntry } from '../../lib/operation/journal-entry';
import { virtualClock } from '../../lib/testing/index';
import { collectGarbage } from '../support/collect-garbage';
import { EXACT, scriptedClient } from '../support/scripted-client';
import { lineOf } from './entries';

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const textOf = (journal: readonly JournalEntry[]): string => journal.map(lineOf).join('');

describe('the sinks and readers, on what a client writes', () => {
  test('has words for all that a client writes', async () => {
    const { get, api, ended, entries } = scriptedClient(
      [
        { status: 429, headers: { 'retry-after': '2' }, afterMs: 10 },
        { code: 'ECONNRESET', afterMs: 10 },
        { status: 200 },
        { status: 404 },
      ],
      EXACT,
    );
    await get();
    await ended(api.post('/things/1', {}));
    expect(entries.length).toBeGreaterThan(12);
    const sentences = entries.map(sentenceOf);
    expect(sentences.filter((text) => /undefined|NaN|\.\.\.|^[a-z]/.test(text))).toEqual([]);
  });

  test('reads all that a client writes', async () => {
    const { get, entries: written } = scriptedClient(
      [
        { status: 429, headers: { 'retry-after': 'soon' } },
        { status: 503, headers: { 'retry-after': '1' } },
        { code: 'ECONNRESET' },
      ],
      EXACT,
    );
    await get();
    expect(written.length).toBeGreaterThan(15);
    expect(parseJournal(textOf(written))).toMatchObject({ entries: json(written), unreadable: 0 });
  });

  test('JRN-10: ten thousand operations, each sent twice, leave what was asked for and a count', async () => {
    const ring = journalRing(500);
    let heard = 0;
    const sent = new Set<string>();
    const { api, clock } = scriptedClient(
      ({ headers: { of = '' } }) => {
        const isFirst = !sent.has(of);
        sent.add(of);
        return { status: isFirst ? 503 : 200 };
      },
      {
        jitter: 0,
        allowance: 'none',
        backoff: { first: 1 },
        onEntry: (entry) => {
          heard += 1;
          ring.onEntry(entry);
        },
      },
    );
    for (let at = 0; at < 10_000; at += 100) {
      const calls = Array.from({ length: 100 }, (_, more) =>
        api.get('/things', { headers: { of: at + more } }),
      );
      await clock.until(Promise.all(calls));
    }
    expect(heard).toBeGreaterThan(80_000);
    expect(ring.entries()).toHaveLength(500);
    expect(ring.dropped).toBe(heard - 500);
    expect(ring.entries().at(-1)).toMatchObject({ event: 'operation-closed', outcome: 'succeeded' });
  }, 60_000);

  test('JRN-10: the memory after ten thousand operations is that after one thousand', async () => {
    const ring = journalRing(500);
    const clock = virtualClock({ roll: () => 0 });
    const refused = new Set<unknown>();
    const api = axios.create({
      baseURL: 'https://api.example.com',
      validateStatus: null,
      adapter: async (config) => {
        const status = refused.delete(config.headers['of']) ? 200 : 503;
        if (status === 503) refused.add(config.headers['of']);
        return { status, statusText: '', headers: {}, data: '', config };
      },
    });
    heed(api, { clock, allowance: 'none', backoff: { first: 1 }, onEntry: ring.onEntry });
    const keptAfter = async (operations: number): Promise<number> => {
      for (let at = 0; at < operations; at += 100) {
        const calls = Array.from({ length: 100 }, (_, of) => api.get('/things', { headers: { of } }));
        const answers = await clock.until(Promise.all(calls));
        expect(answers.every(({ status }) => status === 200)).toBe(true);
      }
      await collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    await keptAfter(1000);
    const before = await keptAfter(1000);
    const after = await keptAfter(10_000);
    expect(ring.entries()).toHaveLength(500);
    // A hundred bytes for each operation would be a million.
    expect(after - before).toBeLessThan(1_000_000);
  }, 60_000);

  test('a real pino writes well-formed lines that hold the entry and no secret', async () => {
    const lines: string[] = [];
    const logger = pino({ level: 'debug' }, { write: (line: string) => lines.push(line) });
    const heard: JournalEntry[] = [];
    const sink = toPino(logger);
    const { ended, api } = scriptedClient(
      [{ status: 429, headers: { 'retry-after': '1', 'set-cookie': 'S1' }, data: 'S2' }, { status: 200 }],
      {
        ...EXACT,
        onEntry: (entry) => {
          heard.push(entry);
          sink(entry);
        },
      },
    );
    await ended(
      api.put('https://S3user:S3pass@api.example.com/things?q=S4#S5', 'S6', {
        headers: { Authorization: 'S7' },
      }),
    );
    const records = lines.map((line) => JSON.parse(line));
    expect(records.length).toBeGreaterThan(5);
    expect(records.map(({ heed }) => heed)).toEqual(JSON.parse(JSON.stringify(heard)));
    expect(records.filter(({ msg, time, level }) => !(msg && time && level))).toEqual([]);
    expect(records.map(({ level }) => level)).toEqual(expect.arrayContaining([20, 30]));
    expect(lines.filter((line) => !line.endsWith('}\n') || line.indexOf('\n') !== line.length - 1)).toEqual(
      [],
    );
    expect(lines.join('')).not.toMatch(/S\d/);
  });
});
