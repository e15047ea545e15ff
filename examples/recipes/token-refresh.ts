// A token that expires: a 401 is the application's business, waiting is that of axios-heed.
// To change: how a token is fetched, and what stands for the user.
import { isAxiosError } from 'axios';
import type { AxiosInstance, InternalAxiosRequestConfig } from 'axios';
import { byOrigin, byRoute, byToken, combine, heed } from 'axios-heed';
import type { Heeding } from 'axios-heed';

declare module 'axios' {
  interface AxiosRequestConfig {
    /** A 401 in spite of a fresh token is final. */
    isSecondTry?: boolean;
  }
}

export interface TokenOptions {
  /** Asks for a new token: by a client of its own, or with `heed: false`, so that it waits for nobody. */
  readonly fetchToken: () => Promise<string>;
  /** What the server counts by; it outlives the token. */
  readonly user: string;
}

export function withTokens(api: AxiosInstance, { fetchToken, user }: TokenOptions): Heeding {
  let token: string | undefined;
  let fetching: Promise<string> | undefined;

  /** However many find the token refused, it is fetched once: also for those who come late with the old one. */
  const tokenAfter = async (refused: string | undefined): Promise<string> => {
    if (token !== undefined && token !== refused) return token;
    fetching ??= fetchToken().finally(() => (fetching = undefined));
    token = await fetching;
    return token;
  };

  api.interceptors.request.use(async (config) => {
    config.headers.set('Authorization', `Bearer ${token ?? (await tokenAfter(undefined))}`);
    return config;
  });

  api.interceptors.response.use(undefined, async (error: unknown) => {
    if (!isAxiosError(error) || error.response?.status !== 401) throw error;
    const { config } = error;
    if (config === undefined || config.isSecondTry === true) throw error;
    await tokenAfter(bearerOf(config));
    return api.request({ ...config, isSecondTry: true });
  });

  // Last, so that the budget covers the interceptors above. Limits are counted by user: counted by token,
  // which is the default, a hold would be forgotten with the old token.
  const byUser = combine(
    byOrigin(),
    byToken(() => user),
  );
  return heed(api, {
    budget: { seconds: 30 },
    scopes: [combine(byUser, byRoute()), byUser],
    // A token that was good when the wait began may not be when it ends.
    beforeExchange: () => ({ headers: { Authorization: `Bearer ${token ?? ''}` } }),
  });
}

function bearerOf({ headers }: InternalAxiosRequestConfig): string | undefined {
  return /^Bearer (.+)$/.exec(String(headers.get('Authorization')))?.[1];
}
