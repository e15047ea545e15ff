import { expectOptions } from './expect-options.js';
import type { AxiosAdapter, InternalAxiosRequestConfig } from 'axios';
import type { Clock } from '../time/clock.js';
import { AdapterExchange } from './adapter-exchange.js';
import { quotaHeaders } from './quota-headers.js';
import type { QuotaDialect } from './quota-headers.js';
import type { Admission, QuotaModel } from './quota-model.js';
import { seededDice } from './seeded-dice.js';
import { wholeSeconds } from './spoken-hint.js';
import type { SpokenHint } from './spoken-hint.js';

/**
 * A server without a network: an axios adapter that asks a quota model, and a log of what reached it.
 * Rejections are AxiosErrors with Retry-After as axios's own adapters give them, or responses where
 * `validateStatus` takes them. Signal, cancel token and `timeout` of the exchange are obeyed.
 */
export function quotaServer(options: QuotaServerOptions): QuotaServer {
  expectOptions('quotaServer', options, {
    ...{ clock: 'an object', model: 'an object', rttMs: '0 or more?', rttSpread: '0 or more?' },
    ...{ seed: 'anything?', hint: 'an object?', dialect: 'anything?' },
  });
  return new ModelServer(options);
}

/** The adapter, and what reached it. */
export interface QuotaServer {
  /** For `axios.create({ adapter: server.adapter })`. */
  readonly adapter: AxiosAdapter;
  /** Every request that arrived, in order. */
  readonly log: readonly ServerLogEntry[];
  /** How many have been answered with a success so far. */
  readonly accepted: number;
  /** How many have been turned away so far. */
  readonly rejections: number;
  /** The most arrivals within any span of that width, from a monotonic instant on if one is given. */
  mostWithin(spanMs: number, fromMonoMs?: number): number;
}

/** What the server counts, how fast it is, and how it words its answers. */
export interface QuotaServerOptions {
  /** The clock of the test; the server begins at its present instant. */
  readonly clock: Clock;
  /** What it counts, or a choice by request: a quota per token, a route without one. */
  readonly model: QuotaModel | ((config: InternalAxiosRequestConfig) => QuotaModel);
  /** Time from sending to the answer, without the server's own work. @default 80 */
  readonly rttMs?: number | undefined;
  /** By what share of it each way may be faster or slower. @default 0 */
  readonly rttSpread?: number | undefined;
  /** Seed of that chance. @default 1 */
  readonly seed?: number | undefined;
  /** How it words its waits. @default whole seconds, rounded up */
  readonly hint?: SpokenHint | undefined;
  /** How it tells its quota beside each answer. @default 'none' */
  readonly dialect?: QuotaDialect | undefined;
}

/** One request as the server saw it. */
export interface ServerLogEntry {
  readonly method: string;
  readonly url: string;
  readonly arrivedMonoMs: number;
  /** Absent until the server has answered. */
  readonly status?: number;
  /** The text of Retry-After, where there was one. */
  readonly retryAfter?: string;
}

class ModelServer implements QuotaServer {
  readonly #options: QuotaServerOptions;
  readonly #startMonoMs: number;
  readonly #roll: () => number;
  readonly #log: ServerLogEntry[] = [];

  constructor(options: QuotaServerOptions) {
    this.#options = options;
    this.#startMonoMs = options.clock.monoMs();
    this.#roll = seededDice(options.seed ?? 1);
  }

  readonly adapter: AxiosAdapter = (config) => {
    const exchange = new AdapterExchange(this.#options.clock, config);
    exchange.after(this.#oneWayMs(), () => {
      this.#arrive(exchange);
    });
    return exchange.settled;
  };

  get log(): readonly ServerLogEntry[] {
    return this.#log;
  }

  get accepted(): number {
    return this.#log.filter(({ status }) => status !== undefined && status < 400).length;
  }

  get rejections(): number {
    return this.#log.filter(({ status }) => status !== undefined && status >= 400).length;
  }

  mostWithin(spanMs: number, fromMonoMs: number = this.#startMonoMs): number {
    const instants = this.#log.map(({ arrivedMonoMs }) => arrivedMonoMs).filter((ms) => ms >= fromMonoMs);
    let first = 0;
    return instants.reduce((most, lastMs, last) => {
      while ((instants[first] ?? lastMs) <= lastMs - spanMs) first += 1;
      return Math.max(most, last - first + 1);
    }, 0);
  }

  #arrive(exchange: AdapterExchange): void {
    const { method = 'get', url = '' } = exchange.config;
    const { model } = this.#options;
    const asked = typeof model === 'function' ? model(exchange.config) : model;
    const index =
      this.#log.push({ method: method.toUpperCase(), url, arrivedMonoMs: this.#options.clock.monoMs() }) - 1;
    const admission = asked.admit(this.#atMs());
    if (admission.kind === 'rejected' || admission.serviceMs === 0) {
      this.#answer(exchange, index, admission);
      return;
    }
    exchange.after(admission.serviceMs, () => {
      this.#answer(exchange, index, asked.finish?.(admission, this.#atMs()) ?? admission);
    });
  }

  #answer(exchange: AdapterExchange, index: number, admission: Admission): void {
    const { clock, hint = wholeSeconds, dialect = 'none' } = this.#options;
    const status = admission.kind === 'accepted' ? 200 : admission.status;
    const retryAfter = admission.kind === 'accepted' ? undefined : hint(admission.waitMs);
    const entry = this.#log[index];
    if (entry !== undefined)
      this.#log[index] = { ...entry, status, ...(retryAfter === undefined ? {} : { retryAfter }) };
    const headers = {
      date: new Date(clock.wallEpochMs()).toUTCString(),
      'content-type': 'application/json',
      ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
      ...(admission.quota === undefined ? {} : quotaHeaders(admission.quota, dialect, clock.wallEpochMs())),
    };
    exchange.after(this.#oneWayMs(), () => {
      exchange.answer({ data: `{"status":${status}}`, status, statusText: '', headers, request: {} });
    });
  }

  #atMs(): number {
    return this.#options.clock.monoMs() - this.#startMonoMs;
  }

  #oneWayMs(): number {
    const { rttMs = 80, rttSpread = 0 } = this.#options;
    return (rttMs / 2) * (1 + rttSpread * (2 * this.#roll() - 1));
  }
}
