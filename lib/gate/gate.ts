import type { Clock } from '../time/clock.js';
import type { Deadline } from '../time/deadline.js';
import type { GateEvent } from './gate-event.js';
import { UNKNOWN_GATE } from './gate-record.js';
import type { GateRecord } from './gate-record.js';
import { isElsewhere } from './gate-state.js';
import type { GateSettings, Moment } from './gate-state.js';
import type { Heap } from './heap.js';
import { spreadMs } from './hold.js';
import { roomAt } from './release.js';
import type { Room } from './release.js';
import { labelOf } from './scope-key.js';
import type { Scope } from '../model.js';
import type { ScopeLabel } from './scope-key.js';
import type { Entered } from './ticket.js';
import { transition } from './transition.js';
import { WaitingLine } from './waiting-line.js';
import type { InLine } from './waiting-line.js';

/** A thin shell around the current record of one scope, with its waiters. */
export class Gate {
  readonly labels: readonly ScopeLabel[];
  readonly label: string;
  line: WaitingLine<Waiter> = NOBODY;
  /** Where it may be let wait with others for the one timer, and for being forgotten. */
  wakeAtMonoMs: number = 0;
  wakePlace: number | undefined;
  forgetAtMonoMs: number = 0;
  idlePlace: number | undefined;
  idleAmong: Heap<Gate> | undefined;
  /** Forgotten: the scope has, or will have, another gate. */
  retired: boolean = false;
  /** The last list of gates that it was the narrowest of: most operations share theirs. */
  andWider: PartyGates | undefined;
  /** The narrower gate under it that was limited last, and until when that is held. */
  evidence: { readonly gate: Gate; readonly untilMonoMs: number } | undefined = undefined;
  /** The end of the last hold: an operation that began after it is a new one. */
  heldUntilLastMonoMs: number = 0;
  readonly #scope: Scope;
  readonly #context: GateContext;
  #record: GateRecord = UNKNOWN_GATE;

  constructor(scope: Scope, labels: readonly ScopeLabel[], context: GateContext) {
    this.#scope = scope;
    this.labels = labels;
    this.label = labelOf(labels);
    this.#context = context;
  }

  get record(): GateRecord {
    return this.#record;
  }

  /** Holds secrets: not for show. */
  get scope(): Scope {
    return this.#scope;
  }

  /** When a hold ends that stands now; the probe of another may be over at any time. */
  heldUntilMonoMs(nowMonoMs: number): number | undefined {
    const { state } = this.#record;
    const isHeld = state.kind === 'held' && !isElsewhere(state) && state.untilMonoMs > nowMonoMs;
    return isHeld ? state.untilMonoMs : undefined;
  }

  /** What is left of a hint, without our spread: the callers' bounds are about that, and not about holds by hand. */
  hintLeftMs(nowMonoMs: number): number {
    const { state } = this.#record;
    if (state.kind !== 'held' || state.because === 'by-hand' || isElsewhere(state)) return 0;
    return (state.askedMonoMs ?? state.untilMonoMs) - nowMonoMs;
  }

  /** `joining` counts one that asks from outside the line. */
  moment(nowMonoMs: number, joining: 0 | 1): Moment {
    const { line } = this;
    return { nowMonoMs, waiting: line.due + joining, headSinceMonoMs: line.first?.dueMonoMs };
  }

  /** Whether one more may go now, after all that time alone has changed. */
  room(nowMonoMs: number, joining: 0 | 1): Room {
    const { settings, clock } = this.#context;
    const moment = this.moment(nowMonoMs, joining);
    this.apply({ kind: 'asked', moment });
    const room = roomAt(this.#record, moment, settings);
    if (room.kind !== 'spent') return room;
    const roll = clock.roll();
    const untilMonoMs = nowMonoMs + spreadMs(room.untilMonoMs - nowMonoMs, roll, settings);
    this.apply({ kind: 'closed', untilMonoMs, because: 'quota-spent', roll });
    return roomAt(this.#record, moment, settings);
  }

  apply(event: GateEvent): void {
    this.become(transition(this.#record, event, this.#context.settings));
  }

  become(record: GateRecord): void {
    const before = this.#record;
    this.#record = record;
    if (record !== before) this.#context.changed(this, before);
  }

  /** Into its line. */
  stand(waiter: Waiter, nowMonoMs: number): void {
    // Most gates never have a waiter.
    if (this.line === NOBODY) this.line = new WaitingLine();
    waiter.at = this;
    this.line.add(waiter, nowMonoMs);
    this.#context.waiting(1);
  }

  /** Out of its line. */
  stepOut(waiter: Waiter, how: Entered['kind']): void {
    this.line.remove(waiter, how);
    waiter.at = undefined;
    if (this.line.size === 0) this.line = NOBODY;
    this.#context.waiting(-1);
  }
}

/** What a gate needs of the gates around it. */
export interface GateContext {
  readonly clock: Clock;
  readonly settings: GateSettings;
  /** Another record, from `before`; where it asks who may probe, the answer is told to the gate. */
  changed(gate: Gate, before: GateRecord): void;
  /** One more waits somewhere, or one less. */
  waiting(change: 1 | -1): void;
}

/** An operation's gates, narrow to wide. */
export type PartyGates = readonly [Gate, ...Gate[]];

/** An operation, as far as gates know it. */
export interface Waiter extends InLine {
  readonly owner: object;
  readonly operation: string;
  readonly beganMonoMs: number;
  readonly deadline: Deadline | undefined;
  readonly exchangesLeft: number;
  readonly repeatable: boolean;
  latestMonoMs: number | undefined;
  gates: PartyGates;
  /** Where it stands, while it waits: the first of its gates that refused it. */
  at: Gate | undefined;
  /** Ends the wait. */
  settle: ((entered: Entered) => void) | undefined;
}

const NOBODY: WaitingLine<Waiter> = new WaitingLine();
