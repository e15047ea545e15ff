import type { GateEvent } from '../operation/journal-entry.js';
import type { EntryOf, Sentences } from './sentences.js';
import { CAUSE_WORDS, explained, REASON_WORDS } from './explained.js';
import { instantText, plainNumber, spanText } from './span-text.js';

/** What the entries of a gate say. None says that the server is back before a new operation has succeeded. */
export const GATE_SENTENCES: Sentences<GateEvent['event']> = {
  'gate-hold-began': (entry) => `The gate ${entry.gate} is held ${holdOf(entry)}.`,
  'gate-hold-extended': (entry) => `The gate ${entry.gate} stays held ${holdOf(entry)}.`,
  'gate-hold-ended': ({ gate }) =>
    `The hold of the gate ${gate} is over; whether the server is back is not known yet.`,
  'gate-lease': ({ gate, outcome }) =>
    `The gate ${gate} asks who may probe: ${outcome === 'granted' ? 'this client' : 'another client'} (${outcome}).`,
  'gate-probe': ({ gate }) => `The gate ${gate} sends a probe.`,
  'gate-verdict': ({ gate, verdict }) =>
    `The probe of the gate ${gate}: ${explained(verdict, VERDICT_WORDS)}.`,
  'gate-overshoot': ({ gate, accepted, inFlight }) =>
    `The gate ${gate} met a limit while it let others go: ${accepted} accepted since the hold, ${inFlight} in flight.`,
  'gate-rate': ({ gate, perSecond }) =>
    `The gate ${gate} has learned what the server takes: ${plainNumber(perSecond)} per second.`,
  'gate-released': ({ gate, state }) =>
    `The gate ${gate} lets its queue go (${explained(state, RELEASE_WORDS)}).`,
  'gate-opened': ({ gate }) => `The gate ${gate} is open.`,
  'gate-proven': ({ gate }) => `The gate ${gate} is proven: a new operation has succeeded.`,
  'gate-released-by-hand': ({ gate }) => `The application has ended the hold of the gate ${gate}.`,
  'gate-evicted': ({ gate, state }) => `The gate ${gate} (${state}) is forgotten to make room for others.`,
  'gate-refused': ({ gate, because }) =>
    `The gate ${gate} refuses an operation (${explained(because, REASON_WORDS)}).`,
  'gate-store-failed': ({ gate, call }) => `The store failed for the gate ${gate}: ${call}.`,
  'gate-store-recovered': ({ gate }) => `The store answers again for the gate ${gate}.`,
  'gate-store-ignored': ({ gate, because }) =>
    `What the store said of the gate ${gate} is not heeded (${because}).`,
};

const VERDICT_WORDS = {
  accepted: 'the server takes requests',
  limited: 'the server says "not now" again',
  failed: 'it failed, the gate is held again',
  none: 'its lease ran out, another may probe',
};

const RELEASE_WORDS = {
  ramping: 'a few at first, then as many more as are accepted',
  gliding: 'evenly, at a rate that the server has taken before',
};

type Hold = EntryOf<'gate-hold-began'>;

function holdOf({ untilEpochMs, because, hintMs, limitedProbes, why }: Hold): string {
  const longer =
    limitedProbes === undefined ? '' : ` and longer: ${limitedProbes} probes in a row met a limit`;
  const hint = hintMs === undefined ? '' : `, ${spanText(hintMs)}${longer}`;
  const words = why === undefined ? '' : `, "${why}"`;
  return `until ${instantText(untilEpochMs)} (${explained(because, CAUSE_WORDS)}${hint}${words})`;
}
