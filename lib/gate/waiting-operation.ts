import { shownEpochMs } from '../time/clock.js';
import type { GateState } from './gate-state.js';
import type { Gate, Waiter } from './gate.js';
import type { Turnstile } from './turnstile.js';

/** An operation that waits, at one instant. */
export interface WaitingOperation {
  /** Its name in the journal. */
  readonly operation: string;
  /** The label of the gate that it waits at; none where only its own instant or a network is waited for. */
  readonly gate?: string;
  readonly state: GateState['kind'] | 'offline';
  /** How many go before it there, as far as `turn` does not change that. */
  readonly ahead: number;
  /** When it may go at the earliest, where that is known: whole ms since 1970. */
  readonly releaseAt?: number;
  /** Ends the wait: its caller gets axios' `CanceledError`. */
  readonly cancel: () => void;
}

/** Those of an owner that wait at a gate, in the order in which they go. Costs what is waiting there. */
export function waitingAt(gate: Gate, owner: object, turnstile: Turnstile): readonly WaitingOperation[] {
  const { clock } = turnstile;
  const nowMonoMs = clock.monoMs();
  const heldUntilMonoMs = gate.heldUntilMonoMs(nowMonoMs) ?? nowMonoMs;
  const releaseOf = (waiter: Waiter): number => Math.max(heldUntilMonoMs, waiter.dueMonoMs);
  const state = gate.record.state.kind;
  const waiters = [...gate.line].sort((a, b) => releaseOf(a) - releaseOf(b) || a.number - b.number);
  return waiters.flatMap((waiter, ahead) => {
    if (waiter.owner !== owner) return [];
    const releaseAtMonoMs = releaseOf(waiter);
    // An open gate keeps nobody from anything whose own instant is yet to come.
    const isPause = state === 'open' && releaseAtMonoMs > nowMonoMs;
    const waiting: WaitingOperation = {
      operation: waiter.operation,
      ...(isPause || gate.label === '' ? {} : { gate: gate.label }),
      state,
      ahead: isPause ? 0 : ahead,
      ...(releaseAtMonoMs > nowMonoMs ? { releaseAt: shownEpochMs(clock, releaseAtMonoMs) } : {}),
      cancel: () => turnstile.leave(waiter),
    };
    return Object.freeze(waiting);
  });
}
