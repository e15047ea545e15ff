// node examples/basic.mjs: a server says "in a second", and the call is answered all the same.
import axios from 'axios';
import { heed } from 'axios-heed';
import { localApi } from './local-api.mjs';

let visits = 0;
const server = await localApi(() => {
  visits += 1;
  return visits === 1
    ? { status: 429, headers: { 'retry-after': '1' } }
    : { body: { order: 7, state: 'shipped' } };
});

const api = axios.create({ baseURL: server.url });
heed(api, { budget: { seconds: 10 } });

const { data } = await api.get('/orders/7');
console.log(`order ${data.order} is ${data.state}; the server was asked ${visits} times`);

server.close();
