import type { Clock } from '../time/clock.js';
import type { GateMessage, GateStore, GateWord, StoreName } from './gate-store.js';
import type { Scope } from '../model.js';
import { readName, readWord } from './store-word.js';

export type StoreCall = 'lease' | 'publish' | 'subscribe';

export interface StoreLineOptions {
  readonly clock: Clock;
  readonly store: GateStore;
  readonly heard: (name: string, word: GateWord) => void;
  readonly failed: (call: StoreCall) => void;
  readonly recovered: () => void;
  /** It said what cannot be read. */
  readonly unreadable: () => void;
}

/**
 * The one place that calls the store: nothing is thrown from here, whatever it does. One failure is told, the
 * first; from then on it is tried again once a second at the most, and its first answer is told as well.
 */
export class StoreLine {
  readonly #options: StoreLineOptions;
  readonly timeoutMs: number;
  readonly #underWay: Set<{ readonly sinceMonoMs: number }> = new Set();
  #tryAgainMonoMs: number | undefined;
  #stop: (() => unknown) | undefined;
  #isDeaf: boolean = false;
  #wasUnreadable: boolean = false;

  constructor(options: StoreLineOptions) {
    this.#options = options;
    this.timeoutMs = options.store.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  }

  nameOf(scope: Scope): StoreName {
    try {
      const named: unknown = this.#options.store.nameOf(scope);
      const name = readName(named);
      if (name !== undefined) return name;
      void Promise.resolve(named).catch(() => undefined);
      this.#unreadable();
    } catch {
      this.fail('subscribe');
    }
    return { kind: 'local' };
  }

  /** Begins to listen, unless it does already. */
  open(): void {
    if (this.#stop !== undefined) return;
    this.#stop = () => undefined;
    const miss = (): void => {
      this.#isDeaf = true;
    };
    try {
      const { store } = this.#options;
      const stop: unknown = store.subscribe((name, word: unknown) => this.#hear(name, word));
      if (typeof stop === 'function') this.#stop = stop as () => unknown;
      else void Promise.resolve(stop).catch(miss);
    } catch {
      miss();
    }
  }

  close(): void {
    const stop = this.#stop;
    this.#stop = undefined;
    const miss = (): void => this.#options.failed('subscribe');
    try {
      void Promise.resolve(stop?.()).catch(miss);
    } catch {
      miss();
    }
  }

  /** Whether the store is worth asking now. */
  isUp(): boolean {
    const nowMonoMs = this.#options.clock.monoMs();
    // Told at the first occasion: it begins to listen before anybody could hear of it.
    if (this.#isDeaf) this.#options.failed('subscribe');
    this.#isDeaf = false;
    for (const { sinceMonoMs } of this.#underWay) {
      if (nowMonoMs - sinceMonoMs > this.timeoutMs + LATE_MS) this.fail('publish');
      break;
    }
    return this.#tryAgainMonoMs === undefined || nowMonoMs >= this.#tryAgainMonoMs;
  }

  /** Passes on what it answers; nothing, where it fails. */
  tell(name: string, message: GateMessage, answered: (word: GateWord) => void): void {
    const { clock, store } = this.#options;
    const call: StoreCall = ASKING.has(message.kind) ? 'lease' : 'publish';
    const token = { sinceMonoMs: clock.monoMs() };
    // What was under way when it failed says nothing of how it is now.
    const isTrial = this.#tryAgainMonoMs !== undefined;
    if (isTrial) this.#tryAgainMonoMs = token.sinceMonoMs + PAUSE_MS;
    this.#underWay.add(token);
    const end = (): boolean => this.#underWay.delete(token);
    try {
      Promise.resolve(store.tell(name, message)).then(
        (value: unknown) => {
          end();
          const word = readWord(value);
          if (word === undefined) {
            this.#unreadable();
            this.fail(call);
          } else this.#answer(word, answered, isTrial ? 'trial' : 'usual');
        },
        () => {
          end();
          this.fail(call);
        },
      );
    } catch {
      end();
      this.fail(call);
    }
  }

  /** No answer, or none that is of use. */
  fail(call: StoreCall): void {
    const isFirst = this.#tryAgainMonoMs === undefined;
    this.#tryAgainMonoMs = this.#options.clock.monoMs() + PAUSE_MS;
    this.#underWay.clear();
    if (isFirst) this.#options.failed(call);
  }

  #answer(word: GateWord, answered: (word: GateWord) => void, asked: 'trial' | 'usual'): void {
    const isBack = asked === 'trial' && this.#tryAgainMonoMs !== undefined;
    if (isBack) this.#tryAgainMonoMs = undefined;
    answered(word);
    if (isBack) this.#options.recovered();
  }

  #hear(name: string, value: unknown): void {
    const word = readWord(value);
    if (word === undefined || typeof name !== 'string') this.#unreadable();
    else this.#options.heard(name, word);
  }

  #unreadable(): void {
    if (this.#wasUnreadable) return;
    this.#wasUnreadable = true;
    this.#options.unreadable();
  }
}

const ASKING: ReadonlySet<GateMessage['kind']> = new Set<GateMessage['kind']>(['met', 'over']);
const DEFAULT_TIMEOUT_MS = 100;
// Nobody waits for what is only told, and a busy process reads its answers late.
const LATE_MS = 1_000;
const PAUSE_MS = 1_000;
