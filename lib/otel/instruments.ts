import type { Attributes, Counter, Histogram, Meter, UpDownCounter } from '@opentelemetry/api';
import { known, numberOf, secondsOf, textOf } from './facts.js';
import type { Facts } from './facts.js';
import { errorTypeOf } from './http-attributes.js';
import { ATTRIBUTE, METRIC } from './names.js';
import type { WaitKind } from './operation-span.js';
import type { OtelSettings } from './otel-options.js';

/** What is known of an operation beside the entry that is counted; nothing, if its beginning was not seen. */
export interface Known {
  readonly request: Attributes;
  readonly waiting: WaitKind | undefined;
}

/** The metrics. Their attributes are from closed lists, but for the server's name and, if asked for, labels. */
export class Instruments {
  readonly #settings: OtelSettings;
  readonly #operations: Counter;
  readonly #exchanges: Counter;
  readonly #holds: Counter;
  readonly #probes: Counter;
  readonly #refusals: Counter;
  readonly #queueLength: UpDownCounter;
  readonly #waitDuration: Histogram;
  readonly #requestDuration: Histogram | undefined;
  #lastGateEntry: string | undefined;

  constructor(meter: Meter, settings: OtelSettings) {
    this.#settings = settings;
    const counter = (name: string, unit: string, description: string): Counter =>
      meter.createCounter(name, { unit, description });
    this.#operations = counter(METRIC.operations, '{operation}', 'Operations that have ended');
    this.#exchanges = counter(METRIC.exchanges, '{exchange}', 'Exchanges that have ended');
    this.#holds = counter(METRIC.holds, '{hold}', 'Holds of gates that have begun');
    this.#probes = counter(METRIC.probes, '{probe}', 'Verdicts of probes');
    this.#refusals = counter(METRIC.refusals, '{refusal}', 'Waits that were refused or broken off');
    this.#queueLength = meter.createUpDownCounter(METRIC.queueLength, {
      unit: '{operation}',
      description: 'Operations that are waiting',
    });
    this.#waitDuration = meter.createHistogram(METRIC.waitDuration, {
      unit: 's',
      description: 'Time that operations waited before an exchange',
      advice: { explicitBucketBoundaries: WAITS },
    });
    if (!settings.requestDuration) return;
    this.#requestDuration = meter.createHistogram(METRIC.requestDuration, {
      unit: 's',
      description: 'Duration of HTTP client requests.',
      advice: { explicitBucketBoundaries: REQUESTS },
    });
  }

  countOperation(event: string, facts: Facts, beside: Known): void {
    switch (event) {
      case 'observation':
        this.#countExchange(facts, beside);
        break;
      case 'hold-refused':
        this.#refusals.add(1, { ...reasonOf(facts), ...serverOf(beside), ...this.#labelOf(facts) });
        break;
      case 'wait-ended':
        this.#recordWait(facts, beside);
        break;
      case 'operation-closed':
        this.#countClosed(facts, beside);
        break;
    }
  }

  countGate(event: string, facts: Facts): void {
    if (this.#isTwin(event, facts)) return;
    const label = this.#labelOf(facts);
    if (event === 'gate-hold-began') {
      this.#holds.add(1, { ...known({ [ATTRIBUTE.holdCause]: textOf(facts.because) }), ...label });
    } else if (event === 'gate-verdict') {
      this.#probes.add(1, { ...known({ [ATTRIBUTE.probeVerdict]: textOf(facts.verdict) }), ...label });
    }
  }

  /** One operation, before and after an entry. */
  moveInQueue(before: WaitKind | undefined, after: WaitKind | undefined): void {
    if (before === after) return;
    if (before !== undefined) this.#queueLength.add(-1, { [ATTRIBUTE.waitKind]: before });
    if (after !== undefined) this.#queueLength.add(1, { [ATTRIBUTE.waitKind]: after });
  }

  // Clients that share gates are told the same in turn, one right after the other.
  #isTwin(event: string, { gate, epoch, verdict }: Facts): boolean {
    const entry = JSON.stringify([event, gate, epoch, verdict]);
    const isTwin = entry === this.#lastGateEntry;
    this.#lastGateEntry = entry;
    return isTwin;
  }

  #countExchange(facts: Facts, { request }: Known): void {
    const status = numberOf(facts.status);
    this.#exchanges.add(
      1,
      known({
        [ATTRIBUTE.method]: request[ATTRIBUTE.method],
        [ATTRIBUTE.serverAddress]: request[ATTRIBUTE.serverAddress],
        [ATTRIBUTE.exchangeStatusClass]: status === undefined ? undefined : classOf(status),
        [ATTRIBUTE.exchangeVerdict]: textOf(facts.verdict),
      }),
    );
    const seconds = secondsOf(facts.tookMs);
    if (seconds === undefined) return;
    this.#requestDuration?.record(
      seconds,
      known({
        [ATTRIBUTE.method]: request[ATTRIBUTE.method],
        [ATTRIBUTE.serverAddress]: request[ATTRIBUTE.serverAddress],
        [ATTRIBUTE.serverPort]: request[ATTRIBUTE.serverPort],
        [ATTRIBUTE.status]: status,
        [ATTRIBUTE.errorType]: errorTypeOf(facts),
      }),
    );
  }

  #recordWait(facts: Facts, { waiting }: Known): void {
    const seconds = secondsOf(facts.waitedMs);
    if (seconds === undefined) return;
    const attributes = { [ATTRIBUTE.waitKind]: waiting, [ATTRIBUTE.waitEnd]: textOf(facts.how) };
    this.#waitDuration.record(seconds, known(attributes));
  }

  #countClosed(facts: Facts, beside: Known): void {
    const outcome = known({ [ATTRIBUTE.operationOutcome]: textOf(facts.outcome) });
    this.#operations.add(1, { ...outcome, ...reasonOf(facts), ...serverOf(beside) });
  }

  #labelOf({ gate }: Facts): Attributes {
    return this.#settings.gateLabels ? known({ [ATTRIBUTE.gateLabel]: textOf(gate) }) : {};
  }
}

function reasonOf({ because }: Facts): Attributes {
  return known({ [ATTRIBUTE.reason]: textOf(because) });
}

function serverOf({ request }: Known): Attributes {
  return known({ [ATTRIBUTE.serverAddress]: request[ATTRIBUTE.serverAddress] });
}

function classOf(status: number): string | undefined {
  return status >= 100 && status < 1000 ? `${Math.floor(status / 100)}xx` : undefined;
}

// From a backoff of a moment to holds of an hour.
const WAITS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600];

// As the conventions advise for this metric.
const REQUESTS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
