import { once } from 'node:events';

/** On that port of this machine, 0 for any that is free. @throws what `listen` of node:http reports */
export async function listen(server, port) {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

export function send(response, status, { type, text } = { type: 'text/plain', text: '' }, headers = {}) {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store', ...headers });
  response.end(text);
}
