import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CutShort, WriteQueue } from '../../lib/node/write-queue';

/** A place that writes when it is told to, and no sooner. */
function slowPlace(): {
  readonly written: string[];
  readonly pending: () => number;
  readonly append: (text: string) => Promise<void>;
  readonly finish: (how?: Error) => Promise<void>;
} {
  const written: string[] = [];
  let settle: ((how?: Error) => void)[] = [];
  return {
    written,
    pending: () => settle.length,
    append: (text) =>
      new Promise((resolve, reject) => {
        settle.push((how) => {
          // A place that was left in the middle of a line is gone on with in a new one.
          const start = written.at(-1)?.endsWith('\n') === false ? '\n' : '';
          if (how === undefined) {
            written.push(start + text);
            resolve();
          } else {
            if (how instanceof CutShort && how.bytes > 0) {
              written.push(start + Buffer.from(text).subarray(0, how.bytes).toString());
            }
            reject(how);
          }
        });
      }),
    finish: async (how) => {
      const due = settle;
      settle = [];
      for (const one of due) one(how);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

function queueTo(
  place: ReturnType<typeof slowPlace>,
  bounds: object = {},
  gapLine: (lines: number) => string = (lines) => `-${lines}`,
): WriteQueue & { failures: unknown[] } {
  const failures: unknown[] = [];
  const queue = new WriteQueue(
    { append: place.append, gapLine, onFailure: (error) => failures.push(error) },
    { maxQueuedBytes: 10, maxBatchBytes: 100, ...bounds },
  );
  return Object.assign(queue, { failures });
}

const full = new Error('ENOSPC');

describe('WriteQueue', () => {
  test('has one write under way, and puts all that came meanwhile into the next', async () => {
    const place = slowPlace();
    const queue = queueTo(place);
    for (const line of ['a', 'b', 'c']) queue.push(line);
    expect(place.pending()).toBe(1);
    await place.finish();
    expect(place.pending()).toBe(1);
    await place.finish();
    expect(place.written).toEqual(['a\n', 'b\nc\n']);
    expect(place.pending()).toBe(0);
  });

  test('drops what comes beyond its bound, and says in its place how many', async () => {
    const place = slowPlace();
    const queue = queueTo(place);
    for (const line of 'abcdefghij') queue.push(line); // a is under way, b to f wait: 10 bytes
    expect(queue.dropped).toBe(4);
    await place.finish();
    queue.push('k');
    await place.finish();
    await place.finish();
    expect(place.written.join('')).toBe('a\nb\nc\nd\ne\nf\n-4\nk\n');
  });

  test('counts bytes, not characters', () => {
    const queue = queueTo(slowPlace());
    for (const line of ['x', '😀😀', '😀']) queue.push(line);
    expect(queue.dropped).toBe(1);
  });

  test('says how many were dropped though nothing comes after them', async () => {
    const place = slowPlace();
    const queue = queueTo(place, { maxQueuedBytes: 2 });
    for (const line of 'abc') queue.push(line);
    await place.finish();
    await place.finish();
    expect(place.written.join('')).toBe('a\nb\n-1\n');
  });

  test('makes no write larger than its bound, but for a single line that is', async () => {
    const place = slowPlace();
    const queue = queueTo(place, { maxQueuedBytes: 99, maxBatchBytes: 4 });
    for (const line of ['a', 'bb', 'cc', 'd', 'eeeeee', 'f']) queue.push(line);
    while (place.pending() > 0) await place.finish();
    expect(place.written).toEqual(['a\n', 'bb\n', 'cc\n', 'd\n', 'eeeeee\n', 'f\n']);
  });

  test('a flush settles when all before it is written, whatever comes after', async () => {
    const place = slowPlace();
    const queue = queueTo(place, { maxBatchBytes: 2 });
    let flushed = false;
    queue.push('a');
    queue.push('b');
    const flush = queue.flush().then(() => (flushed = true));
    queue.push('c');
    await place.finish();
    expect(flushed).toBe(false);
    await place.finish();
    await flush;
    expect(place.written).toEqual(['a\n', 'b\n']);
  });

  test('a flush of nothing settles at once, and writes nothing', async () => {
    const place = slowPlace();
    await queueTo(place).flush();
    expect([place.pending(), place.written]).toEqual([0, []]);
  });

  test('what could not be written is counted and told of once, until writing succeeds again', async () => {
    const place = slowPlace();
    const queue = queueTo(place);
    for (const [line, how] of [['a', full], ['b', full], ['c'], ['d', full], ['e']] as [string, Error?][]) {
      queue.push(line);
      await place.finish(how);
    }
    expect(queue.failures).toEqual([full, full]);
    expect(queue.dropped).toBe(3);
    expect(place.written.join('')).toBe('-2\nc\n-1\ne\n');
  });

  test('a place that fails is not tried without end', async () => {
    const place = slowPlace();
    const queue = queueTo(place);
    for (const line of 'abc') queue.push(line);
    await place.finish(full);
    await place.finish(full);
    expect(place.pending()).toBe(0);
    const flush = queue.flush();
    expect(place.pending()).toBe(1);
    await place.finish();
    await flush;
    expect(place.written).toEqual(['-3\n']);
  });

  test('counts of a write that broke off what is not whole in the place, and no more', async () => {
    // "aa\nbb\ncc\n" in part: the line end alone may be missing, for the next write makes it good.
    for (const [bytes, dropped] of [
      [0, 3],
      [1, 3],
      [2, 2],
      [3, 2],
      [5, 1],
      [7, 1],
      [8, 0],
    ] as const) {
      const place = slowPlace();
      const queue = queueTo(place);
      queue.push('x');
      for (const line of ['aa', 'bb', 'cc']) queue.push(line);
      await place.finish();
      await place.finish(new CutShort(bytes, full));
      expect([bytes, queue.dropped, queue.failures]).toEqual([bytes, dropped, [full]]);
      void queue.flush();
      await place.finish();
      const part = 'aa\nbb\ncc\n'.slice(0, bytes);
      const gap = dropped === 0 ? '' : `${/[^\n]$/.test(part) ? '\n' : ''}-${dropped}\n`;
      expect(place.written.join('')).toBe(`x\n${part}${gap}`);
    }
  });

  test('what cannot be a line is counted, and told of in its place', async () => {
    const place = slowPlace();
    const queue = queueTo(place);
    queue.push('a');
    queue.drop();
    queue.push('b');
    while (place.pending() > 0) await place.finish();
    expect([queue.dropped, place.written.join('')]).toEqual([1, 'a\n-1\nb\n']);
  });

  test('loses nothing uncounted: every line is written once and in order, or counted', async () => {
    const step = fc.oneof(
      {
        weight: 3,
        arbitrary: fc.record({ push: fc.string({ unit: fc.constantFrom('x', 'ü'), maxLength: 12 }) }),
      },
      fc.constant({ finish: undefined }),
      fc.constant({ finish: full }),
      fc.record({ finish: fc.nat(30).map((bytes) => new CutShort(bytes, full)) }),
      fc.constant({ flush: true }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const place = slowPlace();
        const queue = queueTo(place, { maxQueuedBytes: 40, maxBatchBytes: 25 }, (lines) => `-${lines}.`);
        const flushes: Promise<void>[] = [];
        let count = 0;
        for (const one of steps) {
          if ('push' in one) queue.push(`${(count += 1)} ${one.push}.`);
          else if ('flush' in one) flushes.push(queue.flush());
          else await place.finish(one.finish);
        }
        flushes.push(queue.flush());
        do await place.finish();
        while (place.pending() > 0);
        await Promise.all(flushes);
        // A line that broke off stands alone: without its last character, a full stop.
        const lines = place.written
          .join('')
          .split('\n')
          .filter((line) => line.endsWith('.'));
        const numbers = lines
          .filter((line) => !line.startsWith('-'))
          .map((line) => Number(line.split(' ')[0]));
        expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
        expect(queue.dropped).toBe(count - numbers.length);
        // A gap tells of the lines between its neighbours, each of them.
        const told: (number | undefined)[] = [];
        for (const line of lines) {
          if (line.startsWith('-'))
            told.push(...Array.from({ length: -Number.parseInt(line) }, () => undefined));
          else told.push(Number(line.split(' ')[0]));
        }
        expect(told).toEqual(told.map((n, at) => n && at + 1));
        expect(told).toHaveLength(count);
      }),
    );
  });
});
