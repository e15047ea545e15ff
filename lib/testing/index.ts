// Contents page of `axios-heed/testing`.
export { virtualClock } from './virtual-clock.js';
export type { ClockReaderOptions, PendingTimer, VirtualClock, VirtualClockOptions } from './virtual-clock.js';
export { seededDice } from './seeded-dice.js';
export { quotaServer } from './quota-server.js';
export type { QuotaServer, QuotaServerOptions, ServerLogEntry } from './quota-server.js';
export { noLimit } from './quota-model.js';
export type { Accepted, Admission, QuotaLeft, QuotaModel, Rejected } from './quota-model.js';
export { tokenBucket } from './token-bucket.js';
export type { TokenBucketOptions } from './token-bucket.js';
export { fixedWindow } from './fixed-window.js';
export type { FixedWindowOptions } from './fixed-window.js';
export { slidingWindow } from './sliding-window.js';
export type { SlidingWindowOptions } from './sliding-window.js';
export { concurrencyLimit } from './concurrency-limit.js';
export type { ConcurrencyLimitOptions } from './concurrency-limit.js';
export { outage } from './outage.js';
export type { OutageOptions } from './outage.js';
export { workQueue } from './work-queue.js';
export type { WorkQueue, WorkQueueBreaks, WorkQueueOptions } from './work-queue.js';
export {
  alwaysSays,
  asHttpDate,
  exaggerates,
  saysNonsense,
  saysNothing,
  wholeSeconds,
} from './spoken-hint.js';
export type { SpokenHint } from './spoken-hint.js';
export { quotaHeaders } from './quota-headers.js';
export type { QuotaDialect } from './quota-headers.js';
