import { runInNewContext } from 'node:vm';
import { describe, expect, jest, test } from '@jest/globals';
import { levelOf, toConsole, toLogger, toPino } from '../../lib/journal/index';
import type { LineConsole } from '../../lib/journal/index';
import type { JournalEntry, JournalListener } from '../../lib/operation/journal-entry';
import { strayRejections } from './stray-rejections';
import { entryOf, EVENTS } from './entries';

function recorder(): { written: [string, ...unknown[]][] } & Record<'debug' | 'info' | 'warn', () => void> {
  const written: [string, ...unknown[]][] = [];
  const write =
    (level: string) =>
    (...said: unknown[]): void =>
      void written.push([level, ...said]);
  return { written, debug: write('debug'), info: write('info'), warn: write('warn') };
}

const opened = entryOf('operation-opened');
const again = { ...entryOf('decision', 9), operation: 'op-1' } as JournalEntry;
const closed = { ...entryOf('operation-closed', 9), operation: 'op-1' } as JournalEntry;

describe('toConsole', () => {
  test('writes one line for an entry: time, operation, what was asked for, what happened', () => {
    const console = recorder();
    const onEntry = toConsole({ console });
    [opened, again].forEach(onEntry);
    expect(console.written).toEqual([
      [
        'info',
        '[heed 12:00:00.009 op-1] GET https://api.example.com/orders/:id: Row 11 of the table decides exchange 1: ' +
          'again, not before 2 s from receipt (the hint of the server).',
      ],
    ]);
  });

  test.each([
    ['debug', ['debug', 'info', 'warn']],
    ['info', ['info', 'warn']],
    ['warn', ['warn']],
  ] as const)('with `least: %s` leaves out what matters less, and nothing else', (least, written) => {
    const console = recorder();
    const all = EVENTS.map((event) => entryOf(event));
    all.forEach(toConsole({ least, console }));
    const expected = all.map(levelOf).filter((level) => written.some((one) => one === level));
    expect(console.written.map(([level]) => level)).toEqual(expected);
    expect(new Set(expected)).toEqual(new Set(written));
  });

  test('writes to the console of the platform, the one that is there when it writes', () => {
    const onEntry = toConsole();
    const info = jest.spyOn(console, 'info').mockImplementation(() => {});
    onEntry(entryOf('gate-opened', 5));
    expect(info.mock.calls).toEqual([
      ['[heed 12:00:00.005] The gate https://api.example.com /orders/:id is open.'],
    ]);
  });

  test('forgets what an operation was about when that has ended', () => {
    const console = recorder();
    const onEntry = toConsole({ console });
    [opened, closed, again].forEach(onEntry);
    expect(console.written.map(([, line]) => String(line).includes('GET https'))).toEqual([true, false]);
  });

  test.each([
    [{ leest: 'info' }, 'toConsole to have known options (least, console), got `leest`'],
    [{ least: 'loud' }, "`least` of toConsole to be 'debug', 'info', 'warn', got 'loud'"],
    [
      { console: {} },
      '`console` of toConsole to be an object with the methods debug, info, warn, got an object',
    ],
    ['info', "the options of toConsole to be an object, got 'info'"],
  ])('refuses %p', (options, expected) => {
    const wrong = (): unknown => toConsole(options as unknown as { console: LineConsole });
    expect(wrong).toThrow(`axios-heed: expected ${expected}`);
    expect(wrong).toThrow(expect.objectContaining({ code: 'ERR_HEED_OPTIONS', name: 'HeedOptionsError' }));
  });

  test('takes an option that is undefined as absent', () => {
    expect(() => toConsole({ least: undefined, console: undefined })).not.toThrow();
  });
});

describe('toLogger and toPino', () => {
  test('give the sentence and the entry, in the order that the logger takes', () => {
    const [first, second] = [recorder(), recorder()];
    toLogger(first)(entryOf('gate-opened'));
    toPino(second)(entryOf('gate-opened'));
    const sentence = 'The gate https://api.example.com /orders/:id is open.';
    expect(first.written).toEqual([['info', sentence, { heed: entryOf('gate-opened') }]]);
    expect(second.written).toEqual([['info', { heed: entryOf('gate-opened') }, sentence]]);
  });

  test('call methods on the logger itself', () => {
    class Logger {
      readonly lines: string[] = [];
      debug(): void {}
      warn(): void {}
      info(line: string): void {
        this.lines.push(line);
      }
    }
    const logger = new Logger();
    toLogger(logger)(entryOf('gate-opened'));
    expect(logger.lines).toHaveLength(1);
  });

  test('say nothing at a level that the logger has switched off', () => {
    const logger = { ...recorder(), isLevelEnabled: (level: string) => level === 'warn' };
    EVENTS.map((event) => entryOf(event)).forEach(toPino(logger));
    expect(logger.written.map(([level]) => level)).toEqual(['warn', 'warn', 'warn']);
  });

  test.each([
    ['toLogger', toLogger],
    ['toPino', toPino],
  ])('%s refuses what is no logger', (name, adapter) => {
    expect(() => adapter({ info: () => {} } as never)).toThrow(
      `axios-heed: expected the logger of ${name} to be an object with the methods debug, info, warn, got an object`,
    );
  });
});

describe('a logger that fails', () => {
  const throwing = (): never => {
    throw new Error('mine');
  };
  const rejecting = (): Promise<void> => Promise.reject(new Error('mine'));
  const foreign = (): unknown => runInNewContext('Promise.reject(new Error("mine"))');
  const broken = (): object => ({ then: throwing });

  const sinks: readonly [string, (fail: () => unknown) => JournalListener][] = [
    ['toConsole', (fail) => toConsole({ console: logger(fail) })],
    ['toLogger', (fail) => toLogger(logger(fail))],
    ['toPino', (fail) => toPino(logger(fail))],
  ];
  const failures: readonly [string, () => unknown][] = [
    ['throws', throwing],
    ['rejects', rejecting],
    ['rejects by a promise of another realm', foreign],
    ['gives what only looks like a promise', broken],
  ];

  function logger(fail: () => unknown): Record<'debug' | 'info' | 'warn', () => unknown> {
    return { debug: fail, info: fail, warn: fail };
  }

  test.each(sinks.flatMap(([sink, make]) => failures.map(([how, fail]) => [sink, how, make(fail)] as const)))(
    'and %s with it: one that %s leaves nothing over',
    async (_, __, onEntry) => {
      expect(
        await strayRejections(() => {
          expect(() => onEntry(entryOf('gate-opened'))).not.toThrow();
        }),
      ).toEqual([]);
    },
  );

  test('when it is asked for a level changes nothing either', () => {
    const isLevelEnabled = jest.fn(throwing);
    const onEntry = toPino({ ...recorder(), isLevelEnabled });
    expect(() => onEntry(entryOf('gate-opened'))).not.toThrow();
    expect(isLevelEnabled).toHaveBeenCalledTimes(1);
  });
});
