import type { AxiosResponse, InternalAxiosRequestConfig } from 'axios';
import type { Standstill } from '../gate/standstill.js';
import type { Answer, EnterTerms, Refused, Ticket } from '../gate/ticket.js';
import { known } from '../hint/known.js';
import { Journal } from '../operation/journal.js';
import type { JournalSubject } from '../operation/journal.js';
import type { OperationEvent } from '../operation/journal-entry.js';
import { runOperation } from '../operation/operation.js';
import type { AllowancePort, Ending, OperationPorts, OperationTerms, Readiness } from '../operation/ports.js';
import type { Doubt, Finding } from '../operation/reconciliation.js';
import type { HeedConfig } from '../options.js';
import type { RequestFacts } from '../policy/judgment.js';
import { noAnswer } from '../policy/no-answer.js';
import type { Scope } from '../model.js';
import type { Clock } from '../time/clock.js';
import type { Deadline } from '../time/deadline.js';
import type { Call, CallOptions } from './call.js';
import { isCancelled, onCancel } from './cancellation.js';
import type { Client } from './client.js';
import { deliver } from './delivery.js';
import type { AxiosReceived, Delivery } from './delivery.js';
import { attachJournal } from './errors.js';
import { sendExchange } from './exchange.js';
import { BARE } from './fresh-facts.js';
import { writeKey } from './idempotency-key.js';
import { OutgoingRequest } from './outgoing-request.js';
import { preparation } from './preparation.js';
import type { Prepare } from './preparation.js';
import { tellerOf } from './progress-teller.js';
import { askReconcile } from './reconciliation.js';
import { methodOf, placeOf } from './request-target.js';
import type { RequestTarget } from './request-target.js';

/** Gives the loop what it needs of axios: tickets by the request's scopes, exchanges over the wire. */
export class RequestOperation
  implements OperationPorts<AxiosReceived, AxiosResponse>, JournalSubject, Delivery
{
  readonly config: InternalAxiosRequestConfig;
  readonly journal: Journal;
  readonly deadline: Deadline | undefined;
  /** The last answer of the server that was an error, whatever became of later exchanges. */
  serverError: unknown;
  /** Scopes are not kept: of a hundred thousand that wait, each would keep its own. */
  first: Ticket | undefined;
  readonly #client: Client;
  readonly #options: CallOptions;
  readonly #request: OutgoingRequest;
  #prepare: Prepare | undefined;
  #tell: ((event: OperationEvent) => void) | undefined;

  constructor(client: Client, { options, deadline }: Call, config: InternalAxiosRequestConfig) {
    this.config = config;
    this.journal = new Journal(client.nextOperationId(), client.stream, this);
    this.deadline = deadline;
    this.#client = client;
    this.#options = options;
    this.#request = new OutgoingRequest(
      config,
      client.policy.maskPath,
      writeKey(config, client.policy, options),
    );
  }

  run(): Promise<AxiosResponse> {
    this.first = this.ticket();
    this.journal.open();
    return runOperation(this);
  }

  foresee(terms: EnterTerms): Refused | Standstill | undefined {
    return this.#client.gates.standing(this.scopes, terms);
  }

  overhear(answer: Answer): void {
    this.#client.gates.overhear(this.scopes, answer, this.journal.operation);
  }

  get mode(): 'act' | 'observe' | 'bare' {
    return this.#options.bare ? 'bare' : (this.#client.policy.mode ?? 'act');
  }

  get clock(): Clock {
    return this.#client.clock;
  }

  get allowance(): AllowancePort | undefined {
    return this.#client.allowance;
  }

  get connection(): Client['connection'] {
    return this.#client.connection;
  }

  get terms(): OperationTerms {
    return this.#options.terms;
  }

  get target(): RequestTarget {
    return this.#request.target;
  }

  /** As the request now is. */
  get scopes(): readonly Scope[] {
    return this.#request.scopes(this.#client.scopes);
  }

  get cancelled(): boolean {
    return isCancelled(this.config);
  }

  get detached(): boolean {
    return this.#client.closed;
  }

  opened(): OperationEvent {
    const { terms, deadline, mode, scopes } = this;
    const { budgetMs } = this.#options;
    const labels = mode === 'act' ? this.first?.labels : this.#client.gates.labelsOf(scopes);
    return known({
      event: 'operation-opened',
      method: this.target.method,
      ...placeOf(scopes, this.#request),
      scopes: labels ?? [],
      mode,
      budgetMs,
      deadlineEpochMs: deadline?.atEpochMs,
      terms: terms.note,
    });
  }

  hear(event: OperationEvent): void {
    if (this.#options.own.onProgress === undefined) return;
    this.#tell ??= tellerOf(this.#client, this.#options, this.journal.operation);
    this.#tell(event);
  }

  onCancel(run: () => void): (() => void) | undefined {
    return onCancel(this.config, run);
  }

  request(): RequestFacts {
    return this.#request.facts(this.#options.own);
  }

  ticket(): Ticket {
    const { scopes } = this;
    const { gates, policy } = this.#client;
    const turn: unknown = this.#options.own.turn ?? policy.turn?.(this.#request.scopeRequest());
    if (turn !== undefined && typeof turn !== 'string') throw noAnswer('turn', 'a string', turn);
    return gates.ticket({ scopes, owner: this.#client, operation: this.journal.operation, turn });
  }

  get idempotencyKey(): string | undefined {
    return this.#request.key;
  }

  ready(exchange: number, waitedMs: number): Promise<Readiness> | undefined {
    const { policy } = this.#client;
    const factory = this.#factory;
    const asks = (policy.beforeExchange ?? policy.readiness) !== undefined && (exchange > 1 || waitedMs > 0);
    const mayDiffer = factory !== undefined || (exchange > 1 && this.#request.keyed);
    if (!asks && !mayDiffer) return undefined;
    this.#prepare ??= preparation(this, this.#request, policy);
    return this.#prepare(asks ? { exchange, waitedMs } : undefined, factory);
  }

  async send(): Promise<AxiosReceived> {
    const { clock, deadline } = this;
    const ownsBody = this.#factory !== undefined;
    // Whoever goes past the gates goes as if nothing were there.
    const bounds =
      this.mode === 'act'
        ? { deadline, beforeRedirect: this.#request.beforeRedirect(clock) }
        : { deadline: undefined };
    const exchange = { config: this.#request.handOver(), clock, ownsBody, ...bounds };
    const received = await sendExchange(this.#client.wire, exchange);
    const { error, observation } = received;
    if (!observation.resolved && observation.status !== undefined) this.serverError = error;
    if (observation.end === 'redirect') {
      this.journal.settle(); // its first entry is made late, of the request as it then is
      this.#request.follow(error);
    }
    return received;
  }

  reconcile(doubt: Doubt, exchanges: number): Promise<Finding<AxiosReceived>> | undefined {
    const { reconcile } = this.#client.policy;
    if (reconcile === undefined) return undefined;
    const operationId = this.journal.operation;
    const request = this.#request.scopeRequest();
    return askReconcile(this, reconcile, { operationId, reason: doubt, exchanges, request, bare: BARE });
  }

  deliver(ending: Ending<AxiosReceived>): AxiosResponse {
    this.#request.release();
    return deliver(ending, this);
  }

  failed(error: unknown): unknown {
    this.#request.release();
    attachJournal(error, this.journal);
    return error;
  }

  /** None for the GET that a redirect made of a request with a body. */
  get #factory(): HeedConfig['body'] {
    const { body } = this.#options.own;
    return body !== undefined && this.target.method === methodOf(this.config) ? body : undefined;
  }
}
