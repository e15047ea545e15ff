import type { AxiosInstance, AxiosRequestConfig, InternalAxiosRequestConfig } from 'axios';
import type { ScopeSelector } from '../gate/scope-key.js';
import type { Scope } from '../model.js';
import type { Client } from './client.js';
import { OutgoingRequest } from './outgoing-request.js';

/** What `hold` and `release` are meant for: a part as it is, a request by the scopes that it would have. */
export function gateTargetOf(
  { policy, scopes }: Client,
  { defaults }: AxiosInstance,
  target: ScopeSelector | AxiosRequestConfig,
): ScopeSelector | readonly Scope[] {
  if ('by' in target && 'value' in target) return target;
  const method = target.method ?? defaults.method ?? 'get';
  const perMethod = (defaults.headers as unknown as Record<string, object | undefined>)[method.toLowerCase()];
  const headers = { ...defaults.headers.common, ...perMethod, ...(target.headers as object | undefined) };
  const config = { ...defaults, ...target, method, headers } as unknown as InternalAxiosRequestConfig;
  return new OutgoingRequest(config, policy.maskPath).scopes(scopes);
}
