import http from 'node:http';
import { once } from 'node:events';

/**
 * A small API on this machine, for the examples beside this file. `answer` gets each request and gives
 * `{ status, headers, body }`, all of them optional.
 */
export async function localApi(answer) {
  const server = http.createServer((request, response) => {
    const { status = 200, headers = {}, body = {} } = answer(request);
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
