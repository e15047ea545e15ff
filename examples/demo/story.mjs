import { bold, dim } from './colours.mjs';

/** The journal of the operation with most to tell, and of the gate that it waited at. */
export function storyOf(entries) {
  const own = mostEventful(entries);
  const gate = own.find(({ event }) => event === 'hold-entered')?.gate;
  const { n: first, operation, monoMs: startMs, method, origin, route } = own[0];
  const told = entries.filter(
    (entry) => own.includes(entry) || (isOfGate(entry) && entry.gate === gate && entry.n > first),
  );
  return [
    `  ${bold('The journal of one of the calls, and of the gate that it waited at')}`,
    `  ${dim(`operation ${operation}: ${method} at ${origin}, route ${route}`)}`,
    '',
    ...told.flatMap((entry) => linesOf(entry, startMs)),
    '',
  ].join('\n');
}

/** The entries of one that was refused, and better still was a probe. */
function mostEventful(entries) {
  const byOperation = new Map();
  for (const entry of entries.filter((entry) => !isOfGate(entry))) {
    byOperation.set(entry.operation, [...(byOperation.get(entry.operation) ?? []), entry]);
  }
  const weightOf = (own) =>
    2 * own.some(({ decision }) => decision === 'again') +
    own.some(({ event }) => event === 'probe-accepted');
  return [...byOperation.values()].sort((a, b) => weightOf(b) - weightOf(a))[0];
}

function isOfGate({ event }) {
  return event.startsWith('gate-');
}

function linesOf(entry, startMs) {
  const words = WORDS[entry.event]?.(entry);
  if (words === undefined) return [];
  const at = `${((entry.monoMs - startMs) / 1000).toFixed(3).padStart(8)} s`;
  const [what, ...lines] = words;
  const head = `  ${dim(at)}  ${isOfGate(entry) ? dim('gate'.padEnd(10)) : what.padEnd(10)}`;
  return lines.map((line, index) => `${index === 0 ? head : ' '.repeat(24)} ${line}`);
}

/** What each entry says: a name, then lines of words. Entries without words are left out. */
const WORDS = {
  'operation-opened': ({ terms, budgetMs }) => [
    'opened',
    `may send ${terms.exchanges} exchanges within ${seconds(budgetMs)}`,
  ],
  'exchange-sent': ({ exchange }) => ['sent', `exchange ${exchange}`],
  observation: ({ status, code, hint, verdict }) => [
    'answer',
    `${status ?? code}${verdict === 'limit' ? ': a limit' : ''}${
      hint.kind === 'hint' ? `; "${hint.source}: ${hint.raw}" asks for ${seconds(hint.delayMs)}` : ''
    }`,
  ],
  weighed: ({ backoffMs, remainingMs, exchangesLeft }) => [
    'weighed',
    `own delay ${seconds(backoffMs)}, ${seconds(remainingMs)} and ${exchangesLeft} exchanges left`,
  ],
  'permission-granted': ({ grounds }) => ['permission', `granted, ${GROUNDS[grounds] ?? grounds}`],
  'permission-denied': ({ because }) => ['permission', `denied: ${because}`],
  decision: (entry) => ['decision', `row ${entry.row}: ${DECISIONS[entry.decision](entry)}`],
  'hold-entered': ({ state, ahead }) => [
    'waits',
    `${STATES[state] ?? `the gate is ${state}`}; ${ahead} others wait there`,
  ],
  'wait-ended': ({ waitedMs, how }) => [
    'wait over',
    how === 'pass'
      ? `after ${seconds(waitedMs)}, with a pass for one exchange`
      : `after ${seconds(waitedMs)}: ${how}`,
  ],
  'probe-sent': ({ exchange }) => [
    'probe',
    `exchange ${exchange} goes alone, and asks for everyone who waits`,
  ],
  'probe-accepted': () => ['accepted', 'the API serves again: the others may follow, little by little'],
  'operation-closed': ({ outcome, exchanges, tookMs }) => [
    'closed',
    `${outcome} after ${exchanges === 1 ? '1 exchange' : `${exchanges} exchanges`} and ${seconds(tookMs)}`,
  ],
  'gate-hold-began': ({ untilMonoMs, monoMs }) => [
    'gate',
    `closed for everyone of the route, for ${seconds(untilMonoMs - monoMs)}`,
  ],
  'gate-hold-ended': () => ['gate', 'the hold is over; whether the API is back nobody knows'],
  'gate-probe': ({ operation }) => ['gate', `${operation} is the probe`],
  'gate-verdict': ({ verdict }) => ['gate', `the probe's verdict: ${verdict}`],
  'gate-overshoot': ({ accepted }) => ['gate', `met the limit after ${accepted} were served`],
  'gate-rate': ({ perSecond }) => ['gate', `learned to send ${perSecond.toFixed(1)} a second at most`],
  'gate-opened': () => ['gate', 'open: nobody waits any more'],
};

const DECISIONS = {
  again: ({ delayMs, floor }) =>
    `again, not before ${seconds(delayMs)} from now: ${floor === 'hint' ? "the API's word counts" : 'its own delay'}`,
  settle: () => 'settle, this is the answer',
  stop: ({ because }) => `stop: ${because}`,
};

const GROUNDS = {
  'idempotent-method': 'a GET may be sent twice',
  'not-applied': 'the API has not applied it',
  'not-sent': 'it has not been sent',
};

const STATES = {
  held: 'the gate is closed',
  open: 'the gate lets a first burst go little by little',
  probing: 'somebody else is the probe',
  ramping: 'the gate lets the queue go little by little',
  gliding: 'the gate keeps to the rate that it has learned',
};

function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}
