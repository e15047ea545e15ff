/** A URL as it is written, in parts that make it up again, without query and fragment; what is not there is empty. */
export interface UrlParts {
  /** Scheme and slashes, or the slashes alone. */
  readonly start: string;
  /** With its "@": RFC 3986 3.2 ends it at the last one before the path. */
  readonly userInfo: string;
  /** With its port. */
  readonly host: string;
  readonly path: string;
}

export function urlParts(url: string): UrlParts {
  const [, start = '', userInfo = '', host = '', path = ''] = PARTS.exec(url) ?? [];
  return { start, userInfo, host, path };
}

const PARTS = /^(?:((?:[a-z][a-z\d+.-]*:)?\/\/)([^/?#]*@)?([^/?#]*))?([^?#]*)/i;
