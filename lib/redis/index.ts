// Contents page of `axios-heed/redis`.
export { redisStore } from './redis-store.js';
export type { RedisStoreOptions } from './redis-store.js';
export { fromIoredis } from './from-ioredis.js';
export type { IoredisLike, IoredisSubscriber } from './from-ioredis.js';
export { fromNodeRedis } from './from-node-redis.js';
export type { NodeRedisLike, NodeRedisSubscriber } from './from-node-redis.js';
export type { RedisPort, RedisScript } from './redis-port.js';
