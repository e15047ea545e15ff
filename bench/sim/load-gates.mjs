// The gate under test and the kit it is tested with.
import { importSource } from '../source.mjs';

/**
 * Gates, the rules of a store, the kit's models and the synchronous core of its clock. `gatesPath` names another module that exports
 * Gates, so that two versions can be compared.
 */
export async function loadGates(gatesPath) {
  const gates = gatesPath
    ? `export { Gates } from ${JSON.stringify(gatesPath)};`
    : `export { Gates } from './lib/gate/gates.ts';`;
  return await importSource(`${gates}
    export { sharedStore } from './lib/store/index.ts';
    export { entered } from './lib/store/ledger.ts';
    export * from './lib/testing/index.ts';
    export { Timeline } from './lib/testing/timeline.ts';
    export { backoffMs } from './lib/policy/backoff.ts';`);
}
