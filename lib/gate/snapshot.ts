import type { Clock } from '../time/clock.js';
import type { Bulletin } from './bulletin.js';
import type { GateBook } from './gate-book.js';
import type { GateRecord } from './gate-record.js';
import type { GateState, Held, HoldCause } from './gate-state.js';
import type { Gate } from './gate.js';
import type { Lines } from './lines.js';
import { isTelling } from './rate.js';
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
  /** While it is held. */
  readonly hold?: HoldSnapshot | undefined;
  /** The rate that saturated releases have taught, while it is fresh. */
  readonly perSecond?: number | undefined;
}

/** Until when a gate is held at the earliest, and where that comes from. */
export interface HoldSnapshot {
  readonly releaseAtEpochMs: number;
  readonly because: HoldCause;
  /** What the server asked for, where it did. */
  readonly hintMs?: number | undefined;
  /** The words of whoever holds it by hand. */
  readonly why?: string | undefined;
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
    const waiting = this.#sources.lines.of(gate)?.size ?? 0;
    return Object.freeze({
      ...{ gate: label, scope: labels, state: state.kind, epoch, waiting, inFlight, unproven },
      ...(state.kind === 'held' ? { hold: this.#hold(record, state) } : {}),
      ...(rate !== undefined && isTelling(rate) ? { perSecond: rate.perMs * 1000 } : {}),
    });
  }

  #hold({ lastHintMs }: GateRecord, { untilMonoMs, because, why }: Held): HoldSnapshot {
    const { clock } = this.#sources;
    const releaseAtEpochMs = clock.wallEpochMs() + untilMonoMs - clock.monoMs();
    return Object.freeze({
      ...{ releaseAtEpochMs, because },
      ...(because === 'hint' ? { hintMs: lastHintMs } : {}),
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
