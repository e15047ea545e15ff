import http from 'node:http';
import { listen, send } from './listen.mjs';

const ANSWER_MS = 25;

/**
 * The API of one client, on a port of its own: browsers open six connections to an origin, and two clients that
 * shared them would wait for each other. So it is another origin than the page's, and has to show its headers.
 */
export async function startApi(answer) {
  const server = http.createServer((request, response) => {
    const { status, retryAfter } = answer();
    const headers = {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'Date, Retry-After',
      ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    };
    const end = () => {
      send(response, status, { type: 'application/json', text: JSON.stringify({ status }) }, headers);
    };
    // A refusal costs a server next to nothing, an answer does.
    if (status === 200) setTimeout(end, ANSWER_MS);
    else end();
  });
  return listen(server, 0);
}
