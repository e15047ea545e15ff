import type { HintReader } from '../hint/hint.js';
import type { Answer } from './answer.js';
import { vendorReader } from './vendor-reader.js';
import type { Vendor } from './vendor-reader.js';

/** MediaWiki: a 200 that says `maxlag` or `ratelimited` instead of doing what was asked. */
export function mediawiki(): HintReader {
  return vendorReader(MEDIAWIKI);
}

// MediaWiki manual: maxlag parameter, API etiquette
const MEDIAWIKI: Vendor = {
  name: 'mediawiki',
  limit: (answer: Answer) => {
    const error = answer.field('mediawiki-api-error');
    return error === 'maxlag' || error === 'ratelimited' ? 'mediawiki-api-error' : undefined;
  },
};
