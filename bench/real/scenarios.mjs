// What is asked of the clients. Retry-After cannot say less than a second, so real times are short (a
// window of a minute is 2 s here) instead of being scaled.
//   routes       what the server counts on each path
//   load         groups of operations; everyMs: one after the other instead of all at once
//   deadlineMs   of each operation
//   perSecond    what the limited route serves: the unit of the peaks
//   sendAtMs     when an all-knowing client sends the i-th operation of the main group
//   answerMs     the server's own work on one
//   holdMs       when the first hold ends if nothing was rejected
//   judged       the client that the aims are for; `axios-heed`, unless the scenario is about quota headers
//   aims         what it is to reach: see run.mjs

const MAIN = { group: 'main', route: 'limited', token: 't', everyMs: 0 };

const spills =
  ({ capacity, perSecond }) =>
  (i) =>
    i < capacity ? 0 : ((i - capacity + 1) / perSecond) * 1000;
const fillsWindows =
  ({ quota, windowMs }) =>
  (i) =>
    Math.floor(i / quota) * windowMs;
const afterOutage =
  ({ forMs, perSecond }) =>
  (i) =>
    forMs + (i / perSecond) * 1000;

function burst({ server, sendAtMs, count, aims, perSecond, ...more }) {
  return {
    routes: { limited: server },
    load: [{ ...MAIN, count }],
    deadlineMs: 10_000,
    perSecond,
    sendAtMs,
    answerMs: 0,
    holdMs: 1000,
    aims,
    ...more,
  };
}

function bucket(count, size, more) {
  const server = { type: 'bucket', ...size };
  return burst({ server, sendAtMs: spills(size), count, perSecond: size.perSecond, ...more });
}

function window(count, size, more) {
  const { headers, ...rest } = more;
  const server = { type: 'window', ...size, ...headers };
  const perSecond = (size.quota / size.windowMs) * 1000;
  return burst({ server, sendAtMs: fillsWindows(size), count, perSecond, holdMs: size.windowMs, ...rest });
}

function outage(count, server, more) {
  const { forMs, perSecond } = server;
  const timing = { holdMs: forMs, answerMs: 1000 / perSecond };
  const sendAtMs = afterOutage(server);
  return burst({ server: { type: 'outage', ...server }, sendAtMs, count, perSecond, ...timing, ...more });
}

/**
 * From the end of an outage to the first success: a probe may go just before the end. Then it is one hold of the
 * shortest hint, 1 s, with its spread of 10 % and the 30 ms that a hold always adds, and the server's work.
 */
const oneHoldMs = (perSecond) => Math.ceil(1000 * 1.1 + 30 + 1000 / perSecond);

const HEAVY = { capacity: 20, perSecond: 40 };

/** 200 at once that are limited, and one per 100 ms beside them that should not notice. */
function beside(routes, light, aims) {
  return {
    routes,
    load: [
      { ...MAIN, token: 'heavy', count: 200 },
      { group: 'light', count: 40, everyMs: 100, ...light },
    ],
    deadlineMs: 10_000,
    perSecond: HEAVY.perSecond,
    sendAtMs: spills(HEAVY),
    answerMs: 0,
    holdMs: 1000,
    aims,
  };
}

export const scenarios = {
  bucket: bucket(200, HEAVY, { aims: { requestsPerOp: 1.17, drain: 1.6 } }),
  'bucket-1000': bucket(
    1000,
    { capacity: 100, perSecond: 200 },
    { aims: { requestsPerOp: 1.09, drain: 1.38 } },
  ),
  outage: outage(
    200,
    { forMs: 2000, perSecond: 50, breaksAbovePerSecond: 100 },
    { aims: { requestsPerOp: 1.06, drain: 1.05, collapses: 0, firstOkMs: oneHoldMs(50) } },
  ),
  'outage-1000': outage(
    1000,
    { forMs: 2000, perSecond: 250, breaksAbovePerSecond: 500 },
    { aims: { requestsPerOp: 1.02, drain: 1.04, collapses: 0, firstOkMs: oneHoldMs(250) } },
  ),
  window: window(
    200,
    { quota: 50, windowMs: 2000 },
    {
      headers: { quotaHeaders: true },
      judged: 'axios-heed-headers',
      aims: { requestsPerOp: 1.04, drain: 1.1 },
    },
  ),
  'window-no-hint': window(
    200,
    { quota: 50, windowMs: 2000 },
    {
      headers: { quotaHeaders: true, noRetryAfter: true },
      judged: 'axios-heed-headers',
      aims: { requestsPerOp: 1.05, drain: 1.2 },
    },
  ),
  'hint-short': outage(
    200,
    { forMs: 3000, perSecond: 50, says: '1' },
    { aims: { requestsPerOp: 1.08, drain: 1.1 } },
  ),
  deadline: outage(
    200,
    { forMs: 5000, perSecond: 50 },
    { deadlineMs: 2000, graceMs: 4500, aims: { requestsPerOp: 0.06, toldMs: 100 } },
  ),
  'deadline-mixed': bucket(200, HEAVY, { deadlineMs: 2500, aims: { ok: 105, late: 0 } }),
  tenants: beside(
    { limited: { type: 'bucket', ...HEAVY, perToken: true } },
    { route: 'limited', token: 'light' },
    { light: 1.2 },
  ),
  routes: beside(
    { limited: { type: 'bucket', ...HEAVY }, open: { type: 'open' } },
    { route: 'open', token: 'heavy' },
    { light: 1.2 },
  ),
};
