import type { Scope } from '../model.js';

/**
 * Gates shared with others: other processes, other tabs. No store is asked while gates are open. Durations
 * travel, instants never do: no two clocks need agree. Whatever it tells expires by itself, and where it is
 * slow, silent or wrong each client goes by what it knows itself.
 */
export interface GateStore {
  /** How long an answer is waited for, ms. @default 100 */
  readonly timeoutMs?: number | undefined;
  /** Under which name the scope is shared. Nothing secret may be in it. */
  nameOf(scope: Scope): StoreName;
  /** Tells what has happened at a gate, or asks; answers with what is known after it. May reject. */
  tell(name: string, message: GateMessage): Promise<GateWord>;
  /** Calls `listener` with what others have told; returns how to stop. */
  subscribe(listener: (name: string, word: GateWord) => void): () => void;
}

/** Under which name a scope is shared, if it is. */
export type StoreName =
  | { readonly kind: 'shared'; readonly name: string }
  /** Shared with nobody. */
  | { readonly kind: 'local' }
  /** Shared with nobody, because the scope holds a secret and the store has no key for it. */
  | { readonly kind: 'no-secret' };

/** What a client has to say, or to ask, about a gate. */
export type GateMessage = {
  /** For how long it counts as one of those who share the gate; 0: it does not. */
  readonly memberMs: number;
  /** Exchanges accepted while the gate was not open, since its last message. */
  readonly accepted: number;
} & (
  | { readonly kind: 'met' | 'sharing' | 'left' | 'let-go' }
  | { readonly kind: 'over'; readonly leaseMs: number }
  | { readonly kind: 'held'; readonly forMs: number; readonly hintMs: number }
  | {
      readonly kind: 'accepted';
      readonly generation: number;
      readonly perSecond?: number | undefined;
      readonly exchangeMs?: number | undefined;
    }
  | { readonly kind: 'paced'; readonly perSecond: number }
);

/** What a store knows of a gate. */
export interface GateWord {
  readonly gate: GateStand;
  /** Those who share it, the receiver included. */
  readonly members: number;
  /** What all of them together send now, as far as somebody has told. */
  readonly perSecond?: number | undefined;
  /** How long an exchange takes, by whoever probed last. */
  readonly exchangeMs?: number | undefined;
  /** The release before the last hold: what all of them were accepted, and how long it took. */
  readonly lastRelease?: { readonly accepted: number; readonly tookMs: number } | undefined;
}

/** How a gate stands, by what its clients have told. */
export type GateStand =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'held'; readonly forMs: number; readonly hintMs: number }
  /** The hold is over, and nobody has the right to probe. */
  | { readonly kind: 'over' }
  /** Another has the right to probe, for so long if he does not renew it. */
  | { readonly kind: 'probed'; readonly forMs: number }
  /** The receiver has it. */
  | { readonly kind: 'yours'; readonly generation: number }
  /** A probe was accepted. */
  | { readonly kind: 'released' }
  /** A hold was ended by hand. */
  | { readonly kind: 'let-go' };
