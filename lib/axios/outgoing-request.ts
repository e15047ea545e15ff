import type { InternalAxiosRequestConfig } from 'axios';
import type { RequestFacts } from '../operation/ports.js';
import type { ExchangeChanges } from '../operation/readiness.js';
import type { Scope, ScopeRequest, ScopeRule } from '../scope/scope.js';
import { scopesOf } from '../scope/scope.js';
import { isReplayable } from './body.js';
import { lineOf } from './headers.js';
import { scopeRequestOf, targetOf } from './request-target.js';
import type { MaskPath, RequestTarget } from './request-target.js';

/**
 * The request as its next exchange will send it: the operation's config, with what a hook has changed since.
 * The config itself is never touched.
 */
export class OutgoingRequest {
  readonly target: RequestTarget;
  #config: InternalAxiosRequestConfig;

  constructor(config: InternalAxiosRequestConfig, maskPath: MaskPath | undefined) {
    this.#config = config;
    this.target = targetOf(config, maskPath);
  }

  get config(): InternalAxiosRequestConfig {
    return this.#config;
  }

  /** Credentials may have changed since the last time. */
  scopes(rules: readonly ScopeRule[]): readonly Scope[] {
    return scopesOf(rules, this.scopeRequest());
  }

  scopeRequest(): ScopeRequest {
    return scopeRequestOf(this.#config, this.target);
  }

  facts(idempotent: boolean | undefined): RequestFacts {
    return {
      method: this.target.method,
      idempotent,
      keyed: this.header(KEY_HEADER) !== undefined,
      bodyReplayable: isReplayable(this.#config.data),
    };
  }

  header(name: string): string | undefined {
    return lineOf(this.#config.headers, name);
  }

  /** Takes what a hook gave: headers by name, and a body that is ready for the wire. */
  change({ headers, data }: ExchangeChanges): void {
    const changed = this.#config.headers.concat(headers ?? {});
    for (const [name, value] of Object.entries(headers ?? {})) if (value === null) changed.delete(name);
    // The adapter counts anew; the count of another body makes a server wait or cut.
    if (data !== undefined) changed.delete('Content-Length');
    this.#config = { ...this.#config, headers: changed, ...(data === undefined ? {} : { data }) };
  }
}

const KEY_HEADER = 'Idempotency-Key';
