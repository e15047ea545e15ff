import { Gates } from '../../lib/gate/gates';
import type { GatesOptions } from '../../lib/gate/gates';
import type { GateNote } from '../../lib/gate/gate-note';
import type { Scope } from '../../lib/model';
import type { Answer, EnterTerms, Entered, Pass, Ticket, Waiting } from '../../lib/gate/ticket';
import { virtualClock } from '../../lib/testing/virtual-clock';
import type { VirtualClock } from '../../lib/testing/virtual-clock';
import { deadlineAfter, momentOf } from '../../lib/time/deadline';

/** Gates on a virtual clock, without chance unless a test asks for it. */
export interface GateWorld {
  readonly clock: VirtualClock;
  readonly gates: Gates;
  readonly notes: GateNote[];
  operation(facts?: OperationFacts): TestOperation;
  /** Enters, is sent at once, and meets a limit. */
  limit(hintMs?: number, facts?: OperationFacts): void;
}

export type WorldOptions = Partial<GatesOptions> & { readonly clock?: VirtualClock };

export interface OperationFacts {
  readonly scopes?: readonly Scope[];
  readonly turn?: string;
  readonly owner?: object;
}

/** One operation as a test sees it. */
export interface TestOperation {
  readonly ticket: Ticket;
  readonly name: string;
  enter(terms?: TestTerms): Entered | Waiting;
  /** How the last wait ended, once it has. */
  readonly entered: Entered | undefined;
  /** When it was let go, ms of monotonic time. */
  readonly enteredMonoMs: number | undefined;
  /** The pass of the last entering. */
  readonly pass: Pass;
  /** Marks the pass as sent and gives it back. */
  answer(kind: 'accepted' | 'failed' | 'unjudged'): void;
  limited(hintMs?: number, scope?: Scope): void;
}

export interface TestTerms extends Partial<EnterTerms> {
  readonly budgetMs?: number;
}

export const ORIGIN: Scope = [{ by: 'origin', value: 'https://a.example', secret: false }];
export const routeOf = (route: string): Scope => [...ORIGIN, { by: 'route', value: route, secret: false }];

export function gateWorld({
  clock = virtualClock({ settle: fewTurns }),
  ...options
}: WorldOptions = {}): GateWorld {
  const gates = new Gates({
    clock,
    jitter: 0,
    backoffMs: (k) => 1000 * 2 ** (k - 1),
    maxQueued: 10_000,
    maxGates: 10_000,
    maxHoldMs: 3_600_000,
    ...options,
  });
  const notes: GateNote[] = [];
  gates.onNote((note) => notes.push(note));
  let operations = 0;
  const operation = (facts: OperationFacts = {}): TestOperation => {
    operations += 1;
    const name = `op${operations}`;
    return testOperation({ clock, name, ticket: ticketOf(gates, name, facts) });
  };
  const limit = (hintMs?: number, facts: OperationFacts = {}): void => {
    const one = operation(facts);
    one.enter();
    one.limited(hintMs);
  };
  return { clock, gates, notes, operation, limit };
}

function ticketOf(
  gates: Gates,
  operation: string,
  { scopes = [ORIGIN], owner = gates, turn }: OperationFacts,
): Ticket {
  return gates.ticket({ scopes, owner, operation, ...(turn === undefined ? {} : { turn }) });
}

interface Made {
  readonly clock: VirtualClock;
  readonly name: string;
  readonly ticket: Ticket;
}

function testOperation({ clock, name, ticket }: Made): TestOperation {
  let entered: Entered | undefined;
  let enteredMonoMs: number | undefined;
  const passOf = (): Pass => {
    if (entered?.kind !== 'pass') throw new Error(`${name} has no pass: ${entered?.kind ?? 'it waits'}`);
    return entered.pass;
  };
  const report = (answer: Answer): void => passOf().report(answer);
  const note = (one: Entered): void => {
    entered = one;
    enteredMonoMs = clock.monoMs();
    if (one.kind === 'pass') one.pass.sent();
  };
  return {
    ...{ ticket, name },
    enter: (terms = {}) => {
      entered = undefined;
      enteredMonoMs = undefined;
      const answer = ticket.enter(termsOf(clock, terms));
      if (answer.kind === 'waiting') void answer.entered.then(note);
      else note(answer);
      return answer;
    },
    get entered() {
      return entered;
    },
    get enteredMonoMs() {
      return enteredMonoMs;
    },
    get pass() {
      return passOf();
    },
    answer: (kind) => report(kind === 'unjudged' ? { kind } : { kind, receivedMonoMs: clock.monoMs() }),
    limited: (hintMs, scope) =>
      report({
        kind: 'limited',
        receivedMonoMs: clock.monoMs(),
        ...(hintMs === undefined ? {} : { hintMs }),
        ...(scope === undefined ? {} : { scope }),
      }),
  };
}

function termsOf(clock: VirtualClock, { budgetMs, ...terms }: TestTerms): EnterTerms {
  return {
    ...{ notBeforeMonoMs: clock.monoMs(), reserveMs: 0, exchangesLeft: 4, repeatable: true },
    ...(budgetMs === undefined ? {} : { deadline: deadlineAfter(momentOf(clock), budgetMs) }),
    ...terms,
  };
}

// Whoever waits at a gate is two promises away from the test.
async function fewTurns(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await Promise.resolve();
}
