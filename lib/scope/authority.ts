/** The start of a written URL: [all, scheme and slashes, scheme, user info, host and port]. RFC 3986 3.2. */
export const AUTHORITY: RegExp = /^(([a-z][a-z\d+.-]*:)?\/\/)(?:([^/?#]*)@)?([^/?#]*)/i;

/** As the platform reads it; `undefined` for what is no URL. */
export function parsedUrl(url: string, base?: string): URL | undefined {
  try {
    return new URL(url, base);
  } catch {
    return undefined;
  }
}
