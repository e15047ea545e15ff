import type { AxiosAdapter, AxiosInstance, AxiosRequestConfig, InternalAxiosRequestConfig } from 'axios';
import type { ScopeSelector } from '../gate/scope-key.js';
import type { GatesSnapshot } from '../gate/snapshot.js';
import type { WaitingOperation } from '../gate/waiting-operation.js';
import { boundedText } from '../hint/bounded-text.js';
import type { Conclusion } from '../operation/journal-entry.js';
import { checkOptions, HeedOptionsError } from '../option-checks.js';
import type { HeedPolicy } from '../options.js';
import { clientOf } from './client.js';
import { conclude } from './conclude.js';
import type { Client } from './client.js';
import { gateTargetOf } from './gate-target.js';
import { operate } from './operate.js';
import { registration } from './registration.js';
import type { Registration } from './registration.js';
import { momentOf } from '../time/deadline.js';

/** The handle of an attached instance. */
export interface Heeding {
  /** The gates as they stand: immutable, and the same object until something changes. */
  readonly snapshot: () => GatesSnapshot;
  /** Calls `listener` after changes, at most ten times a second; returns how to stop. */
  readonly subscribe: (listener: () => void) => () => void;
  /** The operations that wait now, in the order in which they go, last those that are offline; each can be cancelled. */
  readonly waiting: () => readonly WaitingOperation[];
  /**
   * Holds every gate that has a part, such as `{ by: 'tenant', value: 'acme' }`, or the narrowest gate of a
   * request, until a `Date` or ms since 1970. Never shortens a hold. Deadlines bound it, `maxHint` does not.
   */
  readonly hold: (target: ScopeSelector | AxiosRequestConfig, until: Date | number, why: string) => void;
  /** Ends holds, whoever asked for them; one probe goes next. */
  readonly release: (target: ScopeSelector | AxiosRequestConfig) => void;
  /**
   * Your own word on what became of a transaction, such as `{ conclusion: 'charged once' }`, into the journal
   * of its operation. 128 characters of it are kept; no secrets in it, please.
   * @throws HeedOptionsError for what carries no journal, and for a conclusion that is no text
   */
  readonly conclude: (responseOrError: unknown, said: Conclusion) => void;
  /** Waiters are rejected (`ERR_HEED_DETACHED`), exchanges in flight end as they end, later calls pass bare. */
  readonly detach: () => void;
}

/**
 * Makes an axios instance do what servers ask. Call it after your own request interceptors, so that the
 * budget covers them. The same policy object on the same instance gives the same handle, and heeds again
 * where the application has cleared its interceptors.
 * @throws HeedOptionsError when an option is refused, or the instance has another policy already
 */
export function heed(instance: AxiosInstance, policy: HeedPolicy = {}): Heeding {
  checkOptions(policy, 'policy');
  checkInstance(instance);
  const attached = attachments(instance)[ATTACHED];
  if (attached?.policy === policy) {
    attached.registration.add();
    return attached.heeding;
  }
  if (attached !== undefined) throw twice(attached.policy, policy);
  const client = clientOf(instance, policy);
  const ours = registration(instance, (config) => intercept(client, config));
  ours.add();
  const heeding: Heeding = {
    ...client.places,
    snapshot: () => client.gates.snapshot(),
    hold: (target, until, why) => {
      client.gates.hold(gateTargetOf(client, instance, target), instantOf(until), boundedText(why));
    },
    release: (target) => {
      client.gates.release(gateTargetOf(client, instance, target));
    },
    conclude,
    detach: () => {
      // From the second call on what is attached may be another.
      if (attachments(instance)[ATTACHED]?.heeding !== heeding) return;
      ours.remove();
      attachments(instance)[ATTACHED] = undefined;
      client.close();
    },
  };
  Object.defineProperty(instance, ATTACHED, {
    value: { policy, heeding, registration: ours },
    configurable: true,
    writable: true,
  });
  return heeding;
}

function instantOf(until: Date | number): number {
  const atEpochMs = Number(until);
  if (Math.abs(atEpochMs) <= LAST_EPOCH_MS) return atEpochMs;
  throw new HeedOptionsError(
    'hold',
    `\`until\` to be a valid Date or milliseconds since 1970, ${LAST_EPOCH_MS} at most, got ${String(until)}`,
  );
}

// ECMA-262 21.4.1.1: no Date is later.
const LAST_EPOCH_MS = 8.64e15;

// Registered, so that a second copy of the package sees the first.
const ATTACHED = Symbol.for('axios-heed.attached');

interface Attachments {
  [ATTACHED]?: Attachment | undefined;
}

interface Attachment {
  readonly policy: HeedPolicy;
  readonly heeding: Heeding;
  readonly registration: Registration;
}

function attachments(instance: AxiosInstance): Attachments {
  return instance as Attachments;
}

function checkInstance(instance: AxiosInstance): void {
  const found: Partial<AxiosInstance> = typeof instance === 'function' ? instance : {};
  if (found.interceptors !== undefined && typeof found.create === 'function') return;
  throw new HeedOptionsError(
    'instance',
    'to be axios or what axios.create() gives; `new Axios()` has no `create`',
  );
}

function twice(first: HeedPolicy, second: HeedPolicy): HeedOptionsError {
  const named = (policy: HeedPolicy): string => `{ ${Object.keys(policy).join(', ')} }`;
  return new HeedOptionsError(
    'instance',
    `to have one policy: it has ${named(first)}, and ${named(second)} came; detach() the first handle, or pass the same object`,
  );
}

/**
 * Wraps the adapter of this one request. It never throws, because axios before 1.19 sends a request whose
 * synchronous interceptor threw.
 */
function intercept(client: Client, config: InternalAxiosRequestConfig): InternalAxiosRequestConfig {
  const { adapter } = config;
  if (typeof adapter === 'function' && BRAND in adapter) return config;
  const start = momentOf(client.clock);
  const wrapper: AxiosAdapter = (final) => {
    // From here on the config is the application's again: re-issued, it is a call of its own.
    if (adapter === undefined) delete final.adapter;
    else final.adapter = adapter;
    return operate(client, final, start);
  };
  const branded = Object.assign(wrapper, { [BRAND]: true });
  if (Object.isFrozen(config)) return { ...config, adapter: branded };
  config.adapter = branded;
  return config;
}

// Registered: two copies of the package on one request must not nest their loops.
const BRAND = Symbol.for('axios-heed.adapter');
