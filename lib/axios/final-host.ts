import type { AxiosResponse } from 'axios';
import { pageOrigin } from '../scope/by-origin.js';
import { targetOf } from './request-target.js';

/**
 * The origin that has answered, where redirects led to another host: http and xhr show where they have ended.
 * What only changes the scheme stays where it is.
 */
export function otherHostOf({ config, request }: AxiosResponse): string | undefined {
  const { res, responseURL = res?.responseUrl } = (request ?? {}) as Shown;
  if (!responseURL) return undefined;
  try {
    const { hostname, protocol, port, origin } = new URL(responseURL);
    const asked = new URL(targetOf(config, undefined).url, pageOrigin());
    const isSame = asked.hostname === hostname && (asked.protocol !== protocol || asked.port === port);
    return isSame ? undefined : origin;
  } catch {
    return undefined; // a relative URL without a page, or a platform whose URLs have no parts
  }
}

/** Of a request of Node, or of the browser. */
interface Shown {
  readonly responseURL?: string;
  readonly res?: { readonly responseUrl?: string } | null;
}
