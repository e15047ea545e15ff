import type { AxiosResponse } from 'axios';
import { MISSING } from '../hint/hint.js';
import { runHook } from '../operation/readiness.js';
import type { HookBounds } from '../operation/readiness.js';
import type { DoubtfulOperation, Finding, Reconciliation } from '../operation/reconciliation.js';
import type { Reconcile } from '../options.js';
import { noAnswer } from '../policy/no-answer.js';
import type { AxiosReceived } from './delivery.js';

/**
 * Asks the caller what became of a write. Whatever goes wrong with asking, the write stays in doubt: its own
 * error is what the caller has to know of.
 */
export async function askReconcile(
  bounds: HookBounds,
  reconcile: Reconcile,
  operation: DoubtfulOperation,
): Promise<Finding<AxiosReceived>> {
  const finding = await findingOf(bounds, reconcile, operation);
  const outcome = finding.kind === 'cancelled' ? 'unknown' : finding.kind;
  bounds.journal.write({ event: 'reconciled', exchange: operation.exchanges, outcome });
  return finding;
}

async function findingOf(
  bounds: HookBounds,
  reconcile: Reconcile,
  operation: DoubtfulOperation,
): Promise<Finding<AxiosReceived>> {
  try {
    const run = async (): Promise<Finding<AxiosReceived>> => read(await reconcile(operation), bounds);
    const found = await runHook(bounds, 'reconcile', run);
    if (found.kind !== 'stop') return found;
    return { kind: found.because === 'cancelled' ? 'cancelled' : 'unknown' };
  } catch (cause) {
    return { kind: 'unknown', cause };
  }
}

function read(found: Reconciliation<AxiosResponse> | undefined, bounds: HookBounds): Finding<AxiosReceived> {
  const said: unknown = found ?? {};
  const { outcome, response } = said as { readonly outcome?: unknown; readonly response?: AxiosResponse };
  if (outcome === 'applied') return { kind: outcome, received: response && receivedOf(response, bounds) };
  if (outcome === 'not-applied' || outcome === 'unknown') return { kind: outcome };
  throw noAnswer('reconcile', "{ outcome: 'applied', 'not-applied' or 'unknown' }", found);
}

/** The caller's response in the place of the one that was lost; what he gave stays as it is. */
function receivedOf(response: AxiosResponse, { clock }: HookBounds): AxiosReceived {
  return {
    response: { ...response },
    observation: {
      end: 'answer',
      resolved: true,
      status: response.status,
      hint: MISSING,
      receivedEpochMs: clock.wallEpochMs(),
      receivedMonoMs: clock.monoMs(),
    },
    discard: () => undefined,
  };
}
