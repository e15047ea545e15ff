import { describe, expect, test } from '@jest/globals';
import type { NamedScope, QuotaReading, VerdictReading, WeighedReading } from '../../lib/hint/hint';
import type { Observation } from '../../lib/model';
import { answerOf } from '../../lib/operation/answer';
import type { Scope } from '../../lib/model';

const part = (by: string, value: string) => ({ by, value, secret: false });
const route: Scope = [part('origin', 'https://api.test'), part('token', 't'), part('route', '/search')];
const resource: Scope = [part('origin', 'https://api.test'), part('token', 't'), part('resource', 'search')];
const token: Scope = [part('origin', 'https://api.test'), part('token', 't')];
const scopes = [route, resource, token];

const silent: WeighedReading = { kind: 'silent', because: 'missing' };
const hint: WeighedReading = {
  kind: 'hint',
  hint: { source: 'retry-after', raw: '5', form: 'delay-seconds', delayMs: 5000, clock: 'none' },
};
const observed = (own: Partial<Observation>): Observation => ({
  end: 'answer',
  resolved: false,
  status: 429,
  hint: silent,
  receivedEpochMs: 0,
  receivedMonoMs: 100,
  ...own,
});
const limit = (scope?: NamedScope): VerdictReading => ({
  kind: 'verdict',
  verdict: 'limit',
  source: 'x',
  raw: '',
  ...(scope !== undefined && { scope }),
});
const quota = (remaining: number, resetMs: number): QuotaReading => ({
  kind: 'quota',
  source: 'ratelimit',
  raw: '',
  remaining,
  resetMs,
});

describe('what an exchange tells its gates of quotas', () => {
  const news = (remaining: number, resetMs: number) => expect.objectContaining({ remaining, resetMs });

  test.each([
    [200, 'accepted'],
    [404, 'accepted'],
    [500, 'failed'],
  ])('is told with a %i', (status, kind) => {
    const observation = observed({ status, hint: { ...silent, quota: [quota(5, 1000)] } });
    expect(answerOf(observation, 'final', scopes)).toMatchObject({ kind, quota: [news(5, 1000)] });
  });

  test('is nothing where nothing was read', () => {
    expect(answerOf(observed({ status: 200 }), 'final', scopes)).not.toHaveProperty('quota.length');
    expect(answerOf(observed({}), 'limit', scopes)).not.toHaveProperty('quota.length');
  });

  test('is told with a limit that names no time', () => {
    const observation = observed({ hint: { ...silent, quota: [quota(0, 9000)] } });
    expect(answerOf(observation, 'limit', scopes)).toMatchObject({ kind: 'limited', quota: [news(0, 9000)] });
  });

  test('ends with the hint where a quota is used up, whatever was said of it before', () => {
    const observation = observed({ hint: { ...hint, quota: [quota(0, 9000), quota(7, 60_000)] } });
    expect(answerOf(observation, 'limit', scopes)).toMatchObject({ hintMs: 5000, quota: [news(7, 60_000)] });
    expect(answerOf(observed({ hint }), 'limit', scopes)).toMatchObject({ hintMs: 5000, quota: [] });
  });
});

describe('the scope that a server names', () => {
  const named = (scope: NamedScope) =>
    answerOf(observed({ hint: { ...hint, said: [limit(), limit(scope)] } }), 'limit', scopes);

  test('is the widest scope of the request that has that part', () => {
    expect(named({ by: 'resource', value: 'search', reach: 'narrowest' })).toMatchObject({ scope: resource });
    expect(named({ by: 'origin', value: 'https://api.test', reach: 'narrowest' })).toMatchObject({
      scope: token,
    });
  });

  test('is the widest or the narrowest where no rule knows that part, as the reader says', () => {
    expect(named({ by: 'resource', value: 'core', reach: 'widest' })).toMatchObject({ scope: token });
    expect(named({ by: 'bucket', value: 'b1', reach: 'narrowest' })).toMatchObject({
      kind: 'limited',
      scope: undefined,
    });
  });

  test('concerns no gate where it is what this request alone is about', () => {
    expect(named({ by: 'issue', value: 'ABC-1', reach: 'request' })).toEqual({ kind: 'unjudged' });
    expect(named({ by: 'route', value: '/search', reach: 'request' })).toMatchObject({
      kind: 'limited',
      scope: route,
    });
  });

  test('is nothing without scopes', () => {
    const said = [limit({ by: 'limit', value: 'global', reach: 'widest' } as const)];
    expect(answerOf(observed({ hint: { ...hint, said } }), 'limit', [])).toMatchObject({ scope: undefined });
  });
});

test('an overflow holds as long as gates allow', () => {
  const overflow: WeighedReading = { kind: 'overflow', source: 'retry-after', raw: '9' };
  expect(answerOf(observed({ hint: overflow }), 'limit', scopes)).toMatchObject({ hintMs: 2 ** 53 - 1 });
});

test.each(['limit', 'transient', 'final'] as const)(
  'that another host has given, after a redirect, says only that the first one answers: %s',
  (verdict) => {
    const observation = observed({
      answeredBy: 'https://b.test',
      hint: { ...hint, quota: [quota(0, 9000)] },
    });
    expect(answerOf(observation, verdict, scopes)).toEqual({ kind: 'accepted', receivedMonoMs: 100 });
  },
);
