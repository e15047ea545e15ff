// Contents page of `axios-heed/store`: what a store of one's own needs.
export { sharedStore } from './shared-store.js';
export type { GateMessage, GateStand, GateStore, GateWord, StoreName } from './gate-store.js';
export type { SharedStore } from '../gate/gate-link.js';
