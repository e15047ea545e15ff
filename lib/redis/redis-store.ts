import { createHash, createHmac, randomUUID } from 'node:crypto';
import type { ScopePart } from '../model.js';
import type { SharedStore } from '../gate/gate-link.js';
import type { GateMessage, GateStore, GateWord } from '../store/gate-store.js';
import { sharedStore } from '../store/shared-store.js';
import { LEDGER_SCRIPT } from './ledger-script.js';
import type { RedisPort } from './redis-port.js';

/** How gates are named in the store, and how long it is waited for. */
export interface RedisStoreOptions {
  /**
   * Your key for the names of credentials: they are stored as HMAC-SHA-256 under it. The same in all processes.
   * @default none: a scope with a credential in it is not shared
   */
  readonly secret?: string | Uint8Array | undefined;
  /** Before every key and channel. @default 'axios-heed:' */
  readonly prefix?: string | undefined;
  /** How long an answer is waited for, ms. @default 100 */
  readonly timeoutMs?: number | undefined;
}

/**
 * Gates shared by all processes that use the same Redis (6.2 or later) and the same prefix.
 * @example heed(api, { store: redisStore(fromNodeRedis(client, subscriber), { secret }) })
 * @throws TypeError for a secret without a byte, or a time that is none
 */
export function redisStore(port: RedisPort, options: RedisStoreOptions = {}): SharedStore {
  return sharedStore(storeOver(port, options));
}

/** The same, as its link sees it. */
export function storeOver(port: RedisPort, options: RedisStoreOptions): GateStore {
  const { secret, prefix = 'axios-heed:', timeoutMs } = checked(options);
  const me = randomUUID();
  const channel = `${prefix}news`;
  return {
    timeoutMs,
    nameOf: (scope) => {
      if (secret === undefined && scope.some((part) => part.secret)) return { kind: 'no-secret' };
      return { kind: 'shared', name: scope.map((part) => nameOf(part, secret)).join(';') };
    },
    tell: async (name, message) => {
      const { kind, memberMs, accepted } = message;
      const args = [kind, me, channel, name, memberMs, accepted, ...detailsOf(message)].map(String);
      // What is in braces decides the slot: both keys of a gate are in one.
      const keys = [`${prefix}{${name}}:gate`, `${prefix}{${name}}:members`];
      return JSON.parse(String(await port.run(LEDGER_SCRIPT, keys, args))) as GateWord;
    },
    subscribe: (listener) =>
      port.subscribe(channel, (message) => {
        const { from, name, word } = parse(message);
        // Unchecked: anybody may publish here, and the gates look at what they are told.
        if (from !== me) listener(name as string, word as GateWord);
      }),
  };
}

function nameOf({ by, value, secret }: ScopePart, key: RedisStoreOptions['secret']): string {
  const isHidden = secret && key !== undefined;
  const text = isHidden ? createHmac('sha256', key).update(`${by}\n${value}`).digest('base64url') : value;
  return `${escaped(by)}${secret ? '#' : '='}${escaped(shortened(text))}`;
}

/** Free of what has a meaning in a name or in a key. */
function escaped(text: string): string {
  return text.replace(
    /[%;=#{}\s]/g,
    (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}

/** Long values count by their beginning and a digest. */
function shortened(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const digest = createHash('sha256').update(text).digest('base64url');
  return `${text.slice(0, MOST_CHARACTERS - digest.length)}${digest}`;
}

const MOST_CHARACTERS = 256;

function detailsOf(message: GateMessage): readonly (string | number)[] {
  switch (message.kind) {
    case 'over':
      return [message.leaseMs];
    case 'held':
      return [message.forMs, message.hintMs];
    case 'accepted':
      return [message.generation, message.perSecond ?? '', message.exchangeMs ?? ''];
    case 'paced':
      return [message.perSecond];
    case 'met':
    case 'sharing':
    case 'left':
    case 'let-go':
      return [];
  }
}

function parse(message: string): { from?: unknown; name?: unknown; word?: unknown } {
  try {
    const parsed: unknown = JSON.parse(message);
    return typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}

function checked(options: RedisStoreOptions): RedisStoreOptions {
  const { secret, timeoutMs } = options;
  if (secret?.length === 0) throw new TypeError('Expected a secret of some bytes, got an empty one');
  if (timeoutMs !== undefined && !(timeoutMs >= 0 && Number.isFinite(timeoutMs)))
    throw new TypeError(`Expected \`timeoutMs\` to be milliseconds, got ${String(timeoutMs)}`);
  return options;
}
