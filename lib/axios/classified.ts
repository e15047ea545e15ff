import type { AxiosResponse } from 'axios';
import type { HintReader } from '../hint/hint.js';
import type { Verdict } from '../model.js';
import type { Classification, Classify } from '../policy/classify.js';
import { noAnswer } from '../policy/no-answer.js';
import { lineOf } from './headers.js';

/** What the policy's own `classify` says of an answer; `undefined` where it leaves it to the status. */
export function classified(
  classify: Classify,
  { status, headers, data }: AxiosResponse,
): { readonly verdict: Verdict; readonly reader: HintReader | undefined } | undefined {
  const said = classify({ status, header: (name) => lineOf(headers, name), data, json: () => jsonOf(data) });
  if (said === undefined) return undefined;
  if (!isClassification(said))
    throw noAnswer('classify', "{ kind: 'limit', 'transient' or 'final' } or undefined", said);
  return { verdict: said.kind, reader: readerOf(said) };
}

function isClassification(said: unknown): said is Classification {
  const { kind } = (said ?? {}) as { readonly kind?: unknown };
  return kind === 'limit' || kind === 'transient' || kind === 'final';
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
