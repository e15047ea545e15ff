import { jest } from '@jest/globals';
import type { AxiosInstance } from 'axios';
import { systemClock } from '../../../lib/time/clock';
import { scriptedAdapter } from '../../support/scripted-adapter';
import type { Answer, Script, ScriptedAdapter } from '../../support/scripted-adapter';
import { settled } from '../../support/world';
import type { Settled } from '../../support/world';
import { clientWith } from './peers';
import type { PackageName, Settings } from './peers';

/** The words that several rows use for what they saw. */
export const NOT_REPEATED = 'not repeated';

/** One package on a client whose server is a script, in the time of jest's fake timers. */
export function stageFor(name: PackageName, script: Script, settings: Settings = {}): Stage {
  const server = scriptedAdapter(systemClock, script);
  return {
    name,
    server,
    api: clientWith(name, { baseURL: 'https://api.test', adapter: server.adapter }, settings),
  };
}

export interface Stage {
  readonly name: PackageName;
  readonly server: ScriptedAdapter;
  readonly api: AxiosInstance;
}

export function refused(retryAfter: string, status: number = 429): Answer {
  return { status, headers: { 'retry-after': retryAfter } };
}

export const SERVED: Answer = { status: 200, data: '{"v":1}' };

export async function pass(ms: number): Promise<void> {
  await jest.advanceTimersByTimeAsync(ms);
}

/** How a call has ended once `ms` have passed, or that it has not. */
export async function endWithin(ms: number, call: Promise<unknown>): Promise<Settled<unknown> | 'pending'> {
  let end: Settled<unknown> | 'pending' = 'pending';
  void settled(call).then((value) => {
    end = value;
  });
  await pass(ms);
  return end;
}

/** When the second request of a call was sent, in words; if there was none, whether the error says when to come back. */
export function repetition(server: ScriptedAdapter, end: Settled<unknown> | 'pending'): string {
  const [first = 0, second] = server.times();
  if (second !== undefined) return inWords(second - first);
  return end !== 'pending' && saysWhen(end.error) ? `${NOT_REPEATED}, says when` : NOT_REPEATED;
}

export function inWords(ms: number): string {
  if (ms < 5) return 'at once';
  const seconds = Math.round(ms / 100) / 10;
  return seconds < 3600 ? `after ${seconds} s` : `after ${Math.round(seconds / 3600)} h`;
}

function saysWhen(error: unknown): boolean {
  return typeof (error as { heed?: { releaseAt?: unknown } }).heed?.releaseAt === 'number';
}
