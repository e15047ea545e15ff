import { beforeAll, describe, expect, test } from '@jest/globals';
import type { GateNote } from '../../lib/gate/gate-note';
import type { GateStore } from '../../lib/store/gate-store';
import { sharedStore } from '../../lib/store/shared-store';
import { gateWorld } from '../gate/gate-world';
import type { GateWorld } from '../gate/gate-world';
import { ownProgram } from '../support/own-process';
import type { Run } from '../support/own-process';

const GOOD: GateStore = {
  nameOf: () => ({ kind: 'shared', name: 'a' }),
  tell: () => Promise.resolve({ gate: { kind: 'unknown' }, members: 1 }),
  subscribe: () => () => undefined,
};

/** A hold, three operations that wait for its end, and one more after it. */
async function used(bad: object): Promise<GateWorld & { readonly sent: number }> {
  const world = gateWorld({ store: sharedStore({ ...GOOD, ...bad }) });
  const first = world.operation();
  first.enter();
  await world.clock.advance(200);
  first.limited(1000);
  const rest = Array.from({ length: 4 }, () => world.operation());
  for (const one of rest) {
    one.enter();
    await world.clock.advance(2000);
    one.answer('accepted');
  }
  return { ...world, sent: 1 + rest.filter(({ entered }) => entered?.kind === 'pass').length };
}

const storeNotes = (notes: readonly GateNote[]): string[] =>
  notes.flatMap((note) => {
    if (note.event === 'store-failed') return `failed ${note.call}`;
    return note.event === 'store-ignored' ? `ignored ${note.because}` : [];
  });

describe('a name that is none', () => {
  test.each<[string, () => unknown]>([
    ['nothing', () => undefined],
    ['null', () => null],
    ['a text', () => 'a'],
    ['a number for a name', () => ({ kind: 'shared', name: 7 })],
    ['another kind', () => ({ kind: 'global', name: 'a' })],
    ['a promise', () => Promise.resolve({ kind: 'shared', name: 'a' })],
  ])('(%s) leaves the gate to itself, which is noted once', async (_, nameOf) => {
    const { sent, notes } = await used({ nameOf });
    expect(sent).toBe(5);
    expect(storeNotes(notes)).toEqual(['ignored unreadable']);
  });
});

describe('a subscription that fails', () => {
  const rejects = (): Promise<never> => Promise.reject(new Error('down'));
  test.each<[string, object]>([
    ['at once', { subscribe: (): never => throws() }],
    ['later', { subscribe: rejects }],
  ])('%s is noted, and everything else goes on', async (_, bad) => {
    const { sent, notes } = await used(bad);
    expect(sent).toBe(5);
    expect(storeNotes(notes)).toEqual(['failed subscribe']);
  });

  test.each<[string, object]>([
    ['throws', { subscribe: () => (): never => throws() }],
    ['rejects', { subscribe: () => rejects }],
  ])('is noted when its end %s', async (_, bad) => {
    const { gates, notes, operation, clock } = await used(bad);
    expect(storeNotes(notes)).toEqual([]);
    gates.detach(gates);
    await clock.advance(10);
    operation().enter();
    expect(storeNotes(notes)).toEqual(['failed subscribe']);
  });

  test('is made once where it gives nothing to end it with', async () => {
    let subscriptions = 0;
    await used({ subscribe: () => void (subscriptions += 1) });
    expect(subscriptions).toBe(1);
  });
});

test('an answer that throws when it is read is a failure, noted once', async () => {
  const { sent, notes } = await used({
    tell: () =>
      Promise.resolve({
        members: 1,
        get gate(): never {
          return throws();
        },
      }),
  });
  expect(sent).toBe(5);
  expect(storeNotes(notes).sort()).toEqual(['failed lease', 'ignored unreadable']);
});

describe('in a process of its own', () => {
  let ran: Run;
  beforeAll(async () => {
    const program = ownProgram(PROGRAM);
    ran = await program.run({});
    program.remove();
  });

  test('no rejection of a store goes unhandled, and no call fails', () => {
    expect(ran.errors).toBe('');
    expect(ran.output.trim().split('\n')).toEqual([
      'nameOf: 200',
      'subscribe: 200',
      'unsubscribe: 200',
      'tell: 200',
      'read: 200',
      'thenable: 200',
    ]);
  });
});

const PROGRAM = `
  import axios from 'axios';
  import { heed } from 'axios-heed';
  import { sharedStore } from './lib/store/index.ts';
  process.on('unhandledRejection', (error) => console.log('unhandled:', error.message));
  const rejects = async (what) => { throw new Error(what); };
  const good = {
    nameOf: () => ({ kind: 'shared', name: 'a' }),
    tell: async () => ({ gate: { kind: 'unknown' }, members: 1 }),
    subscribe: () => () => undefined,
  };
  const bad = {
    nameOf: { nameOf: () => rejects('nameOf') },
    subscribe: { subscribe: () => rejects('subscribe') },
    unsubscribe: { subscribe: () => () => rejects('unsubscribe') },
    tell: { tell: () => rejects('tell') },
    read: { tell: async () => ({ members: 1, get gate() { throw new Error('read'); } }) },
    thenable: { tell: () => ({ get then() { throw new Error('then'); } }) },
  };
  const adapter = async (config) => ({ data: 1, status: 200, statusText: '', headers: {}, config });
  const main = async () => {
    for (const [name, one] of Object.entries(bad)) {
      const api = axios.create({ adapter });
      const heeding = heed(api, { store: sharedStore({ ...good, ...one }) });
      const { status } = await api.get('https://a.example/');
      heeding.detach();
      await new Promise((resolve) => setTimeout(resolve, 5));
      console.log(name + ': ' + status);
    }
  };
  main();
`;

function throws(): never {
  throw new Error('down');
}
