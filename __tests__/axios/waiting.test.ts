import { describe, expect, jest, test } from '@jest/globals';
import axios from 'axios';
import { createGates } from '../../lib/index';
import type { OperationProgress } from '../../lib/index';
import { describeHold } from '../../lib/describe/index';
import { EXACT, scriptedClient } from '../support/scripted-client';
import { settled } from '../support/world';

const LIMITED = { status: 429, headers: { 'retry-after': '42' } } as const;
const POLICY = { ...EXACT, budget: { minutes: 5 } };

/** One that met the limit, then two more at the closed gate, the last with progress. */
async function queue(): Promise<ReturnType<typeof scriptedClient> & { told: OperationProgress[] }> {
  const client = scriptedClient([LIMITED, { status: 200 }], POLICY);
  const told: OperationProgress[] = [];
  void settled(client.api.get('/orders'));
  await client.clock.advance(0);
  void settled(client.api.get('/orders'));
  void settled(client.api.get('/orders', { heed: { onProgress: (step) => told.push(step) } }));
  await client.clock.advance(0);
  return { ...client, told };
}

describe('heeding.waiting()', () => {
  test('lists those that wait in the order in which they go, with gate, place and release', async () => {
    const { heeding, clock, server } = await queue();
    const releaseAt = clock.wallEpochMs() + 42_000;
    const list = heeding.waiting();
    expect(list.map(({ ahead }) => ahead)).toEqual([0, 1, 2]);
    expect(list.every((one) => one.releaseAt === releaseAt && one.state === 'held')).toBe(true);
    expect(new Set(list.map(({ gate }) => gate)).size).toBe(1);
    expect(server.sent).toHaveLength(1);
    await clock.advance(60_000);
    expect(heeding.waiting()).toEqual([]);
  });

  test('has operations that wait for their own instant alone, without a gate', async () => {
    const { api, heeding, clock } = scriptedClient([{ status: 500 }, { status: 200 }], POLICY);
    void settled(api.get('/orders'));
    await clock.advance(0);
    expect(heeding.waiting()).toMatchObject([
      { state: 'open', ahead: 0, releaseAt: clock.wallEpochMs() + 200 },
    ]);
    expect(heeding.waiting()[0]).not.toHaveProperty('gate');
    await clock.advance(1000);
  });

  // The second was said to be behind the first, though neither keeps the other from anything.
  test('has nobody ahead of those that wait for their own instant alone', async () => {
    const { api, heeding, clock } = scriptedClient(
      ({ number }) => ({ status: number <= 2 ? 500 : 200 }),
      POLICY,
    );
    void settled(api.get('/orders'));
    await clock.advance(50);
    void settled(api.get('/orders'));
    await clock.advance(0);
    expect(heeding.waiting().map(({ ahead }) => ahead)).toEqual([0, 0]);
    await clock.advance(1000);
  });

  test('cancels one that waits for its own instant like one at a gate', async () => {
    const { api, heeding, clock, entries, server } = scriptedClient([{ status: 500 }], POLICY);
    const ended = settled(api.get('/orders'));
    await clock.advance(0);
    heeding.waiting()[0]?.cancel();
    const { error } = await ended;
    expect(axios.isCancel(error)).toBe(true);
    expect(error.heed).toMatchObject({ reason: 'cancelled', exchanges: 1 });
    expect(entries.slice(-3)).toMatchObject([
      { event: 'pause-entered' },
      { event: 'wait-ended', how: 'left' },
      { event: 'operation-closed', outcome: 'cancelled' },
    ]);
    await clock.advance(1000);
    expect(server.sent).toHaveLength(1);
    expect(heeding.waiting()).toEqual([]);
    clock.assertIdle();
  });

  test('cancels one: its caller gets a CanceledError, the others go on', async () => {
    const { api, heeding, clock, entries } = await queue();
    const ended = settled(api.get('/orders'));
    await clock.advance(0);
    heeding.waiting().at(-1)?.cancel();
    const { error } = await ended;
    expect(axios.isCancel(error)).toBe(true);
    expect(error.heed).toMatchObject({ reason: 'cancelled', exchanges: 0 });
    expect(heeding.waiting()).toHaveLength(3);
    await clock.advance(60_000);
    expect(entries.filter(({ event }) => event === 'operation-closed')).toHaveLength(4);
  });

  test('cancelling what has gone already does nothing', async () => {
    const { heeding, clock, server } = await queue();
    const [first] = heeding.waiting();
    await clock.advance(60_000);
    first?.cancel();
    expect(server.sent).toHaveLength(4);
    clock.assertIdle();
  });

  test('cancels all, and leaves nothing behind', async () => {
    const { heeding, clock } = await queue();
    for (const one of heeding.waiting()) one.cancel();
    await clock.advance(200);
    expect(heeding.snapshot().waiting).toBe(0);
    clock.assertIdle();
  });

  test('shows the operations of its own client only', async () => {
    const first = await queue();
    const second = scriptedClient([{ status: 200 }], { ...POLICY });
    expect(second.heeding.waiting()).toEqual([]);
    expect(first.heeding.waiting()).toHaveLength(3);
  });
});

describe('onProgress', () => {
  test('tells at once until when and behind how many, then each exchange, then the end', async () => {
    const { told, clock } = await queue();
    const releaseAt = clock.wallEpochMs() + 42_000;
    const held = { kind: 'held', exchange: 1, state: 'held', ahead: 2, releaseAt, waitMs: 42_000 };
    expect(told[0]).toMatchObject(held);
    expect(told[0]?.kind === 'held' && describeHold(told[0], { now: clock.wallEpochMs() })?.sentence).toBe(
      'Busy. Next try in 42 seconds, 2 ahead of you',
    );
    await clock.advance(60_000);
    expect(told.at(-2)).toMatchObject({ kind: 'sent', exchange: 1, of: 3 });
    expect(told.at(-1)).toMatchObject({ kind: 'ended', outcome: 'succeeded', exchanges: 1 });
  });

  test('tells again when the place or the release changes, and not otherwise', async () => {
    const { told, heeding, clock } = await queue();
    await clock.advance(1000);
    const before = told.length;
    await clock.advance(10_000);
    expect(told).toHaveLength(before);
    heeding.hold(
      { by: 'origin', value: 'https://api.example.com' },
      clock.wallEpochMs() + 90_000,
      'maintenance',
    );
    await clock.advance(200);
    expect(told.at(-1)).toMatchObject({ kind: 'held', releaseAt: clock.wallEpochMs() + 89_800 });
    await clock.advance(120_000);
    expect(told.at(-1)).toMatchObject({ kind: 'ended' });
  });

  // The wall instant of a release is estimated anew at each look, and rounded: every look told of another.
  test('does not tell again when the estimate of the release trembles', async () => {
    const { told, heeding, clock } = await queue();
    await clock.advance(1000);
    const before = told.length;
    const exact = clock.wallEpochMs.bind(clock);
    let looks = 0;
    jest.spyOn(clock, 'wallEpochMs').mockImplementation(() => exact() + ((looks += 1) % 3) - 1);
    for (const other of ['a', 'b', 'c', 'd', 'e']) {
      // Something has changed, somewhere else.
      heeding.hold({ url: `https://${other}.example.com/` }, exact() + 60_000, 'maintenance');
      await clock.advance(200);
    }
    expect(told).toHaveLength(before);
  });

  // Whoever waited for its own delay was not told when its gate closed meanwhile.
  test('tells one that waits for its own instant of a hold that outlasts it', async () => {
    const { api, heeding, clock } = scriptedClient([{ status: 500 }, { status: 200 }], POLICY);
    const told: OperationProgress[] = [];
    void settled(api.get('/orders', { heed: { onProgress: (step) => told.push(step) } }));
    await clock.advance(0);
    const until = clock.wallEpochMs() + 30_000;
    expect(told.at(-1)).toMatchObject({ kind: 'held', state: 'open', ahead: 0, waitMs: 200 });
    heeding.hold({ by: 'origin', value: 'https://api.example.com' }, until, 'maintenance');
    await clock.advance(100);
    expect(told.at(-1)).toMatchObject({ kind: 'held', state: 'held', ahead: 0, releaseAt: until });
    expect(told.map(({ kind }) => kind)).toEqual(['sent', 'held', 'held']);
    await clock.advance(60_000);
    expect(told.at(-1)).toMatchObject({ kind: 'ended', outcome: 'succeeded' });
  });

  // What goes past the gates waits nowhere: it was told that it was held, and looked after for ever.
  test('where all is only observed tells of no wait, and looks after nobody', async () => {
    const gates = createGates();
    const listening = new Set<() => void>();
    const subscribe = gates.subscribe.bind(gates);
    jest.spyOn(gates, 'subscribe').mockImplementation((listener) => {
      const stop = subscribe(listener);
      listening.add(stop);
      return () => {
        listening.delete(stop);
        stop();
      };
    });
    const { api, heeding, clock } = scriptedClient([{ status: 200 }], { ...POLICY, mode: 'observe', gates });
    heeding.hold({ url: '/orders' }, clock.wallEpochMs() + 60_000, 'maintenance');
    const told: OperationProgress[] = [];
    const onProgress = (step: OperationProgress): unknown => told.push(step);
    await clock.until(api.get('/orders', { heed: { onProgress } }));
    expect(told.map(({ kind }) => kind)).toEqual(['sent', 'ended']);
    expect(listening.size).toBe(0);
  });

  test('says why it ended without success', async () => {
    const { api, clock } = scriptedClient([LIMITED], POLICY);
    const told: OperationProgress[] = [];
    const heed = { budget: 1000, onProgress: (step: OperationProgress) => told.push(step) };
    await clock.until(settled(api.get('/orders', { heed })));
    expect(told.map(({ kind }) => kind)).toEqual(['sent', 'ended']);
    expect(told.at(-1)).toMatchObject({ outcome: 'stopped', because: 'deadline-too-near' });
  });

  test('what it throws changes nothing', async () => {
    const { api, clock } = scriptedClient([LIMITED, { status: 200 }], POLICY);
    const heed = {
      onProgress: () => {
        throw new Error('of the page');
      },
    };
    const { value } = await clock.until(settled(api.get('/orders', { heed })));
    expect(value).toMatchObject({ status: 200 });
    clock.assertIdle();
  });
});
