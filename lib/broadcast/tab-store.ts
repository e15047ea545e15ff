import { entered } from '../store/ledger.js';
import type { Ledger, LedgerTurn } from '../store/ledger.js';
import type { GateMessage, GateWord } from '../store/gate-store.js';
import { alarmAt } from '../time/clock.js';
import { fromState, isLaterThan, stateOf } from './ledger-state.js';
import type { LedgerState } from './ledger-state.js';
import type { HeldLock, Line, Tabs } from './platform-tabs.js';
import { Question } from './question.js';
import { readPost } from './tab-post.js';
import type { Post, Said } from './tab-post.js';

type Listener = (name: string, word: GateWord) => void;

/**
 * Every tab keeps the ledger of each gate and applies what all of them post, by its own clock: only durations
 * travel. What needs one winner, the right to probe, is a lock, which the browser takes from a tab that is closed
 * or has crashed. A frozen tab keeps its locks: when its lease is over, the next takes the lock from it.
 */
export class TabStore {
  readonly #tabs: Tabs;
  readonly #me: string;
  readonly #listeners: Set<Listener> = new Set();
  readonly #ledgers: Map<string, Ledger> = new Map();
  readonly #locks: Map<string, HeldLock> = new Map();
  readonly #questions: Map<string, Question> = new Map();
  #peers: Set<string> = new Set();
  #line: Line | undefined;
  /** Nobody listens any more; before anybody does, it knows already who else is there. */
  #isDone: boolean = false;
  #greeting: Question = new Question(1);
  #introduced: Promise<unknown> = Promise.resolve();

  constructor(tabs: Tabs) {
    this.#tabs = tabs;
    this.#me = nameFrom(() => tabs.clock.roll());
    // As early as possible: by the first request it is known whether there are others to be asked.
    this.#open();
  }

  subscribe(listener: Listener): () => void {
    const entry: Listener = (name, word) => listener(name, word);
    this.#listeners.add(entry);
    this.#isDone = false;
    this.#open();
    return () => {
      if (!this.#listeners.delete(entry) || this.#listeners.size > 0) return;
      this.#isDone = true;
      this.#close();
    };
  }

  async tell(name: string, message: GateMessage): Promise<GateWord> {
    this.#open();
    try {
      if (message.kind === 'met') await this.#learn(name);
      return message.kind === 'over' ? await this.#ask(name, message) : this.#say(name, message).word;
    } finally {
      // The last words of a client that is done.
      if (this.#isDone) this.#close();
    }
  }

  /** Applied here, then by all others. */
  #say(name: string, message: GateMessage): LedgerTurn {
    const turn = this.#apply({ name, from: this.#me, message });
    this.#post({ kind: 'told', name, message });
    return turn;
  }

  #apply({ name, from, message }: { name: string; from: string; message: GateMessage }): LedgerTurn {
    const atMs = this.#tabs.clock.monoMs();
    const turn = entered(this.#ledgers.get(name), { from, atMs, message });
    this.#keep(name, turn.ledger);
    return turn;
  }

  #keep(name: string, ledger: Ledger): void {
    this.#ledgers.delete(name);
    this.#ledgers.set(name, ledger);
    if (ledger.lease?.owner !== this.#me) this.#unlock(name);
    if (this.#ledgers.size > MOST_LEDGERS) this.#sweep();
  }

  #sweep(): void {
    const nowMs = this.#tabs.clock.monoMs();
    for (const [name, { expiresMs }] of this.#ledgers) if (expiresMs <= nowMs) this.#forget(name);
    for (const name of this.#ledgers.keys()) {
      if (this.#ledgers.size <= MOST_LEDGERS) return;
      this.#forget(name);
    }
  }

  #forget(name: string): void {
    this.#ledgers.delete(name);
    this.#unlock(name);
  }

  /** The right to probe: by the ledger where it knows of another, else by the lock. */
  async #ask(name: string, message: GateMessage & { readonly kind: 'over' }): Promise<GateWord> {
    if (!this.#locks.has(name) && this.#isFree(name)) await this.#lock(name);
    // Whoever has no lock may not have the lease, whatever the ledger says: another's word is still on its way.
    if (this.#locks.has(name) || !this.#isFree(name)) return this.#say(name, message).word;
    const { word } = this.#say(name, { ...message, kind: 'sharing' });
    return { ...word, gate: { kind: 'probed', forMs: message.leaseMs } };
  }

  async #lock(name: string): Promise<void> {
    const wasLeased = this.#ledgers.get(name)?.lease !== undefined;
    const free = await this.#tabs.lock(name, 'if-free');
    // Its lease is over and it does not let go: that tab is frozen.
    const lock = free ?? (wasLeased ? await this.#tabs.lock(name, 'steal') : undefined);
    if (lock === undefined) return;
    if (this.#isFree(name)) this.#locks.set(name, lock);
    else lock.release();
  }

  /** Nobody is known to have the lease now, and there is no hold or release that would make it pointless. */
  #isFree(name: string): boolean {
    const ledger = this.#ledgers.get(name);
    if (ledger === undefined) return true;
    const nowMs = this.#tabs.clock.monoMs();
    const { lease, untilMs = 0, releasedMs } = ledger;
    return untilMs <= nowMs && releasedMs === undefined && (lease === undefined || lease.untilMs <= nowMs);
  }

  #unlock(name: string): void {
    this.#locks.get(name)?.release();
    this.#locks.delete(name);
  }

  /** Asks the others what they know of a gate that is new here, and takes the first answer. */
  async #learn(name: string): Promise<void> {
    await this.#introduced;
    if (this.#peers.size === 0 || this.#questions.has(name)) return;
    const question = new Question(this.#peers.size);
    this.#questions.set(name, question);
    this.#post({ kind: 'ask', name });
    const isAnswered = await this.#within(question.answered);
    this.#questions.delete(name);
    // Whoever does not answer is frozen, or gone: the next question is not to wait for him.
    if (!isAnswered) this.#peers = question.heard;
  }

  #hear(data: unknown): void {
    const post = readPost(data);
    if (post === undefined || post.from === this.#me) return;
    if ('to' in post && post.to !== this.#me) return;
    if (this.#peers.size < MOST_PEERS) this.#peers.add(post.from);
    this.#heed(post);
  }

  #heed(post: Post): void {
    const { from } = post;
    switch (post.kind) {
      case 'hello':
        this.#post({ kind: 'here', to: from });
        break;
      case 'here':
        this.#greeting.hear(from, 'something');
        break;
      case 'ask':
        this.#post({ kind: 'state', to: from, name: post.name, state: this.#stateOf(post.name) });
        break;
      case 'state': {
        // A tab that thaws answers what was asked long ago, by what it knew then.
        const question = this.#questions.get(post.name);
        if (question !== undefined) this.#adopt(post.name, post.state);
        question?.hear(from, post.state === undefined ? 'nothing' : 'something');
        break;
      }
      case 'told': {
        const { news } = this.#apply({ ...post, message: this.#counted(post) });
        if (news !== undefined) for (const listener of [...this.#listeners]) listener(post.name, news);
        break;
      }
    }
  }

  /** Where messages cross, tabs count leases differently; who has the lease is the same for all. */
  #counted({ name, from, message }: Post & { readonly kind: 'told' }): GateMessage {
    const ledger = this.#ledgers.get(name);
    if (message.kind !== 'accepted' || ledger?.lease?.owner !== from) return message;
    return { ...message, generation: ledger.generation };
  }

  #stateOf(name: string): LedgerState | undefined {
    const ledger = this.#ledgers.get(name);
    const nowMs = this.#tabs.clock.monoMs();
    return ledger === undefined || ledger.expiresMs <= nowMs ? undefined : stateOf(ledger, nowMs);
  }

  #adopt(name: string, state: LedgerState | undefined): void {
    if (state === undefined) return;
    const ledger = fromState(state, this.#tabs.clock.monoMs());
    if (isLaterThan(ledger, this.#ledgers.get(name))) this.#keep(name, ledger);
  }

  #open(): void {
    if (this.#line !== undefined) return;
    this.#line = this.#tabs.open((data) => this.#hear(data));
    this.#post({ kind: 'hello' });
    this.#greeting = new Question(1);
    this.#introduced = this.#within(this.#greeting.answered);
  }

  #close(): void {
    this.#line?.close();
    this.#line = undefined;
    this.#peers = new Set();
    for (const name of [...this.#locks.keys()]) this.#unlock(name);
    this.#ledgers.clear();
  }

  #post(said: Said): void {
    this.#line?.post({ v: 1, from: this.#me, ...said });
  }

  /** Whether it comes about before those who are asked have had time to answer. */
  #within(coming: Promise<unknown>): Promise<boolean> {
    const { clock } = this.#tabs;
    return new Promise((settle) => {
      const cancel = alarmAt(clock, clock.monoMs() + ANSWER_MS, () => settle(false));
      void coming.then(() => {
        cancel();
        settle(true);
      });
    });
  }
}

/** Names that no two tabs have in common; nothing depends on their being hard to guess. */
function nameFrom(roll: () => number): string {
  return [roll(), roll()].map((one) => Math.floor(one * 36 ** 8).toString(36)).join('');
}

// Channels of one browser answer within some ms; the store itself is given 100 ms.
const ANSWER_MS = 40;
const MOST_LEDGERS = 10_000;
const MOST_PEERS = 1000;
