import type { Meter, Tracer } from '@opentelemetry/api';

/** What is told to OpenTelemetry, and through which of its parts. */
export interface OtelOptions {
  /** @default that of the global provider, named `axios-heed` */
  readonly tracer?: Tracer | undefined;
  /** @default that of the global provider, named `axios-heed` */
  readonly meter?: Meter | undefined;
  /**
   * A CLIENT span per exchange. Off where an instrumentation of http, undici, fetch or XMLHttpRequest makes
   * them already: exchanges are then events of the operation's span.
   * @default true
   */
  readonly exchangeSpans?: boolean | undefined;
  /** The histogram `http.client.request.duration`, which instrumentations record too. @default false */
  readonly requestDuration?: boolean | undefined;
  /** Labels of gates on events and metrics: origins, routes, tenants, numbers of credentials. @default false */
  readonly gateLabels?: boolean | undefined;
  /** Methods that are told by name, in place of the default list; others are `_OTHER`. Upper case. */
  readonly knownMethods?: readonly string[] | undefined;
  /** Operations that are followed at a time; above it the oldest is let go, its span ended. @default 10000 */
  readonly maxOpenOperations?: number | undefined;
}

/** The options, checked and complete. */
export interface OtelSettings {
  readonly exchangeSpans: boolean;
  readonly requestDuration: boolean;
  readonly gateLabels: boolean;
  readonly knownMethods: ReadonlySet<string>;
  readonly maxOpenOperations: number;
}

/** @throws TypeError when an option is refused */
export function settingsOf(options: OtelOptions): OtelSettings {
  const unknown = Object.keys(options).find((name) => !OPTIONS.has(name));
  if (unknown !== undefined) throw new TypeError(`otel(): there is no option \`${unknown}\``);
  const { exchangeSpans, requestDuration, gateLabels, knownMethods, maxOpenOperations = 10_000 } = options;
  if (!Number.isInteger(maxOpenOperations) || maxOpenOperations < 1) {
    throw new TypeError(
      `otel(): expected \`maxOpenOperations\` to be a whole number from 1, got ${String(maxOpenOperations)}`,
    );
  }
  return {
    exchangeSpans: exchangeSpans ?? true,
    requestDuration: requestDuration ?? false,
    gateLabels: gateLabels ?? false,
    knownMethods: new Set(knownMethods ?? KNOWN_METHODS),
    maxOpenOperations,
  };
}

const OPTIONS: ReadonlySet<string> = new Set([
  'tracer',
  'meter',
  'exchangeSpans',
  'requestDuration',
  'gateLabels',
  'knownMethods',
  'maxOpenOperations',
] satisfies (keyof OtelOptions)[]);

// RFC 9110 section 9, RFC 5789 (PATCH), and QUERY, as the conventions list them.
const KNOWN_METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'CONNECT',
  'OPTIONS',
  'TRACE',
  'PATCH',
  'QUERY',
];
