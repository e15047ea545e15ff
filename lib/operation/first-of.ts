type Undo = (() => void) | undefined;

/** What comes first of several; `begin` returns how to stop listening for the others. */
export function firstOf<T>(
  begin: (resolve: (value: T) => void, reject: (error: unknown) => void) => readonly Undo[],
): Promise<T> {
  let undo: readonly Undo[] = [];
  const first: Promise<T> = new Promise((resolve, reject) => {
    undo = begin(resolve, reject);
  });
  return first.finally(() => {
    for (const one of undo) one?.();
  });
}
