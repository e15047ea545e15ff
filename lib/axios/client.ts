import type { AxiosInstance, InternalAxiosRequestConfig } from 'axios';
import { retryAfterReader } from '../hint/retry-after-reader.js';
import { callReader } from './call.js';
import type { ReadCall } from './call.js';
import { platformConnection } from './connection.js';
import type { PlatformConnection } from './connection.js';
import { gatesFor } from './create-gates.js';
import { quietly } from '../gate/bulletin.js';
import type { Gates } from '../gate/gates.js';
import type { JournalListener } from '../operation/journal-entry.js';
import { JournalStream } from '../operation/journal-stream.js';
import type { AllowancePort } from '../operation/ports.js';
import { resolvePolicy } from '../options.js';
import type { HeedPolicy } from '../options.js';
import { earned, fullAllowance, isEmpty, refilled, spent } from '../policy/allowance.js';
import type { AllowanceTerms } from '../policy/allowance.js';
import { DEFAULT_SCOPES } from '../scope/default-scopes.js';
import type { ScopeRule } from '../scope/scope.js';
import { systemClock } from '../time/clock.js';
import type { Clock } from '../time/clock.js';
import { progressBoard } from './progress-board.js';
import type { Places, ProgressBoard } from './progress-board.js';
import { otherRetriesIn } from './other-retries.js';
import { wireOf } from './wire.js';
import type { Wire } from './wire.js';

/** What all operations of one attached instance share. */
export interface Client {
  readonly policy: HeedPolicy;
  readonly readCall: ReadCall;
  readonly clock: Clock;
  readonly gates: Gates;
  readonly scopes: readonly ScopeRule[];
  readonly wire: Wire;
  readonly stream: JournalStream;
  readonly allowance: AllowancePort | undefined;
  readonly connection: PlatformConnection | undefined;
  /** Where its operations wait. */
  readonly places: Places;
  readonly progress: ProgressBoard;
  nextOperationId(): string;
  /** Warns, once, of another retry package on the same instance. */
  meet(config: InternalAxiosRequestConfig): void;
  readonly closed: boolean;
  /** Settles all waiters and hears no more of the gates. */
  close(): void;
}

export function clientOf(instance: AxiosInstance, policy: HeedPolicy): Client {
  const terms = resolvePolicy(policy);
  const gates = gatesFor(policy);
  const clock = policy.clock ?? systemClock;
  const { name, nextOperationId } = namesBy(clock);
  const stream = new JournalStream(name, clock, quiet(policy.onEntry));
  const stopListening = listen(gates, stream);
  let closed = false;
  const connection = policy.waitForOnline === true ? platformConnection(() => gates.changed()) : undefined;
  const places: Places = {
    subscribe: (listener) => gates.subscribe(listener),
    waiting: () => [...gates.waiting(client), ...(connection?.waiting() ?? [])],
  };
  const readers = [retryAfterReader, ...(policy.hints ?? [])];
  const client: Client = {
    policy,
    readCall: callReader(terms, clock),
    clock,
    gates,
    scopes: policy.scopes ?? DEFAULT_SCOPES,
    wire: wireOf(instance, { clock, readers, classify: policy.classify }),
    stream,
    allowance: terms.allowance === 'none' ? undefined : allowanceOf(terms.allowance, clock),
    connection,
    places,
    progress: progressBoard(places),
    nextOperationId,
    meet: warnOnce(),
    get closed() {
      return closed;
    },
    close: () => {
      closed = true;
      gates.detach(client);
      connection?.close();
      stopListening();
    },
  };
  return client;
}

/** Gates that are shared outlive clients: one that nobody else remembers is not kept for their sake. */
function listen(gates: Gates, stream: JournalStream): () => void {
  const weak = !stream.isHeard && typeof WeakRef === 'function';
  return listenWhile(weak ? new WeakRef(stream) : { deref: () => stream }, gates);
}

// Functions of one frame share what any of them holds: this one must not know the stream itself.
function listenWhile(listening: Pick<WeakRef<JournalStream>, 'deref'>, gates: Gates): () => void {
  const stop = gates.onNote((note) => {
    const stream = listening.deref();
    if (stream === undefined) stop();
    else stream.note(note);
  });
  return stop;
}

function allowanceOf(terms: AllowanceTerms, clock: Clock): AllowancePort {
  let allowance = fullAllowance(terms, clock.monoMs());
  const now = (): typeof allowance => refilled(allowance, terms, clock.monoMs());
  return {
    isEmpty: () => isEmpty(now()),
    earn: () => {
      allowance = earned(now(), terms);
    },
    spend: () => {
      allowance = spent(now());
    },
  };
}

function quiet(listener: JournalListener | undefined): JournalListener | undefined {
  return listener && ((entry) => quietly(() => listener(entry)));
}

/** Of the client and of its operations: short, and unlikely to meet those of another client in one log. */
function namesBy(clock: Clock): { readonly name: string; readonly nextOperationId: () => string } {
  const name = Math.floor(clock.roll() * 36 ** 6)
    .toString(36)
    .padStart(6, '0');
  let count = 0;
  return {
    name,
    nextOperationId: () => {
      count += 1;
      return `${name}-${count}`;
    },
  };
}

function warnOnce(): (config: InternalAxiosRequestConfig) => void {
  let warned = false;
  return (config) => {
    const other = warned ? undefined : otherRetriesIn(config);
    if (other === undefined) return;
    warned = true;
    // eslint-disable-next-line no-console -- said once, and nobody else would notice
    console.warn(
      `axios-heed: \`${other}\` is at work on this instance too; both repeat, and the tries multiply`,
    );
  };
}
