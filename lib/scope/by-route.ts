import { AUTHORITY } from './authority.js';
import type { ScopeRule } from './scope.js';

/**
 * Method and route: the request's own `route`, else the first of the templates that fits its path (`:name`
 * is one segment, `*` at the end the rest), else the path with numbers, UUIDs, hashes and long hex taken
 * for identifiers, so that `/orders/7` and `/orders/8` are one route. At most 256 characters count.
 */
export function byRoute(templates: readonly string[] = []): ScopeRule {
  const patterns = templates.map(parseTemplate);
  return ({ method, url, route }) => {
    const name = route ?? routeOf(segmentsOf(url), patterns);
    return { by: 'route', value: `${method} ${name.slice(0, MOST_CHARACTERS)}`, secret: false };
  };
}

const MOST_CHARACTERS = 256;

interface Template {
  readonly text: string;
  readonly segments: readonly string[];
  readonly open: boolean;
}

function parseTemplate(text: string): Template {
  const segments = segmentsOf(text);
  const open = segments[segments.length - 1] === '*';
  return { text, segments: open ? segments.slice(0, -1) : segments, open };
}

function routeOf(segments: readonly string[], templates: readonly Template[]): string {
  const template = templates.find((one) => fitsTemplate(segments, one));
  return template?.text ?? `/${segments.map(generalized).join('/')}`;
}

function fitsTemplate(path: readonly string[], { segments, open }: Template): boolean {
  if (open ? path.length < segments.length : path.length !== segments.length) return false;
  return segments.every((segment, at) => segment.startsWith(':') || segment === path[at]);
}

/** The path in parts: no scheme and authority, no query, no fragment, no empty part. */
function segmentsOf(url: string): readonly string[] {
  const path = url.replace(/[?#].*/s, '').replace(AUTHORITY, '');
  return path.split('/').filter(Boolean);
}

function generalized(segment: string): string {
  return IDENTIFIERS.find(([pattern]) => pattern.test(segment))?.[1] ?? segment;
}

const IDENTIFIERS: readonly (readonly [RegExp, string])[] = [
  [/^[+-]?\d+(?:[.,_-]\d+)*$/, ':number'],
  [/^\{?[\da-f]{8}-?(?:[\da-f]{4}-?){3}[\da-f]{12}\}?$/i, ':uuid'],
  // A hash names its algorithm, or is hex long enough not to be a word; a short one has digits in it.
  [/^(?:md5|sha\d{1,3})[:=-][\w+=-]{16,}$/i, ':hash'],
  [/^(?:0x)?(?=[a-f]*\d)[\da-f]{8,}$/i, ':hex'],
  [/^(?:0x)?[\da-f]{16,}$/i, ':hex'],
  // ULID and the like, and random text in mixed case.
  [/^(?=[A-Z]*\d)[\dA-HJKMNP-TV-Z]{26}$/, ':id'],
  [/^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[\w-]{20,}$/, ':id'],
];
