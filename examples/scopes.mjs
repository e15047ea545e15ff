// node examples/scopes.mjs: one tenant is limited, the other does not notice.
import axios from 'axios';
import { byOrigin, byTenant, combine, heed } from 'axios-heed';
import { localApi } from './local-api.mjs';

let visitsOfAcme = 0;
const server = await localApi(({ headers }) => {
  if (headers['x-tenant'] !== 'acme') return {};
  visitsOfAcme += 1;
  return visitsOfAcme === 1 ? { status: 429, headers: { 'retry-after': '1' } } : {};
});

const api = axios.create({ baseURL: server.url });
const heeding = heed(api, { scopes: [combine(byOrigin(), byTenant('x-tenant'))] });

const ask = async (tenant) => {
  await api.get('/orders', { headers: { 'x-tenant': tenant } });
  console.log(`${tenant} has its orders`);
};

const acme = ask('acme');
await ask('globex');
for (const { scope, state } of heeding.snapshot().gates) console.log(`gate of ${scope[1].label}: ${state}`);
await acme;

server.close();
