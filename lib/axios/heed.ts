import type {
  AxiosAdapter,
  AxiosInstance,
  AxiosRequestConfig,
  AxiosResponse,
  InternalAxiosRequestConfig,
} from 'axios';
import type { ScopeSelector } from '../gate/scope-key.js';
import type { GatesSnapshot } from '../gate/snapshot.js';
import type { WaitingOperation } from '../gate/waiting-operation.js';
import { boundedText } from '../hint/bounded-text.js';
import type { Conclusion } from '../operation/journal-entry.js';
import { checkOptions, HeedOptionsError } from '../option-checks.js';
import type { HeedPolicy } from '../options.js';
import type { Call } from './call.js';
import { clientOf } from './client.js';
import { conclude } from './conclude.js';
import type { Client } from './client.js';
import { refusal } from './errors.js';
import { gateTargetOf } from './gate-target.js';
import { operate } from './operate.js';
import { momentOf } from '../time/deadline.js';
import type { Moment } from '../time/deadline.js';

/** The handle of an attached instance. */
export interface Heeding {
  /** The gates as they stand: immutable, and the same object until something changes. */
  readonly snapshot: () => GatesSnapshot;
  /** Calls `listener` after changes, at most ten times a second; returns how to stop. */
  readonly subscribe: (listener: () => void) => () => void;
  /** The operations that wait now, in the order in which they go; each can be cancelled. */
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
 * budget covers them. The same policy object on the same instance gives the same handle.
 * @throws HeedOptionsError when an option is refused, or the instance has another policy already
 */
export function heed(instance: AxiosInstance, policy: HeedPolicy = {}): Heeding {
  checkOptions(policy, 'policy');
  checkInstance(instance);
  const attached = attachments(instance)[ATTACHED];
  if (attached?.policy === policy) return attached.heeding;
  if (attached !== undefined) throw twice(attached.policy, policy);
  const client = clientOf(instance, policy);
  const interceptor = instance.interceptors.request.use((config) => intercept(client, config), null, {
    synchronous: true,
  });
  const heeding: Heeding = {
    snapshot: () => client.gates.snapshot(),
    subscribe: (listener) => client.gates.subscribe(listener),
    waiting: () => client.gates.waiting(client),
    hold: (target, until, why) => {
      client.gates.hold(gateTargetOf(client, instance, target), instantOf(until), boundedText(why));
    },
    release: (target) => {
      client.gates.release(gateTargetOf(client, instance, target));
    },
    conclude,
    detach: () => {
      // From the second call on the interceptor's number may be that of another.
      if (attachments(instance)[ATTACHED]?.heeding !== heeding) return;
      instance.interceptors.request.eject(interceptor);
      attachments(instance)[ATTACHED] = undefined;
      client.close();
    },
  };
  Object.defineProperty(instance, ATTACHED, {
    value: { policy, heeding },
    configurable: true,
    writable: true,
  });
  return heeding;
}

function instantOf(until: Date | number): number {
  const atEpochMs = Number(until);
  if (Number.isFinite(atEpochMs)) return atEpochMs;
  throw new HeedOptionsError(
    'hold',
    `\`until\` to be a valid Date or milliseconds since 1970, got ${String(until)}`,
  );
}

// Registered, so that a second copy of the package sees the first.
const ATTACHED = Symbol.for('axios-heed.attached');

interface Attachments {
  [ATTACHED]?: { readonly policy: HeedPolicy; readonly heeding: Heeding } | undefined;
}

function attachments(instance: AxiosInstance): Attachments {
  return instance as Attachments;
}

function checkInstance(instance: AxiosInstance): void {
  const found: Partial<AxiosInstance> = typeof instance === 'function' ? instance : {};
  if (found.interceptors !== undefined && typeof found.create === 'function') return;
  throw new HeedOptionsError(
    'instance',
    'to be axios or what axios.create() gives; `new Axios()` has no `create`, by which adapters are resolved',
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
 * Wraps the adapter of this one request. Registered as synchronous, so that axios need not turn asynchronous
 * for it; it never throws, because axios before 1.19 sends a request whose synchronous interceptor threw.
 */
function intercept(client: Client, config: InternalAxiosRequestConfig): InternalAxiosRequestConfig {
  const { adapter } = config;
  if (typeof adapter === 'function' && BRAND in adapter) return config;
  const start = momentOf(client.clock);
  const wrapper: AxiosAdapter = (final) => {
    // From here on the config is the application's again: re-issued, it is a call of its own.
    if (adapter === undefined) delete final.adapter;
    else final.adapter = adapter;
    return callWith(client, final, start);
  };
  const branded = Object.assign(wrapper, { [BRAND]: true });
  if (Object.isFrozen(config)) return { ...config, adapter: branded };
  config.adapter = branded;
  return config;
}

// Registered: two copies of the package on one request must not nest their loops.
const BRAND = Symbol.for('axios-heed.adapter');

function callWith(client: Client, config: InternalAxiosRequestConfig, start: Moment): Promise<AxiosResponse> {
  let call: Call;
  try {
    // Interceptors that run after this one may set options, too.
    call = client.calls.read(config.heed, start);
  } catch (error) {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a getter of the options threw it
    return Promise.reject(refusal(error, config));
  }
  client.meet(config);
  // A call that was still among the application's interceptors at detach() is one of the later ones.
  const { options } = call;
  return operate(client, client.closed ? { ...call, options: { ...options, bare: true } } : call, config);
}
