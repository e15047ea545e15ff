import axios from 'axios';
import type { AxiosInstance, CreateAxiosDefaults } from 'axios';
import rateLimit from 'axios-rate-limit';
import axiosRetry from 'axios-retry';
import type { IAxiosRetryConfig } from 'axios-retry';
// @ts-expect-error -- the package has no types
import untypedRetryAfter from 'axios-retry-after';
import * as rax from 'retry-axios';
import type { RetryConfig } from 'retry-axios';
import { heed } from '../../../lib/index';
import type { HeedPolicy } from '../../../lib/index';

/** The packages of the table, in the order of its columns. */
export const packages = [
  'axios-retry',
  'retry-axios',
  'axios-retry-after',
  'axios-rate-limit',
  'axios-heed',
] as const;

export type PackageName = (typeof packages)[number];

/** What a row sets; whatever it leaves out is the package's own default. */
export interface Settings {
  readonly 'axios-retry'?: IAxiosRetryConfig;
  readonly 'retry-axios'?: RetryConfig;
  readonly 'axios-retry-after'?: { readonly wait?: () => Promise<void> };
  readonly 'axios-rate-limit'?: { readonly maxRequests: number; readonly perMilliseconds: number };
  readonly 'axios-heed'?: HeedPolicy;
}

/** Far above what any row sends, because a limiter has to be given some number. */
const UNBOUNDED = { maxRequests: 10_000, perMilliseconds: 1000 } as const;

/** An instance with one of the packages on it, as its own README tells. */
export function clientWith(
  name: PackageName,
  config: CreateAxiosDefaults,
  settings: Settings = {},
): AxiosInstance {
  const api = axios.create(config);
  attach[name](api, settings);
  return api;
}

const retryAfterOf = untypedRetryAfter as (
  api: AxiosInstance,
  options?: Settings['axios-retry-after'],
) => (error: unknown) => Promise<never>;

const attach: Readonly<Record<PackageName, (api: AxiosInstance, settings: Settings) => void>> = {
  'axios-retry': (api, settings) => {
    axiosRetry(api, settings['axios-retry']);
  },
  'retry-axios': (api, settings) => {
    const raxConfig = settings['retry-axios'];
    if (raxConfig !== undefined) Object.assign(api.defaults, { raxConfig });
    rax.attach(api);
  },
  'axios-retry-after': (api, settings) => {
    api.interceptors.response.use(null, retryAfterOf(api, settings['axios-retry-after']));
  },
  'axios-rate-limit': (api, settings) => {
    rateLimit(api, settings['axios-rate-limit'] ?? UNBOUNDED);
  },
  'axios-heed': (api, settings) => {
    heed(api, settings['axios-heed']);
  },
};
