import { afterEach, expect, jest, test } from '@jest/globals';

const PEER = '@opentelemetry/api';

afterEach(() => {
  jest.dontMock(PEER);
  jest.resetModules();
});

function withoutPeer(): void {
  jest.resetModules();
  jest.doMock(PEER, () => {
    throw new Error(`Cannot find module '${PEER}'`);
  });
}

test('without the peer the package works, and this entry alone says what is missing', async () => {
  withoutPeer();
  const axios = (await import('axios')).default;
  const { heed } = await import('../../lib/index');
  const { scriptedAdapter } = await import('../support/scripted-adapter');
  const { virtualClock } = await import('../../lib/testing/index');
  const clock = virtualClock();
  const api = axios.create({
    baseURL: 'https://api.example.com',
    adapter: scriptedAdapter(clock, [{ status: 200 }]).adapter,
  });
  heed(api, { clock, onEntry: () => undefined });
  expect((await clock.until(api.get('/things'))).status).toBe(200);
  await expect(import('../../lib/otel/index')).rejects.toThrow(PEER);
});
