import { describe, expect, test } from '@jest/globals';
import { readHints } from '../../lib/hint/hint';
import type { HintReader, WeighedReading } from '../../lib/hint/hint';
import { retryAfterReader } from '../../lib/hint/retry-after-reader';
import * as vendors from '../../lib/vendors/index';
import { factsOf } from '../hint/facts';
import type { Headers } from '../hint/facts';

const T0 = Date.UTC(2026, 0, 1);
const inSeconds = (seconds: number) => String(T0 / 1000 + seconds);

interface Answer {
  readonly status?: number;
  readonly headers?: Headers;
  /** Text as it is, all else as JSON. */
  readonly body?: unknown;
}

function read(reader: HintReader, { status = 429, headers = {}, body }: Answer): WeighedReading {
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  return readHints(factsOf(status, headers, { body: text }), [retryAfterReader, reader]);
}

/** In words: the wait and where it is from, whether it is a limit and by which place, and of whom. */
function told(reading: WeighedReading) {
  const limit = reading.said?.find(({ verdict }) => verdict === 'limit');
  return {
    wait: reading.kind === 'hint' ? `${reading.hint.delayMs} ${reading.hint.source}` : undefined,
    limit: limit?.source,
    scope: limit?.scope && `${limit.scope.by}:${limit.scope.value} ${limit.scope.reach}`,
    quota: reading.quota?.map(({ policy, remaining, limit: most, resetMs }) => [
      policy,
      remaining,
      most,
      resetMs,
    ]),
  };
}

type Line = readonly [string, Answer, Partial<ReturnType<typeof told>>];

function holds(reader: HintReader, lines: readonly Line[]): void {
  test.each(lines)('%s', (_, answer, expected) => {
    expect(told(read(reader, answer))).toMatchObject(expected);
  });
}

const nothing = { wait: undefined, limit: undefined };
const many = <T>(count: number, one: T): readonly T[] => Array.from({ length: count }, () => one);

describe('Sentry: the limits come before Retry-After', () => {
  const limits = '60:transaction:key, 2700:default;error;security:organization';
  holds(vendors.sentry(), [
    [
      'where they are longer',
      { headers: { 'Retry-After': '60', 'X-Sentry-Rate-Limits': limits } },
      { wait: '2700000 x-sentry-rate-limits' },
    ],
    [
      'where they are shorter',
      { headers: { 'Retry-After': '600', 'X-Sentry-Rate-Limits': '60::organization' } },
      { wait: '60000 x-sentry-rate-limits' },
    ],
    [
      'where they have more digits than a number has',
      { headers: { 'Retry-After': '5', 'X-Sentry-Rate-Limits': `${'9'.repeat(30)}:error:key` } },
      { wait: undefined },
    ],
    [
      'unless there are none',
      { headers: { 'Retry-After': '7', 'X-Sentry-Rate-Limits': ' , ' } },
      { wait: '7000 retry-after' },
    ],
    ['a minute where nothing is told', {}, { wait: '60000 documented-default' }],
  ]);
});

describe('AWS: the code of an error', () => {
  const inField = (type: string) => ({ status: 400, headers: { 'x-amzn-ErrorType': type } });
  const inXml = (code: string) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>x</Message></Error>`;
  holds(vendors.aws(), [
    ['bare', inField('ThrottlingException'), { limit: 'x-amzn-errortype' }],
    ['before an address', inField('Throttling:http://a.example/'), { limit: 'x-amzn-errortype' }],
    ['behind a namespace', inField('com.amazonaws.foo#SlowDown'), { limit: 'x-amzn-errortype' }],
    ['between both', inField('com.a.foo#ThrottledException:http://b'), { limit: 'x-amzn-errortype' }],
    ['of another kind', inField('com.amazonaws.foo#ValidationException:http://b'), nothing],
    ['that only quotes one', inField('NoThrottling'), nothing],
    [
      'as __type',
      { status: 400, body: { __type: 'com.amazonaws.dynamodb#ProvisionedThroughputExceededException' } },
      { limit: 'body.__type' },
    ],
    ['as code', { status: 400, body: { code: 'TooManyRequestsException' } }, { limit: 'body.code' }],
    ['in XML', { status: 503, body: inXml('SlowDown') }, { limit: 'body.Code' }],
    [
      'in the XML of queries',
      {
        status: 400,
        body: '<ErrorResponse><Error><Type>Sender</Type><Code>Throttling</Code></Error></ErrorResponse>',
      },
      { limit: 'body.Code' },
    ],
    ['in XML, of another kind', { status: 404, body: inXml('NoSuchKey') }, nothing],
    ['that is no text', { status: 400, body: { __type: { a: 1 }, code: 400 } }, nothing],
    ['on a success', { status: 200, body: { code: 'SlowDown' } }, nothing],
  ]);

  test('x-amz-retry-after is read where the body alone tells the limit', () => {
    const answer = { status: 400, headers: { 'x-amz-retry-after': '1500' }, body: { code: 'SlowDown' } };
    expect(told(read(vendors.aws(), answer))).toMatchObject({ wait: '1500 x-amz-retry-after' });
  });
});

describe('Discord: whom a limit concerns', () => {
  const global = 'limit:global widest';
  holds(vendors.discord(), [
    [
      'the body alone says global',
      { body: { retry_after: 64.57, global: true } },
      { wait: '64570 body.retry_after', limit: 'body.global', scope: global },
    ],
    ['the field says global', { headers: { 'X-RateLimit-Global': 'true' } }, { scope: global }],
    ['the scope says global', { headers: { 'X-RateLimit-Scope': 'global' } }, { scope: global }],
    ['the body says that it is not', { body: { retry_after: 1, global: false } }, { limit: undefined }],
    ['the body says something else', { body: { retry_after: 1, global: 'true' } }, { limit: undefined }],
    [
      'a bucket',
      { headers: { 'X-RateLimit-Bucket': 'zz', 'X-RateLimit-Scope': 'user' }, body: { global: false } },
      { scope: 'bucket:zz narrowest' },
    ],
  ]);
});

describe('HubSpot: a day that is used up is not over after ten seconds', () => {
  const interval = {
    'X-HubSpot-RateLimit-Interval-Milliseconds': '10000',
    'X-HubSpot-RateLimit-Max': '100',
  };
  const left = { 'X-HubSpot-RateLimit-Remaining': '90' };
  const daily = 'limit:daily widest';
  holds(vendors.hubspot(), [
    ['by the body', { headers: interval, body: { policyName: 'DAILY' } }, { wait: undefined, scope: daily }],
    [
      'by the body, with the interval used up',
      { headers: { ...interval, 'X-HubSpot-RateLimit-Remaining': '0' }, body: { policyName: 'DAILY' } },
      { wait: undefined, scope: daily },
    ],
    [
      'by the field',
      {
        headers: {
          ...interval,
          'X-HubSpot-RateLimit-Daily': '250000',
          'X-HubSpot-RateLimit-Daily-Remaining': '0',
        },
      },
      { wait: undefined, scope: daily, quota: [['daily', 0, 250_000, undefined]] },
    ],
    [
      'but Retry-After is what it is',
      { headers: { ...interval, 'Retry-After': '9' }, body: { policyName: 'DAILY' } },
      { wait: '9000 retry-after', scope: daily },
    ],
    [
      'another policy is over after the interval',
      { headers: interval, body: { policyName: 'TEN_SECONDLY_ROLLING' } },
      { wait: '10000 x-hubspot-ratelimit-interval-milliseconds', scope: 'limit:interval widest' },
    ],
    [
      'both quotas are told with successes',
      { status: 200, headers: { ...interval, ...left, 'X-HubSpot-RateLimit-Daily-Remaining': '7' } },
      {
        quota: [
          ['interval', 90, 100, 10_000],
          ['daily', 7, undefined, undefined],
        ],
      },
    ],
  ]);
});

describe('GitHub, GraphQL', () => {
  const limited = { errors: [{ type: 'NOT_FOUND' }, { type: 'RATE_LIMITED' }] };
  const fields = (remaining: string) => ({
    'x-ratelimit-remaining': remaining,
    'x-ratelimit-reset': inSeconds(17),
    'x-ratelimit-resource': 'graphql',
  });
  const query = { limit: 'body.errors', scope: 'resource:graphql narrowest' };
  holds(vendors.github(), [
    [
      'is limited by any of its errors',
      { status: 200, headers: fields('0'), body: limited },
      { ...query, wait: '17000 x-ratelimit-reset' },
    ],
    [
      'is limited with too few points left',
      { status: 200, headers: fields('3'), body: limited },
      { ...query, wait: '17000 x-ratelimit-reset' },
    ],
    [
      'is limited where a browser hides the fields',
      { status: 200, body: limited },
      { ...query, wait: '60000 documented-default' },
    ],
    [
      'is not looked for in the answers of other resources',
      { status: 200, headers: { 'x-ratelimit-resource': 'core' }, body: limited },
      nothing,
    ],
    [
      'is not limited by what its data says',
      { status: 200, headers: fields('5'), body: { data: { type: 'RATE_LIMITED' } } },
      nothing,
    ],
    [
      'is not limited by an error behind many others',
      { status: 200, body: { errors: [...many(100, {}), { type: 'RATE_LIMITED' }] } },
      nothing,
    ],
  ]);
});

describe('GitHub, REST', () => {
  const secondary = { wait: '60000 documented-default', scope: 'limit:secondary widest' };
  holds(vendors.github(), [
    [
      'a secondary limit by the older word',
      {
        status: 403,
        body: { message: 'You have triggered an abuse detection mechanism. Please wait a few minutes.' },
      },
      { ...secondary, limit: 'body.message' },
    ],
    ['an error of rights', { status: 403, body: { message: 'Resource not accessible' } }, nothing],
    ['a message that is none', { status: 403, body: { message: { secondary: 'rate limit' } } }, nothing],
  ]);
});

describe('Shopify', () => {
  const cost = { requestedQueryCost: 252, throttleStatus: { currentlyAvailable: 2, restoreRate: 50 } };
  const limited = {
    errors: [{ message: 'x' }, { extensions: { code: 'THROTTLED' } }],
    extensions: { cost },
  };
  holds(vendors.shopify(), [
    ['any error', { status: 200, body: limited }, { limit: 'body.errors', wait: '5000 extensions.cost' }],
    ['a 429 with the cost', { body: limited }, { wait: '5000 extensions.cost' }],
    ['with data', { status: 200, body: { ...limited, data: {} } }, nothing],
    [
      'the bucket of REST, on a success',
      { status: 200, headers: { 'X-Shopify-Shop-Api-Call-Limit': '32/40' } },
      { quota: [[undefined, 8, 40, undefined]] },
    ],
    [
      'the bucket of REST, run over',
      {
        headers: { 'X-Shopify-Shop-Api-Call-Limit': '41/40', 'Retry-After': '2.0' },
      },
      { quota: [[undefined, 0, 40, undefined]], wait: '2000 retry-after' },
    ],
    ['no bucket', { headers: { 'X-Shopify-Shop-Api-Call-Limit': '40' } }, { quota: undefined }],
  ]);
});

describe('OpenAI: a spent quota is final', () => {
  const isFinal = (error: unknown, status = 429) =>
    read(vendors.openai(), { status, body: error }).said?.map(({ verdict, source }) => [verdict, source]);

  test('as code, as type, and in a list', () => {
    expect(isFinal({ error: { code: 'insufficient_quota' } })).toEqual([['final', 'body.error.code']]);
    expect(isFinal({ error: { code: null, type: 'insufficient_quota' } })).toEqual([
      ['final', 'body.error.type'],
    ]);
    expect(isFinal([{ error: { type: 'insufficient_quota' } }])).toEqual([['final', 'body.error.type']]);
  });

  test('and nothing else is', () => {
    expect(isFinal({ error: { type: 'requests', message: 'not insufficient_quota' } })).toBeUndefined();
    expect(isFinal({ error: { code: 'insufficient_quota' } }, 500)).toBeUndefined();
  });
});

describe('Google: RetryInfo', () => {
  const info = (retryDelay: unknown) => ({
    '@type': 'type.googleapis.com/google.rpc.RetryInfo',
    retryDelay,
  });
  const error = (...details: readonly unknown[]) => ({ error: { details } });
  const wait = '3000 body.RetryInfo';
  holds(vendors.google(), [
    ['in a list', { body: [error(info('3s'))] }, { wait }],
    ['in a later member of a list', { body: [{ error: {} }, error({ '@type': 'x' }, info('3s'))] }, { wait }],
    ['without one that can be read', { body: [error(info(5)), error()] }, { wait: undefined }],
    ['behind many others', { body: error(...many(100, {}), info('3s')) }, { wait: undefined }],
  ]);
});

describe('Slack: both words for a limit', () => {
  holds(vendors.slack(), [
    ['ratelimited', { status: 200, body: { ok: false, error: 'ratelimited' } }, { limit: 'body.error' }],
    ['rate_limited', { status: 200, body: { ok: false, error: 'rate_limited' } }, { limit: 'body.error' }],
    ['another', { status: 200, body: { ok: false, error: 'not_limited' } }, nothing],
  ]);
});

describe('Linear', () => {
  const code = (text: string) => ({ extensions: { code: text } });
  const spent = { 'X-RateLimit-Requests-Remaining': '0', 'X-RateLimit-Requests-Reset': String(T0 + 9000) };
  holds(vendors.linear(), [
    [
      'any error',
      { status: 400, headers: spent, body: { errors: [code('INPUT_ERROR'), code('RATELIMITED')] } },
      { limit: 'body.errors', wait: '9000 x-ratelimit-requests-reset' },
    ],
    ['another error', { status: 400, headers: spent, body: { errors: [code('INPUT_ERROR')] } }, nothing],
    [
      'no body to read',
      { status: 400, headers: spent },
      { limit: 'x-ratelimit-requests-remaining', wait: '9000 x-ratelimit-requests-reset' },
    ],
    [
      'the quota of an endpoint',
      {
        status: 400,
        headers: {
          'X-RateLimit-Endpoint-Requests-Remaining': '0',
          'X-RateLimit-Endpoint-Requests-Reset': String(T0 + 5000),
        },
      },
      { wait: '5000 x-ratelimit-endpoint-requests-reset' },
    ],
  ]);
});

describe('Salesforce', () => {
  const exceeded = { errorCode: 'REQUEST_LIMIT_EXCEEDED' };
  const organization = { limit: 'body.errorCode', scope: 'limit:organization widest' };
  const info = (text: string) => ({ status: 200, headers: { 'Sforce-Limit-Info': text } });
  holds(vendors.salesforce(), [
    ['any error', { status: 403, body: [{ errorCode: 'X' }, exceeded] }, organization],
    ['an error alone', { status: 403, body: exceeded }, organization],
    ['another error', { status: 403, body: [{ errorCode: 'INSUFFICIENT_ACCESS' }] }, nothing],
    ['what is left', info('api-usage=18/5000'), { quota: [['api-usage', 4982, 5000, undefined]] }],
    [
      'what is left beside an app',
      info('per-app-api-usage=17/250(appName=x), api-usage=25/100'),
      { quota: [['api-usage', 75, 100, undefined]] },
    ],
    ['an app alone', info('per-app-api-usage=17/250'), { quota: undefined }],
  ]);
});

describe('Stripe: whom a limit concerns', () => {
  const by = (reason: string) => ({ headers: { 'Stripe-Rate-Limited-Reason': reason } });
  const limit = 'stripe-rate-limited-reason';
  holds(vendors.stripe(), [
    ['the account', by('global-rate'), { limit, scope: 'reason:global-rate widest' }],
    ['the account', by('global-concurrency'), { limit, scope: 'reason:global-concurrency widest' }],
    ['an endpoint', by('endpoint-rate'), { limit, scope: 'reason:endpoint-rate narrowest' }],
    ['a resource', by('resource-specific'), { limit, scope: 'reason:resource-specific narrowest' }],
    ['nobody says', {}, { scope: undefined }],
  ]);
});

describe('Azure: what is left by Resource Manager', () => {
  const left = (headers: Headers) => ({ status: 200, headers });
  holds(vendors.azure(), [
    [
      'counts',
      left({
        'x-ms-ratelimit-remaining-subscription-reads': '11999',
        'x-ms-ratelimit-remaining-subscription-resource-requests': '59',
      }),
      {
        quota: [
          ['subscription-reads', 11_999, undefined, undefined],
          ['subscription-resource-requests', 59, undefined, undefined],
        ],
      },
    ],
    [
      'counts with their policies',
      left({
        'x-ms-ratelimit-remaining-resource':
          'Microsoft.Compute/HighCostGet3Min;23,Microsoft.Compute/HighCostGet30Min;157',
      }),
      { quota: undefined },
    ],
  ]);
});

describe('Akamai', () => {
  holds(vendors.akamai(), [
    ['a minute where no instant is told', {}, { wait: '60000 documented-default' }],
    [
      'an instant with a fraction',
      { headers: { 'X-RateLimit-Next': '2026-01-01T00:00:02.500Z' } },
      { wait: '2500 x-ratelimit-next' },
    ],
  ]);
});

describe('Jira', () => {
  const interval = { 'X-RateLimit-Interval-Seconds': '60', 'X-RateLimit-FillRate': '10' };
  const reason = (text: string) => ({ headers: { 'RateLimit-Reason': text } });
  holds(vendors.jira(), [
    [
      'Data Center fills the bucket once in an interval',
      { headers: { ...interval, 'X-RateLimit-Remaining': '0', 'X-RateLimit-Limit': '50' } },
      { wait: '60000 x-ratelimit-interval-seconds', quota: [[undefined, 0, 50, 60_000]] },
    ],
    [
      'an instant comes before an interval',
      {
        headers: { ...interval, 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': '2026-01-01T00:00:07Z' },
      },
      { wait: '7000 x-ratelimit-reset' },
    ],
    ['a quota', reason('Jira-Quota-Tenant-Based'), { scope: 'reason:Jira-Quota-Tenant-Based widest' }],
    ['one issue', reason('JIRA-PER-ISSUE-ON-WRITE'), { scope: 'reason:JIRA-PER-ISSUE-ON-WRITE request' }],
    ['a burst', reason('jira-burst-based'), { scope: 'reason:jira-burst-based narrowest' }],
  ]);
});

describe('Zendesk: the older names', () => {
  const older = { 'X-Rate-Limit': '700', 'X-Rate-Limit-Remaining': '0' };
  holds(vendors.zendesk(), [
    [
      'alone',
      { headers: older },
      {
        quota: [['account', 0, 700, undefined]],
        scope: 'limit:account widest',
        limit: 'x-rate-limit-remaining',
      },
    ],
    [
      'beside the newer ones count for nothing',
      { headers: { ...older, 'ratelimit-remaining': '4', 'ratelimit-limit': '9', 'ratelimit-reset': '3' } },
      { quota: [['account', 4, 9, 3000]], limit: undefined },
    ],
    [
      'with the newer end',
      { headers: { ...older, 'ratelimit-reset': '3' } },
      { wait: '3000 ratelimit-reset' },
    ],
  ]);
});

describe('Spring Cloud Gateway: tokens, and how fast they come back', () => {
  const tokens = (remaining: string, requested?: string) => ({
    'X-RateLimit-Remaining': remaining,
    'X-RateLimit-Requested-Tokens': requested,
    'X-RateLimit-Burst-Capacity': '20',
    'X-RateLimit-Replenish-Rate': '2',
  });
  const field = 'x-ratelimit-replenish-rate';
  holds(vendors.springCloudGateway(), [
    ['a limit', { headers: tokens('0', '5') }, { wait: `2500 ${field}`, quota: [[undefined, 0, 4, 2500]] }],
    ['a few are left', { headers: tokens('3', '5') }, { wait: `1000 ${field}` }],
    ['one a request, unless told', { headers: tokens('0') }, { wait: `500 ${field}` }],
    [
      'a success is told what is left, in requests',
      { status: 200, headers: tokens('11', '5') },
      { quota: [[undefined, 2, 4, undefined]] },
    ],
    [
      'a success that took the last',
      { status: 200, headers: tokens('0', '1') },
      { quota: [[undefined, 0, 20, 500]] },
    ],
    [
      'a limiter that is down tells -1',
      { status: 503, headers: tokens('-1', '1') },
      { wait: undefined, quota: undefined },
    ],
    [
      'a bucket that is never filled',
      { headers: { ...tokens('0', '1'), 'X-RateLimit-Replenish-Rate': '0' } },
      { wait: undefined, quota: [[undefined, 0, 20, undefined]] },
    ],
  ]);

  test('a bucket that is never filled is nothing malformed', () => {
    const headers = { ...tokens('0', '1'), 'X-RateLimit-Replenish-Rate': '0' };
    expect(read(vendors.springCloudGateway(), { headers }).kind).toBe('silent');
  });
});

describe('Envoy: the limit stands before its policies', () => {
  holds(vendors.xRateLimit({ reset: 'seconds' }), [
    [
      'which are not read',
      {
        headers: {
          'x-ratelimit-limit': '10, 10;w=1;name="per-ip", 1000;w=3600',
          'x-ratelimit-remaining': '0',
          'x-ratelimit-reset': '7',
        },
      },
      { wait: '7000 x-ratelimit-reset', quota: [[undefined, 0, 10, 7000]] },
    ],
  ]);
});

test('a hostile list in a body costs no reader much time', () => {
  const { xRateLimit, ...named } = vendors;
  const readers = [...Object.values(named).map((make) => make()), xRateLimit({ reset: 'seconds' })];
  const nested = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  const list = (one: string) => `[${many(100_000, one).join(',')}]`;
  const words = '"THROTTLED RATE_LIMITED insufficient_quota limited"';
  const bodies = [
    nested,
    `{"errors":${nested},"x":${words}}`,
    `{"errors":${list('{}')},"x":${words}}`,
    list('{"error":{"details":[{},{}]}}'),
    '<Code>'.repeat(100_000),
  ];
  const start = performance.now();
  for (const body of bodies) {
    for (const status of [200, 403, 429]) {
      for (const reader of readers) expect(read(reader, { status, body }).kind).not.toBe('overflow');
    }
  }
  expect(performance.now() - start).toBeLessThan(20_000);
});
