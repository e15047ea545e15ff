import { describe, expect, test } from '@jest/globals';
import { journalRing, levelOf, parseJournal, readJournal, sentenceOf, tee } from '../../lib/journal/index';
import { toConsole, toLogger, toPino } from '../../lib/journal/index';
import type { JournalChunks } from '../../lib/journal/index';
import type { JournalEntry } from '../../lib/operation/journal-entry';
import { entryOf, EVENTS, lineOf } from './entries';

const LONG = 'x'.repeat(1_000_000);

const throwing = (): never => {
  throw new Error('mine');
};

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function cycle(): object {
  const self: Record<string, unknown> = { ...entryOf('observation') };
  self['hint'] = self;
  self['event'] = 'observation';
  self['self'] = [self];
  return self;
}

/** What nobody should give, each with a word for it. */
const THINGS: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  'a number': () => 42,
  'a BigInt': () => 10n ** 5000n,
  'a symbol': () => Symbol(LONG),
  'a function': () => () => LONG,
  'a long text': () => LONG,
  'a list': () => [1, 2, 3],
  'a long list': () => Array.from({ length: 1_000_000 }, (_, at) => at),
  'an empty object': () => ({}),
  'an object without a prototype': () => Object.create(null) as object,
  'a proxy that throws at everything': () =>
    new Proxy({}, { get: throwing, has: throwing, ownKeys: throwing, getOwnPropertyDescriptor: throwing }),
  'a proxy that is revoked': revoked,
  'a cycle': cycle,
  'an event that is a symbol': () => ({ event: Symbol('event') }),
  'an event that throws': () => Object.defineProperty({}, 'event', { get: throwing, enumerable: true }),
  'an event that is an object without text': () => ({ event: Object.create(null) as object }),
  'a long event': () => ({ event: LONG }),
  'long names': () => ({ event: 'novel', [LONG]: 1 }),
  'many fields': () =>
    Object.fromEntries([['event', 'novel'], ...Array.from({ length: 100_000 }, (_, at) => [`f${at}`, at])]),
};

/** Fields of an entry that are none. */
const FIELDS: Readonly<Record<string, () => unknown>> = {
  'a getter that throws': throwing,
  'a text of a megabyte': () => `\u001b[2J\r\n\u202e${LONG}`,
  'a BigInt': () => 10n,
  'a symbol': () => Symbol('x'),
  'an object that is no text': () => ({ toString: throwing, toJSON: throwing }),
  'an object of a long text': () => ({ toString: () => LONG.repeat(100) }),
  'a list of a hundred million': () => new Array<unknown>(100_000_000),
  'a nest': () => {
    let nest: unknown[] = [];
    for (let depth = 0; depth < 100_000; depth += 1) nest = [nest];
    return nest;
  },
  'a cycle': () => {
    const self: unknown[] = [];
    self.push(self, self);
    return self;
  },
  NaN: () => Number.NaN,
  Infinity: () => Number.POSITIVE_INFINITY,
};

/** An entry of that event, with that in every field but its name; read when they are looked at. */
function spoilt(event: string, field: () => unknown): JournalEntry {
  const entry = { event };
  for (const name of Object.keys(entryOf(event as 'weighed'))) {
    if (name !== 'event') Object.defineProperty(entry, name, { get: field, enumerable: true });
  }
  return entry as JournalEntry;
}

function expectOneLine(text: string): void {
  expect(text).toMatch(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,500}$/u);
}

describe('whatever it is given', () => {
  test.each(Object.entries(THINGS))('sentenceOf makes one line of %s, and levelOf a level', (_, make) => {
    expectOneLine(sentenceOf(make() as JournalEntry));
    expect(['debug', 'info', 'warn']).toContain(levelOf(make() as JournalEntry));
  });

  test.each(Object.entries(FIELDS))('sentenceOf makes one line of every event with %s in it', (_, field) => {
    for (const event of [...EVENTS, 'novel']) {
      expectOneLine(sentenceOf(spoilt(event, field)));
      expect(['debug', 'info', 'warn']).toContain(levelOf(spoilt(event, field)));
    }
  });

  test.each(Object.entries(THINGS))('no sink throws at %s', (_, make) => {
    const nobody = { debug: () => {}, info: () => {}, warn: () => {} };
    const listeners = [toConsole({ console: nobody }), toLogger(nobody), toPino(nobody)];
    for (const onEntry of [...listeners, tee(...listeners), journalRing(1).onEntry]) {
      expect(() => onEntry(make() as JournalEntry)).not.toThrow();
    }
  });
});

describe('a source that is none', () => {
  const noSource = Object.entries(THINGS).filter(([name]) => !/text|list/.test(name));

  test.each(noSource)('%s is refused by a short TypeError', (_, make) => {
    for (const read of [parseJournal, readJournal]) {
      const reading = (): unknown => read(make() as string & JournalChunks);
      expect(reading).toThrow(TypeError);
      expect(reading).toThrow(/^axios-heed: expected the .{1,200}$/);
    }
  });

  // A proxy fails when the language awaits it, before anybody sees what it is.
  test.each(noSource.filter(([name]) => !name.includes('proxy')))(
    '%s among the lines is refused by a short TypeError',
    async (_, make) => {
      const lines = [lineOf(entryOf('gate-opened')), make()] as string[];
      expect(() => parseJournal(lines)).toThrow(TypeError);
      expect(() => parseJournal(lines)).toThrow(/^axios-heed: expected .{1,200}$/);
      const read: unknown[] = [];
      const reading = async (): Promise<void> => {
        for await (const entry of readJournal(lines)) read.push(entry);
      };
      await expect(reading()).rejects.toThrow(TypeError);
      await expect(reading()).rejects.toThrow(/^axios-heed: expected .{1,200}$/);
      expect(read.length).toBeGreaterThan(0);
    },
  );

  test('bytes are no lines, and parseJournal says so', () => {
    expect(() => parseJournal(new Uint8Array(10) as unknown as string)).toThrow(
      'axios-heed: expected the lines of parseJournal to be texts, got 0',
    );
  });

  test('options of a sink that are hostile are refused by a short TypeError', () => {
    for (const options of [{ [LONG]: 1 }, revoked(), { least: Symbol(LONG) }, { console: revoked() }]) {
      expect(() => toConsole(options)).toThrow(TypeError);
      expect(() => toConsole(options)).toThrow(/^axios-heed: expected .{1,200}$/);
    }
  });
});

describe('a file by a hostile hand', () => {
  test('with a megabyte in every text of every event is told in one short line an entry', () => {
    const swollen = (value: unknown): unknown => {
      if (typeof value === 'string') return `${value}\u001b[2J\u202e${'y'.repeat(50_000)}`;
      if (Array.isArray(value)) return value.map(swollen);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, swollen(part)]));
    };
    const lines = EVENTS.map((event) => JSON.stringify({ ...(swollen(entryOf(event)) as object), event }));
    const { entries, unreadable } = parseJournal(lines);
    expect(entries.length + unreadable).toBe(EVENTS.length);
    expect(entries.length).toBeGreaterThan(EVENTS.length / 2);
    for (const entry of entries) expectOneLine(sentenceOf(entry));
  });

  test('with a count of dropped entries that is beyond counting adds up to a number', () => {
    const line = JSON.stringify({ v: 1, event: 'entries-dropped', dropped: Number.MAX_SAFE_INTEGER });
    expect(Number.isFinite(parseJournal([line, line]).dropped)).toBe(true);
  });
});
