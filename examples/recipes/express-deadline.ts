// Express 5: whoever calls has a deadline, and the calls that are made for him end within it.
// To change: the header that your callers send, the bounds, and what they are told.
import express from 'express';
import type { ErrorRequestHandler, Express, Request, Response } from 'express';
import type { AxiosInstance, AxiosRequestConfig } from 'axios';
import { isHeedError } from 'axios-heed';

/** What a caller waits who does not say, and the longest that anybody gets. */
const MOST_MS = 30_000;
/** Kept back to write the answer. */
const ANSWER_MS = 50;

export function ordersApp(api: AxiosInstance): Express {
  const app = express();
  app.get('/orders/:id', async (request, response) => {
    const bounds = boundsOf(request, response);
    const { data } = await api.get<unknown>(`/orders/${request.params.id}`, bounds);
    response.json(data);
  });
  app.use(tellCaller);
  return app;
}

/** Ends the calls made for a request at its deadline, and as soon as its caller has gone. */
function boundsOf(request: Request, response: Response): AxiosRequestConfig {
  const asked = Number(request.get('x-timeout-ms'));
  const timeoutMs = asked > 0 ? Math.min(asked, MOST_MS) : MOST_MS;
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return { signal: gone.signal, heed: { deadline: Date.now() + timeoutMs - ANSWER_MS } };
}

const tellCaller: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (!isHeedError(error) || response.headersSent) {
    next(error);
    return;
  }
  const { reason, waitMs } = error.heed;
  // The upstream's wait is the caller's wait: told in time, he can heed it.
  if (waitMs !== undefined) response.set('Retry-After', String(Math.ceil(waitMs / 1000)));
  response.status(statusFor(reason, waitMs)).json({ reason });
};

function statusFor(reason: string, waitMs: number | undefined): number {
  if (waitMs !== undefined) return 503;
  return reason === 'deadline-passed' ? 504 : 502;
}
