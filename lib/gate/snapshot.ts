import type { Clock } from '../time/clock.js';
import type { Bulletin } from './bulletin.js';
import type { GateBook } from './gate-book.js';
import type { GateState, Held, HoldCause } from './gate-state.js';
import type { Gate } from './gate.js';
import type { Lines } from './lines.js';
import type { ScopeLabel } from './scope-key.js';

/** All gates at one instant. The same object until something changes. */
export interface GatesSnapshot {
  readonly gates: readonly GateSnapshot[];
  /** Operations that wait, in all. */
  readonly waiting: number;
}

/** One gate at one instant. No credential is in it: a running number stands for each. */
export interface GateSnapshot {
  readonly gate: string;
  readonly scope: readonly ScopeLabel[];
  readonly state: GateState['kind'];
  readonly epoch: number;
  readonly waiting: number;
  readonly inFlight: number;
  /** No new operation has succeeded since the last hold: nothing may be called recovered yet. */
  readonly unproven: boolean;
  /** While it is held: until when at the earliest, and where that comes from. */
  readonly hold?:
    | {
        readonly releaseAtEpochMs: number;
        readonly because: HoldCause;
        readonly why?: string;
      }
    | undefined;
  /** The rate that saturated releases have taught, while it is fresh. */
  readonly perSecond?: number | undefined;
}

/** Takes a snapshot when something has changed since the last. */
export class SnapshotKeeper {
  readonly #sources: SnapshotSources;
  #last: { readonly snapshot: GatesSnapshot; readonly changes: number } | undefined;

  constructor(sources: SnapshotSources) {
    this.#sources = sources;
  }

  take(): GatesSnapshot {
    const { book, lines, bulletin, clock } = this.#sources;
    book.sweep(clock.monoMs());
    if (this.#last?.changes === bulletin.changes) return this.#last.snapshot;
    const gates = Object.freeze([...book].map((gate) => this.#gate(gate)));
    const snapshot = Object.freeze({ gates, waiting: lines.waiting });
    this.#last = { snapshot, changes: bulletin.changes };
    return snapshot;
  }

  #gate(gate: Gate): GateSnapshot {
    const { record, label, labels } = gate;
    const { state, epoch, inFlight, unproven, rate } = record;
    return Object.freeze({
      ...{
        gate: label,
        scope: labels,
        state: state.kind,
        epoch,
        inFlight,
        unproven,
      },
      waiting: this.#sources.lines.of(gate)?.size ?? 0,
      ...(state.kind === 'held' ? { hold: this.#hold(state) } : {}),
      ...(rate === undefined ? {} : { perSecond: rate.perMs * 1000 }),
    });
  }

  #hold({ untilMonoMs, because, why }: Held): GateSnapshot['hold'] {
    const { clock } = this.#sources;
    const releaseAtEpochMs = clock.wallEpochMs() + untilMonoMs - clock.monoMs();
    return Object.freeze({
      releaseAtEpochMs,
      because,
      ...(why === undefined ? {} : { why }),
    });
  }
}

interface SnapshotSources {
  readonly bulletin: Bulletin;
  readonly clock: Clock;
  readonly book: GateBook;
  readonly lines: Lines;
}
