import type { HeedPolicy, JournalEntry } from '../../lib/index';
import type { OtelOptions } from '../../lib/otel/index';
import type { Script } from '../support/scripted-adapter';
import { EXACT, scriptedClient } from '../support/scripted-client';
import type { ScriptedClient } from '../support/scripted-client';
import { telemetryWorld } from './telemetry-world';
import type { TelemetryWorld } from './telemetry-world';

export interface ObservedClient extends ScriptedClient, TelemetryWorld {}

/** A client on a virtual clock, with a scripted server behind it, whose journal goes into telemetry. */
export function observedClient(
  script: Script,
  { policy = {}, ...options }: OtelOptions & { policy?: HeedPolicy } = {},
): ObservedClient {
  const world = telemetryWorld(options);
  const entries: JournalEntry[] = [];
  const onEntry = (entry: JournalEntry): void => {
    entries.push(entry);
    world.telemetry.onEntry(entry);
  };
  return { ...world, ...scriptedClient(script, { ...EXACT, onEntry, ...policy }), entries };
}

/** Come back in two seconds. */
export const LIMITED = { status: 429, headers: { 'Retry-After': '2' }, afterMs: 50 };
