import type { StoryLine } from './story-line.js';

/** What happened at the gates that open stories have to do with. */
export class GateLog {
  readonly #gates: Map<string, Watched> = new Map();
  #size: number = 0;

  /** How many lines it keeps. */
  get size(): number {
    return this.#size;
  }

  watch(gate: string, story: Watcher): void {
    const watched = this.#gates.get(gate) ?? { since: new Map<Watcher, number>(), lines: [], added: 0 };
    this.#gates.set(gate, watched);
    watched.since.set(story, watched.added - during(watched, story).length);
  }

  /** Whether any story has to do with that gate. */
  isWatched(gate: string): boolean {
    return this.#gates.has(gate);
  }

  add(gate: string, line: StoryLine): void {
    const watched = this.#gates.get(gate);
    if (watched === undefined) return;
    watched.lines.push(line);
    watched.added += 1;
    this.#size += 1;
    // Cut by halves, or a gate that is always watched would cost its whole log with each line.
    if (watched.lines.length >= 2 * MOST_PER_GATE) {
      this.#size -= watched.lines.splice(0, MOST_PER_GATE).length;
    }
  }

  /** What happened since the story began. */
  of(story: Watcher): GateLines {
    const gates = [...story.gates].flatMap((gate) => this.#gates.get(gate) ?? []);
    const lines = gates.flatMap((watched) => during(watched, story));
    const all = gates.reduce((sum, { added, since }) => sum + added - (since.get(story) ?? added), 0);
    return { lines, leftOut: all - lines.length };
  }

  /** The story is told. */
  unwatch(story: Watcher): void {
    for (const gate of story.gates) {
      const watched = this.#gates.get(gate);
      if (watched === undefined) continue;
      watched.since.delete(story);
      if (watched.since.size > 0) continue;
      this.#gates.delete(gate);
      this.#size -= watched.lines.length;
    }
  }
}

/** A story, as much as this needs of it. */
export interface Watcher {
  /** Of its first entry. */
  readonly place: number;
  readonly gates: ReadonlySet<string>;
}

export interface GateLines {
  readonly lines: readonly StoryLine[];
  readonly leftOut: number;
}

interface Watched {
  /** How many lines it had had when the story began, by story. */
  readonly since: Map<Watcher, number>;
  readonly lines: StoryLine[];
  /** How many there were in all. */
  added: number;
}

function during({ lines }: Watched, { place }: Watcher): readonly StoryLine[] {
  return lines.filter((line) => line.place > place);
}

const MOST_PER_GATE = 200;
