// Runs in the page: bundled with axios and the library, and reached by tests as `window.kit`.
import axios from 'axios';
import type { AxiosInstance, AxiosRequestConfig, CreateAxiosDefaults } from 'axios';
import { broadcastStore } from '../../../lib/broadcast/index.js';
import { heed, journalOf } from '../../../lib/index.js';
import type { Heeding, HeedPolicy, HeedReport, JournalEntry } from '../../../lib/index.js';

/** How a call ended, as far as it can leave the page. */
export interface Ended {
  readonly status?: number | undefined;
  readonly data?: unknown;
  readonly error?: { readonly name: string; readonly code?: string | undefined; readonly message: string };
  readonly heed?: HeedReport | undefined;
  readonly journal: readonly JournalEntry[];
}

interface Client {
  readonly api: AxiosInstance;
  readonly heeding: Heeding;
}

const clients = new Map<string, Client>();
const calls = new Map<string, { readonly ended: Promise<Ended>; readonly controller: AbortController }>();

function clientNamed(name: string): Client {
  const client = clients.get(name);
  if (client === undefined) throw new Error(`no client ${name}`);
  return client;
}

async function endOf(call: Promise<unknown>): Promise<Ended> {
  try {
    const response = (await call) as { status: number; data: unknown };
    const { status, data } = response;
    return {
      status,
      data: data instanceof ReadableStream ? 'stream' : data,
      journal: journalOf(response),
    };
  } catch (thrown) {
    const error = thrown as Error & {
      code?: string;
      heed?: HeedReport;
      response?: { status: number };
    };
    const { name, code, message } = error;
    return {
      status: error.response?.status,
      error: { name, code, message },
      heed: error.heed,
      journal: journalOf(error),
    };
  }
}

export const kit = {
  axios,
  heed,
  journalOf,
  api: (client: string): AxiosInstance => clientNamed(client).api,
  heeding: (client: string): Heeding => clientNamed(client).heeding,
  /** With `channel` its gates are shared with the other tabs that have the same. */
  client: (name: string, defaults: CreateAxiosDefaults, given: HeedPolicy & { channel?: string }): void => {
    const { channel, ...policy } = given;
    const shared = channel === undefined ? {} : { store: broadcastStore({ channel }) };
    const api = axios.create(defaults);
    clients.set(name, { api, heeding: heed(api, { ...policy, ...shared }) });
  },
  /** Begins a call, which `abort` and `ended` know by its name. */
  start: (name: string, client: string, config: AxiosRequestConfig): void => {
    const controller = new AbortController();
    const call = clientNamed(client).api.request({ ...config, signal: controller.signal });
    calls.set(name, { controller, ended: endOf(call) });
  },
  abort: (name: string): void => {
    calls.get(name)?.controller.abort();
  },
  ended: (name: string): Promise<Ended> | undefined => calls.get(name)?.ended,
  run: (client: string, config: AxiosRequestConfig): Promise<Ended> =>
    endOf(clientNamed(client).api.request(config)),
};

declare global {
  interface Window {
    kit: typeof kit;
    /** Timers that have neither fired nor been cleared. */
    pendingTimers: () => number;
    /** Listeners of the window that are there still, by event. */
    listening: (event: string) => number;
    /** Of each `pageshow`: whether the page came out of the back/forward cache. */
    shown: boolean[];
  }
}

window.kit = kit;
