// Contents page of `axios-heed/broadcast`: gates shared by the tabs of one browser.
export { broadcastStore } from './broadcast-store.js';
export type { BroadcastStoreOptions } from './broadcast-store.js';
