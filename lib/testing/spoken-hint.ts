/** How a server words the wait that it knows: the text of Retry-After, or none. */
export type SpokenHint = (waitMs: number) => string | undefined;

/** Whole seconds, rounded up, at least one: the best that an honest server can say. */
export const wholeSeconds: SpokenHint = (waitMs) => String(secondsFor(waitMs));

/** The same text whatever the truth: too short for long waits, too long for short ones. */
export function alwaysSays(text: string): SpokenHint {
  return () => text;
}

/** Whole seconds times a factor: 5 is a server far too cautious, 0.2 one that lures its callers back. */
export function exaggerates(factor: number): SpokenHint {
  return (waitMs) => String(Math.max(1, Math.ceil(secondsFor(waitMs) * factor)));
}

/** No header at all. */
export const saysNothing: SpokenHint = () => undefined;

/** Texts that no client may take for a short wait, one after the other. */
export function saysNonsense(texts: readonly string[] = HOSTILE_TEXTS): SpokenHint {
  let turn = 0;
  return () => {
    const text = texts[turn % texts.length];
    turn += 1;
    return text;
  };
}

/** The instant as an HTTP-date: the next whole second of the server's wall clock. */
export function asHttpDate(wallEpochMs: () => number): SpokenHint {
  return (waitMs) => new Date(Math.ceil((wallEpochMs() + waitMs) / 1000) * 1000).toUTCString();
}

const HOSTILE_TEXTS = [
  '',
  '-1',
  '1.5',
  '+3',
  '0x10',
  '1e3',
  'soon',
  'NaN',
  'Infinity',
  '1, 2, x',
  '2026-01-01T00:00:00Z',
  '9'.repeat(400),
  'Thu, 32 Foo 2026 25:61:61 GMT',
] as const;

// Sums of fractions leave a remainder: 1000.0000001 ms is one second.
const secondsFor = (waitMs: number): number => Math.max(1, Math.ceil(waitMs / 1000 - 1e-6));
