/** What reaches the process as an unhandled rejection while this runs, and shortly after. */
export async function strayRejections(act: () => unknown): Promise<readonly unknown[]> {
  const stray: unknown[] = [];
  const note = (reason: unknown): void => void stray.push(reason);
  process.on('unhandledRejection', note);
  try {
    await act();
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off('unhandledRejection', note);
  }
  return stray;
}
