import type { Connection } from '../operation/ports.js';
import { sharedListener } from './shared-listener.js';

/** What the platform says of its network, for all operations of one client. */
export interface PlatformConnection extends Connection {
  /** Lets all who wait go on, to find that they are no longer wanted. */
  close(): void;
}

/** Where nobody tells of networks (Node, React Native), there is one. */
export function platformConnection(): PlatformConnection {
  const { wait, letGo } = sharedListener(globalThis, EVENTS, () => !isOffline());
  return {
    get isOffline() {
      return isOffline();
    },
    onOnline: wait,
    close: letGo,
  };
}

// A page that comes out of the back/forward cache may have missed that it was online again.
const EVENTS = ['online', 'pageshow'] as const;

function isOffline(): boolean {
  const { navigator, addEventListener } = globalThis as Platform;
  // Without the event a wait would never end.
  return addEventListener !== undefined && navigator?.onLine === false;
}

interface Platform {
  readonly navigator?: { readonly onLine?: boolean };
  readonly addEventListener?: unknown;
}
