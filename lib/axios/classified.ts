import type { AxiosResponse } from 'axios';
import type { HintReading } from '../hint/hint.js';
import type { Verdict } from '../model.js';
import type { Classification, Classify } from '../policy/classify.js';
import { lineOf } from './headers.js';

/** What the policy's own `classify` says of an answer; `undefined` where it leaves it to the status. */
export function classified(
  classify: Classify,
  { status, headers, data }: AxiosResponse,
): { readonly verdict: Verdict; readonly hint?: HintReading } | undefined {
  const said = classify({ status, header: (name) => lineOf(headers, name), data, json: () => jsonOf(data) });
  if (said === undefined) return undefined;
  const hint = hintOf(said);
  return { verdict: said.kind, ...(hint === undefined ? {} : { hint }) };
}

function hintOf(said: Classification): HintReading | undefined {
  if (said.kind !== 'limit' || said.delayMs === undefined) return undefined;
  const { delayMs } = said;
  if (!Number.isFinite(delayMs) || delayMs < 0) {
    throw new TypeError(`Expected \`classify\` to give delayMs (finite, >= 0), got \`${String(delayMs)}\``);
  }
  return {
    kind: 'hint',
    hint: { source: 'classify', raw: '', form: 'delay-seconds', delayMs, clock: 'none' },
  };
}

function jsonOf(data: unknown): unknown {
  if (typeof data !== 'string') return data;
  try {
    return JSON.parse(data) as unknown;
  } catch {
    return undefined;
  }
}
