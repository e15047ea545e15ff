// The servers of the simulation. Each starts as it is at the moment of the first rejection: spent.
// `capacityPerSec` is what it serves in the long run, the unit of the drain times.

const spent = { elapsed: 0.7 }; // a fixed window is 70 % over, its quota used up
const staggered = (quota, windowMs) =>
  Array.from({ length: quota }, (_, i) => windowMs * 0.3 * (1 - i / quota));

/** @param kit the models of axios-heed/testing */
export function serverTable(kit) {
  const { tokenBucket, fixedWindow, slidingWindow, concurrencyLimit, outage, workQueue } = kit;
  const bucket = (perSecond, capacity) => ({
    capacityPerSec: perSecond,
    make: () => tokenBucket({ perSecond, capacity, tokens: 0 }),
  });
  const window = (quota, windowMs) => ({
    capacityPerSec: quota / (windowMs / 1000),
    make: () => fixedWindow({ quota, windowMs, used: quota, elapsedMs: spent.elapsed * windowMs }),
  });
  const sliding = (quota, windowMs) => ({
    capacityPerSec: quota / (windowMs / 1000),
    make: () => slidingWindow({ quota, windowMs, agesMs: staggered(quota, windowMs) }),
  });
  const down = (forMs, then, hint) => ({
    ...then,
    make: () => outage({ forMs, then: then.make() }),
    ...hint,
  });
  const fragile = (perSecond) => ({
    capacityPerSec: perSecond,
    make: () => workQueue({ perSecond, breaks: { abovePerSecond: 2 * perSecond, downMs: 1000 } }),
  });
  return {
    'bucket-20-20': bucket(20, 20),
    'bucket-20-200': bucket(20, 200),
    'bucket-2-5': bucket(2, 5),
    'window-100-10': window(100, 10_000),
    'window-60-60': window(60, 60_000),
    'sliding-100-10': sliding(100, 10_000),
    'overload-20s': down(20_000, bucket(20, 20), { hint: () => alternating(kit, 20_000) }),
    'hint-x5': { ...bucket(20, 20), hint: () => kit.exaggerates(5) },
    'bucket-500': bucket(500, 500),
    'window-hint-1s': { ...window(100, 10_000), hint: () => kit.alwaysSays('1') },
    'bucket-40-20': bucket(40, 20),
    'bucket-200-100': bucket(200, 100),
    'sliding-60-60': sliding(60, 60_000),
    'slots-5-250ms': {
      capacityPerSec: 20,
      make: () => concurrencyLimit({ slots: 5, serviceMs: 250 }),
    },
    'collapse-50': down(2000, fragile(50)),
    'collapse-250': down(2000, fragile(250)),
    'no-hint': { ...bucket(20, 20), hint: () => kit.saysNothing },
  };
}

/** While it is down the server says one second; afterwards it is honest again. */
function alternating({ wholeSeconds }, downMs) {
  return (waitMs, atMs) => (atMs < downMs ? '1' : wholeSeconds(waitMs));
}
