import { context, trace } from '@opentelemetry/api';
import type { Attributes, HrTime } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import type { JournalEntry } from '../../lib/index';
import { otel } from '../../lib/otel/index';
import type { OtelOptions, Telemetry } from '../../lib/otel/index';

/** Telemetry on the SDK's in-memory exporters. */
export interface TelemetryWorld {
  readonly provider: BasicTracerProvider;
  readonly telemetry: Telemetry;
  /** Spans that have ended, in that order. */
  spans(): readonly ReadableSpan[];
  /** The spans of operations, and those of exchanges. */
  operations(): readonly ReadableSpan[];
  exchanges(): readonly ReadableSpan[];
  points(metric: string): Promise<readonly Point[]>;
  /** All metrics by name. */
  metrics(): Promise<ReadonlyMap<string, readonly Point[]>>;
}

export interface Point {
  readonly attributes: Attributes;
  /** A number, or what a histogram holds. */
  readonly value: unknown;
}

export function telemetryWorld(options: OtelOptions = {}): TelemetryWorld {
  const spans = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 1e8 });
  const meters = new MeterProvider({ readers: [reader] });
  const telemetry = otel({ tracer: provider.getTracer('test'), meter: meters.getMeter('test'), ...options });
  const metrics = async (): Promise<ReadonlyMap<string, readonly Point[]>> => {
    exporter.reset();
    await reader.forceFlush();
    const found = exporter
      .getMetrics()
      .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((one) => one.metrics));
    return new Map(
      found.map(({ descriptor, dataPoints }) => [
        descriptor.name,
        dataPoints.map(({ attributes, value }) => ({ attributes, value })),
      ]),
    );
  };
  const finished = (): readonly ReadableSpan[] => spans.getFinishedSpans();
  return {
    provider,
    telemetry,
    spans: finished,
    operations: () => finished().filter(({ name }) => name.startsWith('heed')),
    exchanges: () => finished().filter(({ name }) => !name.startsWith('heed')),
    metrics,
    points: async (metric) => (await metrics()).get(metric) ?? [],
  };
}

/** Contexts follow asynchronous calls, as the Node SDK sets it up. */
export function followContexts(): void {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
}

export function forgetContexts(): void {
  context.disable();
  trace.disable();
}

export function epochMs([seconds, nanos]: HrTime): number {
  return seconds * 1000 + nanos / 1e6;
}

/** Events of a span, each as its name and what it says. */
export function eventsOf(
  span: ReadableSpan | undefined,
): readonly (readonly [string, Attributes | undefined])[] {
  return (span?.events ?? []).map(({ name, attributes }) => [name, attributes]);
}

/** An entry made by hand, of whatever kind. */
export function entry(facts: object): JournalEntry {
  return facts as JournalEntry;
}
