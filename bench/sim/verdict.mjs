// Whether a row is at or ahead of the reference's.

/**
 * Two rejections and 5 % of drain, or else at least equal in (1 + rejections / N) * drain within 5 %.
 * @param row, reference { rejections, drain }, means over the seeds
 */
export function isWithin(row, reference, n) {
  const eachWithin = row.rejections <= reference.rejections + 2 && row.drain <= reference.drain * 1.05;
  const price = ({ rejections, drain }) => (1 + rejections / n) * drain;
  return eachWithin || price(row) <= price(reference) * 1.05;
}

/** Geometric means over rows: rejections per queued request (at least half a rejection), and drain. */
export function geometricMeans(rows, n) {
  const mean = (values) => Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
  return {
    rejections: mean(rows.map((row) => Math.max(row.rejections, 0.5) / n)),
    drain: mean(rows.map((row) => row.drain)),
  };
}

/** At or ahead in both, or clearly ahead (by more than 5 %) in one and within 5 % in the other. */
export function meansAreWithin(ours, reference) {
  const rejections = ours.rejections / reference.rejections;
  const drain = ours.drain / reference.drain;
  if (rejections <= 1 && drain <= 1) return true;
  return Math.min(rejections, drain) < 0.95 && Math.max(rejections, drain) <= 1.05;
}
