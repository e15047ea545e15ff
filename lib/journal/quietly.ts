/**
 * Calls what somebody else has written. What that throws, or rejects with now or later, is dropped: an observer
 * must not change what it observes, and a process must not end for the sake of its log.
 */
export function quietly(tell: () => unknown): void {
  try {
    const returned = tell();
    // Not by its class: promises of libraries and of other realms are reported as unhandled like any other.
    if (isThenable(returned)) Promise.resolve(returned).then(undefined, ignore);
  } catch {
    // Nobody to tell: whoever calls has nothing to do with it.
  }
}

function isThenable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && typeof (value as Thenable).then === 'function';
}

interface Thenable {
  readonly then?: unknown;
}

function ignore(): void {
  return;
}
