import type { HintReader } from '../hint/hint.js';
import { vendorReader } from './vendor-reader.js';
import type { Vendor } from './vendor-reader.js';

/** Slack: a 200 whose body says that it was limited. Counted by method, workspace and app. */
export function slack(): HintReader {
  return vendorReader(SLACK);
}

// Slack docs: rate limits, Web API errors
const SLACK: Vendor = {
  name: 'slack',
  limit: (answer) => {
    if (answer.status !== 200 || !answer.mentions('limited"')) return undefined;
    const error = answer.json('error');
    return error === 'ratelimited' || error === 'rate_limited' ? 'body.error' : undefined;
  },
};
