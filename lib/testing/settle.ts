/**
 * Lets promises settle, however long their chains are: a message to oneself comes as a task of its own, and that
 * is when no promise has anything left to do (HTML, event loops: a microtask checkpoint after each task). No timer,
 * so it works while those of the platform are fake. Where there are no messages, so many turns have to do.
 */
export async function settle(): Promise<void> {
  if (typeof MessageChannel === 'undefined') {
    for (let turn = 0; turn < TURNS; turn += 1) await Promise.resolve();
    return;
  }
  const { port1, port2 } = new MessageChannel();
  await new Promise<void>((resolve) => {
    port1.onmessage = () => resolve();
    port2.postMessage(undefined);
  });
  // An open one would keep a process alive.
  port1.close();
}

// Measured: an axios request through gates needs ten. Interceptors and hooks of the caller add theirs.
const TURNS = 200;
