import { afterEach, describe, expect, test } from '@jest/globals';
import { answers, gapsOf, loopbackServer } from '../support/loopback-server';
import type { LoopbackServer, LoopbackStep } from '../support/loopback-server';
import { ownProgram } from '../support/own-process';
import type { Run } from '../support/own-process';

const cleanUp: (() => unknown)[] = [];

afterEach(async () => {
  await Promise.all(cleanUp.splice(0).map((run) => run()));
});

/** Runs a program against a server that lives here, in another process than the program's. */
async function runAgainst(
  program: string,
  ...steps: LoopbackStep[]
): Promise<Run & { server: LoopbackServer }> {
  const server = await loopbackServer(...steps);
  const own = ownProgram(`import axios from 'axios';\nimport { heed } from 'axios-heed';\n${program}`);
  cleanUp.push(server.close, own.remove);
  return { ...(await own.run({ BASE_URL: server.url })), server };
}

const client = `
import { Agent } from 'node:http';
const api = axios.create({ baseURL: process.env.BASE_URL, adapter: 'http', httpAgent: new Agent({ keepAlive: false }) });
const heeding = heed(api, { jitter: 0 });
`;

// Alone in the world: what keeps it alive is the wait.
const closing = { connection: 'close' };

describe('a Node process', () => {
  test('TMR-05: lives until an operation that waits has ended', async () => {
    const { exitCode, output, errors, server } = await runAgainst(
      `${client} api.get('/things').then(({ status }) => console.log('status', status));`,
      answers(429, { 'retry-after': '1', ...closing }),
      answers(200, closing),
    );
    expect({ exitCode, output, errors }).toEqual({ exitCode: 0, output: 'status 200\n', errors: '' });
    expect(gapsOf(server)[0]).toBeGreaterThanOrEqual(999);
  });

  test('TMR-05: lives until one that waits behind a gate of others has ended', async () => {
    const { exitCode, output, server } = await runAgainst(
      `${client}
      api.get('/things', { heed: false }).catch(() => {
        api.get('/things').then(({ status }) => console.log('status', status));
      });`,
      answers(429, { 'retry-after': '1', ...closing }),
      answers(200, closing),
    );
    expect({ exitCode, output }).toEqual({ exitCode: 0, output: 'status 200\n' });
    expect(gapsOf(server)[0]).toBeGreaterThanOrEqual(999);
  });

  test.each(['heed: false', 'heed: { exchanges: 1 }', 'heed: { budget: 5000 }', 'heed: { maxHint: 0 }'])(
    'TMR-06: is not kept alive by a gate that nobody waits at: %s',
    async (options) => {
      const { exitCode, output, lingeredMs } = await runAgainst(
        `${client} api.get('/things', { ${options} }).catch(({ response }) => console.log('status', response.status));`,
        answers(429, { 'retry-after': '60', ...closing }),
      );
      expect({ exitCode, output }).toEqual({ exitCode: 0, output: 'status 429\n' });
      expect(lingeredMs).toBeLessThan(400);
    },
  );

  test('TMR-06: is not kept alive by subscribers, nor by a detached client', async () => {
    const { exitCode, output, lingeredMs } = await runAgainst(
      `${client}
      heeding.subscribe(() => undefined);
      const held = api.get('/things').catch(({ heed }) => console.log(heed.reason));
      setTimeout(() => heeding.detach(), 300);`,
      answers(429, { 'retry-after': '60', ...closing }),
    );
    expect({ exitCode, output }).toEqual({ exitCode: 0, output: 'detached\n' });
    expect(lingeredMs).toBeLessThan(400);
  });

  test('TMR-01: is not warned of a timer that is too long', async () => {
    const { exitCode, output, errors } = await runAgainst(
      `${client.replace('jitter: 0', "jitter: 0, maxHint: 'none'")}
      api.get('/things').catch(({ heed }) => console.log(heed.reason));
      setTimeout(() => heeding.detach(), 300);`,
      answers(429, { 'retry-after': '2592000', ...closing }),
    );
    expect({ exitCode, output, errors }).toEqual({ exitCode: 0, output: 'detached\n', errors: '' });
  });
});
