import type { Tracer } from '@opentelemetry/api';
import { textOf } from './facts.js';
import type { Facts } from './facts.js';
import type { Instruments, Known } from './instruments.js';
import { OperationSpan } from './operation-span.js';
import type { OtelSettings } from './otel-options.js';

/** The journal as it comes, entry by entry; remembers the operations that are open, up to a bound. */
export class TelemetryStream {
  readonly #tracer: Tracer;
  readonly #instruments: Instruments;
  readonly #settings: OtelSettings;
  readonly #open: Map<string, OperationSpan> = new Map();

  constructor(tracer: Tracer, instruments: Instruments, settings: OtelSettings) {
    this.#tracer = tracer;
    this.#instruments = instruments;
    this.#settings = settings;
  }

  take(facts: Facts): void {
    const event = textOf(facts.event);
    if (event === undefined) return;
    if (event.startsWith('gate-')) {
      this.#instruments.countGate(event, facts);
      return;
    }
    const id = textOf(facts.operation);
    if (id === undefined) this.#instruments.countOperation(event, facts, NOTHING);
    else this.#takeOf(id, event, facts);
  }

  close(): void {
    for (const id of [...this.#open.keys()]) this.#letGo(id, 'closed');
  }

  #takeOf(id: string, event: string, facts: Facts): void {
    if (event === 'operation-opened') this.#start(id, facts);
    const operation = this.#open.get(id);
    // As it was before the entry: what was waited for, and where the exchange that has ended went.
    const { request, waiting } = operation ?? NOTHING;
    if (event === 'operation-closed') this.#open.delete(id);
    this.#instruments.countOperation(event, facts, { request, waiting });
    operation?.take(event, facts);
    this.#instruments.moveInQueue(waiting, operation?.waiting);
  }

  #start(id: string, facts: Facts): void {
    this.#letGo(id, 'evicted');
    this.#open.set(id, new OperationSpan(this.#tracer, facts, this.#settings));
    if (this.#open.size <= this.#settings.maxOpenOperations) return;
    const [oldest] = this.#open.keys();
    if (oldest !== undefined) this.#letGo(oldest, 'evicted');
  }

  #letGo(id: string, why: 'evicted' | 'closed'): void {
    const operation = this.#open.get(id);
    if (operation === undefined) return;
    this.#open.delete(id);
    this.#instruments.moveInQueue(operation.waiting, undefined);
    operation.abandon(why);
  }
}

const NOTHING: Known = { request: {}, waiting: undefined };
