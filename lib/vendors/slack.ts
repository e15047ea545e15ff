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
    const isLimited =
      answer.status === 200 && answer.mentions('"ratelimited"') && answer.json('error') === 'ratelimited';
    return isLimited ? 'body.error' : undefined;
  },
};
