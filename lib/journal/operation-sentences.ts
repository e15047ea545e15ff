import type { GateEvent } from '../operation/journal-entry.js';
import type { EntryOf, EventName, Sentences } from './sentences.js';
import { hintSentence } from './hint-sentence.js';
import { END_WORDS, explained, GROUNDS_WORDS, inWords, KNOWLEDGE_WORDS, REASON_WORDS } from './explained.js';
import { countText, instantText, listText, plainNumber, spanText } from './span-text.js';

/** What the entries of an operation say. */
export const OPERATION_SENTENCES: Sentences<Exclude<EventName, GateEvent['event']>> = {
  'operation-opened': openedSentence,
  'hold-entered': ({ gate, state, ahead, releaseAtEpochMs }) =>
    `Waits at the gate ${gate} (${state}), ${ahead} ahead of it${until(releaseAtEpochMs)}.`,
  'pause-entered': ({ releaseAtEpochMs, because }) =>
    because === 'offline'
      ? 'Waits for a network, at no gate.'
      : `Waits by itself, at no gate${until(releaseAtEpochMs)}.`,
  'hold-refused': ({ gate, because, releaseAtEpochMs }) =>
    `Is refused at the gate ${gate} (${explained(because, REASON_WORDS)})${opens(releaseAtEpochMs)}.`,
  'wait-ended': ({ waitedMs, how }) => `Has waited ${spanText(waitedMs)}${waitEnd(how)}.`,
  'hook-ended': ({ hook, how, tookMs, why, notBeforeEpochMs }) =>
    `The hook ${hook} took ${spanText(tookMs)}: ${how}${toldWhy(why)}${notBefore(notBeforeEpochMs)}.`,
  reconciled: ({ exchange, outcome }) =>
    `The application has looked up what became of exchange ${exchange}: ${outcome}.`,
  'exchange-sent': ({ exchange, gates }) => `Sends exchange ${exchange}${through(gates)}.`,
  'probe-sent': ({ exchange, gates }) => `Exchange ${exchange} is the probe of ${listText(gates)}.`,
  'probe-accepted': ({ exchange, gates }) =>
    `The probe, exchange ${exchange}, was accepted: ${listText(gates)} may let others go.`,
  'cancel-requested': () => 'The caller cancels.',
  observation: observationSentence,
  weighed: weighedSentence,
  'permission-granted': ({ grounds, knowledge }) =>
    `May be sent again (${explained(grounds, GROUNDS_WORDS)}; known of it: ${knowledge}).`,
  'permission-denied': ({ because, knowledge }) =>
    `May not be sent again (${explained(because, REASON_WORDS)}; known of it: ${knowledge}).`,
  decision: decisionSentence,
  'operation-closed': closedSentence,
  concluded: ({ conclusion, detail }) => `The application concludes: ${conclusion}${toldWhy(detail)}.`,
};

function openedSentence({
  method,
  origin,
  route,
  mode,
  terms,
  ...more
}: EntryOf<'operation-opened'>): string {
  const most = `at most ${countText(mode === 'act' ? terms.exchanges : 1, 'exchange')}`;
  const inAll = more.budgetMs === undefined ? '' : `, ${spanText(more.budgetMs)} in all`;
  const end = more.deadlineEpochMs === undefined ? '' : `, until ${instantText(more.deadlineEpochMs)}`;
  const gates = more.scopes.length > 0 ? `, scopes ${listText(more.scopes)}` : '';
  const how = mode === 'act' ? '' : ` (${inWords(mode, MODE_WORDS)})`;
  return `${method} ${origin}${route} begins${how}: ${most}${inAll}${end}${gates}.`;
}

const MODE_WORDS = { observe: 'only observed', bare: 'past the gates' };

function observationSentence(entry: EntryOf<'observation'>): string {
  const { exchange, end, verdict, knowledge, tookMs, status, code, hint } = entry;
  const what = [status, code].filter((fact) => fact !== undefined).join(' ');
  const seen = `Exchange ${exchange} ${inWords(end, END_WORDS)}${what === '' ? '' : ` (${what})`}`;
  const by = entry.answeredBy === undefined ? '' : ` by ${entry.answeredBy}, where a redirect led`;
  const from = `${by}${entry.fromCache === true ? ', from a cache' : ''}`;
  const known = verdict === 'final' ? '' : `; ${inWords(knowledge, KNOWLEDGE_WORDS)}`;
  return `${seen} after ${spanText(tookMs)}${from}: ${verdict}${known}.${hintSentence(hint, verdict)}`;
}

function weighedSentence(entry: EntryOf<'weighed'>): string {
  const { knowledge, exchangesLeft, backoffMs, roll, reserveMs, remainingMs, maxHintMs } = entry;
  const facts = [
    `known of it: ${knowledge}`,
    `${countText(exchangesLeft, 'exchange')} left`,
    `own backoff ${spanText(backoffMs)} (roll ${plainNumber(roll)})`,
    `reserve ${spanText(reserveMs)}`,
    remainingMs === undefined ? 'no deadline' : `${spanText(remainingMs)} to the deadline`,
    ...(maxHintMs === undefined ? [] : [`hints up to ${spanText(maxHintMs)}`]),
    ...(entry.cancelled ? ['the caller has cancelled'] : []),
    ...(entry.deadlinePassed ? ['the deadline has passed'] : []),
    ...(entry.serverSaidNo ? ['the server says that it is useless'] : []),
    ...(entry.allowanceEmpty ? ['the allowance is empty'] : []),
    ...(entry.request.bodyReplayable ? [] : ['the body cannot be sent twice']),
  ];
  return `Weighs exchange ${entry.exchange}: ${facts.join(', ')}.`;
}

function decisionSentence({ exchange, row, decision, because, delayMs, floor }: EntryOf<'decision'>): string {
  const by = `Row ${row} of the table decides exchange ${exchange}`;
  if (decision === 'again') {
    const set =
      floor === undefined ? '' : ` (${floor === 'hint' ? 'the hint of the server' : 'own backoff'})`;
    return `${by}: again, not before ${spanText(delayMs ?? 0)} from receipt${set}.`;
  }
  return `${by}: ${decision}${reason(because)}.`;
}

function closedSentence(entry: EntryOf<'operation-closed'>): string {
  const { outcome, because, exchanges, knowledge, earlierOutcome, tookMs } = entry;
  const after = exchanges === 0 ? 'nothing was sent' : `after ${countText(exchanges, 'exchange')}`;
  const known = outcome === 'succeeded' ? '' : `; ${inWords(knowledge, KNOWLEDGE_WORDS)}`;
  const trace = earlierOutcome === undefined ? '' : '; the answer may be the trace of an earlier exchange';
  return `Ends ${outcome}${reason(because)}, ${after}, in ${spanText(tookMs)}${exchanges === 0 ? '' : known}${trace}.`;
}

function reason(because: string | undefined): string {
  return because === undefined ? '' : ` (${explained(because, REASON_WORDS)})`;
}

function waitEnd(how: string): string {
  if (how === 'pass') return ' and may go';
  return how === 'left' ? ' and waits no longer' : ` and is refused (${explained(how, REASON_WORDS)})`;
}

function until(releaseAtEpochMs: number | undefined): string {
  return releaseAtEpochMs === undefined ? '' : `, until ${instantText(releaseAtEpochMs)} at least`;
}

function opens(releaseAtEpochMs: number | undefined): string {
  return releaseAtEpochMs === undefined
    ? ''
    : `, which lets nobody go before ${instantText(releaseAtEpochMs)}`;
}

function notBefore(epochMs: number | undefined): string {
  return epochMs === undefined ? '' : `, not before ${instantText(epochMs)}`;
}

function toldWhy(why: string | undefined): string {
  return why === undefined ? '' : ` (${why})`;
}

function through(gates: readonly string[]): string {
  return gates.length === 0 ? '' : ` through ${listText(gates)}`;
}
