import { jest } from '@jest/globals';
import axios, { CanceledError } from 'axios';
import { settled } from '../../support/world';
import type { PackageName } from './peers';
import { endWithin, inWords, NOT_REPEATED, pass, refused, repetition, SERVED, stageFor } from './stage';
import type { Stage } from './stage';

const CALLS = 50;

const HOLD_MS = 1000;
const TRIP_MS = 20;

/** Fifty GETs at once at a server that refuses for a second, and takes 20 ms for each answer. */
function crowd(name: PackageName): Crowd {
  const startMs = performance.now();
  const stage = stageFor(name, ({ atMonoMs }) => ({
    ...(atMonoMs < startMs + HOLD_MS ? refused('1') : SERVED),
    afterMs: TRIP_MS,
  }));
  const call = async (): Promise<End> => {
    const end = await settled(stage.api.get('/things'));
    return { status: 'error' in end ? 'rejected' : 'served', atMs: performance.now() - startMs };
  };
  return { ...stage, startMs, calls: Promise.all(Array.from({ length: CALLS }, call)) };
}

interface Crowd extends Stage {
  readonly startMs: number;
  readonly calls: Promise<readonly End[]>;
}

interface End {
  readonly status: 'served' | 'rejected';
  readonly atMs: number;
}

/** What was sent during the second, what after it, and how the calls ended. */
async function ran({ server, startMs, calls }: Crowd): Promise<{
  readonly first: readonly number[];
  readonly again: readonly number[];
  readonly ends: readonly End[];
}> {
  await pass(60_000);
  const ends = await calls;
  const isFirst = (at: number): boolean => at < startMs + HOLD_MS;
  const times = server.times();
  return { first: times.filter(isFirst), again: times.filter((at) => !isFirst(at)), ends };
}

export async function refusals(name: PackageName): Promise<string> {
  const { first } = await ran(crowd(name));
  return String(first.length);
}

export async function comeBack(name: PackageName): Promise<string> {
  const { again } = await ran(crowd(name));
  const [start = 0] = again;
  const within = (fromMs: number): number =>
    again.filter((at) => at >= fromMs && at < fromMs + TRIP_MS).length;
  if (again.length === 0) return NOT_REPEATED;
  if (within(start) === CALLS) return 'all at once';
  const most = Math.max(...again.map(within));
  if (within(start) === 1 && most < CALLS / 5 && again.length === CALLS) return 'one, then in steps';
  return `${within(start)}, then at most ${most}, ${again.length} in all`;
}

/** Dice that roll 0, because axios-heed spreads its waits. */
export async function allServed(name: PackageName): Promise<string> {
  jest.spyOn(Math, 'random').mockReturnValue(0);
  const { ends } = await ran(crowd(name));
  if (ends.some(({ status }) => status === 'rejected')) return NOT_REPEATED;
  return inWords(Math.max(...ends.map(({ atMs }) => atMs)));
}

export async function newCalls(name: PackageName): Promise<string> {
  const { server, api, calls } = crowd(name);
  await pass(HOLD_MS / 2);
  const sent = server.sent.length;
  const late = settled(api.get('/things'));
  await pass(HOLD_MS / 4);
  const wentOut = server.sent.length > sent;
  await pass(60_000);
  await Promise.all([calls, late]);
  return wentOut ? 'goes out' : 'waits too';
}

export async function setRate(name: PackageName): Promise<string> {
  const stage = stageFor(name, [SERVED], { 'axios-rate-limit': { maxRequests: 2, perMilliseconds: 1000 } });
  const calls = Promise.all(Array.from({ length: 6 }, () => stage.api.get('/things')));
  await pass(900);
  const kept = stage.server.sent.length <= 2;
  await pass(5000);
  await calls;
  return kept ? 'yes' : 'no';
}

export async function withoutEnd(name: PackageName): Promise<string> {
  const { server, api } = stageFor(name, [refused('1')]);
  await endWithin(200_000, api.get('/things'));
  const sent = server.sent.length;
  return sent > 100 ? 'no end' : String(sent);
}

export async function bound(name: PackageName): Promise<string> {
  const { server, api } = stageFor(name, [refused('30'), SERVED], {
    'axios-heed': { budget: { seconds: 2 } },
  });
  const end = await endWithin(60_000, api.get('/things', { timeout: 2000 }));
  return repetition(server, end);
}

/** A wait of ten seconds: for a hint, or, in the case of a limiter, for its window. */
function waiting(name: PackageName): Stage {
  const limit = { 'axios-rate-limit': { maxRequests: 1, perMilliseconds: 10_000 } };
  if (name !== 'axios-rate-limit') return stageFor(name, [refused('10'), SERVED], limit);
  const stage = stageFor(name, [SERVED], limit);
  void stage.api.get('/things');
  return stage;
}

async function heard(stage: Stage, config: object, cancel: () => void): Promise<string> {
  let endedMs: number | undefined;
  let error: unknown;
  const startedMs = performance.now();
  void stage.api.get('/things', config).catch((thrown: unknown) => {
    endedMs = performance.now() - startedMs;
    error = thrown;
  });
  await pass(1000);
  cancel();
  await pass(30_000);
  if (endedMs === undefined) return 'not heard';
  const as = axios.isCancel(error) && error instanceof CanceledError ? '' : ', other error';
  return `${endedMs < 1100 ? 'at once' : 'after the wait'}${as}`;
}

export async function signalInWait(name: PackageName): Promise<string> {
  const controller = new AbortController();
  return heard(waiting(name), { signal: controller.signal }, () => controller.abort());
}

export async function cancelTokenInWait(name: PackageName): Promise<string> {
  const source = axios.CancelToken.source();
  return heard(waiting(name), { cancelToken: source.token }, () => source.cancel());
}

export async function signalInFlight(name: PackageName): Promise<string> {
  const controller = new AbortController();
  const { server, api } = stageFor(name, [{ silent: true }]);
  let passes = 0;
  api.interceptors.request.use((config) => {
    passes += 1;
    return config;
  });
  void settled(api.get('/things', { signal: controller.signal }));
  await pass(100);
  controller.abort();
  await pass(10_000);
  return passes === 1
    ? NOT_REPEATED
    : `${passes - 1} more tries${server.sent.length === 1 ? ', unsent' : ''}`;
}
