import { afterEach, describe, expect, jest, test } from '@jest/globals';
import axiosRetry from 'axios-retry';
import { slowBody, streamed } from './comparison/bodies';
import {
  brokenPost,
  dependencies,
  explanation,
  interceptors,
  refusedInBody,
  refusedPost,
  unwrapped,
  versionOf,
} from './comparison/calls';
import { afterHint, asctime, garbage, ownDelay, tooLong, twoMinutes, zeroOrPast } from './comparison/hints';
import { packages } from './comparison/peers';
import type { PackageName } from './comparison/peers';
import { gzippedBytes, size } from './comparison/sizes';
import { pass, SERVED, stageFor } from './comparison/stage';
import {
  allServed,
  bound,
  cancelTokenInWait,
  comeBack,
  newCalls,
  refusals,
  setRate,
  signalInFlight,
  signalInWait,
  withoutEnd,
} from './comparison/waits';
import { readDocument } from './markdown';

/** What is seen when one of the packages is run, in the words of the table; `said` is its cell. */
type Observer = (name: PackageName, said: string) => string | Promise<string>;

/** By the bold title of the row. These run in the time of jest's fake timers ... */
const inFakeTime: Readonly<Record<string, Observer>> = {
  Burst: refusals,
  Return: comeBack,
  Cost: allServed,
  'New call': newCalls,
  'No end': withoutEnd,
  'Two minutes': twoMinutes,
  '34 days': tooLong,
  'No wait': zeroOrPast,
  Nonsense: garbage,
  'Own delay': ownDelay,
  Bound: bound,
  Interceptors: interceptors,
  Unwrapping: unwrapped,
  'Broken POST': brokenPost,
  'Refused POST': refusedPost,
  Signal: signalInWait,
  'Cancel token': cancelTokenInWait,
  'In flight': signalInFlight,
  'Refused by 200': refusedInBody,
  'Known rate': setRate,
  Explanation: explanation,
};

/** ... and these with a server, a process or a bundler. */
const inRealTime: Readonly<Record<string, Observer>> = {
  'Old date': asctime,
  'Slow body': slowBody,
  'Streamed PUT': streamed,
  Size: size,
  Dependencies: dependencies,
};

const { head, rows } = table(readDocument('README.md'));
const pairsOf = (observers: typeof inFakeTime): readonly (readonly [string, PackageName])[] =>
  Object.keys(observers).flatMap((title) => packages.map((name) => [title, name] as const));

function said(title: string, name: PackageName): string {
  return rows.get(title)?.[packages.indexOf(name)] ?? `no cell for ${title}`;
}

function fakeTime(): void {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
}

afterEach(() => {
  jest.useRealTimers();
});

describe('the comparison with other packages', () => {
  test('has a test for each row, and a row for each test', () => {
    const titles = [...Object.keys(inFakeTime), ...Object.keys(inRealTime)];
    expect([...rows.keys()].sort()).toEqual(titles.sort());
  });

  test('names the versions that are run', () => {
    const others = packages.slice(0, -1).map((name) => `${name} ${versionOf(name)}`);
    expect(head).toEqual([...others, 'axios-heed']);
  });

  test.each(pairsOf(inFakeTime))('row "%s" says of %s what is seen', async (title, name) => {
    fakeTime();
    const cell = said(title, name);
    expect(await inFakeTime[title]?.(name, cell)).toBe(cell);
  });

  test.each(pairsOf(inRealTime))('row "%s" says of %s what is seen', async (title, name) => {
    const cell = said(title, name);
    expect(await inRealTime[title]?.(name, cell)).toBe(cell);
  });
});

describe('the notes below it', () => {
  test.each([
    ['0', 'after 0.2 s'],
    ['oops', 'after 0.2 s'],
    ['3000000', 'at once'],
  ])('are right about axios-retry with exponentialDelay and the hint %s', async (hint, seen) => {
    fakeTime();
    const settings = { 'axios-retry': { retryDelay: axiosRetry.exponentialDelay } };
    expect(await afterHint('axios-retry', hint, settings)).toBe(seen);
  });

  test.each([
    ['300', 'after 300 s'],
    ['301', 'not repeated'],
  ])('are right about the longest hint that retry-axios waits for: %s', async (hint, seen) => {
    fakeTime();
    expect(await afterHint('retry-axios', hint)).toBe(seen);
  });

  test.each([
    ['50', {}, 'after 50 s'],
    ['61', {}, 'not repeated, says when'],
    ['120', { budget: { minutes: 5 } }, 'after 120 s'],
    ['120', { maxHint: { minutes: 3 } }, 'after 120 s'],
  ])('are right about the longest hint that axios-heed waits for: %s with %j', async (hint, policy, seen) => {
    fakeTime();
    expect(await afterHint('axios-heed', hint, { 'axios-heed': policy })).toBe(seen);
  });

  test('are right about a burst that nobody refuses: it is sent within a tenth of a second', async () => {
    fakeTime();
    const { server, api } = stageFor('axios-heed', [{ ...SERVED, afterMs: 20 }]);
    const calls = Promise.all(Array.from({ length: 50 }, () => api.get('/things')));
    await pass(1000);
    await calls;
    const [first = 0] = server.times();
    expect(server.times().filter((at) => at - first < 100)).toHaveLength(50);
  });

  test('are right about the size of the parser alone', async () => {
    expect(Math.round((await gzippedBytes('./lib/hint/retry-after.ts')) / 1000)).toBe(2);
  });
});

/** The one table whose first column is titles in bold: the head's other cells, and those of each row by title. */
function table(document: string): {
  readonly head: readonly string[];
  readonly rows: ReadonlyMap<string, readonly string[]>;
} {
  const start = document.indexOf('## What it does differently');
  const lines = document.slice(start, document.indexOf('\n## ', start + 1)).split('\n');
  const [first = [], , ...others] = lines.filter((line) => line.startsWith('|')).map(cellsOf);
  return {
    head: first.slice(1),
    rows: new Map(
      others.map(([what = '', ...cells]) => [/^\*\*(.+?)\.?\*\*/.exec(what)?.[1] ?? what, cells]),
    ),
  };
}

function cellsOf(line: string): readonly string[] {
  return line
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());
}
