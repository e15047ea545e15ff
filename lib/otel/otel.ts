import { metrics, trace } from '@opentelemetry/api';
import type { JournalListener } from '../operation/journal-entry.js';
import { Instruments } from './instruments.js';
import { settingsOf } from './otel-options.js';
import type { OtelOptions } from './otel-options.js';
import { TelemetryStream } from './telemetry-stream.js';

/** Spans and metrics of the clients that are given its `onEntry`. */
export interface Telemetry {
  /** Give it to `heed()` as it is, or call it from a listener of your own. Never throws. */
  readonly onEntry: JournalListener;
  /** Ends the spans of all operations that are still open: call it before the SDK is shut down. */
  close(): void;
}

/**
 * Turns the journal into OpenTelemetry: one INTERNAL span per operation, one CLIENT span per exchange, waits
 * as events, metrics. The names are listed in docs/otel.md. Set the SDK up first: meters taken before stay dumb.
 * @throws TypeError when an option is refused
 * @see https://opentelemetry.io/docs/specs/semconv/http/
 */
export function otel(options: OtelOptions = {}): Telemetry {
  const settings = settingsOf(options);
  const { tracer = trace.getTracer(SCOPE), meter = metrics.getMeter(SCOPE) } = options;
  const stream = new TelemetryStream(tracer, new Instruments(meter, settings), settings);
  return {
    onEntry: (entry) => {
      quietly(() => stream.take(entry));
    },
    close: () => {
      quietly(() => stream.close());
    },
  };
}

const SCOPE = 'axios-heed';

/** Whatever an entry or an SDK is like, requests go on. */
function quietly(run: () => void): void {
  try {
    run();
  } catch {
    // What was not told is lost; nobody could be told of that.
  }
}
