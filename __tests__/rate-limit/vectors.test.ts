import { describe, expect, test } from '@jest/globals';
import { readHints } from '../../lib/hint/hint';
import { DEFAULTS } from '../../lib/options';
import { verdictOf } from '../../lib/policy/verdict';
import {
  parseOlderRateLimit,
  parseRateLimit,
  parseRateLimitPolicy,
  rateLimit,
} from '../../lib/rate-limit/index';
import { parseList } from '../../lib/rate-limit/structured-fields';
import type { BareItem, Member } from '../../lib/rate-limit/structured-fields';
import { factsOf } from '../hint/facts';
import { allowedBy, named, observationOf, ofType, readingOf, toldBy, toldByQuotas } from './vectors';
import type { LegacyVector, ResponseVector, StructuredVector } from './vectors';

const structured = ofType<StructuredVector>('structured');
const legacy = ofType<LegacyVector>('legacy');
const responses = ofType<ResponseVector>('response');

const read = ({ field, raw }: StructuredVector) =>
  field === 'RateLimit' ? parseRateLimit(raw) : parseRateLimitPolicy(raw);

test('there are vectors of every type', () => {
  expect([structured, legacy, responses].filter((list) => list.length > 5)).toHaveLength(3);
});

describe('the grammar of RFC 9651, by the vectors', () => {
  const textOf = ({ raw }: StructuredVector) => (typeof raw === 'string' ? raw : raw.join(', '));

  test.each(named(structured.filter(({ members }) => members !== undefined)))('%s', (_, vector) => {
    expect(parseList(textOf(vector))?.map(asInVectors)).toEqual(vector.members);
  });

  test.each(named(structured.filter(({ expect: expected }) => expected.error === 'parse')))(
    '%s is no List',
    (_, vector) => {
      expect(parseList(textOf(vector))).toBeUndefined();
    },
  );
});

function asInVectors({ parameters, ...member }: Member): unknown {
  const value =
    member.kind === 'item' ? bareAsInVectors(member.bare) : { inner: member.items.map(asInVectors) };
  return [value, Object.fromEntries([...parameters].map(([key, bare]) => [key, bareAsInVectors(bare)]))];
}

function bareAsInVectors({ kind, value }: BareItem): unknown {
  return kind === 'integer' || kind === 'string' || kind === 'boolean' ? value : { [kind]: value };
}

describe('RateLimit and RateLimit-Policy, by the vectors', () => {
  test.each(named(structured.filter(({ expect: expected }) => expected.items !== undefined)))(
    '%s',
    (_, vector) => {
      expect(read(vector)).toMatchObject({ items: vector.expect.items });
      expect({ ...read(vector) }).toHaveProperty('items.length', vector.expect.items?.length);
    },
  );

  test.each(named(structured.filter(({ expect: expected }) => expected.error !== undefined)))(
    '%s is ignored whole',
    (_, vector) => {
      expect(read(vector)).toEqual({ kind: 'unusable', because: vector.expect.error });
    },
  );

  const waiting = structured.filter(({ expect: expected }) => expected.waitMs !== undefined);

  test.each(named(waiting))('%s: the wait', (_, { raw, expect: { waitMs } }) => {
    const reading = readHints(factsOf(429, { RateLimit: raw }), [rateLimit()]);
    expect(toldByQuotas(reading).waitMs).toBe(waitMs);
    expect(toldBy(reading).waitMs ?? waitMs).toBe(waitMs);
  });

  // What is no List may still be the Dictionary of draft 7.
  const ignored = structured.filter(({ field, raw, expect: expected }) => {
    const isOlder = field === 'RateLimit' && parseOlderRateLimit(() => raw).kind === 'limits';
    return expected.error !== undefined && !isOlder;
  });

  test.each(named(ignored))('%s says nothing of quotas', (_, { field, raw }) => {
    const reading = readHints(factsOf(429, { [field]: raw }), [rateLimit()]);
    expect(reading).not.toHaveProperty('quota');
    expect(reading.kind).not.toBe('hint');
  });
});

describe('the older forms, by the vectors', () => {
  const readLegacy = ({ headers, now }: LegacyVector) => {
    const facts = factsOf(200, headers, { receivedEpochMs: Date.parse(now) });
    return { limits: parseOlderRateLimit(facts.header), reading: readHints(facts, [rateLimit()]) };
  };

  test.each(named(legacy.filter(({ expect: expected }) => expected.error === undefined)))(
    '%s',
    (_, vector) => {
      const { dialect, limit, remaining, resetSeconds, waitMs } = vector.expect;
      const { limits, reading } = readLegacy(vector);
      const items = [{ available: remaining, windowSeconds: resetSeconds, limit }];
      expect(limits).toEqual({ kind: 'limits', dialect, items });
      expect(toldByQuotas(reading).waitMs).toBe(waitMs);
    },
  );

  test.each(named(legacy.filter(({ expect: expected }) => expected.error !== undefined)))(
    '%s is ignored whole',
    (_, vector) => {
      const { limits, reading } = readLegacy(vector);
      expect(limits).toEqual({ kind: 'unusable', because: vector.expect.error });
      expect(reading).not.toHaveProperty('quota');
    },
  );
});

describe('whole responses, by the vectors', () => {
  const plain = responses.filter(
    ({ expect: { advisory, error } }) => advisory === undefined && error === undefined,
  );

  test.each(named(plain))('%s', (_, vector) => {
    expect(allowedBy(vector)).toContainEqual(toldBy(readingOf(vector, [rateLimit()])));
  });

  test.each(named(responses.filter(({ expect: { advisory } }) => advisory === true)))(
    '%s is for the next request',
    (_, vector) => {
      const reading = readingOf(vector, [rateLimit()]);
      expect(reading.kind).toBe('silent');
      expect(allowedBy(vector)).toContainEqual(toldByQuotas(reading));
    },
  );

  test.each(named(responses.filter(({ expect: { error } }) => error !== undefined)))('%s', (_, vector) => {
    const { error, from } = vector.expect;
    expect(readingOf(vector, [rateLimit()])).toMatchObject({ kind: error, source: from?.toLowerCase() });
  });

  test.each(named(responses.filter(({ expect: { retryable } }) => retryable === false)))(
    '%s is no limit and may not heal',
    (_, vector) => {
      const observation = observationOf(vector, readingOf(vector, [rateLimit()]));
      expect(verdictOf(observation, DEFAULTS.transient)).toBe('final');
    },
  );
});
