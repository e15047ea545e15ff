import axios from 'axios';
import type {
  AxiosError,
  AxiosInstance,
  AxiosRequestConfig,
  AxiosResponse,
  CreateAxiosDefaults,
} from 'axios';
import { heed, journalOf } from '../../lib/index';
import type { Heeding, HeedPolicy, HeedReport, HintNote, JournalEntry } from '../../lib/index';
import { virtualClock } from '../../lib/testing/index';
import type { VirtualClock, VirtualClockOptions } from '../../lib/testing/index';
import { checkEntry } from './entry-check';
import { scriptedAdapter } from './scripted-adapter';
import type { Script, ScriptedAdapter } from './scripted-adapter';

/** Thu, 01 Jan 2026 00:00:00 GMT: where the virtual clock of these tests begins. */
export const T0 = Date.UTC(2026, 0, 1);

/** At most three exchanges, own backoff of 200 ms then doubling, every wait exact. */
export const EXACT: HeedPolicy = { exchanges: 3, backoff: { first: 200, factor: 2 }, jitter: 0 };

export interface ScriptedClient {
  readonly api: AxiosInstance;
  readonly clock: VirtualClock;
  readonly server: ScriptedAdapter;
  readonly heeding: Heeding;
  /** Every entry of the client, in order. */
  readonly entries: readonly JournalEntry[];
  /** Runs the virtual clock until the call has ended, however it ends. */
  get(config?: AxiosRequestConfig): Promise<Ended>;
  ended(call: Promise<unknown>): Promise<Ended>;
}

/** How a call ended, on the virtual clock. */
export interface Ended {
  readonly status: number | undefined;
  readonly data?: unknown;
  /** Absent: it resolved. */
  readonly error?: Failed;
  readonly atMonoMs: number;
  readonly journal: readonly JournalEntry[];
}

/** An error as callers get it: axios' own, with what heed() added. */
export type Failed = AxiosError & { readonly heed: HeedReport };

/** An instance that heeds, on a virtual clock, with a scripted server behind it. */
export function scriptedClient(
  script: Script,
  policy: HeedPolicy = EXACT,
  { axiosDefaults = {}, ...options }: VirtualClockOptions & { axiosDefaults?: CreateAxiosDefaults } = {},
): ScriptedClient {
  const clock = virtualClock({ startEpochMs: T0, ...options });
  const server = scriptedAdapter(clock, script);
  const api = axios.create({
    baseURL: 'https://api.example.com',
    adapter: server.adapter,
    ...axiosDefaults,
  });
  const entries: JournalEntry[] = [];
  const onEntry = (entry: JournalEntry): void => {
    checkEntry(entry);
    entries.push(entry);
  };
  const heeding = heed(api, { clock, onEntry, ...policy });
  const ended = (call: Promise<unknown>): Promise<Ended> => clock.until(endOf(call, clock));
  return { api, clock, server, heeding, entries, ended, get: (config) => ended(api.get('/things', config)) };
}

async function endOf(call: Promise<unknown>, clock: VirtualClock): Promise<Ended> {
  try {
    const response = await call;
    const { status, data } = response as Partial<AxiosResponse>;
    return { status, data, atMonoMs: clock.monoMs(), journal: journalOf(response) };
  } catch (thrown) {
    const error = thrown as Failed; // or whatever a hook threw
    const status = (thrown as Failed | null | undefined)?.response?.status;
    return { status, error, atMonoMs: clock.monoMs(), journal: journalOf(error) };
  }
}

/** Where a promise is to fail: its error. */
export async function failure(call: Promise<unknown>): Promise<Failed> {
  try {
    await call;
  } catch (error) {
    return error as Failed;
  }
  throw new Error('it resolved');
}

/** What was read as the server's hint, exchange by exchange. */
export function hintsIn(journal: readonly JournalEntry[]): readonly HintNote[] {
  return journal.flatMap((entry) => (entry.event === 'observation' ? [entry.hint] : []));
}
