import { describe, expect, test } from '@jest/globals';
import axios from 'axios';
import type { AxiosInstance } from 'axios';
import { heed } from '../../lib/index';
import type { HeedPolicy } from '../../lib/index';
import { loopbacks } from '../support/loopback';
import type { Arrival, Loopback } from '../support/loopback';
import { settled } from '../support/world';

const serve = loopbacks();

/** Stores orders by their number, which the client chooses, and tells whether it has one. */
async function shop(lose: (arrival: Arrival, store: () => void) => boolean): Promise<Loopback> {
  const orders = new Set<string>();
  return serve((arrival, response) => {
    const { method, url, body } = arrival;
    if (method === 'GET') {
      response.writeHead(orders.has(url.slice(1)) ? 200 : 404).end(url.slice(1));
      return;
    }
    const store = (): void => void orders.add(body.toString());
    if (lose(arrival, store)) arrival.socket.destroy();
    else {
      store();
      response.writeHead(201).end('new');
    }
  });
}

/** Asks the server for the order that was sent, through the same client. */
function client({ url }: Loopback, adapter: string): AxiosInstance {
  const api = axios.create({ baseURL: url, adapter, headers: { 'Content-Type': 'text/plain' } });
  const policy: HeedPolicy = {
    backoff: { first: 20 },
    jitter: 0,
    concurrency: 1,
    reconcile: async ({ request, bare }) => {
      const { data } = request.config as { data: string };
      const found = await api.get(`/${data}`, { ...bare, validateStatus: () => true });
      return found.status === 200 ? { outcome: 'applied', response: found } : { outcome: 'not-applied' };
    },
  };
  heed(api, policy);
  return api;
}

const orders = ({ arrivals }: Loopback): number => arrivals.filter(({ method }) => method === 'POST').length;

describe.each(['http', 'fetch'])('with the adapter %s', (adapter) => {
  test('an order that was stored before the connection broke is not ordered twice', async () => {
    const server = await shop((_, store) => {
      store();
      return true;
    });
    const { value, error } = await settled(client(server, adapter).post('', 'order-7'));
    expect([error, value?.status, value?.data, orders(server)]).toEqual([undefined, 200, 'order-7', 1]);
  });

  test('an order that was lost before it was stored is ordered again', async () => {
    const server = await shop(({ number }) => number === 1);
    const { value } = await settled(client(server, adapter).post('', 'order-7'));
    expect([value?.status, value?.data, orders(server)]).toEqual([201, 'new', 2]);
  });
});
