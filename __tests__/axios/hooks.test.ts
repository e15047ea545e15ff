import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { optionNames } from '../../lib/option-checks';
import type { HeedConfig, HeedPolicy } from '../../lib/index';
import type { Script } from '../support/scripted-adapter';
import { EXACT, scriptedClient } from '../support/scripted-client';
import type { Ended, ScriptedClient } from '../support/scripted-client';

type Hook = () => never;

/** Where a function of the caller is asked, and what it is asked about. */
interface Place {
  readonly name: string;
  readonly set: (hook: Hook) => { policy?: HeedPolicy; request?: HeedConfig };
  readonly script: Script;
  /** Exchanges that are sent before it is asked. */
  readonly sent: number;
  /** It is waited for. */
  readonly awaited: boolean;
  readonly nonsense: readonly unknown[];
}

const LIMITED = { status: 429, headers: { 'retry-after': '2' } } as const;
const AGAIN: Script = [LIMITED, { status: 200 }];
const FAILED: Script = [{ status: 503 }, { status: 200 }];

const policyOf = (name: keyof HeedPolicy): Place['set'] => {
  return (hook) => ({ policy: { [name]: hook } });
};

const places: readonly Place[] = [
  {
    name: 'scopes',
    set: (hook) => ({ policy: { scopes: [hook] } }),
    script: AGAIN,
    sent: 0,
    awaited: false,
    nonsense: [5, true, {}, [5], { by: 'x' }, { by: 'x', value: 5 }],
  },
  { name: 'turn', set: policyOf('turn'), script: AGAIN, sent: 0, awaited: false, nonsense: [5, {}, null] },
  {
    name: 'transient',
    set: policyOf('transient'),
    script: FAILED,
    sent: 1,
    awaited: false,
    nonsense: [undefined, null, 1, 'yes', {}],
  },
  {
    name: 'notApplied',
    set: policyOf('notApplied'),
    script: FAILED,
    sent: 1,
    awaited: false,
    nonsense: [undefined, null, 1, 'yes', {}],
  },
  {
    name: 'classify',
    set: policyOf('classify'),
    script: AGAIN,
    sent: 1,
    awaited: false,
    nonsense: [
      null,
      5,
      'limit',
      {},
      { kind: 'later' },
      { kind: 'limit', delayMs: -1 },
      { kind: 'limit', delayMs: '5' },
    ],
  },
  {
    name: 'backoff',
    set: policyOf('backoff'),
    script: FAILED,
    sent: 1,
    awaited: false,
    nonsense: [undefined, null, -1, NaN, Infinity, '5', {}],
  },
  {
    name: 'beforeExchange',
    set: policyOf('beforeExchange'),
    script: AGAIN,
    sent: 1,
    awaited: true,
    nonsense: [5, 'header', true, { headers: 5 }, { headers: null }],
  },
  {
    name: 'readiness: db',
    set: (check) => ({ policy: { readiness: [{ name: 'db', check }] } }),
    script: AGAIN,
    sent: 1,
    awaited: true,
    nonsense: [undefined, null, true, 'yes', {}, { notBefore: 'soon' }, { stop: true }],
  },
  {
    name: 'body',
    set: (body) => ({ request: { body } }),
    script: AGAIN,
    sent: 0,
    awaited: true,
    nonsense: [],
  },
];

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);

beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', note);
});

afterEach(() => {
  process.off('unhandledRejection', note);
});

async function run({ set, script }: Place, hook: Hook): Promise<Ended & ScriptedClient> {
  const { policy, request } = set(hook);
  const client = scriptedClient(script, { ...EXACT, ...policy });
  const ended = await client.get(request === undefined ? {} : { heed: request });
  // Rejections that nobody heard are told after a turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
  return { ...client, ...ended };
}

function expectNothingLeft({ heeding, clock }: ScriptedClient): void {
  const { gates } = heeding.snapshot();
  expect(gates.flatMap(({ waiting, inFlight }) => [waiting, inFlight])).toEqual(gates.flatMap(() => [0, 0]));
  clock.assertIdle();
  expect(unhandled).toEqual([]);
}

const throwing = (thrown: unknown): Hook => {
  return () => {
    throw thrown;
  };
};

describe.each(places.map((place) => [place.name, place] as const))('the hook %s', (name, place) => {
  test('that throws rejects with what it threw, in the journal as hook-failed', async () => {
    const thrown = new Error('a fault of the caller');
    const ended = await run(place, throwing(thrown));
    expect(ended.error).toBe(thrown);
    expect(ended.server.sent).toHaveLength(place.sent);
    expect(ended.entries.filter(({ event }) => event === 'operation-closed')).toEqual([
      expect.objectContaining({ because: 'hook-failed', exchanges: place.sent }),
    ]);
    expectNothingLeft(ended);
  });

  test.each([undefined, null, 'a text'])('that throws %j, rejects with just that', async (thrown) => {
    const ended = await run(place, throwing(thrown));
    expect(ended.error).toBe(thrown);
    expectNothingLeft(ended);
  });

  test('that gives a promise which rejects leaves no rejection unheard', async () => {
    const ended = await run(place, () => Promise.reject(new Error('later')) as never);
    expect(ended.error).toBeInstanceOf(place.awaited ? Error : TypeError);
    expectNothingLeft(ended);
  });

  if (place.nonsense.length > 0) {
    test.each(place.nonsense.map((answer) => [answer]))(
      'that gives %j rejects with a TypeError',
      async (answer) => {
        const ended = await run(place, () => answer as never);
        expect(ended.error).toBeInstanceOf(TypeError);
        expect(ended.error?.message).toContain(`Expected \`${name}\` to return`);
        expect(ended.server.sent).toHaveLength(place.sent);
        expectNothingLeft(ended);
      },
    );
  }

  if (place.awaited) {
    test('that hangs is left after ten seconds, with the last answer of the server', async () => {
      const ended = await run(place, () => new Promise(() => undefined) as never);
      expect(ended.error?.heed).toMatchObject({ reason: 'hook-timed-out', exchanges: place.sent });
      expect(ended.atMonoMs).toBe(place.sent * 2000 + 10_000);
      expect(ended.entries).toContainEqual(
        expect.objectContaining({ event: 'hook-ended', hook: name, how: 'hook-timed-out' }),
      );
      expectNothingLeft(ended);
    });

    test('that throws is journalled as failed', async () => {
      const ended = await run(place, throwing(new Error('no')));
      expect(ended.entries).toContainEqual(
        expect.objectContaining({ event: 'hook-ended', hook: name, how: 'failed' }),
      );
    });

    test('that rejects after it was left is not unheard', async () => {
      const { policy, request } = place.set((() => later) as never);
      const client = scriptedClient(place.script, { ...EXACT, ...policy });
      const later = new Promise((_, reject) => {
        client.clock.setTimer(15_000, () => reject(new Error('too late')));
      });
      await client.get(request === undefined ? {} : { heed: request });
      await client.clock.advance(10_000);
      await new Promise((resolve) => setImmediate(resolve));
      expectNothingLeft(client);
    });
  }
});

test('what is not known when a hook throws over an answer is not called known', async () => {
  const { api, entries, ended } = scriptedClient([{ status: 201 }], {
    ...EXACT,
    classify: throwing(new Error('no')),
  });
  await ended(api.post('/orders', {}));
  expect(entries.at(-1)).toMatchObject({ because: 'hook-failed', exchanges: 1, knowledge: 'unknown' });
});

test('a hook that throws when nothing waits at gates is journalled too', async () => {
  const policy: HeedPolicy = { ...EXACT, mode: 'observe', classify: throwing(new Error('no')) };
  const { entries, get } = scriptedClient([{ status: 200 }], policy);
  await get();
  expect(entries.at(-1)).toMatchObject({ event: 'operation-closed', because: 'hook-failed' });
});

test('every function of the caller is in the table above or has a suite of its own', () => {
  const elsewhere = [
    'hints', // a reader that throws is a reading: `reader-failed`
    'reconcile', // whatever goes wrong, the outcome stays unknown
    'idempotencyKey', // is refused before anything is sent
    'onEntry', // an observer changes nothing
    'maskPath',
  ];
  const asked = [...optionNames('policy').filter(takesFunction), 'body'];
  expect(asked).toEqual(expect.arrayContaining(['scopes', 'reconcile', 'body']));
  const known = places.map((place) => place.name.replace(/:.*/, ''));
  expect(asked.filter((name) => ![...known, ...elsewhere].includes(name))).toEqual([]);
});

/** By the words with which it refuses a number. */
function takesFunction(name: string): boolean {
  const rule = scriptedRefusal(name);
  return /function/.test(rule);
}

function scriptedRefusal(name: string): string {
  try {
    scriptedClient([], name === 'body' ? {} : { [name]: -0.5 });
  } catch (error) {
    return String(error);
  }
  return '';
}

test.each<[string, Hook]>([
  ['throws', throwing(new Error('no'))],
  ['rejects', () => Promise.reject(new Error('no')) as never],
  ['hangs', () => new Promise(() => undefined) as never],
])('an observer that %s changes nothing', async (_, onEntry) => {
  const client = scriptedClient(AGAIN, { ...EXACT, onEntry });
  expect((await client.get()).status).toBe(200);
  await new Promise((resolve) => setImmediate(resolve));
  expectNothingLeft(client);
});

test('a mask that throws rejects with what it threw, and nothing is sent', async () => {
  const thrown = new Error('no');
  const { get, server, entries } = scriptedClient(AGAIN, { ...EXACT, maskPath: throwing(thrown) });
  expect((await get()).error).toBe(thrown);
  expect([server.sent.length, entries.map(({ event }) => event)]).toEqual([0, ['operation-closed']]);
});
