import { isAxiosError } from 'axios';
import type { AxiosResponse, InternalAxiosRequestConfig } from 'axios';
import type { Ticket } from '../gate/ticket.js';
import { runBare } from '../operation/bare.js';
import type { Ending } from '../operation/ending.js';
import { Journal } from '../operation/journal.js';
import { runOperation } from '../operation/operation.js';
import type {
  AllowancePort,
  Cancellation,
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
import { discardBody } from './body.js';
import type { Call } from './call.js';
import { cancellationOf, cancelReasonOf } from './cancellation.js';
import type { Client } from './client.js';
import { deliver } from './delivery.js';
import type { AxiosReceived } from './delivery.js';
import { limitExchange } from './exchange-limits.js';
import type { ExchangeLimits } from './exchange-limits.js';
import { OutgoingRequest } from './outgoing-request.js';
import { placeOf, shownTarget, shownUrl } from './request-target.js';
import type { RequestTarget } from './request-target.js';
import type { Settled } from './response-interceptor.js';

/** Runs one call of the application, below its interceptors and transforms. */
export async function operate(
  client: Client,
  call: Call,
  config: InternalAxiosRequestConfig,
): Promise<AxiosResponse> {
  const operation = new RequestOperation(client, call, config);
  const ending = await operation.run();
  return deliver(ending, {
    config,
    operationId: operation.journal.operation,
    explains: operation.mode === 'act',
    target: () => shownTarget(operation.target),
    serverError: operation.serverError,
    cancelReason: () => cancelReasonOf(config),
    entries: () => operation.journal.entries(),
  });
}

/** Gives the loop what it needs of axios: tickets by the request's scopes, exchanges over the wire. */
class RequestOperation implements OperationPorts<AxiosReceived> {
  readonly clock: Clock;
  readonly journal: Journal;
  readonly terms: OperationTerms;
  readonly cancellation: Cancellation;
  readonly allowance: AllowancePort;
  readonly #client: Client;
  readonly #call: Call;
  readonly #request: OutgoingRequest;
  #scopes: readonly Scope[];
  #moved: boolean = false;
  /** The last answer of the server that was an error, whatever became of later exchanges. */
  serverError: unknown;

  constructor(client: Client, call: Call, config: InternalAxiosRequestConfig) {
    this.clock = client.clock;
    this.terms = call.terms;
    this.allowance = client.allowance;
    this.cancellation = cancellationOf(config);
    this.journal = new Journal(client.nextOperationId(), client.stream);
    this.#client = client;
    this.#call = call;
    this.#request = new OutgoingRequest(config, {
      idempotent: call.idempotent,
      maskPath: client.policy.maskPath,
    });
    this.#scopes = this.#request.scopes(client.scopes);
  }

  get target(): RequestTarget {
    return this.#request.target;
  }

  get mode(): 'act' | 'observe' | 'bare' {
    return this.#call.bare ? 'bare' : (this.#client.policy.mode ?? 'act');
  }

  run(): Promise<Ending<AxiosReceived>> {
    this.#open();
    if (this.mode === 'act') return runOperation(this);
    return runBare(this, {
      observing: this.mode === 'observe',
      overhear: (answer) => {
        this.#client.gates.overhear(this.#scopes, answer);
      },
    });
  }

  ticket(): Ticket {
    const turn = this.#call.turn ?? this.#client.policy.turn?.(this.#request.scopeRequest());
    const { operation } = this.journal;
    return this.#client.gates.ticket({ scopes: this.#scopes, owner: this.#client, operation, turn });
  }

  request(): RequestFacts {
    return this.#request.facts();
  }

  ready(exchange: number, waitedMs: number): Promise<Readiness> | undefined {
    const { beforeExchange } = this.#client.policy;
    if (beforeExchange === undefined || (exchange === 1 && waitedMs === 0)) return undefined;
    return this.#refresh(beforeExchange, { exchange, waitedMs });
  }

  async send(): Promise<AxiosReceived> {
    const { config } = this.#request;
    const { clock, terms } = this;
    const limits = limitExchange(config, this.cancellation, { clock, deadline: terms.deadline });
    const settled = await this.#client.wire.send(config, limits.config);
    const received = endedBy(limits, settled);
    limits.end(bodyOf(received));
    if (received.settled.kind === 'rejected' && received.observation.status !== undefined) {
      this.serverError = received.settled.error;
    }
    return received;
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
    const ended = await runHook(this.clock, () => hook(context));
    const tookMs = this.clock.monoMs() - startMonoMs;
    this.journal.write({ event: 'hook-ended', hook: 'beforeExchange', tookMs, how: ended.kind });
    if (ended.kind === 'timed-out') return { kind: 'stop', because: 'hook-timed-out' };
    if (ended.value === undefined) return { kind: 'ready' };
    this.#request.change(ended.value);
    const scopes = this.#request.scopes(this.#client.scopes);
    if (this.#moved || areSameScopes(scopes, this.#scopes)) return { kind: 'ready' };
    this.#moved = true;
    this.#scopes = scopes;
    return { kind: 'moved' };
  }

  #open(): void {
    const { deadline, exchanges } = this.terms;
    this.journal.write({
      event: 'operation-opened',
      method: this.target.method,
      ...placeOf(this.#request.scopeRequest()),
      ...(deadline === undefined ? {} : { deadlineEpochMs: deadline.atEpochMs }),
      exchanges,
      mode: this.mode,
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
