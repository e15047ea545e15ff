import { describe, expect, jest, test } from '@jest/globals';
import axios from 'axios';
import { createGates, heed, journalOf } from '../../lib/index';
import type { HeedPolicy } from '../../lib/index';
import type { Script } from '../support/scripted-adapter';
import { failureOf, settled, worldWith } from '../support/world';
import type { World } from '../support/world';

const LIMITED = { status: 429, headers: { 'retry-after': '1' } } as const;

/** A hook that ends long after everybody has lost patience. */
function withSlowHook(script: Script, hook: HeedPolicy['beforeExchange']): World {
  return worldWith(script, { beforeExchange: hook, concurrency: 1 });
}

const never = (): Promise<undefined> => new Promise(() => undefined);

describe('a beforeExchange hook', () => {
  test('that hangs is cut by the deadline', async () => {
    const it = withSlowHook([LIMITED, { status: 200 }], never);
    const heeding = heed(it.api, it.policy);
    const error = await failureOf(it.clock, it.api.get('/things', { heed: { budget: 3000 } }));
    expect(it.clock.monoMs()).toBe(3000);
    expect(error).toMatchObject({
      response: { status: 429 },
      heed: { reason: 'deadline-passed', exchanges: 1 },
    });
    expect(heeding.snapshot().gates.map(({ inFlight }) => inFlight)).toEqual([0, 0]);
    it.clock.assertIdle();
  });

  test('that hangs is cut when the caller cancels', async () => {
    const it = withSlowHook([LIMITED, { status: 200 }], never);
    const heeding = heed(it.api, it.policy);
    const controller = new AbortController();
    const call = settled(it.api.get('/things', { signal: controller.signal }));
    await it.clock.advance(1500);
    controller.abort();
    const { error } = await it.clock.until(call);
    expect([it.clock.monoMs(), error.code, axios.isCancel(error)]).toEqual([1500, 'ERR_CANCELED', true]);
    expect(heeding.snapshot().gates.map(({ inFlight }) => inFlight)).toEqual([0, 0]);
    it.clock.assertIdle();
  });

  test('that has ended in time leaves neither a timer nor a listener', async () => {
    const it = withSlowHook([LIMITED, { status: 200 }], () => undefined);
    heed(it.api, it.policy);
    const { signal } = new AbortController();
    const counts = { added: 0, removed: 0 };
    jest.spyOn(signal, 'addEventListener').mockImplementation(() => void (counts.added += 1));
    jest.spyOn(signal, 'removeEventListener').mockImplementation(() => void (counts.removed += 1));
    await it.clock.until(it.api.get('/things', { signal, heed: { budget: 5000 } }));
    expect(it.clock.pending).toEqual([]);
    expect(counts.added).toBeGreaterThan(0);
    expect(counts.removed).toBe(counts.added);
  });

  test('is not asked when the deadline has passed while its call waited', async () => {
    let asked = 0;
    const it = withSlowHook([{ status: 200 }], () => {
      asked += 1;
      return undefined;
    });
    const heeding = heed(it.api, it.policy);
    heeding.hold({ by: 'origin', value: 'https://api.test' }, it.clock.wallEpochMs() + 1000, 'for the test');
    const call = settled(it.api.get('/things', { heed: { budget: 5000 } }));
    await it.clock.advance(900);
    it.clock.jumpWall(10_000);
    const { error } = await it.clock.until(call);
    expect([error.heed.reason, asked, it.server.sent.length]).toEqual(['deadline-passed', 0, 0]);
  });

  test('that rejects after it was cut disturbs nobody', async () => {
    const it = withSlowHook(
      [LIMITED, { status: 200 }],
      () => new Promise((_, reject) => it.clock.setTimer(5000, () => reject(new Error('too late')))),
    );
    heed(it.api, it.policy);
    const error = await failureOf(it.clock, it.api.get('/things', { heed: { budget: 3000 } }));
    expect(error.heed.reason).toBe('deadline-passed');
    await it.clock.advance(10_000);
  });

  test('during which the scope is limited holds its exchange back, however long it took', async () => {
    const it = worldWith(
      ({ number }) => {
        if (number === 1) return LIMITED;
        return number === 2 ? { status: 429, headers: { 'retry-after': '9' } } : { status: 200 };
      },
      {
        beforeExchange: () => new Promise((resolve) => it.clock.setTimer(700, () => resolve(undefined))),
      },
    );
    heed(it.api, it.policy);
    const call = settled(it.api.get('/things'));
    await it.clock.advance(1100);
    // Past all gates, and limited: its limit closes them all the same.
    void settled(it.api.get('/things', { heed: false }));
    expect((await it.clock.until(call)).value?.status).toBe(200);
    expect(it.server.times()).toHaveLength(3);
    expect(it.server.times()[2]).toBeGreaterThanOrEqual(10_100);
  });
});

describe('detach()', () => {
  test('ends a call whose exchange was in flight then, and was limited later', async () => {
    const it = worldWith([{ status: 429, headers: { 'retry-after': '30' }, afterMs: 500 }, { status: 200 }]);
    const heeding = heed(it.api, it.policy);
    const call = settled(it.api.get('/things'));
    await it.clock.advance(100);
    heeding.detach();
    const { error } = await it.clock.until(call);
    expect(it.clock.monoMs()).toBe(500);
    expect(error).toMatchObject({ response: { status: 429 }, heed: { reason: 'detached' } });
    expect(it.server.sent).toHaveLength(1);
  });

  test('leaves the waiters of another client at the same gates alone', async () => {
    const it = worldWith(({ number }) =>
      number === 1 ? { status: 429, headers: { 'retry-after': '5' } } : { status: 200, afterMs: 10 },
    );
    const gates = createGates({ clock: it.clock, jitter: 0 });
    const clients = [1, 2].map(() => {
      const api = axios.create({ baseURL: 'https://api.test', adapter: it.server.adapter });
      return { api, heeding: heed(api, { clock: it.clock, gates }) };
    });
    const [one, two] = clients as [(typeof clients)[0], (typeof clients)[0]];
    const first = settled(one.api.get('/things'));
    const second = settled(two.api.get('/things'));
    await it.clock.advance(10);
    one.heeding.detach();
    expect((await it.clock.until(first)).error.heed.reason).toBe('detached');
    expect((await it.clock.until(second)).value?.status).toBe(200);
  });
});

describe('what an adapter of the application throws', () => {
  test.each([
    ['undefined', undefined],
    ['null', null],
    ['a text', 'text'],
    ['a number', 5],
    ['an Error', new Error('mine')],
    ['a frozen Error', Object.freeze(new Error('mine'))],
    ['a frozen object', Object.freeze({ isAxiosError: true, message: 'mine' })],
  ])('reaches the caller as it is: %s', async (_, thrown) => {
    for (const how of ['at-once', 'rejecting'] as const) {
      const it = worldWith([{ throws: thrown, how }]);
      heed(it.api, it.policy);
      const ended = await it.clock.until(settled(it.api.get('/things', { heed: { exchanges: 1 } })));
      expect(ended).toEqual({ error: thrown });
      expect(it.server.sent).toHaveLength(1);
    }
  });
});

test.each(['at-once', 'rejecting'] as const)(
  'an adapter that throws (%s) under a deadline leaves no timer, and its error is explained',
  async (how) => {
    const it = worldWith([{ throws: new TypeError('mine'), how }]);
    heed(it.api, it.policy);
    const error = await failureOf(it.clock, it.api.get('/things', { heed: { budget: 5000 } }));
    expect(it.clock.pending).toEqual([]);
    expect(journalOf(error).at(-1)).toMatchObject({ event: 'operation-closed', because: 'not-transient' });
  },
);

test('an adapter that axios does not know is refused as axios refuses it, and no timer is left', async () => {
  const it = worldWith([]);
  heed(it.api, it.policy);
  const plain = await it.clock.until(settled(axios.get('/things', { adapter: 'nope' as never })));
  const config = { adapter: 'nope' as never, heed: { budget: 5000 } };
  const error = await failureOf(it.clock, it.api.get('/things', config));
  expect([error.code, error.message]).toEqual([plain.error.code, plain.error.message]);
  expect(error.heed).toMatchObject({ reason: 'not-transient', exchanges: 1 });
  expect(it.clock.pending).toEqual([]);
});

test('a judgment of the caller that fails under a deadline leaves no timer', async () => {
  const failure = new Error('mine');
  const it = worldWith([{ status: 503 }], {
    classify: () => {
      throw failure;
    },
  });
  heed(it.api, it.policy);
  expect(await failureOf(it.clock, it.api.get('/things', { heed: { budget: 5000 } }))).toBe(failure);
  expect(it.clock.pending).toEqual([]);
});

test('a response that cannot be written to is handed over all the same', async () => {
  const it = worldWith([]);
  heed(it.api, it.policy);
  const config = {
    adapter: async (given: object) =>
      ({ status: 503, statusText: '', headers: Object.freeze({}), data: '', config: given }) as never,
    validateStatus: () => true,
  };
  const response = await it.clock.until(it.api.get('/things', config));
  expect([response.status, journalOf(response).length > 0]).toEqual([503, true]);
});

describe('whoever goes past the gates', () => {
  test.each([
    ['observes', { mode: 'observe' }, {}],
    ['is switched off', {}, { heed: false }],
  ] as const)('is not cut by a budget: %s', async (_, policy, config) => {
    const it = worldWith([{ status: 200, afterMs: 3000 }], { budget: 1000, ...policy });
    heed(it.api, it.policy);
    const response = await it.clock.until(it.api.post('/things', {}, config));
    expect([response.status, it.clock.monoMs()]).toEqual([200, 3000]);
  });
});

test('a cancel token keeps its own message when it ends a wait', async () => {
  const it = worldWith([LIMITED, { status: 200 }]);
  heed(it.api, it.policy);
  const { token, cancel } = axios.CancelToken.source();
  const call = settled(it.api.get('/things', { cancelToken: token }));
  await it.clock.advance(100);
  cancel('changed my mind');
  const { error } = await it.clock.until(call);
  expect([axios.isCancel(error), error.message, error.cause]).toEqual([
    true,
    'changed my mind',
    token.reason,
  ]);
});

test('the journal of an answer that a transform could not read hangs on its error, by its response', async () => {
  const it = worldWith([{ status: 200 }]);
  heed(it.api, it.policy);
  const response = await it.clock.until(it.api.get('/things'));
  const above = new axios.AxiosError('not JSON', 'ERR_BAD_RESPONSE', response.config, undefined, response);
  expect(journalOf(above)).toEqual(journalOf(response));
  expect(journalOf(above).at(-1)).toMatchObject({ event: 'operation-closed', outcome: 'succeeded' });
});
