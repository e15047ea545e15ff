import type { JournalEntry } from '../../lib/index';
import { Replay } from '../../lib/cli/replay';
import type { ReplaySummary } from '../../lib/cli/replay';
import type { Difference } from '../../lib/cli/difference';
import { readPolicyChange } from '../../lib/cli/policy-change';

// Journals written by hand: each test changes what it is about.

export const T0 = Date.UTC(2026, 0, 1, 2, 14, 7);

interface Parts {
  readonly [name: string]: unknown;
}

/** An entry `atMs` after the operation began, numbered by its place in `journalOf`. */
export interface Line extends Parts {
  readonly event: string;
  readonly atMs: number;
}

export function opened({ terms, ...parts }: { readonly terms?: Parts } & Parts = {}): Line {
  return {
    ...{ event: 'operation-opened', atMs: 0, method: 'GET', origin: 'https://api.example.com', mode: 'act' },
    ...{ route: '/orders/:id', scopes: ['api.example.com /orders/:id', 'api.example.com'] },
    terms: {
      ...{ exchanges: 4, maxHintMs: 60_000, jitter: 0.1, allowance: 'none', notApplied: [] },
      backoff: { firstMs: 500, factor: 2, maxMs: 30_000 },
      transient: [408, 425, 429, 500, 502, 503, 504],
      ...terms,
    },
    ...parts,
  };
}

/** A 503 by default, for which nobody knows whether the server did anything. */
export function observation(parts: Parts & { readonly atMs: number; readonly exchange: number }): Line {
  const receivedEpochMs = T0 + parts.atMs;
  return {
    ...{ event: 'observation', end: 'answer', status: 503, resolved: false, verdict: 'transient' },
    ...{ knowledge: 'unknown', tookMs: 20, sentEpochMs: receivedEpochMs - 20, receivedEpochMs, hint: SILENT },
    ...parts,
  };
}

export function weighed(parts: Parts & { readonly atMs: number; readonly exchange: number }): Line {
  return {
    ...{ event: 'weighed', cancelled: false, deadlinePassed: false, serverSaidNo: false, roll: 0.5 },
    ...{ knowledge: 'unknown', exchangesLeft: 4 - parts.exchange, allowanceEmpty: false },
    ...{ backoffMs: 500 * 2 ** (parts.exchange - 1), reserveMs: 0 },
    request: { method: 'GET', keyed: false, bodyReplayable: true },
    ...parts,
  };
}

export function success(parts: Parts & { readonly atMs: number; readonly exchange: number }): Line {
  return observation({ status: 200, resolved: true, verdict: 'final', knowledge: 'answered', ...parts });
}

export function closed(parts: Parts & { readonly atMs: number }): Line {
  return {
    ...{ event: 'operation-closed', outcome: 'succeeded', exchanges: 1, knowledge: 'answered' },
    ...{ tookMs: parts.atMs },
    ...parts,
  };
}

export const SILENT = { kind: 'silent', because: 'missing' } as const;

export function hint(delayMs: number): Parts {
  const raw = String(delayMs / 1000);
  return { kind: 'hint', source: 'retry-after', raw, form: 'delay-seconds', delayMs, clock: 'none' };
}

/** The entries of one operation. */
export function entriesOf(lines: readonly Line[], operation: string = 'k3x9q1-17'): readonly JournalEntry[] {
  return lines.map(({ atMs, event, ...parts }, at) => {
    const stamp = { v: 1, n: at + 1, atEpochMs: T0 + atMs, monoMs: 1000 + atMs, operation, event };
    return { ...stamp, ...parts } as unknown as JournalEntry;
  });
}

export function ndjson(entries: Iterable<JournalEntry>): string {
  return [...entries].map((entry) => `${JSON.stringify(entry)}\n`).join('');
}

export interface Replayed {
  readonly differences: readonly Difference[];
  readonly summary: ReplaySummary;
}

/** @param policy as a policy file has it */
export function replayed(entries: Iterable<JournalEntry>, policy?: unknown): Replayed {
  const replay = new Replay(policy === undefined ? undefined : readPolicyChange(policy));
  const differences = [...entries].flatMap((entry) => replay.read(entry));
  return { differences, summary: replay.summary() };
}
