import type { AxiosResponse } from 'axios';
import type { HintReader } from '../hint/hint.js';
import type { Verdict } from '../model.js';
import type { Classification, Classify } from '../policy/classify.js';
import { noAnswer } from '../policy/no-answer.js';
import { discardBody } from './body.js';
import { lineOf } from './headers.js';

/**
 * What the policy's own `classify` says of an answer; `undefined` where it leaves it to the status. An answer over
 * which it throws is nobody's: its socket is let go.
 */
export function classified(
  classify: Classify,
  { status, headers, data }: AxiosResponse,
): { readonly verdict: Verdict; readonly reader: HintReader | undefined } | undefined {
  try {
    const said = classify({
      status,
      header: (name) => lineOf(headers, name),
      data,
      json: () => jsonOf(data),
    });
    return said === undefined ? undefined : { verdict: verdictOf(said), reader: readerOf(said) };
  } catch (error) {
    discardBody(data);
    throw error;
  }
}

function verdictOf(said: Classification): Verdict {
  const { kind } = (said as Classification | null) ?? {};
  if (kind === 'limit' || kind === 'transient' || kind === 'final') return kind;
  throw noAnswer('classify', "{ kind: 'limit', 'transient' or 'final' } or undefined", said);
}

/** The policy's own word on the wait comes before what the server says of it. */
function readerOf(said: Classification): HintReader | undefined {
  if (said.kind !== 'limit' || said.delayMs === undefined) return undefined;
  const { delayMs } = said;
  if (typeof (delayMs as unknown) !== 'number' || !(delayMs >= 0 && delayMs <= Number.MAX_SAFE_INTEGER)) {
    throw noAnswer('classify', 'delayMs (0 to 2^53-1)', delayMs);
  }
  const hint = { source: 'classify', raw: '', form: 'own', delayMs, clock: 'none' } as const;
  return () => ({ kind: 'hint', hint, overrules: 'retry-after' });
}

function jsonOf(data: unknown): unknown {
  if (typeof data !== 'string') return data;
  try {
    return JSON.parse(data) as unknown;
  } catch {
    return undefined;
  }
}
