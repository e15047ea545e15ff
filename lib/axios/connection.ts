import type { WaitingOperation } from '../gate/waiting-operation.js';
import type { Connection } from '../operation/ports.js';
import { sharedListener } from './shared-listener.js';

/** What the platform says of its network, for all operations of one client. */
export interface PlatformConnection extends Connection {
  /** Those that wait for it, oldest first. */
  waiting(): readonly WaitingOperation[];
  /** Lets all who wait go on, to find that they are no longer wanted. */
  close(): void;
}

/** Where nobody tells of networks (Node, React Native), there is one. `changed`: somebody waits, or does no more. */
export function platformConnection(changed: () => void): PlatformConnection {
  const { wait, letGo } = sharedListener(globalThis, EVENTS, () => !connection.isOffline);
  const places: Set<WaitingOperation> = new Set();
  const connection: PlatformConnection = {
    get isOffline() {
      const { navigator, addEventListener } = globalThis as Platform;
      // Without the event a wait would never end.
      return addEventListener !== undefined && navigator?.onLine === false;
    },
    wait: ({ operation, goOn, leave }) => {
      const stopListening = wait(goOn);
      const stop = (): void => {
        stopListening();
        places.delete(place);
        changed();
      };
      const cancel = (): void => {
        stop();
        leave();
      };
      const place: WaitingOperation = Object.freeze({ operation, state: 'offline', ahead: 0, cancel });
      places.add(place);
      changed();
      return stop;
    },
    waiting: () => [...places],
    close: letGo,
  };
  return connection;
}

// A page that comes out of the back/forward cache may have missed that it was online again.
const EVENTS = ['online', 'pageshow'] as const;

interface Platform {
  readonly navigator?: { readonly onLine?: boolean };
  readonly addEventListener?: unknown;
}
