import { afterAll, beforeAll } from '@jest/globals';
import { storeOver } from '../../lib/redis/redis-store';
import { storeContract } from '../support/store-contract';
import { CLIENTS } from './redis-clients';
import type { Connected } from './redis-clients';
import { redisServer } from './redis-server';
import type { RedisServer } from './redis-server';

let server: RedisServer;
beforeAll(async () => {
  server = await redisServer();
});
afterAll(() => server.close());

for (const [name, connect] of Object.entries(CLIENTS)) {
  let benches = 0;
  storeContract(
    `a Redis store, by ${name}`,
    async () => {
      benches += 1;
      const prefix = `${name}-${benches}:`;
      const open: Connected[] = [];
      return {
        join: async () => {
          const connected = await connect(server.url);
          open.push(connected);
          return storeOver(connected.port, { prefix });
        },
        // The subscriptions of this bench are on their way when it begins.
        pass: (ms) => new Promise((resolve) => void setTimeout(resolve, Math.max(ms, 20))),
        nowMs: () => performance.now(),
        close: async () => {
          for (const { close } of open) close();
        },
      };
    },
    40,
  );
}
