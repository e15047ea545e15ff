import { describe, expect, test } from '@jest/globals';
import axios from 'axios';
import { heed } from '../../lib/index';
import type { HeedPolicy } from '../../lib/index';
import { failureOf, worldWith } from '../support/world';

const LIMITED = { status: 429, headers: { 'retry-after': '1' } } as const;

describe('options of one request', () => {
  test.each([
    ['an unknown name', { bugdet: 5 }],
    ['a negative budget', { budget: -1 }],
    ['no exchange at all', { exchanges: 0 }],
    ['Infinity', { maxHint: Infinity }],
    ['an invalid date', { deadline: new Date(NaN) }],
    ['true', true],
    ['a text', 'yes'],
    ['null', null],
  ])('are refused with %s: an AxiosError, and nothing is sent', async (_, options) => {
    const it = worldWith([{ status: 200 }]);
    heed(it.api, it.policy);
    const error = await failureOf(it.clock, it.api.get('/things', { heed: options as never }));
    expect(axios.isAxiosError(error)).toBe(true);
    expect([error.code, error.config?.url, error.response]).toEqual([
      'ERR_HEED_OPTIONS',
      '/things',
      undefined,
    ]);
    expect(it.server.sent).toEqual([]);
  });

  test('are absent where they are undefined', async () => {
    const it = worldWith([{ status: 503 }]);
    heed(it.api, it.policy);
    const heedOptions = { budget: undefined, exchanges: undefined, deadline: undefined, maxHint: undefined };
    await failureOf(it.clock, it.api.get('/things', { heed: heedOptions }));
    await failureOf(it.clock, it.api.get('/things', { heed: undefined }));
    expect(it.server.sent).toHaveLength(8);
  });

  test('and all of its config may be frozen', async () => {
    const it = worldWith([LIMITED, { status: 200 }]);
    const config = deepFrozen({
      url: '/things',
      method: 'put',
      headers: { 'X-Own': '1' },
      params: { q: 'a' },
      data: { a: 1 },
      heed: { budget: { seconds: 9 }, exchanges: 2, idempotent: true },
    });
    const before = JSON.stringify(config);
    heed(it.api, deepFrozenPolicy(it.policy));
    expect((await it.clock.until(it.api.request(config))).status).toBe(200);
    expect(it.server.sent.map(({ headers, data }) => [headers['x-own'], data])).toEqual([
      ['1', '{"a":1}'],
      ['1', '{"a":1}'],
    ]);
    expect(JSON.stringify(config)).toBe(before);
  });
});

function deepFrozen<T extends object>(value: T): T {
  for (const part of Object.values(value))
    if (typeof part === 'object' && part !== null) deepFrozen(part as object);
  return Object.freeze(value);
}

/** The clock is an object with a state of its own. */
function deepFrozenPolicy({ clock, ...policy }: HeedPolicy): HeedPolicy {
  return Object.freeze({ ...deepFrozen(policy), clock });
}
