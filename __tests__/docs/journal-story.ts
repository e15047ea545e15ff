import type { JournalEntry } from '../../lib/index';
import { scriptedClient } from '../support/scripted-client';
import { settled } from '../support/world';

/** The lines of the story that docs/journal.md tells, as they come out of a run. */
export async function storyLines(): Promise<readonly string[]> {
  const { api, clock, heeding, entries } = scriptedClient(
    [
      {
        ...{ status: 429, afterMs: 40 },
        headers: { 'retry-after': 'Thu, 01 Jan 2026 00:00:08 GMT', date: 'Thu, 01 Jan 2026 00:00:05 GMT' },
      },
      { status: 200, afterMs: 40 },
      { status: 200, afterMs: 40 },
      { status: 500, afterMs: 40 },
    ],
    { jitter: 0, concurrency: 1, scopes: [() => 'orders'] },
  );
  const calls = [
    api.get('/orders/7'),
    api.get('/orders/8'),
    api.get('/orders/9', { heed: { budget: { seconds: 2 } } }),
  ];
  await clock.until(Promise.all(calls.map((call) => settled(call))));
  const { error } = await clock.until(settled(api.post('/orders', { id: 10 })));
  heeding.conclude(error, { conclusion: 'not booked', detail: 'asked the order service' });
  const operations = [...new Set(entries.flatMap(({ operation }) => operation ?? []))];
  return entries.map((entry) => lineOf(entry, 'ABCD'[operations.indexOf(entry.operation ?? '')] ?? ''));
}

function lineOf({ n, monoMs, event, ...facts }: JournalEntry, who: string): string {
  const told = Object.entries(facts).filter(([name]) => !UNTOLD.has(name));
  const words = told.map(([name, value]) => `${name} ${shown(value)}`).join(', ');
  return `${String(n).padStart(3)} ${String(monoMs).padStart(5)} ${who.padEnd(1)}  ${event}${words === '' ? '' : `: ${words}`}`;
}

const UNTOLD = new Set([
  ...[
    'v',
    'atEpochMs',
    'operation',
    'origin',
    'scopes',
    'mode',
    'terms',
    'gates',
    'client',
    'gate',
    'epoch',
    'deadlineEpochMs',
  ],
  ...[
    'sentEpochMs',
    'receivedEpochMs',
    'tookMs',
    'resolved',
    'serverDateEpochMs',
    'untilEpochMs',
    'releaseAtEpochMs',
  ],
  ...[
    'exchangesLeft',
    'allowanceEmpty',
    'roll',
    'reserveMs',
    'smoothedMs',
    'remainingMs',
    'maxHintMs',
    'backoffMs',
  ],
  ...['cancelled', 'deadlinePassed', 'serverSaidNo'],
]);

function shown(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const { kind, source, raw, clock, skewMs, delayMs, method, bodyReplayable } = value as Record<
    string,
    unknown
  >;
  if (kind === 'hint')
    return `${String(source)} "${String(raw)}" (clock ${String(clock)}, skewMs ${String(skewMs)}, delayMs ${String(delayMs)})`;
  return kind === undefined
    ? `${String(method)}, bodyReplayable ${String(bodyReplayable)}`
    : (kind as string);
}
