// The clients, each as its documentation suggests. A client is made from
//   { baseURL, deadlineMs, scenario, adapter } and gives { get(path, token), close() }.
// The deadline is the client's own option for a whole operation where it has one, else a signal.
// `adapter` stands in for the network where the cost of a client is measured.
import http from 'node:http';
import axios from 'axios';
import { importSource } from '../source.mjs';
import { now, sleep } from './instant.mjs';

const PATIENCE = 20; // retries: what it takes to lose little here; the defaults are 2 to 5

export const clients = {
  axios: (world) => onAxios(world, () => {}),
  'axios-heed': (world) => axiosHeed(world, {}),
  'axios-heed-10': (world) => axiosHeed(world, { concurrency: 10 }),
  'axios-heed-headers': (world) => axiosHeed(world, {}, 'reads quota headers'),
  'axios-retry': async (world) => {
    const { default: axiosRetry, exponentialDelay } = await import('axios-retry');
    return onAxios(world, (instance) =>
      axiosRetry(instance, { retries: PATIENCE, retryDelay: exponentialDelay }),
    );
  },
  'retry-axios': async (world) => {
    const { attach } = await import('retry-axios');
    const { get, close } = onAxios(world, attach);
    const raxConfig = { retry: PATIENCE };
    const signal = () => AbortSignal.timeout(world.deadlineMs);
    return { get: (path, token) => get(path, token, { raxConfig, signal: signal() }), close };
  },
  bottleneck: (world) => bottleneck(world, {}),
  'bottleneck-10': (world) => bottleneck(world, { maxConcurrent: 10 }),
  ky: async ({ baseURL, deadlineMs }) => {
    const { default: ky } = await import('ky');
    const retry = { limit: PATIENCE };
    const api = ky.create({ prefix: baseURL, timeout: deadlineMs, totalTimeout: deadlineMs, retry });
    return {
      get: (path, token) => api.get(path.slice(1), { headers: bearer(token) }).json(),
      close: () => {},
    };
  },
  got: async ({ baseURL, deadlineMs }) => {
    const { default: got } = await import('got');
    const agent = new http.Agent({ keepAlive: true });
    const api = got.extend({ prefixUrl: baseURL, agent: { http: agent }, retry: { limit: PATIENCE } });
    const get = (path, token) =>
      api.get(path.slice(1), { headers: bearer(token), signal: AbortSignal.timeout(deadlineMs) }).json();
    return { get, close: () => agent.destroy() };
  },
  undici: async ({ baseURL, deadlineMs }) => {
    const { Agent, RetryAgent } = await import('undici');
    const inner = new Agent();
    const agent = new RetryAgent(inner, { maxRetries: PATIENCE });
    return {
      get: (path, token) => undiciGet(agent, { baseURL, path, token, deadlineMs }),
      close: () => inner.destroy(),
    };
  },
  oracle,
};

const bearer = (token) => ({ authorization: `Bearer ${token}` });

/** An axios instance with keep-alive; `attach` makes it the client in question. */
function onAxios({ baseURL, deadlineMs, adapter }, attach) {
  const httpAgent = new http.Agent({ keepAlive: true });
  const own = adapter === undefined ? {} : { adapter };
  const instance = axios.create({ baseURL, httpAgent, proxy: false, timeout: deadlineMs, ...own });
  attach(instance);
  return {
    get: (path, token, more) => instance.get(path, { headers: bearer(token), ...more }),
    close: () => httpAgent.destroy(),
  };
}

async function axiosHeed(world, policy, reads) {
  const { heed, rateLimit } = await importSource(
    `export { heed } from './lib/index.ts'; export { rateLimit } from './lib/rate-limit/index.ts';`,
  );
  const { deadlineMs, maxQueued } = world;
  const hints = reads === undefined ? undefined : [rateLimit()];
  return onAxios(world, (instance) => heed(instance, { budget: deadlineMs, maxQueued, hints, ...policy }));
}

/** A limiter per token; after a limit its reservoir is empty until the hint has passed. */
async function bottleneck(world, settings) {
  const { default: Bottleneck } = await import('bottleneck');
  const group = new Bottleneck.Group(settings);
  group.on('created', (limiter) => holdAfterLimits(limiter));
  const plain = onAxios(world, () => {});
  const get = (path, token) => {
    const signal = AbortSignal.timeout(world.deadlineMs);
    return group.key(token).schedule(() => plain.get(path, token, { signal }));
  };
  return { get, close: plain.close };
}

function holdAfterLimits(limiter) {
  let untilMs = 0;
  let timer;
  limiter.on('failed', async (error, { retryCount }) => {
    const status = error.response?.status;
    if ((status !== 429 && status !== 503) || retryCount >= PATIENCE) return undefined;
    const seconds = Number(error.response.headers['retry-after']);
    const waitMs = Number.isNaN(seconds) ? 1000 : seconds * 1000;
    if (now() + waitMs > untilMs) {
      untilMs = now() + waitMs;
      clearTimeout(timer);
      timer = setTimeout(() => limiter.updateSettings({ reservoir: null }), waitMs);
      await limiter.updateSettings({ reservoir: 0 });
    }
    return waitMs;
  });
}

async function undiciGet(agent, { baseURL, path, token, deadlineMs }) {
  const signal = AbortSignal.timeout(deadlineMs);
  const headers = bearer(token);
  const { statusCode, body } = await agent.request({ origin: baseURL, path, method: 'GET', headers, signal });
  const value = await body.json();
  if (statusCode >= 300)
    throw Object.assign(new Error(`status ${statusCode}`), { code: `HTTP_${statusCode}` });
  return value;
}

/** Knows the server: sends each operation once, when it will be accepted, or says at once that it is too late. */
function oracle(world) {
  const { scenario, deadlineMs } = world;
  const plain = onAxios({ ...world, deadlineMs: deadlineMs + 1000 }, () => {});
  if (scenario === undefined) return plain;
  // For new sockets, timers and a busy machine; a thousand take longer to leave.
  const marginMs = scenario.load[0].count > 500 ? 300 : 100;
  let zeroMs;
  let sent = 0;
  const get = async (path, token) => {
    zeroMs ??= now();
    if (!path.includes('op=main-')) return await plain.get(path, token);
    const sendAtMs = scenario.sendAtMs(sent);
    sent += 1;
    if (sendAtMs > deadlineMs - marginMs) throw Object.assign(new Error('too late'), { code: 'TOO_LATE' });
    const waitMs = sendAtMs === 0 ? 0 : zeroMs + sendAtMs + marginMs - now();
    if (waitMs > 0) await sleep(waitMs);
    return await plain.get(path, token);
  };
  return { get, close: plain.close };
}
