// The figures of one run, from what the client's side noted and what the server saw.

const TOLERANCE_MS = 50;

export function figuresOf({ scenario, records, aloneRecords, report, zeroMs }) {
  const byOperation = groupedBy(report.requests, ({ operation }) => operation);
  const requestsOf = ({ id }) => byOperation.get(id) ?? [];
  const main = records.filter(({ group }) => group === 'main');
  const light = records.filter(({ group }) => group === 'light');
  const requests = main.flatMap(requestsOf);
  return {
    ...endsOf(main),
    requestsPerOp: requests.length / main.length,
    rejectedPerOp: requests.filter(({ status }) => status === 429 || status === 503).length / main.length,
    afterTheEnd: main.flatMap((record) =>
      requestsOf(record).filter(({ arrivedMs }) => arrivedMs > record.endedMs + 5),
    ).length,
    drainMs: Math.max(0, ...main.filter(({ end }) => end === 'ok').map(({ endedMs }) => endedMs - zeroMs)),
    ...afterHold({ main, requests, scenario, zeroMs }),
    toldMs: toldAfter(main, report.requests),
    collapses: report.collapses,
    ...(light.length > 0 ? { light: p95(light) / p95(aloneRecords) } : {}),
  };
}

function endsOf(records) {
  const ok = records.filter(({ end }) => end === 'ok').length;
  const failed = records.filter(({ end }) => end === 'failed');
  const lateBy = failed.map(({ endedMs, deadlineMs }) => endedMs - deadlineMs);
  return {
    operations: records.length,
    ok,
    early: lateBy.filter((ms) => ms < -TOLERANCE_MS).length,
    atDeadline: lateBy.filter((ms) => Math.abs(ms) <= TOLERANCE_MS).length,
    late: lateBy.filter((ms) => ms > TOLERANCE_MS).length,
    lateMs: Math.max(0, ...lateBy),
    hung: records.filter(({ end }) => end === 'hung').length,
    errors: Object.fromEntries(
      [...groupedBy(failed, ({ error }) => error)].map(([key, all]) => [key, all.length]),
    ),
  };
}

/** The herd when the first hold is over: arrivals beside what the capacity serves in that time. */
function afterHold({ main, requests, scenario, zeroMs }) {
  const endMs = holdEnd({ requests, scenario, zeroMs });
  const arrivals = requests.map(({ arrivedMs }) => arrivedMs).filter((ms) => ms >= endMs);
  const oks = main
    .filter(({ end, endedMs }) => end === 'ok' && endedMs >= endMs)
    .map(({ endedMs }) => endedMs - endMs);
  return {
    peak100ms: mostWithin(arrivals, 100) / (scenario.perSecond * 0.1),
    peak1s: mostWithin(arrivals, 1000) / scenario.perSecond,
    firstOkMs: oks.length > 0 ? Math.min(...oks) : undefined,
  };
}

/** An outage ends when it ends, a window with itself, a bucket's hold with the first hint. */
function holdEnd({ requests, scenario, zeroMs }) {
  const { type, windowMs, forMs } = scenario.routes.limited;
  if (type === 'outage') return zeroMs + forMs;
  const first = requests.find(({ status }) => status === 429);
  if (first === undefined) return zeroMs + scenario.holdMs;
  if (type === 'window') return zeroMs + Math.ceil((first.arrivedMs - zeroMs) / windowMs) * windowMs;
  return first.arrivedMs + (first.hintMs ?? scenario.holdMs);
}

/**
 * How long after the first answer which proved the deadline hopeless the failed ones were told: any answer
 * of their scope, as a shared gate knows it. The median; undefined when none was hopeless.
 */
function toldAfter(records, requests) {
  const answers = requests
    .filter(({ hintMs, answeredMs }) => hintMs !== undefined && answeredMs !== undefined)
    .sort((a, b) => a.answeredMs - b.answeredMs);
  const delays = records
    .filter(({ end }) => end === 'failed')
    .flatMap(({ startedMs, deadlineMs, endedMs }) => {
      const proof = answers.find(
        ({ answeredMs, hintMs }) => answeredMs >= startedMs && answeredMs + hintMs > deadlineMs,
      );
      return proof === undefined ? [] : [Math.max(0, endedMs - proof.answeredMs)];
    });
  return delays.length > 0 ? median(delays) : undefined;
}

const p95 = (records) =>
  quantile(
    records.filter(({ end }) => end === 'ok').map(({ startedMs, endedMs }) => endedMs - startedMs),
    0.95,
  );

function groupedBy(values, keyOf) {
  const groups = new Map();
  for (const value of values) {
    const group = groups.get(keyOf(value));
    if (group === undefined) groups.set(keyOf(value), [value]);
    else group.push(value);
  }
  return groups;
}

export function median(values) {
  return quantile(values, 0.5);
}

function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  return below + (above - below) * (position % 1);
}

function mostWithin(instants, spanMs) {
  const sorted = instants.toSorted((a, b) => a - b);
  let first = 0;
  return sorted.reduce((most, lastMs, last) => {
    while (lastMs - sorted[first] >= spanMs) first += 1;
    return Math.max(most, last - first + 1);
  }, 0);
}
