import { describe, expect, test } from '@jest/globals';
import type { HintReader } from '../../lib/hint/hint';
import { DEFAULTS } from '../../lib/options';
import { isSaid, verdictOf } from '../../lib/policy/verdict';
import { rateLimit } from '../../lib/rate-limit/index';
import * as vendors from '../../lib/vendors/index';
import { parseSentryLimits } from '../../lib/vendors/sentry';
import { allowedBy, observationOf, ofType, readingOf, toldBy, toldByQuotas } from '../rate-limit/vectors';
import type { Expectation, ResponseVector } from '../rate-limit/vectors';

const none: readonly HintReader[] = [];
const inSeconds = [vendors.xRateLimit({ reset: 'seconds' })];
const inEpochSeconds = [vendors.xRateLimit({ reset: 'epoch-seconds' })];

/** What to switch on for the servers that the vectors name; nothing where Retry-After, or nothing, is all they send. */
const readers: Readonly<Record<string, readonly HintReader[]>> = {
  airtable: [vendors.airtable()],
  akamai: [vendors.akamai()],
  anthropic: [vendors.anthropic()],
  attio: none,
  auth0: [vendors.auth0()],
  aws: [vendors.aws()],
  'aws-api-gateway': none,
  'azure-arm': [vendors.azure()],
  'azure-core': [vendors.azure()],
  'azure-openai': [vendors.azure()],
  'cloudflare-api': [rateLimit()],
  contentful: [vendors.contentful()],
  'crates.io': none,
  discord: [vendors.discord()],
  'dockerhub-api': [vendors.dockerHub()],
  'dockerhub-pull': [rateLimit()],
  envoy: inSeconds,
  'express-rate-limit-draft-7': [rateLimit()],
  'express-rate-limit-draft-8': [rateLimit()],
  'express-rate-limit-legacy': inEpochSeconds,
  'fastify-rate-limit': inSeconds,
  github: [vendors.github()],
  gitlab: [vendors.gitlab()],
  google: [vendors.google()],
  groq: [vendors.openai()],
  hubspot: [vendors.hubspot()],
  'jira-cloud': [vendors.jira()],
  kong: [rateLimit()],
  laravel: inEpochSeconds,
  linear: [vendors.linear()],
  mediawiki: [vendors.mediawiki()],
  nginx: none,
  notion: [vendors.notion()],
  okta: [vendors.okta()],
  openai: [vendors.openai()],
  reddit: [vendors.reddit()],
  resend: [rateLimit()],
  salesforce: [vendors.salesforce()],
  sentry: [vendors.sentry()],
  sharepoint: [rateLimit()],
  'shopify-graphql': [vendors.shopify()],
  'shopify-rest': [vendors.shopify()],
  slack: [vendors.slack()],
  spacetraders: [vendors.fractionalSeconds()],
  'spring-cloud-gateway': [vendors.springCloudGateway()],
  stripe: [vendors.stripe()],
  together: inSeconds,
  traefik: [vendors.traefik()],
  twilio: none,
  'wso2-apim': none,
  'x-twitter': [vendors.twitter()],
  zendesk: [vendors.zendesk()],
};

const vectors = ofType<ResponseVector>('vendor');
const read = (vector: ResponseVector) => readingOf(vector, readers[vector.vendor!]!);
const judge = (vector: ResponseVector) => verdictOf(observationOf(vector, read(vector)), DEFAULTS.transient);
const where = (isMeant: (expected: Expectation) => boolean) =>
  vectors
    .filter(({ expect: expected }) => isMeant(expected))
    .map((vector) => [`${vector.id} (${vector.vendor!})`, vector] as const);

const isPlain = ({ advisory, limited, limits }: Expectation) =>
  advisory === undefined && limited === undefined && limits === undefined;

describe('the vectors of vendors', () => {
  test('name no vendor of whom nothing is said here', () => {
    expect(vectors.flatMap(({ vendor }) => (vendor! in readers ? [] : [vendor]))).toEqual([]);
  });

  test.each(where(isPlain))('%s', (_, vector) => {
    expect(allowedBy(vector)).toContainEqual(toldBy(read(vector)));
  });

  test.each(where((expected) => isPlain(expected) && expected.waitMs !== null))(
    '%s is a limit',
    (_, vector) => {
      expect(judge(vector)).toBe('limit');
    },
  );

  test.each(where(({ retryable }) => retryable === false))('%s is not to be sent again', (_, vector) => {
    expect(isSaid(observationOf(vector, read(vector)), 'final')).toBe(true);
  });

  test.each(where(({ limited }) => limited === false))('%s is no limit', (_, vector) => {
    expect(judge(vector)).toBe('final');
    expect(toldBy(read(vector))).toEqual({ waitMs: null, from: null });
    expect(toldByQuotas(read(vector)).waitMs ?? 0).toBe(0);
  });

  test.each(where(({ advisory }) => advisory === true))('%s is for the next request', (_, vector) => {
    expect(judge(vector)).toBe('final');
    expect(allowedBy(vector)).toContainEqual(toldByQuotas(read(vector)));
  });

  test.each(where(({ limits }) => limits !== undefined))('%s has limits of its own notation', (_, vector) => {
    const limits = vector.expect.limits ?? [];
    const longestMs = Math.max(...limits.map(({ waitMs }) => waitMs));
    expect(toldBy(read(vector)).waitMs).toBe(vector.status === 429 ? longestMs : null);
    expect(parseSentryLimits(String(vector.headers['X-Sentry-Rate-Limits']))).toMatchObject(
      limits.map(({ waitMs, ...rest }) => ({ ...rest, seconds: String(waitMs / 1000) })),
    );
  });
});
