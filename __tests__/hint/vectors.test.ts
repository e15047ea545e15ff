import { describe, expect, test } from '@jest/globals';
import { retryAfterReader } from '../../lib/hint/retry-after-reader.js';
import { parseHttpDate } from '../../lib/hint/http-date.js';
import { parseRetryAfter } from '../../lib/hint/retry-after.js';
import { factsOf } from './facts.js';
import { httpDateVectors, retryAfterVectors, valueOf } from './vectors.js';
import type { Delay, HttpDateVector, Refusal, RetryAfterVector } from './vectors.js';

// A vector may allow several answers. A wrong day-name is ignored here, so that its answer is the lenient one.
function allowed({ expect: strict, accept = [], acceptErrors = [], lenientWeekday }: RetryAfterVector) {
  if (lenientWeekday !== undefined) return [lenientWeekday];
  return [strict, ...accept, ...acceptErrors.map((error) => ({ error }))];
}

function answerTo({ raw, now }: RetryAfterVector): Delay | Refusal {
  const reading = parseRetryAfter(valueOf(raw), Date.parse(now));
  if (reading.kind === 'unusable') return { error: reading.because };
  return { kind: reading.kind, delayMs: reading.delayMs };
}

describe('the vectors of Retry-After', () => {
  test.each(retryAfterVectors.map((vector) => [vector.id, vector] as const))('%s', (_, vector) => {
    expect(allowed(vector)).toContainEqual(answerTo(vector));
  });

  test('are answered by the name of the fault that they expect first', () => {
    const faults = retryAfterVectors.filter(({ expect: strict, lenientWeekday }) => {
      return 'error' in strict && lenientWeekday === undefined;
    });
    expect(faults.map((vector) => [vector.id, answerTo(vector)])).toEqual(
      faults.map((vector) => [vector.id, vector.expect]),
    );
  });
});

describe('the vectors of Retry-After that have several members', () => {
  const several = retryAfterVectors.filter(({ longest }) => longest !== undefined);

  test.each(several.map((vector) => [vector.id, vector] as const))('%s: the longest counts', (_, vector) => {
    const { raw, now, longest } = vector;
    const headers = { 'retry-after': valueOf(raw) ?? undefined };
    const reading = retryAfterReader(factsOf(429, headers, { receivedEpochMs: Date.parse(now) }));
    expect(reading).toMatchObject({ kind: 'hint', hint: { delayMs: longest } });
  });
});

describe('the vectors of HTTP-date', () => {
  const answers = ({ expect: strict, accept = [], lenientWeekday }: HttpDateVector) =>
    lenientWeekday === undefined ? [strict, ...accept] : [lenientWeekday];
  const read = ({ input, now }: HttpDateVector) =>
    parseHttpDate(input, now === undefined ? NaN : Date.parse(now));

  test.each(httpDateVectors.map((vector) => [vector.id, vector] as const))('%s', (_, vector) => {
    const reading = read(vector);
    expect(answers(vector)).toContainEqual(reading.kind === 'http-date' ? reading.atEpochMs : null);
  });

  test('have their forms and wrong day-names told', () => {
    const forms = { imf: 'imf-fixdate', rfc850: 'rfc850', asctime: 'asctime' };
    const readable = httpDateVectors.filter((vector) => read(vector).kind === 'http-date');
    expect(readable.length).toBeGreaterThan(80);
    expect(readable.map(read)).toMatchObject(
      readable.map(({ form, lenientWeekday }) => ({
        form: forms[form!],
        dayName: lenientWeekday === undefined ? 'right' : 'wrong',
      })),
    );
  });
});
