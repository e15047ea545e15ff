import { afterEach, describe, expect, test } from '@jest/globals';
import { byOrigin } from '../../lib/scope/by-origin';
import { byRoute } from '../../lib/scope/by-route';
import { byTenant } from '../../lib/scope/by-tenant';
import { byToken } from '../../lib/scope/by-token';
import { combine } from '../../lib/scope/combine';
import { DEFAULT_SCOPES } from '../../lib/scope/default-scopes';
import { scopesOf } from '../../lib/scope/scope';
import type { ScopeRequest, ScopeRule } from '../../lib/scope/scope';

interface Facts extends Partial<Omit<ScopeRequest, 'header' | 'config'>> {
  readonly headers?: Readonly<Record<string, string>>;
}

function requestOf({ headers = {}, ...facts }: Facts = {}): ScopeRequest {
  const lower = new Map(Object.entries(headers).map(([name, text]) => [name.toLowerCase(), text]));
  return {
    method: 'GET',
    url: 'https://api.example.com/orders/7',
    config: {} as ScopeRequest['config'],
    header: (name) => lower.get(name.toLowerCase()),
    ...facts,
  };
}

const valueOf = (rule: ScopeRule, facts: Facts = {}): string | undefined =>
  scopesOf([rule], requestOf(facts))[0]?.[0]?.value;

const withPage = (origin: string): void => {
  Object.defineProperty(globalThis, 'location', { value: { origin }, configurable: true });
};

afterEach(() => {
  Reflect.deleteProperty(globalThis, 'location');
});

describe('byOrigin', () => {
  test.each([
    ['HTTPS://API.Example.COM/x', 'https://api.example.com'],
    ['https://api.example.com:443/x?y#z', 'https://api.example.com'],
    ['http://api.example.com:8080', 'http://api.example.com:8080'],
    ['https://anna:secret@api.example.com/x', 'https://api.example.com'],
    ['data:text/plain,x', 'data:'],
    ['/orders', 'relative:'],
    ['orders', 'relative:'],
    ['', 'relative:'],
    ['//', 'relative:'],
  ])('%s belongs to %s', (url, origin) => {
    expect(valueOf(byOrigin(), { url })).toBe(origin);
  });

  test('a relative URL belongs to the origin of the page', () => {
    withPage('https://shop.example.com');
    expect(valueOf(byOrigin(), { url: '/orders' })).toBe('https://shop.example.com');
    expect(valueOf(byOrigin(), { url: '//cdn.example.com/x' })).toBe('https://cdn.example.com');
  });

  test('a page with an opaque origin counts as none', () => {
    withPage('null');
    expect(valueOf(byOrigin(), { url: '/orders' })).toBe('relative:');
  });
});

describe('byToken', () => {
  test.each([
    [
      'the Authorization header',
      { headers: { authorization: 'Bearer a' } },
      { headers: { authorization: 'Bearer b' } },
    ],
    ['config.auth', { auth: { username: 'anna' } }, { auth: { username: 'bert' } }],
    ['the user of the URL', { url: 'https://anna:x@a.example/' }, { url: 'https://bert:x@a.example/' }],
    ['X-API-Key', { headers: { 'X-API-Key': 'k1' } }, { headers: { 'X-API-Key': 'k2' } }],
  ])('tells requests apart by %s', (_, one: Facts, other: Facts) => {
    expect(valueOf(byToken(), one)).not.toBe(valueOf(byToken(), other));
    expect(valueOf(byToken(), one)).toBe(valueOf(byToken(), one));
    expect(scopesOf([byToken()], requestOf(one))[0]?.[0]?.secret).toBe(true);
  });

  test('the same text at two places is two credentials', () => {
    expect(valueOf(byToken(), { headers: { authorization: 'x' } })).not.toBe(
      valueOf(byToken(), { headers: { 'x-api-key': 'x' } }),
    );
  });

  test('a request without credentials has a part of its own, which is no secret', () => {
    expect(scopesOf([byToken()], requestOf())).toEqual([[{ by: 'token', value: 'none', secret: false }]]);
    expect(valueOf(byToken(), { url: 'https://a.example/mail@x' })).toBe('none');
  });

  test('takes what a function of the caller finds, under a label of the caller', () => {
    const rule = byToken(
      ({ header }) => header('x-session'),
      () => 'session',
    );
    expect(scopesOf([rule], requestOf({ headers: { 'x-session': 's1' } }))).toEqual([
      [{ by: 'token', value: 's1', secret: true, label: 'session' }],
    ]);
  });
});

describe('byRoute', () => {
  test.each([
    ['/orders/7', '/orders/:number'],
    ['/orders/-7/items/3.5', '/orders/:number/items/:number'],
    ['/v1/orders/', '/v1/orders'],
    ['/users/3f2504e0-4f89-11d3-9a0c-0305e82c3301', '/users/:uuid'],
    ['/users/3F2504E04F8911D39A0C0305E82C3301', '/users/:uuid'],
    ['/blobs/sha256:9f86d081884c7d659a2feaa0c55ad015', '/blobs/:hash'],
    ['/commits/a94a8fe5ccb19ba61c4c0873d391e987982fbbd3', '/commits/:hex'],
    ['/docs/507f1f77bcf86cd799439011', '/docs/:hex'],
    ['/commits/deadbeefdeadbeef', '/commits/:hex'],
    ['/events/01ARZ3NDEKTSV4RRFFQ69G5FAV', '/events/:id'],
    ['/files/V1StGXR8Z5jdHi6BmyT2x', '/files/:id'],
    ['/cafe/facade', '/cafe/facade'],
    ['/oauth2/token', '/oauth2/token'],
    ['https://api.example.com/a//b?id=7#x', '/a/b'],
    ['', '/'],
    ['/__proto__/constructor', '/__proto__/constructor'],
  ])('%s is the route %s', (url, route) => {
    expect(valueOf(byRoute(), { url })).toBe(`GET ${route}`);
  });

  test('methods are routes of their own', () => {
    expect(valueOf(byRoute(), { method: 'POST', url: '/orders' })).toBe('POST /orders');
  });

  test.each([
    ['/orders/abc', '/orders/:id'],
    ['/orders/abc/items', '/orders/abc/items'],
    ['/files/a/b/c', '/files/*'],
    ['/files', '/files/*'],
    ['/other/7', '/other/:number'],
  ])('given templates, %s is %s', (url, route) => {
    expect(valueOf(byRoute(['/orders/:id', '/files/*']), { url })).toBe(`GET ${route}`);
  });

  test('the word of the request itself wins over templates', () => {
    expect(valueOf(byRoute(['/orders/:id']), { url: '/orders/7', route: 'order' })).toBe('GET order');
  });

  test('what a caller puts into a path cannot make a key grow without bound', () => {
    expect(valueOf(byRoute(), { url: `/${'x'.repeat(100_000)}` })?.length).toBeLessThan(300);
  });

  test('reads a path of a megabyte in linear time', () => {
    for (const part of ['/', '1', 'a', '1.', 'aA0-', '/1']) {
      const began = performance.now();
      valueOf(byRoute(['/a/*']), { url: part.repeat(1_000_000 / part.length) });
      expect(performance.now() - began).toBeLessThan(1500);
    }
  });
});

describe('byTenant', () => {
  test('reads a header or a function, and does not apply where there is no tenant', () => {
    const named = { headers: { 'X-Tenant-Id': 'acme' } };
    expect(scopesOf([byTenant('x-tenant-id')], requestOf(named))).toEqual([
      [{ by: 'tenant', value: 'acme', secret: false }],
    ]);
    expect(valueOf(byTenant(() => 'beta'))).toBe('beta');
    expect(scopesOf([byTenant('x-tenant-id')], requestOf())).toEqual([]);
    expect(scopesOf([byTenant(() => '')], requestOf())).toEqual([]);
  });
});

describe('combine and scopesOf', () => {
  test('a combination is one scope of all parts in order', () => {
    const [scope] = scopesOf(
      [
        combine(
          byOrigin(),
          byTenant(() => 'acme'),
        ),
      ],
      requestOf(),
    );
    expect(scope?.map(({ by }) => by)).toEqual(['origin', 'tenant']);
  });

  test('a combination does not apply to a request that lacks one of its parts', () => {
    expect(scopesOf([combine(byOrigin(), byTenant('x-tenant-id'))], requestOf())).toEqual([]);
  });

  test('a text from a rule of the caller is a scope of its own', () => {
    expect(scopesOf([() => 'search'], requestOf())).toEqual([
      [{ by: 'own', value: 'search', secret: false }],
    ]);
  });

  test('drops a scope that is there already and keeps the order narrow to wide', () => {
    const scopes = scopesOf([combine(byOrigin(), byRoute()), byOrigin(), combine(byOrigin())], requestOf());
    expect(scopes.map((scope) => scope.map(({ by }) => by))).toEqual([['origin', 'route'], ['origin']]);
  });

  test('a request to which no rule applies has no scope', () => {
    expect(scopesOf([() => undefined, () => ''], requestOf())).toEqual([]);
  });

  test('by default a limit is counted by origin, token and route, then by origin and token', () => {
    const scopes = scopesOf(DEFAULT_SCOPES, requestOf({ headers: { authorization: 'Bearer a' } }));
    expect(scopes.map((scope) => scope.map(({ by }) => by))).toEqual([
      ['origin', 'token', 'route'],
      ['origin', 'token'],
    ]);
  });

  test('leaves the request as it is', () => {
    const request = Object.freeze(requestOf({ auth: Object.freeze({ username: 'anna', password: 'x' }) }));
    expect(() => scopesOf(DEFAULT_SCOPES, request)).not.toThrow();
  });
});
