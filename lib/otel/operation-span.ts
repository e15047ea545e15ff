import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Attributes, Context, HrTime, Span, Tracer } from '@opentelemetry/api';
import { known, numberOf, secondsOf, textOf } from './facts.js';
import type { Facts } from './facts.js';
import { answerAttributes, redirectedAttributes, requestAttributes, spanName } from './http-attributes.js';
import { ATTRIBUTE, EVENT } from './names.js';
import type { OtelSettings } from './otel-options.js';
import { spanEventOf } from './span-event.js';

/** What an operation waits for: a gate, or only its own instant. */
export type WaitKind = 'hold' | 'pause';

/** The span of an operation that is under way, and that of the exchange it has in flight. */
export class OperationSpan {
  readonly #tracer: Tracer;
  readonly #settings: OtelSettings;
  readonly #span: Span;
  readonly #context: Context;
  #request: Attributes;
  #waiting: WaitKind | undefined;
  #exchange: OpenExchange | undefined;
  #probe: number | undefined;
  #latestEpochMs: number | undefined;

  /** Entries are told within the call that causes them: the context that is active belongs to the caller. */
  constructor(tracer: Tracer, facts: Facts, settings: OtelSettings) {
    this.#tracer = tracer;
    this.#settings = settings;
    this.#request = requestAttributes(facts, settings.knownMethods);
    this.#latestEpochMs = numberOf(facts.atEpochMs);
    const parent = context.active();
    const attributes = known({
      ...this.#request,
      [ATTRIBUTE.operationId]: textOf(facts.operation),
      [ATTRIBUTE.operationMode]: textOf(facts.mode),
    });
    const name = `heed ${spanName(this.#request)}`;
    const kind = SpanKind.INTERNAL;
    this.#span = tracer.startSpan(name, { kind, attributes, ...startOf(this.#latestEpochMs) }, parent);
    this.#context = trace.setSpan(parent, this.#span);
  }

  /** Of the exchange that is next, or in flight. */
  get request(): Attributes {
    return this.#request;
  }

  get waiting(): WaitKind | undefined {
    return this.#waiting;
  }

  take(event: string, facts: Facts): void {
    this.#moveOn(facts);
    switch (event) {
      case 'hold-entered':
        this.#waiting = 'hold';
        break;
      case 'pause-entered':
        this.#waiting = 'pause';
        break;
      case 'wait-ended':
        this.#waiting = undefined;
        break;
      case 'probe-sent':
        this.#probe = numberOf(facts.exchange);
        break;
      case 'exchange-sent':
        this.#send(facts);
        break;
      case 'observation':
        this.#observe(facts);
        break;
      case 'operation-closed':
        this.#close(facts);
        break;
    }
    const told = spanEventOf(event, facts, this.#settings);
    if (told !== undefined) this.#span.addEvent(told.name, told.attributes, this.#now);
  }

  /** Its end was not seen: the spans end where the operation was last heard of. */
  abandon(why: 'evicted' | 'closed'): void {
    this.#waiting = undefined;
    this.#exchange?.span?.end(this.#now);
    this.#span.setAttribute(ATTRIBUTE.operationAbandoned, why);
    this.#span.end(this.#now);
  }

  // A wall clock that is set back must not end a span before it began.
  #moveOn({ atEpochMs }: Facts): void {
    if (this.#latestEpochMs === undefined) return;
    this.#latestEpochMs = Math.max(this.#latestEpochMs, numberOf(atEpochMs) ?? this.#latestEpochMs);
  }

  get #now(): HrTime | undefined {
    return this.#latestEpochMs === undefined ? undefined : instantOf(this.#latestEpochMs);
  }

  #send(facts: Facts): void {
    this.#exchange?.span?.end(this.#now);
    const number = numberOf(facts.exchange);
    const attributes = known({
      ...this.#request,
      [ATTRIBUTE.exchangeNumber]: number,
      [ATTRIBUTE.resendCount]: number !== undefined && number > 1 ? number - 1 : undefined,
      [ATTRIBUTE.exchangeProbe]: number !== undefined && number === this.#probe ? true : undefined,
    });
    this.#exchange = { number, attributes, span: this.#exchangeSpan(attributes) };
  }

  #exchangeSpan(attributes: Attributes): Span | undefined {
    if (!this.#settings.exchangeSpans) return undefined;
    const name = spanName(this.#request);
    const kind = SpanKind.CLIENT;
    return this.#tracer.startSpan(name, { kind, attributes, ...startOf(this.#latestEpochMs) }, this.#context);
  }

  #observe(facts: Facts): void {
    const exchange = this.#exchange;
    if (exchange === undefined || exchange.number !== numberOf(facts.exchange)) return;
    this.#exchange = undefined;
    const attributes = answerAttributes(facts);
    if (exchange.span === undefined) {
      const duration = known({ [ATTRIBUTE.exchangeDuration]: secondsOf(facts.tookMs) });
      this.#span.addEvent(EVENT.exchange, { ...exchange.attributes, ...attributes, ...duration }, this.#now);
    } else {
      endWith(exchange.span, attributes, this.#now);
    }
    if (facts.end === 'redirect') this.#request = redirectedAttributes(this.#request, facts.status);
  }

  #close(facts: Facts): void {
    this.#waiting = undefined;
    this.#exchange?.span?.end(this.#now);
    const [outcome, reason] = [textOf(facts.outcome), textOf(facts.because)];
    const failed = outcome !== undefined && outcome !== 'succeeded';
    const attributes = known({
      [ATTRIBUTE.operationOutcome]: outcome,
      [ATTRIBUTE.operationExchanges]: numberOf(facts.exchanges),
      [ATTRIBUTE.operationEarlier]: textOf(facts.earlierOutcome),
      [ATTRIBUTE.knowledge]: textOf(facts.knowledge),
      [ATTRIBUTE.reason]: reason,
      [ATTRIBUTE.errorType]: failed ? (reason ?? '_OTHER') : undefined,
    });
    endWith(this.#span, attributes, this.#now);
  }
}

interface OpenExchange {
  readonly number: number | undefined;
  readonly attributes: Attributes;
  readonly span: Span | undefined;
}

/** An error is what has a type; without one the status stays unset, as the conventions want it. */
function endWith(span: Span, attributes: Attributes, end: HrTime | undefined): void {
  span.setAttributes(attributes);
  if (attributes[ATTRIBUTE.errorType] !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(end);
}

function startOf(epochMs: number | undefined): { readonly startTime?: HrTime } {
  return epochMs === undefined ? {} : { startTime: instantOf(epochMs) };
}

// Seconds and nanoseconds: a number alone is taken for one of another clock when it is small.
function instantOf(epochMs: number): HrTime {
  const seconds = Math.floor(epochMs / 1000);
  return [seconds, Math.floor((epochMs - seconds * 1000) * 1e6)];
}
