// Contents page of `axios-heed/otel`.
export { otel } from './otel.js';
export type { Telemetry } from './otel.js';
export type { OtelOptions } from './otel-options.js';
