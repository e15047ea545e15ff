import { Readable } from 'node:stream';
import type { PackageName } from './peers';
import { clientWith } from './peers';
import { answers, loopbackServer } from '../../support/loopback-server';
import type { LoopbackStep } from '../../support/loopback-server';
import { settled } from '../../support/world';
import { NOT_REPEATED } from './stage';

// Long enough that a busy machine does not pass it by a stall, before the headers or between two pieces.
const BOUND_MS = 300;

/** A bound of 300 ms, headers at once, and a body of seven pieces, one every 90 ms. */
export async function slowBody(name: PackageName): Promise<string> {
  const server = await loopbackServer(dribbles);
  try {
    const api = clientWith(name, { adapter: 'http' }, { 'axios-heed': { budget: BOUND_MS } });
    const end = await settled(api.get(server.url, { timeout: BOUND_MS }));
    return 'error' in end ? 'ended' : 'goes on';
  } finally {
    await server.close();
  }
}

const dribbles: LoopbackStep = (response) => {
  let pieces = 0;
  const timer = setInterval(() => {
    pieces += 1;
    if (pieces < 7) response.write('.');
    else response.end('.');
  }, 90);
  response.writeHead(200);
  response.flushHeaders();
  response.on('close', () => clearInterval(timer));
};

/** A stream is put; the server reads it, refuses it once in a way that the package acts on, then takes anything. */
export async function streamed(name: PackageName): Promise<string> {
  const refusal = name === 'axios-retry-after' ? answers(429, { 'retry-after': '0' }) : answers(503);
  const server = await loopbackServer(refusal, answers(200));
  try {
    const api = clientWith(name, { adapter: 'http' });
    const end = await settled(
      api.put(server.url, Readable.from([Buffer.from('payload')]), { timeout: 1000 }),
    );
    const again = server.requests[1];
    if (again === undefined) return end.error.heed?.reason === UNREPEATABLE ? SAYS_WHY : NOT_REPEATED;
    const what = again.body === 'payload' ? 'repeated' : 'sent empty';
    return 'error' in end ? `${what}, fails` : what;
  } finally {
    await server.close();
  }
}

const UNREPEATABLE = 'body-not-replayable';
const SAYS_WHY = `${NOT_REPEATED}, says why`;
