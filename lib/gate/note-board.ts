import type { Clock } from '../time/clock.js';
import { quietly } from './bulletin.js';
import type { GateHappening, GateNote } from './gate-note.js';
import type { Gate } from './gate.js';

/** Notes for the journal, told in order once the gates are at rest: a listener may ask them anything. */
export class NoteBoard {
  readonly #listeners: Set<(note: GateNote) => void> = new Set();
  readonly #clock: Clock;
  #pending: GateNote[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Nobody listens: whoever would have to work for a note may leave it. */
  get isIdle(): boolean {
    return this.#listeners.size === 0;
  }

  listen(listener: (note: GateNote) => void): () => void {
    const entry = (note: GateNote): void => listener(note);
    this.#listeners.add(entry);
    return () => {
      this.#listeners.delete(entry);
    };
  }

  add(gate: Gate, happening: GateHappening): void {
    if (this.isIdle) return;
    const { label, record } = gate;
    this.#pending.push({
      gate: label,
      epoch: record.epoch,
      atMonoMs: this.#clock.monoMs(),
      ...happening,
    });
  }

  tell(): void {
    while (this.#pending.length > 0) {
      const notes = this.#pending;
      this.#pending = [];
      for (const note of notes) {
        for (const listener of [...this.#listeners]) quietly(() => listener(note));
      }
    }
  }
}
