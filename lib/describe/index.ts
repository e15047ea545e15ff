// Contents page of `axios-heed/describe`: what to tell a person who is waiting.
export { describeHold } from './describe-hold.js';
export type { DescribeOptions, DistanceLocale, HoldDescription, HoldParts, Wait } from './describe-hold.js';
export { describeStop } from './describe-stop.js';
export type { StopDescription, StopFacts } from './describe-stop.js';
