import type { AxiosRequestConfig, CreateAxiosDefaults } from 'axios';
import type { CDPSession, Page } from 'playwright-core';
import type { HeedPolicy, JournalEntry, ObservationEvent } from '../../../lib/index';
import { apiServer } from './api-server';
import type { ApiServer } from './api-server';
import { startChromium } from './chromium';
import type { Chromium } from './chromium';
import type { Ended } from './page-program';
import { site } from './site';
import type { Site } from './site';

/** A browser, a site and an API of another origin. */
export interface Stage {
  readonly chromium: Chromium;
  readonly site: Site;
  readonly api: ApiServer;
  /** A new page of the site, with a client named `api`. */
  page(given: PageTerms): Promise<Visit>;
  /** Closes what tests opened. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

export interface PageTerms {
  readonly adapter: 'xhr' | 'fetch';
  readonly policy?: HeedPolicy;
  /** Shares its gates with the other pages on the same channel. */
  readonly channel?: string;
  readonly defaults?: CreateAxiosDefaults;
  /** Runs in the page before anything of it does. */
  readonly before?: () => void;
}

/** A page and what tests do in it. */
export interface Visit {
  readonly page: Page;
  run(config: AxiosRequestConfig): Promise<Ended>;
  start(name: string, config: AxiosRequestConfig): Promise<void>;
  ended(name: string): Promise<Ended>;
  abort(name: string): Promise<void>;
  /** Until the page has heard of a limit: the server's word that it has answered is too early. */
  held(): Promise<void>;
  cdp(): Promise<CDPSession>;
}

export async function openStage(): Promise<Stage> {
  const [chromium, pages, api] = await Promise.all([startChromium(), site(), apiServer()]);
  const faults: string[] = [];
  const { context } = chromium;
  return {
    chromium,
    site: pages,
    api,
    page: async ({ adapter, policy = EXACT, defaults = {}, before, channel }) => {
      const page = await context.newPage();
      page.on('pageerror', (error) => faults.push(String(error)));
      if (before !== undefined) await page.addInitScript(before);
      await page.goto(`${pages.url}/`);
      await page.evaluate(
        ([given, terms]: readonly unknown[]) => {
          window.kit.client('api', given as CreateAxiosDefaults, terms as HeedPolicy);
        },
        [{ adapter, ...defaults }, channel === undefined ? policy : { ...policy, channel }],
      );
      return visitOf(page);
    },
    clear: async () => {
      await Promise.all(context.pages().map((page) => page.close()));
      // A rejection that nobody hears, or an error in a timer, is a fault of whatever test is at work.
      if (faults.length > 0) throw new Error(`the page threw: ${faults.splice(0).join('; ')}`);
    },
    close: async () => {
      await chromium.close();
      await Promise.all([pages.close(), api.close()]);
    },
  };
}

/** At most three exchanges, own backoff of 200 ms then doubling, every wait exact. */
export const EXACT: HeedPolicy = { exchanges: 3, backoff: { first: 200, factor: 2 }, jitter: 0 };

function visitOf(page: Page): Visit {
  return {
    page,
    run: (config) => page.evaluate((given: object) => window.kit.run('api', given), config),
    start: (name, config) =>
      page.evaluate(
        ({ call, given }: { readonly call: string; readonly given: object }) => {
          window.kit.start(call, 'api', given);
        },
        { call: name, given: config },
      ),
    ended: async (name) => {
      const ended = await page.evaluate((call) => window.kit.ended(call), name);
      if (ended === undefined) throw new Error(`no call ${name}`);
      return ended;
    },
    abort: (name) =>
      page.evaluate((call) => {
        window.kit.abort(call);
      }, name),
    held: async () => {
      await page.waitForFunction(
        () =>
          window.kit
            .heeding('api')
            .snapshot()
            .gates.some(({ state }) => state === 'held'),
        undefined,
        { polling: 20 },
      );
    },
    cdp: () => page.context().newCDPSession(page),
  };
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Looks every few milliseconds until it is so; fails after two seconds. */
export async function until(isSo: () => boolean): Promise<void> {
  const endMs = performance.now() + 2000;
  while (!isSo()) {
    if (performance.now() > endMs) throw new Error(`waited in vain: ${String(isSo)}`);
    await sleep(5);
  }
}

export function observationsOf({ journal }: Ended): readonly ObservationEvent[] {
  return journal.flatMap((entry) => (entry.event === 'observation' ? [entry] : []));
}

export function eventsOf({ journal }: Ended): readonly JournalEntry['event'][] {
  return journal.map(({ event }) => event);
}
