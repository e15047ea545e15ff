import type { Attributes } from '@opentelemetry/api';
import { known, numberOf, secondsOf, textOf } from './facts.js';
import type { Facts } from './facts.js';
import { ATTRIBUTE } from './names.js';

/**
 * Of a request, what the journal has: no URL, because a path may name a person. The origin is told as server
 * and port, the template of the path as `url.template`; `url.full` would be made up.
 */
export function requestAttributes(facts: Facts, knownMethods: ReadonlySet<string>): Attributes {
  return {
    ...methodAttributes(textOf(facts.method), knownMethods),
    ...serverAttributes(textOf(facts.origin)),
    ...known({ [ATTRIBUTE.urlTemplate]: textOf(facts.route) }),
  };
}

function methodAttributes(method: string | undefined, knownMethods: ReadonlySet<string>): Attributes {
  if (method === undefined) return {};
  return knownMethods.has(method)
    ? { [ATTRIBUTE.method]: method }
    : { [ATTRIBUTE.method]: OTHER, [ATTRIBUTE.methodOriginal]: method };
}

const OTHER = '_OTHER';

// A page's own requests have no origin outside a page (`relative:`), and `data:` has no host.
function serverAttributes(origin: string | undefined): Attributes {
  const url = parsedUrl(origin);
  if (url === undefined || url.hostname === '') return {};
  const port = url.port === '' ? DEFAULT_PORTS.get(url.protocol) : Number(url.port);
  return known({
    [ATTRIBUTE.serverAddress]: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    [ATTRIBUTE.serverPort]: port,
  });
}

const DEFAULT_PORTS: ReadonlyMap<string, number> = new Map([
  ['http:', 80],
  ['https:', 443],
]);

function parsedUrl(url: string | undefined): URL | undefined {
  try {
    return url === undefined ? undefined : new URL(url);
  } catch {
    return undefined;
  }
}

/** `{method} {template}`, and `HTTP` for a method that is not told by name. */
export function spanName(request: Attributes): string {
  const { [ATTRIBUTE.method]: method = OTHER, [ATTRIBUTE.urlTemplate]: template } = request;
  const verb = method === OTHER ? 'HTTP' : String(method);
  return template === undefined ? verb : `${verb} ${String(template)}`;
}

/**
 * After a redirect that the client follows itself: where it leads to is not in the journal. What becomes of
 * the method is (RFC 9110 section 15.4).
 */
export function redirectedAttributes(request: Attributes, status: unknown): Attributes {
  const method = request[ATTRIBUTE.method];
  const becomesGet =
    status === 303 ? method !== 'HEAD' : method === 'POST' && status !== 307 && status !== 308;
  return known({
    [ATTRIBUTE.method]: becomesGet ? 'GET' : method,
    [ATTRIBUTE.methodOriginal]: becomesGet ? undefined : request[ATTRIBUTE.methodOriginal],
  });
}

/** How an exchange ended. */
export function answerAttributes(facts: Facts): Attributes {
  const { kind, delayMs } = (facts.hint ?? {}) as { readonly kind?: unknown; readonly delayMs?: unknown };
  return known({
    [ATTRIBUTE.status]: numberOf(facts.status),
    [ATTRIBUTE.errorType]: errorTypeOf(facts),
    [ATTRIBUTE.exchangeEnd]: textOf(facts.end),
    [ATTRIBUTE.exchangeVerdict]: textOf(facts.verdict),
    [ATTRIBUTE.knowledge]: textOf(facts.knowledge),
    [ATTRIBUTE.hintKind]: textOf(kind),
    [ATTRIBUTE.hintDuration]: secondsOf(delayMs),
  });
}

/** The status from 400 on; the platform's code, where there is one; else the name of the end. */
export function errorTypeOf(facts: Facts): string | undefined {
  const end = textOf(facts.end) ?? 'answer';
  if (end === 'answer' || end === 'redirect') {
    const status = numberOf(facts.status);
    if (status === undefined) return OTHER;
    return status >= 400 ? String(status) : undefined;
  }
  const code = textOf(facts.code);
  return OWN_ENDS.has(end) || code === undefined || !CODE.test(code) ? end : code;
}

// Their codes differ from one adapter and version of axios to the next.
const OWN_ENDS: ReadonlySet<string> = new Set(['timeout', 'deadline', 'cancelled']);

// An adapter may give anything as a code; of telemetry few values are expected.
const CODE = /^[A-Z][A-Z\d_]{2,63}$/;
