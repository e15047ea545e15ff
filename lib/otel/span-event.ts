import type { Attributes } from '@opentelemetry/api';
import type { JournalEntry } from '../operation/journal-entry.js';
import { known, numberOf, secondsOf, secondsUntil, textOf } from './facts.js';
import type { Facts } from './facts.js';
import { ATTRIBUTE, EVENT } from './names.js';

export interface SpanEvent {
  readonly name: string;
  readonly attributes: Attributes;
}

/** What an entry says as an event of its operation's span; most entries say nothing there. */
export function spanEventOf(
  event: string,
  facts: Facts,
  { gateLabels }: { readonly gateLabels: boolean },
): SpanEvent | undefined {
  const form = FORMS.get(event);
  if (form === undefined) return undefined;
  const label = gateLabels ? { [ATTRIBUTE.gateLabel]: textOf(facts.gate) } : {};
  return { name: form.name, attributes: known({ ...form.attributes(facts), ...label }) };
}

interface Form {
  readonly name: string;
  readonly attributes: (facts: Facts) => Parameters<typeof known>[0];
}

const reason = (facts: Facts): ReturnType<Form['attributes']> => ({
  [ATTRIBUTE.reason]: textOf(facts.because),
});

const exchange = (facts: Facts): ReturnType<Form['attributes']> => ({
  [ATTRIBUTE.exchangeNumber]: numberOf(facts.exchange),
});

const expected = (facts: Facts): ReturnType<Form['attributes']> => ({
  [ATTRIBUTE.waitExpected]: secondsUntil(facts.releaseAtEpochMs, facts),
});

const permission =
  (result: 'granted' | 'denied'): Form['attributes'] =>
  (facts) => ({
    [ATTRIBUTE.permissionResult]: result,
    [ATTRIBUTE.permissionGrounds]: textOf(facts.grounds),
    [ATTRIBUTE.knowledge]: textOf(facts.knowledge),
    ...reason(facts),
  });

const forms: Partial<Record<JournalEntry['event'], Form>> = {
  'hold-entered': {
    name: EVENT.hold,
    attributes: (facts) => ({
      [ATTRIBUTE.gateState]: textOf(facts.state),
      [ATTRIBUTE.queueAhead]: numberOf(facts.ahead),
      ...expected(facts),
    }),
  },
  'pause-entered': {
    name: EVENT.pause,
    attributes: (facts) => ({ [ATTRIBUTE.waitCause]: textOf(facts.because), ...expected(facts) }),
  },
  'hold-refused': { name: EVENT.refused, attributes: (facts) => ({ ...reason(facts), ...expected(facts) }) },
  'wait-ended': {
    name: EVENT.waitEnded,
    attributes: (facts) => ({
      [ATTRIBUTE.waitDuration]: secondsOf(facts.waitedMs),
      [ATTRIBUTE.waitEnd]: textOf(facts.how),
    }),
  },
  'hook-ended': {
    name: EVENT.hookEnded,
    attributes: (facts) => ({
      [ATTRIBUTE.hookName]: textOf(facts.hook),
      [ATTRIBUTE.hookResult]: textOf(facts.how),
      [ATTRIBUTE.hookDuration]: secondsOf(facts.tookMs),
    }),
  },
  'probe-accepted': { name: EVENT.probeAccepted, attributes: exchange },
  'permission-granted': { name: EVENT.permission, attributes: permission('granted') },
  'permission-denied': { name: EVENT.permission, attributes: permission('denied') },
  decision: {
    name: EVENT.decision,
    attributes: (facts) => ({
      ...exchange(facts),
      [ATTRIBUTE.decisionKind]: textOf(facts.decision),
      [ATTRIBUTE.decisionRow]: numberOf(facts.row),
      [ATTRIBUTE.decisionDelay]: secondsOf(facts.delayMs),
      [ATTRIBUTE.decisionFloor]: textOf(facts.floor),
      ...reason(facts),
    }),
  },
  reconciled: {
    name: EVENT.reconciled,
    attributes: (facts) => ({ ...exchange(facts), [ATTRIBUTE.reconciliation]: textOf(facts.outcome) }),
  },
  'cancel-requested': { name: EVENT.cancelRequested, attributes: () => ({}) },
};

// A map, so that an event called `constructor` finds nothing.
const FORMS: ReadonlyMap<string, Form> = new Map(Object.entries(forms));
