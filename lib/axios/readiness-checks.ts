import { boundedText } from '../hint/bounded-text.js';
import { isFiniteMs } from '../hint/budget.js';
import type { HookNote } from '../operation/journal-entry.js';
import type { Readiness } from '../operation/ports.js';
import { READY, runHook } from '../operation/readiness.js';
import type { ExchangeContext, HookBounds, ReadinessAnswer, ReadinessCheck } from '../operation/readiness.js';
import { noAnswer } from '../policy/no-answer.js';
import type { Clock } from '../time/clock.js';

/**
 * Asks the caller's checks in order; the first that is not ready decides.
 * @throws what a check throws, and TypeError for an answer that is none
 */
export async function askChecks(
  bounds: HookBounds,
  checks: readonly ReadinessCheck[],
  context: ExchangeContext,
): Promise<Readiness> {
  for (const { name, check } of checks) {
    const run = async (): Promise<Heard> => heardOf(name, await check(context), bounds.clock);
    const heard = await runHook(bounds, boundedText(`readiness: ${name}`), run);
    if (heard.kind !== 'ready') return heard;
  }
  return READY;
}

type Heard = Readiness & { readonly note: HookNote };

function heardOf(name: string, answer: ReadinessAnswer | undefined, clock: Clock): Heard {
  const said: unknown = answer ?? {};
  const { notBefore, stop } = said as { readonly notBefore?: unknown; readonly stop?: unknown };
  if (typeof stop === 'string')
    return { kind: 'stop', because: 'not-ready', note: { how: 'stop', why: boundedText(stop) } };
  const atEpochMs = notBefore instanceof Date ? notBefore.getTime() : notBefore;
  if (isFiniteMs(atEpochMs)) {
    const delayMs = atEpochMs - clock.wallEpochMs();
    const note = { how: 'not-before', notBeforeEpochMs: atEpochMs };
    // An instant that has come is no reason to wait; without this a check that names it would be asked for ever.
    if (delayMs <= 0) return { ...READY, note };
    return { kind: 'not-before', notBeforeMonoMs: clock.monoMs() + delayMs, note };
  }
  if (answer === 'ready') return { ...READY, note: { how: answer } };
  throw noAnswer(`readiness: ${name}`, "'ready', { notBefore: Date or ms } or { stop: why }", answer);
}
