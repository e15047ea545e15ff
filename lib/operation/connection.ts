import { isRepeatable } from '../policy/permission.js';
import { alarmAt } from '../time/clock.js';
import type { OperationPorts, Progress, Received } from './ports.js';

/**
 * Whether the exchange that comes next would be lost, and may as well be sent later. The first of a write that
 * nobody may repeat is sent all the same: its caller is to know at once, and not to find it done an hour later.
 */
export function isHeldOffline<R extends Received, D>(
  ports: OperationPorts<R, D>,
  { exchanges }: Progress<R>,
): boolean {
  return ports.connection?.isOffline === true && (exchanges > 0 || isRepeatable(ports.request()));
}

/** Waits, with no pass and in no queue, for a network, the deadline or the caller's cancel. */
export async function untilOnline<R extends Received, D>(
  ports: OperationPorts<R, D>,
  progress: Progress<R>,
): Promise<void> {
  const { connection, clock, deadline, journal } = ports;
  journal.write({ event: 'pause-entered', because: 'offline' });
  progress.waitingSinceMonoMs ??= clock.monoMs();
  const undo: ((() => void) | undefined)[] = [];
  await new Promise<void>((resolve) => {
    undo.push(connection?.onOnline(resolve), ports.onCancel(resolve));
    if (deadline !== undefined) undo.push(alarmAt(clock, deadline.atMonoMs, resolve));
  });
  for (const one of undo) one?.();
}
