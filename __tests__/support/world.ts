import axios from 'axios';
import type { AxiosInstance } from 'axios';
import { heed } from '../../lib/index';
import type { HeedPolicy } from '../../lib/index';
import { virtualClock } from '../../lib/testing/index';
import type { VirtualClock } from '../../lib/testing/index';
import { scriptedAdapter } from './scripted-adapter';
import type { Script, ScriptedAdapter } from './scripted-adapter';

/** An instance that does not heed yet, the policy by which it will, a server and the clock of all. */
export interface World {
  readonly clock: VirtualClock;
  readonly server: ScriptedAdapter;
  readonly api: AxiosInstance;
  readonly policy: HeedPolicy;
}

/** Own backoff of 200 ms then doubling, every wait exact, the number of exchanges that is the default. */
export function worldWith(script: Script, policy: HeedPolicy = {}): World {
  const clock = virtualClock();
  const server = scriptedAdapter(clock, script);
  const api = axios.create({ baseURL: 'https://api.test', adapter: server.adapter });
  return { clock, server, api, policy: { jitter: 0, backoff: { first: 200, factor: 2 }, clock, ...policy } };
}

/** Calls `set` before or after the instance is attached. */
export function attach({ api, policy }: World, set: () => void, when: 'before' | 'after'): void {
  if (when === 'before') set();
  heed(api, policy);
  if (when === 'after') set();
}

/** How a call ended, as a promise that never rejects. */
export function settled<T>(call: Promise<T>): Promise<Settled<T>> {
  return call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
}

export interface Settled<T = Thrown> {
  readonly value?: T;
  readonly error?: Thrown;
}

/** What a call rejects with, once virtual time has gone as far as it takes. */
export async function failureOf(clock: VirtualClock, call: Promise<unknown>): Promise<Thrown> {
  const ended = await clock.until(settled(call));
  if ('error' in ended) return ended.error;
  throw new Error('expected the call to reject');
}

/** A promise that rejects with whatever it is, errors or not. */
export function rejecting(reason: unknown): Promise<never> {
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- that is the point
  return Promise.reject(reason);
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a rejection may be anything, and tests look into it
export type Thrown = any;
