import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseJournal, readJournal } from '../../lib/journal/index';
import type { JournalChunks, JournalReading } from '../../lib/journal/index';
import type { JournalEntry } from '../../lib/operation/journal-entry';
import { collectGarbage } from '../support/collect-garbage';
import { entries, entryOf, EVENTS, journals, lineOf } from './entries';

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const textOf = (journal: readonly JournalEntry[]): string => journal.map(lineOf).join('');

async function all(reading: JournalReading): Promise<JournalEntry[]> {
  const read: JournalEntry[] = [];
  for await (const entry of reading) read.push(entry);
  return read;
}

/** The same bytes in pieces that begin and end anywhere. */
function pieces(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
}

describe('parseJournal', () => {
  test('reads what was written, and finds nothing wrong', () => {
    fc.assert(
      fc.property(journals, (journal) => {
        expect(parseJournal(textOf(journal))).toEqual({
          entries: json(journal),
          unreadable: 0,
          unreadableAt: [],
          dropped: 0,
        });
      }),
    );
  });

  test('reads a text that is cut at any byte as far as it goes', () => {
    const journal = EVENTS.map((event, at) => ({ ...entryOf(event, at + 1), operation: 'größer-\u2028-😀' }));
    const bytes = new TextEncoder().encode(textOf(journal));
    const ends = journal.map((_, at) => new TextEncoder().encode(textOf(journal.slice(0, at + 1))).length);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const read = parseJournal(new TextDecoder().decode(bytes.subarray(0, cut)));
      // The line end itself may be missing.
      const whole = ends.filter((end) => end - 1 <= cut).length;
      const isTorn = cut > 0 && ![...ends, ...ends.map((end) => end - 1)].includes(cut);
      expect(read.entries).toHaveLength(whole);
      expect(read.unreadableAt).toEqual(isTorn ? [{ line: whole + 1, because: 'torn' }] : []);
    }
  });

  test('reads the lines of a text as it reads the text, whether or not they have their ends', () => {
    const text = `${lineOf(entryOf('gate-opened'))}\nnonsense\n${lineOf(entryOf('weighed'))}{"v":1`;
    const read = parseJournal(text);
    expect(read.unreadableAt).toEqual([
      { line: 3, because: 'not-json' },
      { line: 5, because: 'torn' },
    ]);
    expect(parseJournal(text.split('\n'))).toEqual(read);
    expect(parseJournal(text.split(/(?<=\n)/))).toEqual(read);
  });

  test.each([
    ['a line that is no JSON', 'nonsense', 'not-json'],
    ['bytes', '\u0000\ufffd\u0001\ufffd', 'not-json'],
    ['half an entry', '{"v":1,"n":', 'not-json'],
    ['a number', '7', 'not-an-entry'],
    ['null', 'null', 'not-an-entry'],
    ['a list', '[{"v":1}]', 'not-an-entry'],
    ['an empty object', '{}', 'not-an-entry'],
    ['another version', '{"v":2,"n":1}', 'unknown-version'],
    ['a version that is none', '{"v":"1","n":1}', 'not-an-entry'],
    ['a thousandfold nest', `{"v":1,"n":1,"x":${'['.repeat(5000)}${']'.repeat(5000)}}`, 'not-an-entry'],
    ['a nest that ends a stack', '['.repeat(200_000), 'not-json'],
    [
      'a count of dropped entries that is none',
      '{"v":1,"event":"entries-dropped","dropped":"x"}',
      'not-an-entry',
    ],
    ['a line that is too long', `"${'x'.repeat(1_100_000)}"`, 'too-long'],
  ])('passes over %s, says so, and reads on', (_, line, because) => {
    const good = lineOf(entryOf('gate-opened'));
    expect(parseJournal(`${good}${line}\n${good}`)).toMatchObject({
      entries: [{ n: 1 }, { n: 1 }],
      unreadable: 1,
      unreadableAt: [{ line: 2, because }],
    });
  });

  const plain = Object.fromEntries(EVENTS.map((event) => [event, json(entryOf(event)) as object]));
  const places = EVENTS.flatMap((event) =>
    Object.keys(plain[event] ?? {}).map((field) => [event, field] as const),
  );

  test.each(places)('refuses %s with a wrong type in `%s`', (event, field) => {
    const entry = { ...plain[event], [field]: [{}] };
    expect(parseJournal(JSON.stringify(entry))).toMatchObject({
      entries: [],
      unreadableAt: [{ line: 1, because: 'not-an-entry' }],
    });
  });

  test.each(['kind', 'source', 'raw', 'delayMs', 'clock', 'passedOver', 'quota', 'said'])(
    'refuses a hint with a wrong type in `%s`',
    (field) => {
      const entry = json(entryOf('observation')) as { hint: object };
      expect(parseJournal(JSON.stringify(entry)).entries).toHaveLength(1);
      const wrong = { ...entry, hint: { ...entry.hint, [field]: { x: 1 } } };
      expect(parseJournal(JSON.stringify(wrong)).entries).toEqual([]);
    },
  );

  test.each([
    { n: -1 },
    { n: 1.5 },
    { atEpochMs: 9e15 },
    { atEpochMs: null },
    { monoMs: null },
    { operation: 7 },
  ])('refuses the stamp %j', (stamp) => {
    const entry = { ...entryOf('gate-opened'), ...stamp };
    expect(parseJournal(JSON.stringify(entry))).toMatchObject({ entries: [], unreadable: 1 });
  });

  test('keeps entries whose event it does not know, and fields that it does not know', () => {
    const stamp = { v: 1, n: 1, atEpochMs: 0, monoMs: 0 };
    const newer = [
      { ...stamp, event: 'gate-dreamt', of: ['sheep'] },
      { ...stamp, event: 'toString' },
      { ...plain['gate-opened'], colour: 'blue' },
    ];
    expect(parseJournal(newer.map((entry) => JSON.stringify(entry)).join('\n')).entries).toEqual(newer);
  });

  test('passes over blank lines, line ends of both kinds and a byte order mark without a word', () => {
    const good = JSON.stringify(entryOf('gate-opened'));
    expect(parseJournal(`\ufeff${good}\r\n\r\n\n  \n${good}\r\n`)).toMatchObject({
      entries: [{ n: 1 }, { n: 1 }],
      unreadable: 0,
    });
    expect(parseJournal('').entries).toEqual([]);
    expect(parseJournal([]).entries).toEqual([]);
  });

  test('adds up what the writer says it has dropped', () => {
    const lines = [12, 30].map((dropped) => JSON.stringify({ v: 1, event: 'entries-dropped', dropped }));
    expect(parseJournal(lines)).toMatchObject({ entries: [], unreadable: 0, dropped: 42 });
  });

  test('counts every unreadable line and names the first hundred', () => {
    const read = parseJournal('x\n'.repeat(5000));
    expect(read.unreadable).toBe(5000);
    expect(read.unreadableAt).toHaveLength(100);
    expect(read.unreadableAt.at(-1)).toEqual({ line: 100, because: 'not-json' });
  });

  test('makes something of any text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.json(), fc.constant('\n'))),
        (parts) => {
          const { entries: read, unreadable } = parseJournal(parts.join(''));
          expect(read.length + unreadable).toBeLessThanOrEqual(parts.join('').split('\n').length);
        },
      ),
    );
  });

  test.each([undefined, null, 7, {}])('refuses %p, which is no text', (source) => {
    expect(() => parseJournal(source as string)).toThrow(
      'axios-heed: expected the source of parseJournal to be a text or its lines, got',
    );
  });
});

describe('readJournal', () => {
  test('reads bytes in pieces of any size as parseJournal reads their text', async () => {
    const bytes = new TextEncoder().encode(
      `${textOf([...entries(9)])}garbage ü😀\n${lineOf({ ...entryOf('weighed'), operation: 'ü😀' })}{"v":1`,
    );
    const expected = parseJournal(new TextDecoder().decode(bytes));
    for (const size of [1, 2, 3, 7, 100, 5000, bytes.length]) {
      const reading = readJournal(pieces(bytes, size));
      expect(await all(reading)).toEqual(expected.entries);
      expect(reading.unreadableAt).toEqual(expected.unreadableAt);
      expect(reading.unreadable).toBe(2);
    }
  });

  test('reads on past bytes that are no text', async () => {
    const good = new TextEncoder().encode(lineOf(entryOf('gate-opened')));
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (garbage) => {
        const reading = readJournal([garbage, new Uint8Array([10]), good]);
        expect(await all(reading)).toHaveLength(1);
        expect(reading.dropped).toBe(0);
      }),
    );
  });

  test('gives an entry as soon as its line has ended, and asks for no more than it gives', async () => {
    let given = 0;
    function* lines(): Generator<string> {
      for (const entry of entries(10)) {
        given += 1;
        yield lineOf(entry);
      }
    }
    let read = 0;
    for await (const { n } of readJournal(lines())) {
      read += 1;
      expect([n, given]).toEqual([read, read]);
    }
    expect(read).toBe(10);
  });

  test('reads a million entries in the memory of a few, and looks at each line once', async () => {
    const count = 1_000_000;
    const line = lineOf(entryOf('gate-opened'));
    const chunk = line.repeat(1000);
    function* chunks(): Generator<string> {
      for (let at = 0; at < count / 1000; at += 1) yield chunk;
    }
    let [read, most, characters] = [0, 0, 0];
    // Counted, not recorded: a spy would keep a million calls.
    const { parse } = JSON;
    JSON.parse = (text: string) => {
      characters += text.length;
      return parse(text);
    };
    await collectGarbage();
    const before = process.memoryUsage().heapUsed;
    try {
      for await (const { n } of readJournal(chunks())) {
        read += n;
        if (read % 100_000 !== 0) continue;
        await collectGarbage();
        most = Math.max(most, process.memoryUsage().heapUsed);
      }
    } finally {
      JSON.parse = parse;
    }
    expect(read).toBe(count);
    expect(characters).toBe(count * (line.length - 1));
    expect(most - before).toBeLessThan(20_000_000);
  });

  test('keeps nothing of a line without an end, however long it becomes', async () => {
    const piece = 'x'.repeat(100_000);
    function* endless(): Generator<string> {
      for (let at = 0; at < 2000; at += 1) yield piece;
      yield `\n${lineOf(entryOf('gate-opened'))}`;
    }
    const reading = readJournal(endless());
    expect(await all(reading)).toHaveLength(1);
    expect(reading.unreadableAt).toEqual([{ line: 1, because: 'too-long' }]);
  });

  test('lets go of its source when the reader stops early', async () => {
    let closed = false;
    async function* source(): AsyncGenerator<string> {
      try {
        for (const entry of entries(5)) yield lineOf(entry);
      } finally {
        closed = true;
      }
    }
    for await (const entry of readJournal(source())) if (entry.n === 2) break;
    expect(closed).toBe(true);
  });

  test('fails as its source fails, after what came before', async () => {
    async function* source(): AsyncGenerator<string> {
      yield lineOf(entryOf('gate-opened'));
      throw new Error('the disk');
    }
    const read: JournalEntry[] = [];
    const reading = async (): Promise<void> => {
      for await (const entry of readJournal(source())) read.push(entry);
    };
    await expect(reading()).rejects.toThrow('the disk');
    expect(read).toHaveLength(1);
  });

  test.each([undefined, 7, {}, 'text'])('refuses %p, which does not come in chunks', (chunks) => {
    expect(() => readJournal(chunks as unknown as JournalChunks)).toThrow(
      'axios-heed: expected the chunks of readJournal to be an iterable of texts or bytes, got',
    );
  });
});
