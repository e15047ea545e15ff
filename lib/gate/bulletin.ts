import type { Clock } from '../time/clock.js';
import { LEAST_TELL_GAP_MS } from './figures.js';
import type { GateHappening, GateNote } from './gate-note.js';
import type { Gate } from './gate.js';

/**
 * Tells whoever listens: that something has changed, at most ten times a second; and what, in order, once the
 * gates are at rest: a listener may ask them anything.
 */
export class Bulletin {
  /** Grows with every change. */
  changes: number = 0;
  readonly #clock: Clock;
  readonly #listeners: Set<() => void> = new Set();
  readonly #readers: Set<(note: GateNote) => void> = new Set();
  #toldChanges: number = 0;
  #nextMonoMs: number = 0;
  #operation: string | undefined;
  #notes: GateNote[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  subscribe(listener: () => void): () => void {
    return joined(this.#listeners, () => listener());
  }

  read(reader: (note: GateNote) => void): () => void {
    return joined(this.#readers, (note) => reader(note));
  }

  /** Nobody reads: whoever would have to work for a note may leave it. */
  get isUnread(): boolean {
    return this.#readers.size === 0;
  }

  /** What is noted while `act` runs is this operation's doing. */
  of<T>(operation: string | undefined, act: () => T): T {
    const before = this.#operation;
    this.#operation = operation;
    try {
      return act();
    } finally {
      this.#operation = before;
    }
  }

  note(gate: Gate, happening: GateHappening, operation: string | undefined = this.#operation): void {
    if (this.isUnread) return;
    this.#notes.push({
      gate: gate.label,
      epoch: gate.record.epoch,
      atMonoMs: this.#clock.monoMs(),
      ...(operation === undefined ? {} : { operation }),
      ...happening,
    });
  }

  /** When the listeners are to be told of what has changed since they were told last. */
  get tellAtMonoMs(): number | undefined {
    return this.changes === this.#toldChanges || this.#listeners.size === 0 ? undefined : this.#nextMonoMs;
  }

  tell(): void {
    while (this.#notes.length > 0) {
      const notes = this.#notes;
      this.#notes = [];
      for (const note of notes) for (const reader of [...this.#readers]) quietly(() => reader(note));
    }
    const { tellAtMonoMs } = this;
    const nowMonoMs = this.#clock.monoMs();
    if (tellAtMonoMs === undefined || nowMonoMs < tellAtMonoMs) return;
    this.#toldChanges = this.changes;
    this.#nextMonoMs = nowMonoMs + LEAST_TELL_GAP_MS;
    for (const listener of [...this.#listeners]) quietly(listener);
  }
}

/** Takes a function of its own, so that one listener may come twice and leave once. */
function joined<T>(all: Set<T>, one: T): () => void {
  all.add(one);
  return () => {
    all.delete(one);
  };
}

/** A listener that throws is his own affair: gates go on. */
export function quietly(tell: () => unknown): void {
  try {
    const returned = tell();
    // Of any realm or library.
    if (typeof (returned as Partial<Promise<unknown>> | undefined)?.then === 'function')
      Promise.resolve(returned).catch(() => undefined);
  } catch {
    // Nobody to tell: the caller of the moment has nothing to do with the listener.
  }
}
