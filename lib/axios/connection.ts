import type { Connection } from '../operation/ports.js';

/** What the platform says of its network, for all operations of one client. */
export interface PlatformConnection extends Connection {
  /** Lets all who wait go on, to find that they are no longer wanted. */
  close(): void;
}

/** Where nobody tells of networks (Node, React Native), there is one. */
export function platformConnection(): PlatformConnection {
  const waiting: Set<() => void> = new Set();
  const letGo = (): void => {
    unlisten(look);
    for (const run of [...waiting]) run();
    waiting.clear();
  };
  const look = (): void => {
    if (!isOffline()) letGo();
  };
  return {
    get isOffline() {
      return isOffline();
    },
    onOnline: (run) => {
      if (waiting.size === 0) listen(look);
      waiting.add(run);
      return () => {
        if (waiting.delete(run) && waiting.size === 0) unlisten(look);
      };
    },
    close: letGo,
  };
}

// A page that comes out of the back/forward cache may have missed that it was online again.
const EVENTS = ['online', 'pageshow'] as const;

function isOffline(): boolean {
  // Without the event a wait would never end.
  return platform().addEventListener !== undefined && platform().navigator?.onLine === false;
}

function listen(look: () => void): void {
  for (const event of EVENTS) platform().addEventListener?.(event, look);
}

function unlisten(look: () => void): void {
  for (const event of EVENTS) platform().removeEventListener?.(event, look);
}

function platform(): Platform {
  return globalThis;
}

interface Platform {
  readonly navigator?: { readonly onLine?: boolean };
  readonly addEventListener?: (event: string, listener: () => void) => void;
  readonly removeEventListener?: (event: string, listener: () => void) => void;
}
