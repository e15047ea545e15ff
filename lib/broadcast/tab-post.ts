import type { GateMessage } from '../store/gate-store.js';
import type { LedgerState } from './ledger-state.js';

/** What a tab posts; `v` changes when a tab of an older page could not read it. */
export type Post = Said & { readonly v: 1; readonly from: string };

export type Said =
  | { readonly kind: 'hello' }
  | { readonly kind: 'here'; readonly to: string }
  | { readonly kind: 'told'; readonly name: string; readonly message: GateMessage }
  | { readonly kind: 'ask'; readonly name: string }
  | {
      readonly kind: 'state';
      readonly to: string;
      readonly name: string;
      readonly state: LedgerState | undefined;
    };

/** What came over the channel, checked; `undefined` when it is no post of this version. Others may write there. */
export function readPost(data: unknown): Post | undefined {
  if (!isRecord(data) || data['v'] !== 1 || typeof data['from'] !== 'string') return undefined;
  return isSaid(data) ? (data as unknown as Post) : undefined;
}

function isSaid({ kind, to, name, message, state }: Fields): boolean {
  switch (kind) {
    case 'hello':
      return true;
    case 'here':
      return typeof to === 'string';
    case 'ask':
      return typeof name === 'string';
    case 'told':
      return typeof name === 'string' && isMessage(message);
    case 'state':
      return typeof to === 'string' && typeof name === 'string' && (state === undefined || isState(state));
    default:
      return false;
  }
}

/** The numbers that each kind has beside those of its sender. */
const NUMBERS: ReadonlyMap<unknown, readonly string[]> = new Map<GateMessage['kind'], readonly string[]>([
  ['met', []],
  ['sharing', []],
  ['left', []],
  ['let-go', []],
  ['over', ['leaseMs']],
  ['held', ['forMs', 'hintMs']],
  ['accepted', ['generation']],
  ['paced', ['perSecond']],
]);

function isMessage(value: unknown): boolean {
  const numbers = isRecord(value) ? NUMBERS.get(value['kind']) : undefined;
  if (!isRecord(value) || numbers === undefined) return false;
  const needed = ['memberMs', 'accepted', ...numbers];
  return (
    needed.every((field) => isAmount(value[field])) && OPTIONAL.every((field) => isOptional(value[field]))
  );
}

function isState(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { members, lease } = value;
  const isLeased =
    lease === undefined ||
    (isRecord(lease) && typeof lease['owner'] === 'string' && isFinite(lease['endsInMs']));
  const areMembers =
    Array.isArray(members) &&
    members.length <= MOST_MEMBERS &&
    members.every((one) => Array.isArray(one) && typeof one[0] === 'string' && isFinite(one[1]));
  const areInstants = ['untilInMs', 'releasedInMs'].every(
    (field) => value[field] === undefined || isFinite(value[field]),
  );
  const areAmounts = ['hintMs', 'generation', 'accepted', 'expiresInMs'].every((field) =>
    isAmount(value[field]),
  );
  return (
    isLeased && areMembers && areInstants && areAmounts && OPTIONAL.every((field) => isOptional(value[field]))
  );
}

const OPTIONAL = ['perSecond', 'exchangeMs', 'tookMs'] as const;
const MOST_MEMBERS = 1000;

type Fields = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function isOptional(value: unknown): boolean {
  return value === undefined || isAmount(value);
}

function isAmount(value: unknown): boolean {
  return isFinite(value) && (value as number) >= 0;
}

function isFinite(value: unknown): boolean {
  return Number.isFinite(value);
}
