import axios from 'axios';
import axiosRetry, { exponentialDelay } from 'axios-retry';
import { heed } from 'axios-heed';
import { broadcastStore } from 'axios-heed/broadcast';

/** Both clients, fresh: nothing has been learned, and nobody waits. `end` gives up whatever is under way. */
export function startRound({ round, apis }, onEntry) {
  // The retry package that most people use, patient enough to lose nothing.
  const plain = axios.create({ baseURL: apis.plain });
  axiosRetry(plain, { retries: 20, retryDelay: exponentialDelay });

  const watched = axios.create({ baseURL: apis.heed });
  const heeding = heed(watched, {
    budget: { seconds: 60 },
    onEntry,
    // A second tab of this page waits for what this one has learned.
    store: broadcastStore({ channel: `axios-heed-demo-${round}` }),
  });

  const over = new AbortController();
  const { signal } = over;
  return {
    name: round,
    heeding,
    send: {
      plain: () => plain.get('/items', { signal }),
      heed: () => watched.get('/items', { signal }),
    },
    end: () => {
      over.abort();
      heeding.detach();
    },
  };
}
