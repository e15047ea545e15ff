import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decide, DECISION_TABLE } from '../../lib/policy/decide.js';
import type { DecisionFacts } from '../../lib/policy/decide.js';
import type { HintReading } from '../../lib/hint/hint.js';

const hint = (delayMs: number): HintReading => ({
  kind: 'hint',
  hint: { source: 'retry-after', raw: '1', form: 'delay-seconds', delayMs, clock: 'none' },
});
const silent: HintReading = { kind: 'silent', because: 'missing' };

const limited: DecisionFacts = {
  verdict: 'limit',
  resolved: false,
  cancelled: false,
  deadlinePassed: false,
  serverSaidNo: false,
  permission: { kind: 'granted', grounds: 'idempotent-method' },
  exchangesLeft: 3,
  allowanceEmpty: false,
  hint: silent,
  ownBackoffMs: 200,
  reserveMs: 0,
};

describe('the decision table', () => {
  test.each<[string, Partial<DecisionFacts>, unknown]>([
    ['settles a success', { verdict: 'final', resolved: true }, { kind: 'settle', row: 1 }],
    [
      'settles a success even when the caller has cancelled',
      { verdict: 'final', resolved: true, cancelled: true },
      { kind: 'settle', row: 1 },
    ],
    ['stops for a caller who cancelled', { cancelled: true }, { kind: 'stop', row: 2, because: 'cancelled' }],
    [
      'stops when the deadline has passed',
      { deadlinePassed: true },
      { kind: 'stop', row: 3, because: 'deadline-passed' },
    ],
    [
      'stops when the server said no, to whatever else would allow it',
      { serverSaidNo: true },
      { kind: 'stop', row: 4, because: 'server-said-no' },
    ],
    [
      'gives the word of the server as the reason, not the verdict',
      { serverSaidNo: true, verdict: 'final' },
      { kind: 'stop', row: 4, because: 'server-said-no' },
    ],
    [
      'settles a success that says no: there is nothing to repeat',
      { serverSaidNo: true, verdict: 'final', resolved: true },
      { kind: 'settle', row: 1 },
    ],
    [
      'stops for what repeating does not heal',
      { verdict: 'final' },
      { kind: 'stop', row: 5, because: 'not-transient' },
    ],
    [
      'stops without permission, for the reason of the denial',
      { permission: { kind: 'denied', because: 'answer-lost' } },
      { kind: 'stop', row: 6, because: 'answer-lost' },
    ],
    [
      'stops when the exchanges are spent',
      { exchangesLeft: 0 },
      { kind: 'stop', row: 7, because: 'exchanges-spent' },
    ],
    [
      'stops a failure when the allowance is empty',
      { verdict: 'transient', allowanceEmpty: true },
      { kind: 'stop', row: 8, because: 'allowance-empty' },
    ],
    [
      'does not count a limit against the allowance',
      { allowanceEmpty: true },
      { kind: 'again', row: 11, delayMs: 200, floor: 'own-backoff' },
    ],
    [
      'stops for a hint above the bound',
      { hint: hint(60_001), maxHintMs: 60_000 },
      { kind: 'stop', row: 9, because: 'hint-too-long' },
    ],
    [
      'waits for a hint exactly at the bound',
      { hint: hint(60_000), maxHintMs: 60_000 },
      { kind: 'again', row: 11, delayMs: 60_000, floor: 'hint' },
    ],
    [
      'stops for an overflow even without a bound',
      { hint: { kind: 'overflow', source: 'retry-after', raw: '9' } },
      { kind: 'stop', row: 9, because: 'hint-too-long' },
    ],
    [
      'stops when the wait and the reserve pass the deadline',
      { hint: hint(900), remainingMs: 1000, reserveMs: 101 },
      { kind: 'stop', row: 10, because: 'deadline-too-near' },
    ],
    [
      'goes when they end exactly with it',
      { hint: hint(900), remainingMs: 1000, reserveMs: 100 },
      { kind: 'again', row: 11, delayMs: 900, floor: 'hint' },
    ],
    [
      'takes the longer of hint and own backoff, never the sum',
      { hint: hint(150) },
      { kind: 'again', row: 11, delayMs: 200, floor: 'own-backoff' },
    ],
    [
      'reads a hint of zero as no minimum',
      { hint: hint(0) },
      { kind: 'again', row: 11, delayMs: 200, floor: 'own-backoff' },
    ],
    [
      'takes own backoff for a malformed hint',
      { hint: { kind: 'malformed', because: 'invalid', source: 'retry-after', raw: 'oops' } },
      { kind: 'again', row: 11, delayMs: 200, floor: 'own-backoff' },
    ],
  ])('%s', (_, own, expected) => {
    expect(decide({ ...limited, ...own })).toEqual(expected);
  });

  test('is ten rows long: their places are their numbers, and the eleventh is what is left over', () => {
    expect(DECISION_TABLE).toHaveLength(10);
  });

  test('never goes before the hint, and never waits past the deadline minus the reserve', () => {
    const ms = fc.nat({ max: 200_000 });
    fc.assert(
      fc.property(ms, ms, ms, ms, (hintMs, ownBackoffMs, remainingMs, reserveMs) => {
        const decision = decide({ ...limited, hint: hint(hintMs), ownBackoffMs, remainingMs, reserveMs });
        if (decision.kind !== 'again') return decision.kind === 'stop';
        return decision.delayMs >= hintMs && decision.delayMs + reserveMs <= remainingMs;
      }),
    );
  });
});
