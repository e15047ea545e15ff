// The three clients. Each makes an axios instance for the API and gives it the same time in all.
import axios from 'axios';
import { heed } from 'axios-heed';
import axiosRetry from 'axios-retry';
import { LOAD } from './terms.mjs';

/** As it comes. */
function bare(baseURL) {
  return axios.create({ baseURL, timeout: LOAD.deadlineMs });
}

/** Generous: five retries instead of three, and exponential delays, which it spreads by chance. */
function withAxiosRetry(baseURL) {
  const api = axios.create({ baseURL, timeout: LOAD.deadlineMs });
  axiosRetry(api, { retries: 5, retryDelay: axiosRetry.exponentialDelay });
  return api;
}

/** With its defaults and a budget. */
function withHeed(baseURL, onEntry) {
  const api = axios.create({ baseURL });
  heed(api, { budget: LOAD.deadlineMs, onEntry });
  return api;
}

export const CLIENTS = [
  { name: 'axios', create: bare },
  { name: 'axios-retry', create: withAxiosRetry },
  { name: 'axios-heed', create: withHeed },
];
