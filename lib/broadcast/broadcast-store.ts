import type { SharedStore } from '../gate/gate-link.js';
import type { GateStore, StoreName } from '../store/gate-store.js';
import { UNSHARED, sharedStore } from '../store/shared-store.js';
import type { Scope, ScopePart } from '../model.js';
import { platformTabs } from './platform-tabs.js';
import type { Tabs } from './platform-tabs.js';
import { TabStore } from './tab-store.js';

/** With which other tabs gates are shared, and what credentials are called there. */
export interface BroadcastStoreOptions {
  /** Clients that share gates have the same. @default 'axios-heed' */
  readonly channel?: string | undefined;
  /**
   * What a credential is called on the channel, where every script of the origin listens: nothing secret, such
   * as the id of who is logged in. @default none, and scopes with credentials are not shared
   */
  readonly nameOfSecret?: ((part: ScopePart) => string | undefined) | undefined;
}

/**
 * Gates shared by the tabs of one browser, over BroadcastChannel and Web Locks; nothing is stored. Where the
 * platform lacks either (older web views, React Native, pages without TLS) every tab goes by itself.
 * @throws TypeError for options that are none
 */
export function broadcastStore(options: BroadcastStoreOptions = {}): SharedStore {
  const { channel = 'axios-heed', nameOfSecret } = checked(options);
  const tabs = platformTabs(channel);
  return tabs === undefined ? UNSHARED : sharedStore(storeOver(tabs, nameOfSecret));
}

/** The same over given tabs. */
export function storeOver(tabs: Tabs, nameOfSecret?: BroadcastStoreOptions['nameOfSecret']): GateStore {
  const store = new TabStore(tabs);
  return {
    nameOf: (scope) => nameOf(scope, nameOfSecret),
    tell: (name, message) => store.tell(name, message),
    subscribe: (listener) => store.subscribe(listener),
  };
}

function nameOf(scope: Scope, nameOfSecret: BroadcastStoreOptions['nameOfSecret']): StoreName {
  const names = scope.map((part) => (part.secret ? nameOfSecret?.(part) : part.value));
  if (!names.every((name) => typeof name === 'string')) return { kind: 'no-secret' };
  // Its length first, so that no value can be mistaken for another's boundary.
  const texts = scope.map(({ by, secret }, at) => {
    const value = names[at] ?? '';
    return `${by}${secret ? '#' : '='}${value.length}:${value}`;
  });
  return { kind: 'shared', name: texts.join(';') };
}

const KNOWN: ReadonlySet<string> = new Set([
  'channel',
  'nameOfSecret',
] satisfies (keyof BroadcastStoreOptions)[]);

function checked(options: BroadcastStoreOptions): BroadcastStoreOptions {
  const unknown = Object.keys(options).find((name) => !KNOWN.has(name));
  if (unknown !== undefined)
    throw new TypeError(`broadcastStore: expected one of ${[...KNOWN].join(', ')}, got \`${unknown}\``);
  const { channel, nameOfSecret } = options;
  if (channel !== undefined && (typeof channel !== 'string' || channel === ''))
    throw new TypeError(`broadcastStore: expected \`channel\` to be a text, got ${typeof channel}`);
  if (nameOfSecret !== undefined && typeof nameOfSecret !== 'function')
    throw new TypeError('broadcastStore: expected `nameOfSecret` to be a function');
  return options;
}
