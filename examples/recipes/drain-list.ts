// A Node worker that works off a long list against an API with a quota, as fast as the API takes it.
// To change: the policy, the call in `drainOrders`, and what becomes of the items that failed.
import axios from 'axios';
import type { AxiosInstance, CreateAxiosDefaults } from 'axios';
import { heed, isHeedError, journalOf } from 'axios-heed';
import type { Clock, HeedReport } from 'axios-heed';

/** Tests give an adapter and a clock; the worker gives a base URL. */
export function ordersApi(defaults: CreateAxiosDefaults, clock?: Clock): AxiosInstance {
  const api = axios.create(defaults);
  // Rate times response time: 100 a second, answered in 80 ms, need 8 at once. More of them only find out
  // together that the quota is spent.
  heed(api, { concurrency: 10, budget: { minutes: 2 }, clock });
  return api;
}

export interface Drained {
  readonly done: number;
  /** What to try again later, with the reason and the earliest time; never what must not be repeated. */
  readonly later: readonly { readonly id: number; readonly report: HeedReport }[];
  readonly failed: readonly { readonly id: number; readonly error: unknown }[];
  /** HTTP requests in all, the refused ones included. */
  readonly exchanges: number;
}

// How many are begun: a bound for the memory. It sets no rate, the API does; one item costs little while it waits.
const WORKERS = 50;

/** `ids` may be a generator over millions: only as many are held as there are workers. */
export async function drainOrders(api: AxiosInstance, ids: Iterable<number>): Promise<Drained> {
  const later: { id: number; report: HeedReport }[] = [];
  const failed: { id: number; error: unknown }[] = [];
  let done = 0;
  let exchanges = 0;

  const one = async (id: number): Promise<void> => {
    try {
      const response = await api.get(`/orders/${id}`);
      exchanges += sentFor(response);
      done += 1;
    } catch (error) {
      exchanges += sentFor(error);
      if (isHeedError(error) && error.heed.retryable) later.push({ id, report: error.heed });
      else failed.push({ id, error });
    }
  };

  // One iterator that all workers take from.
  const queue = ids[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) await one(next.value);
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
  return { done, later, failed, exchanges };
}

function sentFor(responseOrError: unknown): number {
  return journalOf(responseOrError).filter(({ event }) => event === 'exchange-sent').length;
}

export function summaryOf({ done, later, failed, exchanges }: Drained): string {
  const items = done + later.length + failed.length;
  const each = (exchanges / items).toFixed(2);
  return `${done} of ${items} done, ${later.length} for later, ${failed.length} failed; ${each} requests per item`;
}
