import type { LinkingStore, SharedStore } from '../gate/gate-link.js';
import type { GateStore } from './gate-store.js';
import { StoreLink } from './store-link.js';

/**
 * Gates shared by a store of your own: `heed(api, { store: sharedStore(mine) })`.
 * @throws TypeError for what is no store, or a `timeoutMs` that is no time
 */
export function sharedStore(store: GateStore): SharedStore {
  for (const name of ['nameOf', 'tell', 'subscribe'] as const) {
    if (typeof store[name] !== 'function')
      throw new TypeError(`sharedStore: expected \`${name}\` to be a function, got ${typeof store[name]}`);
  }
  const { timeoutMs = 0 } = store;
  if (!(timeoutMs >= 0 && Number.isFinite(timeoutMs)))
    throw new TypeError(`sharedStore: expected \`timeoutMs\` to be milliseconds, got ${String(timeoutMs)}`);
  return linking({ linkTo: (gates) => new StoreLink(store, gates) });
}

/** For where there is nothing to share by: every client goes by what it knows itself. */
export const UNSHARED: SharedStore = linking({ linkTo: () => undefined });

function linking(store: LinkingStore): SharedStore {
  return store;
}
