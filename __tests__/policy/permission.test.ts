import { describe, expect, test } from '@jest/globals';
import { KNOWLEDGE } from '../../lib/model.js';
import { isRepeatable, PERMISSION_TABLE, permissionFor } from '../../lib/policy/permission.js';
import type { PermissionFacts } from '../../lib/policy/permission.js';

const facts = (own: Partial<PermissionFacts>): PermissionFacts => ({
  method: 'GET',
  idempotent: undefined,
  keyed: false,
  bodyReplayable: true,
  knowledge: 'unknown',
  ...own,
});

describe('permission', () => {
  // One row a kind of request, one column a knowledge: every cell of the table.
  const table = [
    {
      kind: 'safe',
      own: { method: 'GET' },
      cells: ['not-sent', 'not-applied', 'idempotent-method', 'idempotent-method'],
    },
    {
      kind: 'idempotent',
      own: { method: 'PUT' },
      cells: ['not-sent', 'not-applied', 'idempotent-method', 'idempotent-method'],
    },
    {
      kind: 'declared',
      own: { method: 'POST', idempotent: true },
      cells: ['not-sent', 'not-applied', 'declared-idempotent', 'declared-idempotent'],
    },
    {
      kind: 'keyed',
      own: { method: 'POST', keyed: true },
      cells: ['not-sent', 'not-applied', 'idempotency-key', 'idempotency-key'],
    },
    {
      kind: 'unsafe',
      own: { method: 'POST' },
      cells: ['not-sent', 'not-applied', '!answer-lost', '!outcome-unknown'],
    },
    {
      kind: 'declared unsafe',
      own: { method: 'GET', idempotent: false },
      cells: ['not-sent', 'not-applied', '!answer-lost', '!outcome-unknown'],
    },
  ] as const;

  test.each(
    table.flatMap(({ kind, own, cells }) =>
      KNOWLEDGE.map((knowledge, at) => ({ kind, knowledge, own, cell: cells[at] ?? '' })),
    ),
  )('a $kind request after $knowledge: $cell', ({ own, knowledge, cell }) => {
    const expected = cell.startsWith('!')
      ? { kind: 'denied', because: cell.slice(1) }
      : { kind: 'granted', grounds: cell };
    expect(permissionFor(facts({ ...own, knowledge }))).toEqual(expected);
  });

  test('has no row that the test above does not know', () => {
    const kinds = table.map(({ kind }) => kind).filter((kind) => kind in PERMISSION_TABLE);
    expect(kinds).toEqual(Object.keys(PERMISSION_TABLE));
  });

  test.each([
    [{ method: 'PUT', idempotent: true, keyed: true }, 'declared-idempotent'],
    [{ method: 'PUT', keyed: true }, 'idempotency-key'],
    [{ method: 'GET', idempotent: false, keyed: true }, 'idempotency-key'],
  ])("takes the caller's word before the key, and the key before the method: %j", (own, grounds) => {
    expect(permissionFor(facts(own))).toEqual({ kind: 'granted', grounds });
  });

  test.each(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE', 'QUERY'])('%s may be repeated', (method) => {
    expect(isRepeatable({ method, idempotent: undefined, keyed: false })).toBe(true);
  });

  test.each(['POST', 'PATCH', 'CONNECT', 'PROPFIND'])('%s may not', (method) => {
    expect(isRepeatable({ method, idempotent: undefined, keyed: false })).toBe(false);
  });

  test('a body that cannot be sent again denies, whatever else is granted', () => {
    const denied = { kind: 'denied', because: 'body-not-replayable' };
    expect(permissionFor(facts({ method: 'PUT', bodyReplayable: false }))).toEqual(denied);
    expect(permissionFor(facts({ method: 'POST', bodyReplayable: false, knowledge: 'not-applied' }))).toEqual(
      denied,
    );
  });

  test('an unknown outcome is the greater doubt than a body that is gone', () => {
    expect(permissionFor(facts({ method: 'POST', bodyReplayable: false }))).toEqual({
      kind: 'denied',
      because: 'outcome-unknown',
    });
  });
});
