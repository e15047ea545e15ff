// What the demo asks of the API, of the load and of axios-heed: all its numbers in one place.

/** Down at first; then a quota; and it breaks down again when it is overrun. */
export const API = {
  downMs: 2000,
  quota: { tokens: 10, perSecond: 20 },
  answerMs: 150,
  breaks: { abovePerSecond: 40, downMs: 1500 },
};

/** So many GETs, begun one after the other, each with so much time in all. */
export const LOAD = { operations: 60, everyMs: 2, deadlineMs: 15_000 };

/** How often as many GETs go to a route without a limit first. */
export const WARM_ROUNDS = 5;

/** What axios-heed has to keep to, or the demo fails. */
export const AIMS = { requestsPerOperation: 1.3, sendsIn100Ms: 6 };

/** The demo gives up after this, whatever happens. */
export const LONGEST_RUN_MS = 32_000;
