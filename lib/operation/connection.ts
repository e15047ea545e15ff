import type { Left } from '../gate/ticket.js';
import { isRepeatable } from '../policy/permission.js';
import { alarmAt } from '../time/clock.js';
import { firstOf } from './first-of.js';
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

/** Waits, with no pass and in no queue, for a network or the deadline; `left` when it is no longer wanted. */
export function untilOnline<R extends Received, D>(
  ports: OperationPorts<R, D>,
  progress: Progress<R>,
): Promise<Left | undefined> {
  const { connection, clock, deadline, journal } = ports;
  const { operation } = journal;
  progress.waitingSinceMonoMs ??= clock.monoMs();
  const ended = firstOf<Left | undefined>((resolve) => {
    const goOn = (): void => resolve(undefined);
    const leave = (): void => resolve({ kind: 'left' });
    const alarm = deadline && alarmAt(clock, deadline.atMonoMs, goOn);
    return [connection?.wait({ operation, goOn, leave }), ports.onCancel(leave), alarm];
  });
  journal.write({ event: 'pause-entered', because: 'offline' });
  return ended;
}
