import { isAxiosError } from 'axios';
import type { AxiosResponse, InternalAxiosRequestConfig } from 'axios';
import type { Ticket } from '../gate/ticket.js';
import { runBare } from '../operation/bare.js';
import type { Ending } from '../operation/ending.js';
import { Journal } from '../operation/journal.js';
import { runOperation } from '../operation/operation.js';
import type {
  AllowancePort,
  OperationPorts,
  OperationTerms,
  Readiness,
  RequestFacts,
} from '../operation/ports.js';
import { runHook } from '../operation/readiness.js';
import type { BeforeExchange } from '../operation/readiness.js';
import { areSameScopes } from '../scope/scope.js';
import type { Scope } from '../scope/scope.js';
import type { Clock } from '../time/clock.js';
import type { Deadline } from '../time/deadline.js';
import { discardBody } from './body.js';
import type { Call } from './call.js';
import { isCancelled, onCancel } from './cancellation.js';
import type { Client } from './client.js';
import { deliver } from './delivery.js';
import type { AxiosReceived, Delivery } from './delivery.js';
import { limitExchange } from './exchange-limits.js';
import type { ExchangeLimits } from './exchange-limits.js';
import { OutgoingRequest } from './outgoing-request.js';
import { placeOf, shownUrl } from './request-target.js';
import type { RequestTarget } from './request-target.js';
import type { Settled } from './response-interceptor.js';

/** Runs one call of the application, below its interceptors and transforms. */
export function operate(
  client: Client,
  call: Call,
  config: InternalAxiosRequestConfig,
): Promise<AxiosResponse> {
  try {
    return new RequestOperation(client, call, config).run();
  } catch (error) {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a caller's rule threw it
    return Promise.reject(error);
  }
}

/** Gives the loop what it needs of axios: tickets by the request's scopes, exchanges over the wire. */
class RequestOperation implements OperationPorts<AxiosReceived, AxiosResponse>, Delivery {
  readonly config: InternalAxiosRequestConfig;
  readonly journal: Journal;
  /** The last answer of the server that was an error, whatever became of later exchanges. */
  serverError: unknown;
  readonly #client: Client;
  readonly #call: Call;
  readonly #request: OutgoingRequest;
  #scopes: readonly Scope[];
  #moved: boolean = false;

  constructor(client: Client, call: Call, config: InternalAxiosRequestConfig) {
    this.config = config;
    this.journal = new Journal(client.nextOperationId(), client.stream);
    this.#client = client;
    this.#call = call;
    this.#request = new OutgoingRequest(config, client.policy.maskPath);
    this.#scopes = this.#request.scopes(client.scopes);
  }

  run(): Promise<AxiosResponse> {
    this.#open();
    if (this.mode === 'act') return runOperation(this);
    return runBare(this, {
      observing: this.mode === 'observe',
      overhear: (answer) => {
        this.#client.gates.overhear(this.#scopes, answer);
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

  get scopes(): readonly Scope[] {
    return this.#scopes;
  }

  get cancelled(): boolean {
    return isCancelled(this.config);
  }

  get detached(): boolean {
    return this.#client.closed;
  }

  onCancel(run: () => void): (() => void) | undefined {
    return onCancel(this.config, run);
  }

  request(): RequestFacts {
    return this.#request.facts(this.#call.own.idempotent);
  }

  ticket(): Ticket {
    const { gates, policy } = this.#client;
    const turn = this.#call.own.turn ?? policy.turn?.(this.#request.scopeRequest());
    return gates.ticket({
      scopes: this.#scopes,
      owner: this.#client,
      operation: this.journal.operation,
      turn,
    });
  }

  ready(exchange: number, waitedMs: number): Promise<Readiness> | undefined {
    const { beforeExchange } = this.#client.policy;
    if (beforeExchange === undefined || (exchange === 1 && waitedMs === 0)) return undefined;
    return this.#refresh(beforeExchange, { exchange, waitedMs });
  }

  async send(): Promise<AxiosReceived> {
    const { config } = this.#request;
    const limits = limitExchange(config, this.clock, this.deadline);
    let body: unknown;
    try {
      const received = endedBy(limits, await this.#client.wire.send(config, limits.config));
      body = bodyOf(received);
      if (received.settled.kind === 'rejected' && received.observation.status !== undefined) {
        this.serverError = received.settled.error;
      }
      return received;
    } finally {
      limits.end(body);
    }
  }

  deliver(ending: Ending<AxiosReceived>): AxiosResponse {
    return deliver(ending, this);
  }

  /** Fresh facts, pass in hand; when they change who is counted, other gates are asked, once. */
  async #refresh(hook: BeforeExchange, wait: { exchange: number; waitedMs: number }): Promise<Readiness> {
    const startMonoMs = this.clock.monoMs();
    const context = {
      operationId: this.journal.operation,
      ...wait,
      method: this.target.method,
      url: shownUrl(this.target),
      header: (name: string) => this.#request.header(name),
      bare: BARE,
    };
    const ended = await runHook(this, () => hook(context));
    const tookMs = this.clock.monoMs() - startMonoMs;
    const how = ended.kind === 'cut' ? ended.because : ended.kind;
    this.journal.write({ event: 'hook-ended', hook: 'beforeExchange', tookMs, how });
    if (ended.kind === 'cut') return { kind: 'stop', because: ended.because };
    if (ended.value === undefined) return { kind: 'ready' };
    this.#request.change(ended.value);
    const scopes = this.#request.scopes(this.#client.scopes);
    if (this.#moved || areSameScopes(scopes, this.#scopes)) return { kind: 'ready' };
    this.#moved = true;
    this.#scopes = scopes;
    return { kind: 'moved' };
  }

  #open(): void {
    const { terms, deadline, mode } = this;
    this.journal.write({
      event: 'operation-opened',
      method: this.target.method,
      ...placeOf(this.#scopes, this.#request),
      ...(deadline === undefined ? {} : { deadlineEpochMs: deadline.atEpochMs }),
      exchanges: terms.exchanges,
      mode,
    });
  }
}

const BARE = { heed: false } as const;

/** Only this side knows that its own signal or its own timeout ended the exchange. */
function endedBy(limits: ExchangeLimits, { settled, observation }: Settled): AxiosReceived {
  const cut = limits.deadlinePassed() && observation.end !== 'answer';
  const timedOut = limits.timeoutIsDeadline && observation.end === 'timeout';
  return {
    settled,
    observation: cut || timedOut ? { ...observation, end: 'deadline' } : observation,
    discard: () => {
      discardBody(bodyOf({ settled }));
    },
  };
}

function bodyOf({ settled }: Pick<Settled, 'settled'>): unknown {
  if (settled.kind === 'resolved') return settled.response.data;
  return isAxiosError(settled.error) ? settled.error.response?.data : undefined;
}
