import { AIMS, LOAD } from './terms.mjs';

/** What went against the aims, one line each; empty when axios-heed kept to all of them. */
export function faultsOf(runs) {
  const heed = runs.find(({ name }) => name === 'axios-heed');
  const retry = runs.find(({ name }) => name === 'axios-retry');
  const { operations } = LOAD;
  const mostSent = AIMS.requestsPerOperation * operations;
  const faults = [
    heed.succeeded < operations && `only ${heed.succeeded} of ${operations} got through with axios-heed`,
    heed.sent > mostSent && `axios-heed sent ${heed.sent} requests; at most ${mostSent} were allowed`,
    heed.mostIn100Ms > AIMS.sendsIn100Ms &&
      `axios-heed sent ${heed.mostIn100Ms} requests within 100 ms after the hold; at most ${AIMS.sendsIn100Ms} were allowed`,
    heed.breakdowns > 0 && `axios-heed broke the API ${heed.breakdowns} time(s)`,
    heed.sent >= retry.sent && `axios-heed sent ${heed.sent} requests, axios-retry ${retry.sent}`,
    heed.refused >= retry.refused &&
      `axios-heed was refused ${heed.refused} times, axios-retry ${retry.refused}`,
  ];
  return faults.filter((fault) => fault !== false);
}
