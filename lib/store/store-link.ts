import type { GateLink, LinkedGates } from '../gate/gate-link.js';
import { LEAST_LEASE_MS } from '../gate/gate-record.js';
import type { GateRecord } from '../gate/gate-record.js';
import type { GateState } from '../gate/gate-state.js';
import type { Gate } from '../gate/gate.js';
import { Heap } from '../gate/heap.js';
import {
  RENEWAL,
  isLongerHold,
  isOwnHold,
  isReleasing,
  memberMsOf,
  pauseMsOf,
  sharedGate,
  speaksBefore,
} from './shared-gate.js';
import type { Said, SharedGate } from './shared-gate.js';
import { StoreLine } from './store-line.js';
import type { GateMessage, GateStore, GateWord } from './gate-store.js';
import { met, told } from './told.js';

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
  readonly #ignored: Set<IgnoredBecause> = new Set();
  #isListening = false;

  constructor(store: GateStore, gates: LinkedGates) {
    this.#gates = gates;
    this.#line = new StoreLine({
      ...{ clock: gates.clock, store },
      heard: (name, word) => this.#hear(this.#byName.get(name), word),
      failed: (call) => gates.note({ event: 'store-failed', call }),
      recovered: () => {
        gates.note({ event: 'store-recovered' });
        for (const shared of this.#byGate.values()) this.#tellHold(shared, shared.gate.record);
      },
      unreadable: () => this.#ignore('unreadable'),
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
    this.#line.close();
  }

  /** A gate is new: others may know more of its scope. */
  opened(gate: Gate): void {
    const named = this.#line.nameOf(gate.scope);
    if (named.kind === 'no-secret') this.#ignore(named.kind);
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
    if (shared === undefined || !this.#line.isUp()) return 'local';
    this.#tell(shared, RENEWAL);
    return 'asked';
  }

  /** Another state, or more of the same: of what concerns others they are told. */
  changed(gate: Gate, before: GateRecord): void {
    const shared = this.#byGate.get(gate);
    if (shared === undefined) return;
    const { state } = gate.record;
    if (before.state.kind === 'asking' && state.kind !== 'asking') this.#endAsking(shared, state);
    if (isLongerHold(before.state, state)) this.#tellHold(shared, gate.record);
    if (before.state.kind === 'probing') this.#tellAccepted(shared, state);
    if (before.state.kind === 'gliding') this.#tellPace(shared, before.state.perMs);
    if (state.kind !== 'probing') shared.generation = undefined;
    if (state.kind === 'open' && isReleasing(before.state)) this.#leave(shared);
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
    if (gate.record.state.kind !== 'probing') {
      this.#say(shared, { kind: 'sharing' });
    } else if (gate.record.inFlight > 0 || gate.line.due > 0) {
      this.#say(shared, RENEWAL);
    } else {
      // Nobody is left here who could probe: others may.
      this.#leave(shared);
      gate.apply({ kind: 'closed', untilMonoMs: this.#gates.clock.monoMs(), because: 'probe-elsewhere' });
    }
  }

  #schedule(shared: SharedGate): void {
    const { state } = shared.gate.record;
    const isDue = isReleasing(state) || (state.kind === 'probing' && shared.generation !== undefined);
    if (isDue === (shared.place !== undefined)) return;
    this.#due.remove(shared);
    const { clock } = this.#gates;
    shared.nextMonoMs = clock.monoMs() + pauseMsOf(shared) * (1 - clock.roll() / 4);
    if (isDue) this.#due.add(shared);
  }

  /** It goes on without an answer when its time is up; a hold goes before all answers. */
  #endAsking(shared: SharedGate, state: GateState): void {
    if (shared.isAsking && state.kind !== 'held') this.#line.fail('lease');
    shared.isAsking = false;
  }

  #tellHold(shared: SharedGate, { state, lastHintMs }: GateRecord): void {
    if (!isOwnHold(state)) return;
    const forMs = state.untilMonoMs - this.#gates.clock.monoMs();
    if (forMs > 0) this.#say(shared, { kind: 'held', forMs, hintMs: lastHintMs });
  }

  /** The probe of its lease was accepted; whoever probed without one speaks for himself. */
  #tellAccepted(shared: SharedGate, state: GateState): void {
    const { generation } = shared;
    if (generation === undefined || !isReleasing(state) || this.#isListening) return;
    const perSecond = state.kind === 'gliding' ? state.perMs * 1000 : undefined;
    const exchangeMs = shared.gate.record.smoothedMs;
    this.#say(shared, { kind: 'accepted', generation, perSecond, exchangeMs });
  }

  /** A step of its own is everybody's. */
  #tellPace(shared: SharedGate, beforePerMs: number): void {
    const { state } = shared.gate.record;
    if (state.kind !== 'gliding' || state.perMs <= beforePerMs || this.#isListening) return;
    this.#say(shared, { kind: 'paced', perSecond: state.perMs * 1000 });
  }

  #leave(shared: SharedGate): void {
    if (shared.isMember) this.#say(shared, { kind: 'left' });
  }

  #say(shared: SharedGate, said: Said): void {
    if (this.#line.isUp()) this.#tell(shared, said);
  }

  #tell(shared: SharedGate, said: Said): void {
    const { gate, name } = shared;
    const memberMs = memberMsOf(shared, said, gate.line.due);
    const accepted = gate.record.accepts - shared.reported;
    shared.reported = gate.record.accepts;
    shared.isMember = memberMs > 0;
    shared.isAsking ||= gate.record.state.kind === 'asking';
    const message = { ...said, memberMs, accepted } as GateMessage;
    this.#line.tell(name, message, (word) => this.#hear(shared, word));
  }

  #hear(shared: SharedGate | undefined, said: GateWord): void {
    if (shared === undefined || shared.gate.retired) return;
    const { gate } = shared;
    const { clock, settings } = this.#gates;
    const word = this.#withoutEndlessLease(shared, said);
    shared.members = word.members;
    shared.isAsking = false;
    this.#isListening = true;
    gate.become(
      told(gate.record, { word, moment: gate.moment(clock.monoMs(), 0), roll: clock.roll() }, settings),
    );
    this.#isListening = false;
    if (word.gate.kind === 'yours') this.#take(shared, word.gate.generation);
    this.#gates.settle([gate]);
  }

  /** A lease that comes too late is given back. */
  #take(shared: SharedGate, generation: number): void {
    if (shared.gate.record.state.kind === 'probing') {
      shared.generation = generation;
      this.#schedule(shared);
    } else this.#say(shared, { kind: 'left' });
  }

  /** Whoever is always told that others are probing probes himself. */
  #withoutEndlessLease(shared: SharedGate, word: GateWord): GateWord {
    const nowMonoMs = this.#gates.clock.monoMs();
    const sinceMonoMs = shared.elsewhereSinceMonoMs ?? nowMonoMs;
    const isProbed = word.gate.kind === 'probed';
    shared.elsewhereSinceMonoMs = isProbed ? sinceMonoMs : undefined;
    if (!isProbed || nowMonoMs - sinceMonoMs < MOST_LEASES * LEAST_LEASE_MS) return word;
    this.#ignore('lease-without-end');
    return { ...word, gate: { kind: 'unknown' } };
  }

  #ignore(because: IgnoredBecause): void {
    if (this.#ignored.has(because)) return;
    this.#ignored.add(because);
    this.#gates.note({ event: 'store-ignored', because });
  }
}

type IgnoredBecause = 'unreadable' | 'no-secret' | 'lease-without-end';

const MOST_LEASES = 3;
