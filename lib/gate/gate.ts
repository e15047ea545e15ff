import type { GateEvent } from './gate-event.js';
import { UNKNOWN_GATE } from './gate-record.js';
import type { GateRecord } from './gate-record.js';
import type { GateSettings, Moment } from './gate-state.js';
import { roomAt } from './release.js';
import type { Room } from './release.js';
import type { Scope, ScopeLabel } from './scope-key.js';
import { transition } from './transition.js';

/** What a gate needs of the gates around it. */
export interface GateContext {
  readonly settings: GateSettings;
  roll(): number;
  /** Asks who may probe, and tells the gate by a `leased` event. */
  askForLease(gate: Gate): void;
  changed(gate: Gate, before: GateRecord): void;
}

/** A thin shell around the current record of one scope. Its waiters stand at the turnstile. */
export class Gate {
  readonly labels: readonly ScopeLabel[];
  readonly label: string;
  /** Where it may be let wait with others for the one timer, and for being forgotten. */
  wakeAtMonoMs: number = 0;
  wakePlace: number | undefined = undefined;
  forgetAtMonoMs: number = 0;
  idlePlace: number | undefined = undefined;
  restsAs: 'open' | 'held' = 'open';
  /** Forgotten: the scope has, or will have, another gate. */
  retired: boolean = false;
  /** The last list of gates that it was the narrowest of: most operations share theirs. */
  andWider: readonly [Gate, ...Gate[]] | undefined = undefined;
  /** The end of the last hold: an operation that began after it is a new one. */
  heldUntilLastMonoMs: number = 0;

  readonly #scope: Scope;
  readonly #context: GateContext;
  #record: GateRecord = UNKNOWN_GATE;

  constructor(identity: { scope: Scope; labels: readonly ScopeLabel[] }, context: GateContext) {
    this.#scope = identity.scope;
    this.labels = identity.labels;
    this.label = identity.labels.map(({ label }) => label).join(' ');
    this.#context = context;
  }

  get record(): GateRecord {
    return this.#record;
  }

  /** Holds secrets: not for show. */
  get scope(): Scope {
    return this.#scope;
  }

  /** When a hold ends that stands now. */
  heldUntilMonoMs(nowMonoMs: number): number | undefined {
    const { state } = this.#record;
    return state.kind === 'held' && state.untilMonoMs > nowMonoMs ? state.untilMonoMs : undefined;
  }

  /** Whether one more may go now, after all that time alone has changed. */
  room(moment: Moment): Room {
    const { settings } = this.#context;
    this.apply({ kind: 'asked', moment });
    const room = roomAt(this.#record, moment, settings);
    if (room.kind !== 'spent') return room;
    const { nowMonoMs } = moment;
    const { untilMonoMs } = room;
    this.apply({ kind: 'quota-spent', untilMonoMs, nowMonoMs, roll: this.#context.roll() });
    return roomAt(this.#record, moment, settings);
  }

  apply(event: GateEvent): void {
    const before = this.#record;
    this.#record = transition(before, event, this.#context.settings);
    if (this.#record === before) return;
    this.#context.changed(this, before);
    const isAsking = this.#record.state.kind === 'asking' && before.state.kind !== 'asking';
    if (isAsking) this.#context.askForLease(this);
  }
}
