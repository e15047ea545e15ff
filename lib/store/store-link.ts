import type { GateLink, LinkedGates } from '../gate/gate-link.js';
import type { GateRecord } from '../gate/gate-record.js';
import type { GateState } from '../gate/gate-state.js';
import type { Gate } from '../gate/gate.js';
import { Heap } from '../gate/heap.js';
import { holdOf, newsOf } from './news-of.js';
import {
  LEFT,
  RENEWAL,
  hasProber,
  isIdle,
  isOwnHold,
  isSpeaker,
  memberMsOf,
  pauseMsOf,
  sharedGate,
  speaksBefore,
} from './shared-gate.js';
import type { Said, SharedGate } from './shared-gate.js';
import { StoreLine } from './store-line.js';
import type { GateMessage, GateStore, GateWord } from './gate-store.js';
import { met, told } from './told.js';
import { Trust, withoutLease } from './trust.js';

/**
 * Says to the store what happens at the gates that are shared, and to the gates what the store says. While a
 * gate is open there is nothing to say.
 */
export class StoreLink implements GateLink {
  readonly #gates: LinkedGates;
  readonly #line: StoreLine;
  readonly #byName: Map<string, SharedGate> = new Map();
  readonly #byGate: Map<Gate, SharedGate> = new Map();
  readonly #due: Heap<SharedGate> = new Heap('place', speaksBefore);
  readonly #trust: Trust;
  #isListening = false;

  constructor(store: GateStore, gates: LinkedGates) {
    this.#gates = gates;
    this.#trust = new Trust(gates);
    this.#line = new StoreLine({
      ...{ clock: gates.clock, store },
      heard: (name, word) => this.#hear(this.#byName.get(name), withoutLease(word)),
      failed: (call) => gates.note({ event: 'store-failed', call }),
      recovered: () => {
        gates.note({ event: 'store-recovered' });
        for (const shared of this.#byGate.values())
          this.#sayAll(shared, holdOf(shared, gates.clock.monoMs()));
      },
      unreadable: () => this.#trust.ignore('unreadable'),
    });
    this.#line.open();
  }

  get timeoutMs(): number {
    return this.#line.timeoutMs;
  }

  /** When it has something to say that nothing else will remind it of. */
  get wakeAtMonoMs(): number | undefined {
    return this.#due.first?.nextMonoMs;
  }

  /** Listens again, after a close. */
  open(): void {
    this.#line.open();
  }

  close(): void {
    for (const shared of this.#byGate.values()) if (isIdle(shared)) this.#giveBack(shared);
    this.#line.close();
  }

  /** A gate is new: others may know more of its scope. */
  opened(gate: Gate): void {
    const named = this.#line.nameOf(gate.scope);
    if (named.kind === 'no-secret') this.#trust.ignore(named.kind);
    if (named.kind !== 'shared') return;
    const shared = sharedGate(gate, named.name);
    this.#byName.set(named.name, shared);
    this.#byGate.set(gate, shared);
    if (!this.#line.isUp()) return;
    gate.become(met(gate.record, this.#gates.clock.monoMs() + this.timeoutMs));
    if (gate.record.state.kind === 'asking') this.#tell(shared, { kind: 'met' });
  }

  forgotten(gate: Gate): void {
    const shared = this.#byGate.get(gate);
    if (shared === undefined) return;
    this.#due.remove(shared);
    this.#byGate.delete(gate);
    this.#byName.delete(shared.name);
  }

  /** Asks who may probe; `local` where there is nobody to ask. */
  ask(gate: Gate): 'asked' | 'local' {
    const shared = this.#byGate.get(gate);
    if (shared === undefined || !this.#line.isUp() || !this.#trust.asks(shared)) return 'local';
    this.#tell(shared, RENEWAL);
    return 'asked';
  }

  /** Another state, or more of the same: of what concerns others they are told. */
  changed(gate: Gate, before: GateRecord): void {
    const shared = this.#byGate.get(gate);
    if (shared === undefined) return;
    const { state } = gate.record;
    const nowMonoMs = this.#gates.clock.monoMs();
    if (isOwnHold(before.state)) shared.ownMonoMs = nowMonoMs;
    if (before.state.kind === 'asking' && state.kind !== 'asking') this.#endAsking(shared, state);
    if (!this.#isListening) this.#sayAll(shared, newsOf(shared, before.state, nowMonoMs));
    if (gate.record.state.kind !== 'probing') shared.generation = undefined;
    // A probe that came back without an answer, and nobody else to go.
    if (before.inFlightOfEpoch > 0 && isIdle(shared)) this.#giveBack(shared);
    this.#schedule(shared);
  }

  /** Ended by hand. */
  letGo(gate: Gate): void {
    const shared = this.#byGate.get(gate);
    if (shared !== undefined) this.#say(shared, { kind: 'let-go' });
  }

  /** Says again what has to be: that it has a lease, that it shares a release. */
  wake(): void {
    for (;;) {
      const shared = this.#due.first;
      if (shared === undefined || shared.nextMonoMs > this.#gates.clock.monoMs()) return;
      this.#due.remove(shared);
      this.#sayAgain(shared);
      this.#schedule(shared);
    }
  }

  #sayAgain(shared: SharedGate): void {
    const { gate } = shared;
    if (isIdle(shared)) this.#giveBack(shared);
    else if (isOwnHold(gate.record.state)) this.#sayAll(shared, holdOf(shared, this.#gates.clock.monoMs()));
    else if (gate.record.state.kind === 'probing') this.#say(shared, RENEWAL);
    else if (this.#trust.heeds(shared)) this.#say(shared, { kind: 'sharing' });
    else {
      this.#say(shared, LEFT);
      this.#gates.settle([gate]);
    }
  }

  /** Nobody is here who could probe: others may. */
  #giveBack(shared: SharedGate): void {
    const { gate } = shared;
    shared.generation = undefined;
    this.#say(shared, LEFT);
    if (gate.record.state.kind === 'probing')
      gate.apply({ kind: 'closed', untilMonoMs: this.#gates.clock.monoMs(), because: 'probe-elsewhere' });
  }

  #schedule(shared: SharedGate): void {
    const { clock } = this.#gates;
    const isDue = isSpeaker(shared, clock.monoMs());
    if (isDue === (shared.place !== undefined)) return;
    this.#due.remove(shared);
    shared.nextMonoMs = clock.monoMs() + pauseMsOf(shared) * (1 - clock.roll() / 4);
    if (isDue) this.#due.add(shared);
  }

  /** It goes on without an answer when its time is up; a hold goes before all answers. */
  #endAsking(shared: SharedGate, state: GateState): void {
    if (shared.isAsking && state.kind !== 'held') this.#line.fail('lease');
    shared.isAsking = false;
  }

  #sayAll(shared: SharedGate, all: readonly Said[]): void {
    for (const said of all) this.#say(shared, said);
  }

  #say(shared: SharedGate, said: Said): void {
    const isUp = this.#line.isUp();
    if (said.kind === 'held') shared.isUntold = !isUp;
    if (isUp) this.#tell(shared, said);
  }

  #tell(shared: SharedGate, said: Said): void {
    const { gate, name } = shared;
    if (!shared.says.take(this.#gates.clock.monoMs())) return;
    const memberMs = memberMsOf(shared, said, gate.line.due);
    const accepted = gate.record.accepts - shared.reported;
    shared.reported = gate.record.accepts;
    shared.isMember = memberMs > 0;
    shared.isAsking ||= gate.record.state.kind === 'asking';
    const message = { ...said, memberMs, accepted } as GateMessage;
    const isAsked = said.kind === 'over';
    this.#line.tell(name, message, (word) => this.#hear(shared, isAsked ? word : withoutLease(word)));
  }

  #hear(shared: SharedGate | undefined, said: GateWord): void {
    if (shared === undefined) return;
    const { gate } = shared;
    if (!gate.retired && this.#trust.heeds(shared)) this.#listen(shared, said);
    if (said.gate.kind === 'yours') this.#take(shared, said.gate.generation);
    this.#gates.settle([gate]);
  }

  #listen(shared: SharedGate, said: GateWord): void {
    const { gate } = shared;
    const { clock } = this.#gates;
    const word = this.#trust.withoutEndlessLease(shared, said);
    shared.members = word.members;
    shared.isAsking = false;
    const event = { word, moment: gate.moment(clock.monoMs(), 0), roll: clock.roll() };
    const maxHoldMs = this.#trust.maxHoldMs(shared);
    this.#isListening = true;
    gate.become(told(gate.record, event, { maxHoldMs }));
    this.#isListening = false;
  }

  /** A lease that comes too late, or for nobody who waits any more, is given back. */
  #take(shared: SharedGate, generation: number): void {
    if (shared.gate.record.state.kind === 'probing' && hasProber(shared.gate)) {
      shared.generation = generation;
      this.#schedule(shared);
    } else this.#giveBack(shared);
  }
}
