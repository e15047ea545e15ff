/** One listener of a target, for however many wait for it: Node warns of more than ten at one signal. */
export interface SharedListener {
  /** Calls `run` once, when it has come; returns how to stop waiting. */
  readonly wait: (run: () => void) => () => void;
  /** Lets all go that wait. */
  readonly letGo: () => void;
}

/** `hasCome` is asked at each of the events; what is waited for may not have come with it. */
export function sharedListener(
  target: Target,
  events: readonly string[],
  hasCome: () => boolean,
): SharedListener {
  const waiting: Set<() => void> = new Set();
  const hear = (): void => {
    if (hasCome()) letGo();
  };
  const unlisten = (): void => {
    for (const event of events) target.removeEventListener?.(event, hear);
  };
  const letGo = (): void => {
    unlisten();
    const all = [...waiting];
    waiting.clear();
    for (const run of all) run();
  };
  return {
    wait: (run) => {
      if (waiting.size === 0) for (const event of events) target.addEventListener?.(event, hear);
      waiting.add(run);
      return () => {
        if (waiting.delete(run) && waiting.size === 0) unlisten();
      };
    },
    letGo,
  };
}

interface Target {
  readonly addEventListener?: (event: string, listener: () => void) => unknown;
  readonly removeEventListener?: (event: string, listener: () => void) => unknown;
}
