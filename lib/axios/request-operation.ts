import type { AxiosResponse, InternalAxiosRequestConfig } from 'axios';
import type { Ticket } from '../gate/ticket.js';
import { runBare } from '../operation/bare.js';
import { Journal } from '../operation/journal.js';
import type { JournalSubject, OperationEvent } from '../operation/journal.js';
import { runOperation } from '../operation/operation.js';
import type {
  AllowancePort,
  Ending,
  OperationPorts,
  OperationTerms,
  Readiness,
  RequestFacts,
} from '../operation/ports.js';
import type { Doubt, Finding } from '../operation/reconciliation.js';
import { HeedOptionsError } from '../option-checks.js';
import type { HeedConfig } from '../options.js';
import { noAnswer } from '../policy/no-answer.js';
import type { Scope } from '../scope/scope.js';
import type { Clock } from '../time/clock.js';
import type { Deadline } from '../time/deadline.js';
import { discardStream } from './body.js';
import type { Call } from './call.js';
import { isCancelled, onCancel } from './cancellation.js';
import type { Client } from './client.js';
import { deliver } from './delivery.js';
import type { AxiosReceived, Delivery } from './delivery.js';
import { attachJournal, refusal } from './errors.js';
import { sendExchange } from './exchange.js';
import { BARE } from './fresh-facts.js';
import type { Wait } from './fresh-facts.js';
import { writeKey } from './idempotency-key.js';
import { OutgoingRequest } from './outgoing-request.js';
import { Preparation } from './preparation.js';
import { askReconcile } from './reconciliation.js';
import { methodOf, placeOf } from './request-target.js';
import type { RequestTarget } from './request-target.js';

/** Runs one call of the application, below its interceptors and transforms. */
export function operate(
  client: Client,
  call: Call,
  config: InternalAxiosRequestConfig,
): Promise<AxiosResponse> {
  try {
    return new RequestOperation(client, call, config).run();
  } catch (error) {
    discardStream(config.data);
    client.stream.write({ event: 'operation-closed', ...NOTHING_SENT }, client.nextOperationId());
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a caller's rule threw it
    return Promise.reject(error instanceof HeedOptionsError ? refusal(error, config) : error);
  }
}

const NOTHING_SENT = {
  outcome: 'refused',
  because: 'hook-failed',
  exchanges: 0,
  knowledge: 'not-sent',
  tookMs: 0,
} as const;

/** Gives the loop what it needs of axios: tickets by the request's scopes, exchanges over the wire. */
class RequestOperation implements OperationPorts<AxiosReceived, AxiosResponse>, JournalSubject, Delivery {
  readonly config: InternalAxiosRequestConfig;
  readonly journal: Journal;
  /** The last answer of the server that was an error, whatever became of later exchanges. */
  serverError: unknown;
  readonly #client: Client;
  readonly #call: Call;
  readonly #request: OutgoingRequest;
  /** Until the loop has it. Scopes are not kept: of a hundred thousand that wait, each would keep its own. */
  #ticket: Ticket | undefined;
  #preparation: Preparation | undefined;

  constructor(client: Client, call: Call, config: InternalAxiosRequestConfig) {
    this.config = config;
    this.journal = new Journal(client.nextOperationId(), client.stream, this);
    this.#client = client;
    this.#call = call;
    this.#request = new OutgoingRequest(
      config,
      client.policy.maskPath,
      writeKey(config, client.policy, call),
    );
  }

  run(): Promise<AxiosResponse> {
    const { scopes } = this;
    this.journal.open();
    this.#ticket = this.#ticketOf(scopes);
    if (this.mode === 'act') return runOperation(this);
    return runBare(this, {
      observing: this.mode === 'observe',
      overhear: (answer) => {
        this.#client.gates.overhear(scopes, answer);
      },
    });
  }

  get mode(): 'act' | 'observe' | 'bare' {
    return this.#call.bare ? 'bare' : (this.#client.policy.mode ?? 'act');
  }

  get clock(): Clock {
    return this.#client.clock;
  }

  get allowance(): AllowancePort {
    return this.#client.allowance;
  }

  get terms(): OperationTerms {
    return this.#call.terms;
  }

  get deadline(): Deadline | undefined {
    return this.#call.deadline;
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
    const { terms, deadline, mode } = this;
    return {
      event: 'operation-opened',
      method: this.target.method,
      ...placeOf(this.scopes, this.#request),
      ...(deadline === undefined ? {} : { deadlineEpochMs: deadline.atEpochMs }),
      exchanges: terms.exchanges,
      mode,
    };
  }

  onCancel(run: () => void): (() => void) | undefined {
    return onCancel(this.config, run);
  }

  request(): RequestFacts {
    return this.#request.facts(this.#call.own);
  }

  ticket(): Ticket {
    const ticket = this.#ticket ?? this.#ticketOf(this.scopes);
    this.#ticket = undefined;
    return ticket;
  }

  #ticketOf(scopes: readonly Scope[]): Ticket {
    const { gates, policy } = this.#client;
    const turn: unknown = this.#call.own.turn ?? policy.turn?.(this.#request.scopeRequest());
    if (turn !== undefined && typeof turn !== 'string') throw noAnswer('turn', 'a string', turn);
    return gates.ticket({ scopes, owner: this.#client, operation: this.journal.operation, turn });
  }

  get idempotencyKey(): string | undefined {
    return this.#request.key;
  }

  ready(exchange: number, waitedMs: number): Promise<Readiness> | undefined {
    const { beforeExchange, readiness } = this.#client.policy;
    const asks = (beforeExchange ?? readiness) !== undefined && (exchange > 1 || waitedMs > 0);
    if (asks) return this.#prepare({ exchange, waitedMs });
    const mayDiffer = this.#factory !== undefined || (exchange > 1 && this.#request.keyed);
    return mayDiffer ? this.#prepare(undefined) : undefined;
  }

  async send(): Promise<AxiosReceived> {
    const { clock, deadline } = this;
    const ownsBody = this.#factory !== undefined;
    const redirects = this.mode === 'act' ? { beforeRedirect: this.#request.beforeRedirect(clock) } : {};
    const exchange = { config: this.#request.handOver(), clock, deadline, ownsBody, ...redirects };
    const received = await sendExchange(this.#client.wire, exchange);
    const { settled, observation } = received;
    if (settled.kind === 'rejected' && observation.status !== undefined) this.serverError = settled.error;
    if (observation.end === 'redirect') {
      this.journal.entries(); // its first is made late, of the request as it then is
      this.#request.follow(settled);
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
    const { body } = this.#call.own;
    return body !== undefined && this.target.method === methodOf(this.config) ? body : undefined;
  }

  async #prepare(wait: Wait | undefined): Promise<Readiness> {
    const preparation = (this.#preparation ??= new Preparation(this, this.#request));
    const facts = wait && (await preparation.facts(this.#client.policy, wait));
    return facts === undefined || facts.kind === 'ready' ? preparation.body(this.#factory) : facts;
  }
}
