// node examples/journal.mjs: what happened to one call, and why.
import axios from 'axios';
import { heed, journalOf } from 'axios-heed';
import { sentenceOf } from 'axios-heed/journal';
import { localApi } from './local-api.mjs';

let visits = 0;
const server = await localApi(() => {
  visits += 1;
  return visits === 1 ? { status: 503, headers: { 'retry-after': '1' } } : {};
});

const api = axios.create({ baseURL: server.url });
heed(api);

const response = await api.get('/orders/7', { headers: { authorization: 'Bearer not-for-the-journal' } });

const [{ monoMs: startMs }] = journalOf(response);
for (const entry of journalOf(response)) {
  const { monoMs, event } = entry;
  console.log(
    `${String(Math.round(monoMs - startMs)).padStart(5)} ms  ${event.padEnd(18)} ${sentenceOf(entry)}`,
  );
}

server.close();
