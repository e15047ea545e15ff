import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Collects all garbage, at once: what only weak references hold is gone after it. */
export async function collectGarbage(): Promise<void> {
  // A weak reference keeps its target until the turn in which it was made, or looked at, is over.
  await new Promise((resolve) => setImmediate(resolve));
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
