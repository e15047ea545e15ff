import axios from 'axios';
import axiosRetry, { exponentialDelay } from 'axios-retry';
import { heed } from 'axios-heed';
import { broadcastStore } from 'axios-heed/broadcast';
import { records } from './records.js';

/** The client beside: the retry package that most people use, patient enough to lose little. */
export const plain = axios.create({ baseURL: '/api/plain' });

/** The client that heeds. */
export const watched = axios.create({ baseURL: '/api/heed' });

export const heeding = heed(watched, {
  budget: { seconds: 60 },
  onEntry: (entry) => records.add(entry),
  // A second tab of this page waits for what this one has learned.
  store: broadcastStore({ channel: 'axios-heed-demo' }),
});

export function attach() {
  axiosRetry(plain, { retries: 20, retryDelay: exponentialDelay });
}
