import type { QuotaModel } from 'axios-heed/testing';
import { loopback } from '../support/loopback';
import type { Loopback } from '../support/loopback';

/** A real server that a quota model rules; its hints are whole seconds, as most servers give them. */
export interface QuotaLoopback extends Loopback {
  readonly refused: () => number;
}

export async function quotaLoopback(model: QuotaModel): Promise<QuotaLoopback> {
  const startMs = performance.now();
  let refused = 0;
  const server = await loopback(({ url }, response) => {
    const admission = model.admit(performance.now() - startMs);
    if (admission.kind === 'accepted') {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ url }));
      return;
    }
    refused += 1;
    response.writeHead(admission.status, { 'retry-after': String(Math.ceil(admission.waitMs / 1000)) }).end();
  });
  return { ...server, refused: () => refused };
}
