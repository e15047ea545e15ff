// node examples/deadline.mjs: a wait that cannot end in time is not begun.
import axios from 'axios';
import { heed, isHeedError } from 'axios-heed';
import { localApi } from './local-api.mjs';

const server = await localApi(() => ({ status: 503, headers: { 'retry-after': '60' } }));

const api = axios.create({ baseURL: server.url });
heed(api);

// Two seconds from now, as a service gets it from whoever called it.
const deadline = new Date(Date.now() + 2000);

for (const order of [7, 8]) {
  try {
    await api.get(`/orders/${order}`, { heed: { deadline } });
  } catch (error) {
    if (!isHeedError(error)) throw error;
    const { reason, exchanges, releaseAt } = error.heed;
    const inSeconds = Math.round((releaseAt - Date.now()) / 1000);
    // The second one is not even sent: the gate of its scope is held.
    console.log(`order ${order}: ${reason}, ${exchanges} sent, open again in ${inSeconds} s`);
  }
}

server.close();
