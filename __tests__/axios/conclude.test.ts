import { describe, expect, test } from '@jest/globals';
import axios from 'axios';
import { HeedOptionsError, journalOf } from '../../lib/index';
import { EXACT, scriptedClient } from '../support/scripted-client';

describe("the application's own word", () => {
  test.each([
    ['a response', 200],
    ['an error', 400],
  ])('of %s stands in its journal and in the stream', async (_, status) => {
    const { api, ended, entries, heeding } = scriptedClient([{ status }]);
    const call = api.get('/things');
    const { journal } = await ended(call);
    const carrier: unknown = await call.catch((error: unknown) => error);
    heeding.conclude(carrier, { conclusion: 'booked twice', detail: 'refunded' });
    heeding.conclude(carrier, { conclusion: 'closed' });
    const first = { event: 'concluded', conclusion: 'booked twice', detail: 'refunded' };
    const second = { event: 'concluded', conclusion: 'closed' };
    expect(journalOf(carrier)).toEqual([
      ...journal,
      expect.objectContaining(first),
      expect.objectContaining(second),
    ]);
    expect(entries.slice(-2)).toEqual(journalOf(carrier).slice(-2));
    expect(entries.at(-1)).not.toHaveProperty('detail');
    expect(entries.at(-1)?.operation).toBe(entries[0]?.operation);
  });

  test('may come after the client was detached', async () => {
    const { api, clock, heeding } = scriptedClient([{ status: 200 }]);
    const response = await clock.until(api.get('/things'));
    heeding.detach();
    heeding.conclude(response, { conclusion: 'late' });
    expect(journalOf(response).at(-1)).toMatchObject({ conclusion: 'late' });
  });

  test.each([
    [undefined, 'to be an object'],
    [{}, '`conclusion`, a text that is not empty'],
    [{ conclusion: ' ' }, '`conclusion`, a text that is not empty'],
    [{ conclusion: 5 }, '`conclusion` to be a string, got 5'],
    [{ conclusion: 'a', detail: {} }, '`detail` to be a string, got an object'],
    [{ conclusion: 'a', why: 'b' }, 'got `why`'],
  ])('%j is refused', async (said, message) => {
    const { api, clock, heeding, entries } = scriptedClient([{ status: 200 }], EXACT);
    const response = await clock.until(api.get('/things'));
    const before = entries.length;
    expect(() => heeding.conclude(response, said as never)).toThrow(HeedOptionsError);
    expect(() => heeding.conclude(response, said as never)).toThrow(message);
    expect(entries).toHaveLength(before);
  });

  test.each([undefined, null, 'text', 7, {}, new Error('own')])(
    'of %p is refused: it has no journal',
    (carrier) => {
      const { heeding } = scriptedClient([{ status: 200 }]);
      expect(() => heeding.conclude(carrier, { conclusion: 'a' })).toThrow(
        'a response or an error as axios gave it',
      );
    },
  );

  test('of a response that never went through is refused', async () => {
    const { heeding, server } = scriptedClient([{ status: 200 }]);
    const response = await axios.get('https://api.example.com', { adapter: server.adapter });
    expect(() => heeding.conclude(response, { conclusion: 'a' })).toThrow(HeedOptionsError);
  });
});
