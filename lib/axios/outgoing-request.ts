import type { InternalAxiosRequestConfig } from 'axios';
import type { HeedConfig } from '../options.js';
import type { Clock } from '../time/clock.js';
import type { ExchangeChanges } from '../operation/readiness.js';
import type { Scope, ScopePart } from '../model.js';
import type { ScopeRequest, ScopeRule } from '../scope/scope.js';
import { scopesOf } from '../scope/scope.js';
import type { RequestFacts } from '../policy/judgment.js';
import { known } from '../hint/known.js';
import { hush, noAnswer } from '../policy/no-answer.js';
import { bodyPrintOf } from './body-print.js';
import { discardStream, isReplayable } from './body.js';
import { keepKeyAtHome, NO_KEY } from './idempotency-key.js';
import type { IdempotencyKey } from './idempotency-key.js';
import { lineOf } from './headers.js';
import { heldRedirectOf, holdingRedirects } from './redirect.js';
import type { BeforeRedirect } from './redirect.js';
import { methodOf, originOf, scopeRequestOf, targetOf } from './request-target.js';
import type { MaskPath, RequestTarget } from './request-target.js';

/**
 * The request as its next exchange will send it: the operation's config, with what a hook has changed since.
 * The config itself is never touched.
 */
export class OutgoingRequest {
  readonly #maskPath: MaskPath | undefined;
  readonly #key: IdempotencyKey;
  #config: InternalAxiosRequestConfig;
  #bodyIsSent: boolean = false;
  #isAbroad: boolean = false;
  #seal: { readonly print: string | undefined } | undefined;

  constructor(
    config: InternalAxiosRequestConfig,
    maskPath: MaskPath | undefined,
    key: IdempotencyKey = NO_KEY,
  ) {
    this.#config = config;
    this.#maskPath = maskPath;
    this.#key = key;
  }

  get target(): RequestTarget {
    return targetOf(this.#config, this.#maskPath);
  }

  /** What stands in the header of the key. */
  get key(): string | undefined {
    const key = this.header(this.#key.header);
    return key === '' ? undefined : key;
  }

  get keyed(): boolean {
    return this.#key.assumed || this.key !== undefined;
  }

  /** For the exchange that is sent now. A key binds all others to the bytes of this one. */
  handOver(): InternalAxiosRequestConfig {
    this.#bodyIsSent = true;
    if (this.keyed) this.#seal ??= { print: bodyPrintOf(this.#config.data) };
    return this.#config;
  }

  /** Whether the bytes are those that the key was first sent with. */
  get isSealed(): boolean {
    return this.#seal === undefined || bodyPrintOf(this.#config.data) === this.#seal.print;
  }

  /** Lets go of a body that no exchange will have. */
  release(): void {
    if (!this.#bodyIsSent) discardStream(this.#config.data);
  }

  /** Credentials may have changed since the last time. */
  scopes(rules: readonly ScopeRule[]): readonly Scope[] {
    const scopes = scopesOf(rules, this.scopeRequest());
    for (const part of scopes.flat())
      if (!isPart(part)) {
        for (const one of Object.values(Object(part) as object)) hush(one);
        throw noAnswer('scopes', 'scope parts or undefined', part);
      }
    return scopes;
  }

  scopeRequest(): ScopeRequest {
    return scopeRequestOf(this.#config, this.target);
  }

  facts({ idempotent, body }: HeedConfig): RequestFacts {
    return known({
      method: methodOf(this.#config),
      idempotent,
      keyed: this.keyed,
      bodyReplayable: body !== undefined || isReplayable(this.#config.data),
    });
  }

  header(name: string): string | undefined {
    return lineOf(this.#config.headers, name);
  }

  /** Takes what a hook gave: headers by name, and a body that is ready for the wire. A key stays. */
  change({ headers, data }: ExchangeChanges): void {
    const { key } = this;
    const changed = this.#config.headers.concat(headers ?? {});
    for (const [name, value] of Object.entries(headers ?? {})) if (value === null) changed.delete(name);
    // What the platform keeps back from another host, a hook that means the first one does not bring along.
    if (this.#isAbroad) for (const name of CREDENTIALS) changed.delete(name);
    if (key !== undefined) changed.set(this.#key.header, key);
    // The adapter counts anew; the count of another body makes a server wait or cut.
    if (data !== undefined) changed.delete('Content-Length');
    this.#config = { ...this.#config, headers: changed, ...(data !== undefined && { data }) };
  }

  /** Takes the body of the next exchange. The length of a stream only the caller can know. */
  takeBody(data: unknown): void {
    const headers = this.#config.headers.concat();
    if (isReplayable(data)) headers.delete('Content-Length');
    this.#config = { ...this.#config, headers, data };
    this.#bodyIsSent = false;
  }

  /** Keeps the key at home, asks the caller's own, and holds redirects that ask for it. */
  beforeRedirect(clock: Clock): BeforeRedirect {
    const { beforeRedirect } = this.#config;
    const keep: BeforeRedirect = (options) => {
      keepKeyAtHome(this.#key.header, this.target.url, options);
    };
    return holdingRedirects([keep, beforeRedirect], clock);
  }

  /** From here on the request is the one that a redirect leads to. A changed method leaves the body behind. */
  follow(error: unknown): void {
    const before = this.#config;
    this.#config = heldRedirectOf(error)?.apply(before) ?? before;
    if (this.#config.data !== before.data) this.#seal = undefined;
    this.#isAbroad ||= originOf(this.#config) !== originOf(before);
  }
}

const CREDENTIALS = ['Authorization', 'Cookie', 'Proxy-Authorization'] as const;

function isPart({ by, value, label = '' }: Partial<ScopePart>): boolean {
  return [by, value, label].every((text) => typeof text === 'string');
}
