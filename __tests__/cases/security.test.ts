import { expect, test } from '@jest/globals';
import { inspect } from 'node:util';
import { byToken, heed, journalOf } from '../../lib/index';
import type { JournalEntry } from '../../lib/index';
import { EXACT, scriptedClient } from '../support/scripted-client';
import { failureOf, settled, worldWith } from '../support/world';

test('SEC-01: with the defaults alone a server that limits for ever costs at most two minutes', async () => {
  const it = worldWith([{ status: 429, headers: { 'retry-after': '30' } }]);
  heed(it.api, { clock: it.clock });
  const error = await failureOf(it.clock, it.api.get('/things'));
  expect(error.heed.reason).toBe('exchanges-spent');
  expect(it.clock.monoMs()).toBeLessThanOrEqual(120_000);
  expect(it.server.sent.length).toBeGreaterThanOrEqual(3);
  expect(it.server.sent.length).toBeLessThanOrEqual(5);
});

test('SEC-01: with the defaults alone a hint of an hour is not waited for', async () => {
  const it = worldWith([{ status: 429, headers: { 'retry-after': '3600' } }]);
  heed(it.api, { clock: it.clock });
  const error = await failureOf(it.clock, it.api.get('/things'));
  expect([error.heed.reason, it.clock.monoMs(), it.server.sent.length]).toEqual(['hint-too-long', 0, 1]);
});

const SECRET = 'sk-SECRET';

test.each([
  ['Authorization', { headers: { Authorization: `Bearer ${SECRET}` } }],
  ['X-API-Key', { headers: { 'X-API-Key': SECRET } }],
  ['config.auth', { auth: { username: SECRET, password: 'p' } }],
  ['the user of the URL', { url: `https://${SECRET}:p@api.example.com/things` }],
])(
  'SEC-05: a scope made of a secret (%s) is shared, and the secret is nowhere to be seen',
  async (_, config) => {
    const entries: JournalEntry[] = [];
    const { api, clock, server, heeding } = scriptedClient(
      ({ atMonoMs }) =>
        atMonoMs < 60_000 ? { status: 429, headers: { 'retry-after': '60' } } : { status: 200, afterMs: 20 },
      { ...EXACT, scopes: [byToken()], onEntry: (entry) => entries.push(entry) },
    );
    const first = settled(api.request({ url: '/things', ...config, heed: { exchanges: 1 } }));
    const { error } = await clock.until(first);
    const second = settled(api.request({ url: '/others', ...config }));
    await clock.advance(10);
    expect(server.sent).toHaveLength(1);
    const snapshot = heeding.snapshot();
    expect(snapshot.gates).toHaveLength(1);
    expect(journalOf(error).length).toBeGreaterThan(0);
    for (const part of [heeding, snapshot, error.heed, journalOf(error), entries]) {
      expect(JSON.stringify(part)).not.toContain(SECRET);
      expect(inspect(part, { depth: 20, showHidden: true })).not.toContain(SECRET);
    }
    expect(error.heed.message).not.toContain(SECRET);
    expect((await clock.until(second)).value?.status).toBe(200);
  },
);

test('SEC-07: scopes may be called like members of Object, each on its own', async () => {
  const names = ['__proto__', 'constructor', 'toString', 'a'];
  const limited = new Set<string>();
  const { api, clock, server } = scriptedClient(
    ({ headers }) => {
      const name = headers['x-scope']!;
      if (limited.has(name) || name === 'b') return { status: 200, afterMs: 20 };
      limited.add(name);
      return { status: 429, headers: { 'retry-after': '5' } };
    },
    { ...EXACT, scopes: [({ header }) => header('X-Scope')] },
  );
  const get = (name: string): Promise<unknown> =>
    settled(api.get('/things', { headers: { 'X-Scope': name } }));
  const first = names.map(get);
  await clock.advance(1000);
  const second = names.map(get);
  const other = get('b');
  await clock.advance(10);
  expect(server.sent.map(({ headers, atMonoMs }) => [headers['x-scope'], atMonoMs])).toEqual([
    ...names.map((name) => [name, 0]),
    ['b', 1000],
  ]);
  await clock.until(Promise.all([...first, ...second, other]));
  const later = server.sent.slice(5);
  expect(later).toHaveLength(8);
  expect(later.every(({ atMonoMs }) => atMonoMs >= 5000)).toBe(true);
  expect(({} as { until?: unknown }).until).toBeUndefined();
});

test('a key of a path that the policy masks is in no scope, journal or message', async () => {
  const entries: JournalEntry[] = [];
  const { api, clock, heeding } = scriptedClient(
    [{ status: 429, headers: { 'retry-after': '1' } }, { status: 404 }],
    {
      ...EXACT,
      maskPath: (path) => path.replace(/^\/bot[^/]*/, '/bot'),
      onEntry: (entry) => entries.push(entry),
    },
  );
  const { heed: report } = await failureOf(clock, api.get(`/bot77:${SECRET}/send?token=${SECRET}#${SECRET}`));
  for (const part of [heeding.snapshot(), report, entries]) {
    expect(inspect(part, { depth: 20 })).not.toContain(SECRET);
  }
});
