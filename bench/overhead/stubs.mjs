// Stand-ins for the network: axios adapters that answer at once, or never.
import { AxiosError } from 'axios';

export function answersWith(status, headers = {}) {
  let calls = 0;
  const adapter = async (config) => {
    calls += 1;
    const response = { data: '{}', status, statusText: '', headers: { ...headers }, config, request: {} };
    if (status < 300) return response;
    throw new AxiosError(
      `Request failed with status code ${status}`,
      'ERR_BAD_REQUEST',
      config,
      {},
      response,
    );
  };
  return { adapter, calls: () => calls };
}

/** Keeps what it was given, as a connection does, or the whole operation would be garbage. */
export function answersNever() {
  const waiting = [];
  const adapter = () => new Promise((resolve) => waiting.push(resolve));
  return { adapter, calls: () => waiting.length };
}
