import { describe, expect, test } from '@jest/globals';
import type { HintReading, VerdictReading, WeighedReading } from '../../lib/hint/hint.js';
import type { Observation } from '../../lib/model.js';
import { DEFAULTS } from '../../lib/options.js';
import { knowledgeOf, worseKnowledge } from '../../lib/policy/knowledge.js';
import { verdictOf } from '../../lib/policy/verdict.js';

const hinted: HintReading = {
  kind: 'hint',
  hint: { source: 'retry-after', raw: '1', form: 'delay-seconds', delayMs: 1000, clock: 'none' },
};
const silent: HintReading = { kind: 'silent', because: 'missing' };

const seen = (own: Partial<Observation>): Observation => ({
  end: 'answer',
  resolved: false,
  hint: silent,
  receivedEpochMs: 0,
  receivedMonoMs: 0,
  ...own,
});
const answer = (status: number, hint: WeighedReading = silent): Observation =>
  seen({ status, hint, resolved: status < 300 });
const judge = (observation: Observation): string =>
  `${verdictOf(observation, DEFAULTS.transient)}, ${knowledgeOf(observation, [])}`;

describe('verdict and knowledge of an answer', () => {
  test.each([
    [200, 'final, answered', 'final, answered'],
    [202, 'final, answered', 'final, answered'],
    [301, 'final, answered', 'final, answered'],
    [400, 'final, answered', 'final, answered'],
    [401, 'final, answered', 'final, answered'],
    [403, 'final, answered', 'limit, not-applied'],
    [404, 'final, answered', 'final, answered'],
    [408, 'transient, unknown', 'limit, unknown'],
    [409, 'final, answered', 'final, answered'],
    [413, 'final, answered', 'limit, not-applied'],
    [421, 'final, not-applied', 'final, not-applied'],
    [425, 'transient, not-applied', 'limit, not-applied'],
    [429, 'limit, not-applied', 'limit, not-applied'],
    [500, 'transient, unknown', 'limit, unknown'],
    [501, 'final, unknown', 'final, unknown'],
    [502, 'transient, unknown', 'limit, unknown'],
    [503, 'transient, unknown', 'limit, unknown'],
    [504, 'transient, unknown', 'limit, unknown'],
  ])('%i: without a hint %s, with one %s', (status, without, withHint) => {
    expect(judge(answer(status))).toBe(without);
    expect(judge(answer(status, hinted))).toBe(withHint);
  });

  test('a 429 that validateStatus lets pass is a limit all the same', () => {
    expect(judge({ ...answer(429), resolved: true })).toBe('limit, not-applied');
  });

  test('a broken success is a lost answer, not a success and not a limit', () => {
    expect(judge(seen({ end: 'cut-answer', status: 200 }))).toBe('transient, answered');
    expect(judge(seen({ end: 'cut-answer', status: 200, hint: hinted }))).toBe('transient, answered');
    expect(judge(seen({ end: 'cut-answer', status: 429, hint: hinted }))).toBe('limit, not-applied');
  });

  test('`transient` names what heals without a word of the server; with one, a 503 is a limit like a 403', () => {
    expect(verdictOf(answer(503, hinted), [500])).toBe('limit');
    expect(verdictOf(answer(503, hinted), () => false)).toBe('limit');
    expect(verdictOf(answer(503), [500])).toBe('final');
    expect(verdictOf(answer(502, hinted), [500])).toBe('final');
  });

  test.each([
    [200, 'limit, not-applied'],
    [400, 'limit, not-applied'],
    [503, 'limit, unknown'],
  ])(
    '`classify` calls a %i a limit: known of it is what is known when a reader says so',
    (status, expected) => {
      expect(judge({ ...answer(status), classified: 'limit' })).toBe(expected);
    },
  );

  test('the policy knows answers that were not applied', () => {
    expect(knowledgeOf(answer(503), [503])).toBe('not-applied');
    expect(knowledgeOf(answer(503), ({ status }) => status === 503)).toBe('not-applied');
  });

  test('what `classify` said overrules the status', () => {
    expect(verdictOf({ ...answer(200), classified: 'limit' }, [])).toBe('limit');
    expect(verdictOf({ ...answer(429), classified: 'final' }, [])).toBe('final');
  });

  const saying = (verdict: VerdictReading['verdict']): WeighedReading => ({
    ...silent,
    said: [{ kind: 'verdict', verdict, source: 'x', raw: '' }],
  });

  test.each([
    [200, 'limit, not-applied'],
    [400, 'limit, not-applied'],
    [403, 'limit, not-applied'],
    [429, 'limit, not-applied'],
    [503, 'limit, unknown'],
    [529, 'limit, unknown'],
  ])('what the server calls a limit is one, also a %i', (status, expected) => {
    expect(judge(answer(status, saying('limit')))).toBe(expected);
  });

  test.each([
    [200, 'final, answered'],
    [400, 'transient, answered'],
    [409, 'transient, answered'],
    [429, 'limit, not-applied'],
    [503, 'transient, unknown'],
    [529, 'transient, unknown'],
  ])('the server says that a %i may heal, and grants nothing by that', (status, expected) => {
    expect(judge(answer(status, saying('transient')))).toBe(expected);
  });

  test('a hint makes a limit of what the server says may heal', () => {
    expect(judge(answer(529, { ...hinted, ...saying('transient'), ...hinted }))).toBe('limit, unknown');
  });

  test.each([
    [400, 'final, answered'],
    [429, 'limit, not-applied'],
    [503, 'transient, unknown'],
  ])('that the server says no to a repeat of a %i changes nothing for others', (status, expected) => {
    expect(judge(answer(status, saying('final')))).toBe(expected);
  });

  test('a predicate is asked about failures only', () => {
    const asked: (number | undefined)[] = [];
    const yes = ({ status }: Observation): boolean => asked.push(status) > 0;
    expect(verdictOf(answer(200), yes)).toBe('final');
    expect(verdictOf(answer(404), yes)).toBe('transient');
    expect(verdictOf(answer(429), yes)).toBe('limit');
    expect(asked).toEqual([404]);
  });
});

describe('verdict and knowledge of a failure', () => {
  test.each<[Partial<Observation>, string]>([
    [{ end: 'network-failure', code: 'ECONNREFUSED' }, 'transient, not-sent'],
    [{ end: 'network-failure', code: 'ENOTFOUND' }, 'transient, not-sent'],
    [{ end: 'network-failure', code: 'EAI_AGAIN' }, 'transient, not-sent'],
    [{ end: 'network-failure', code: 'EHOSTUNREACH' }, 'transient, not-sent'],
    [{ end: 'network-failure', code: 'NGHTTP2_REFUSED_STREAM' }, 'transient, not-applied'],
    [{ end: 'network-failure', code: 'ECONNRESET' }, 'transient, unknown'],
    [{ end: 'network-failure', code: 'ERR_NETWORK' }, 'transient, unknown'],
    [{ end: 'network-failure' }, 'transient, unknown'],
    [{ end: 'timeout', code: 'ECONNABORTED' }, 'transient, unknown'],
    [{ end: 'local-failure', code: 'CERT_HAS_EXPIRED' }, 'final, not-sent'],
    [{ end: 'local-failure', code: 'ERR_INVALID_URL' }, 'final, not-sent'],
    [{ end: 'local-failure', code: 'ERR_SSL_WRONG_VERSION_NUMBER' }, 'final, not-sent'],
    [{ end: 'network-failure', code: 'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC' }, 'transient, unknown'],
    [{ end: 'local-failure' }, 'final, unknown'],
    [{ end: 'cancelled' }, 'final, unknown'],
    [{ end: 'deadline' }, 'final, unknown'],
  ])('%j: %s', (own, expected) => {
    expect(judge(seen(own))).toBe(expected);
  });

  test('the worse knowledge of two is the one to live with', () => {
    expect(worseKnowledge('not-sent', 'unknown')).toBe('unknown');
    expect(worseKnowledge('answered', 'not-applied')).toBe('answered');
  });
});
