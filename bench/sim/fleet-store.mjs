// The model of a store: the rules of the package's own ledger, behind a network, and what it is told is counted.

/** @param kit with `entered`, the rules of a store */
export function fleetStore(kit, world, { latencyMs = 2 } = {}) {
  const ledgers = new Map();
  const listeners = new Set();
  const store = { commands: 0, news: 0, isLost: false, lose: () => (store.isLost = true) };
  const later = (act) => world.at(world.nowMs + latencyMs / 2, act);
  const counting = countingInPlace();
  const take = (from, name, message) => {
    store.commands += 1;
    const entry = { from, atMs: world.nowMs, message };
    const { ledger, word, news } = kit.entered(ledgers.get(name), entry, counting);
    ledgers.set(name, ledger);
    if (news !== undefined) tellOthers(from, name, news);
    return word;
  };
  const tellOthers = (from, name, news) => {
    store.news += 1;
    later(() => {
      if (!store.isLost) for (const one of listeners) if (one.from !== from) one.listener(name, news);
    });
  };
  /** The store as one process sees it. */
  store.join = (from) => ({
    nameOf: () => ({ kind: 'shared', name: 'simulated' }),
    tell: (name, message) =>
      new Promise((resolve) =>
        later(() => {
          if (store.isLost) return;
          const word = take(from, name, message);
          later(() => resolve(word));
        }),
      ),
    subscribe: (listener) => {
      const one = { from, listener };
      listeners.add(one);
      return () => listeners.delete(one);
    },
  });
  return store;
}

/** Thousands of members: one list that is changed, and searched for those whose time is over once a second. */
function countingInPlace() {
  const members = new Map();
  let searchedMs = 0;
  return (_, { from, atMs, message }) => {
    if (message.memberMs > 0) members.set(from, atMs + message.memberMs);
    else members.delete(from);
    if (atMs > searchedMs + 1000) {
      searchedMs = atMs;
      for (const [member, untilMs] of members) if (untilMs <= atMs) members.delete(member);
    }
    return members;
  };
}
