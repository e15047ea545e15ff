import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { CDPSession, Page } from 'playwright-core';
import { startChromium } from './support/chromium';
import type { Chromium } from './support/chromium';

const root = join(__dirname, '../..');
let chromium: Chromium;
let demo: ChildProcess;
let url: string;
const faults: string[] = [];

beforeAll(async () => {
  [chromium] = await Promise.all([startChromium(), startDemo()]);
});
afterEach(async () => {
  await Promise.all(chromium.context.pages().map((page) => page.close()));
  if (faults.length > 0) throw new Error(`the page threw: ${faults.splice(0).join('; ')}`);
});
afterAll(async () => {
  const ended = once(demo, 'exit');
  demo.kill('SIGTERM');
  await Promise.all([chromium.close(), ended]);
  if ((await ended)[0] !== 0) throw new Error('the demo did not end cleanly');
});

/** As `npm run demo:web` does, on a port that is taken: it says so, and takes another. */
async function startDemo(): Promise<void> {
  const env = { ...process.env, PORT: '0' };
  demo = spawn(process.execPath, ['examples/demo-web/run.mjs'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  for await (const text of demo.stdout ?? []) {
    said += String(text);
    const [, found] = /(http:\S+)/.exec(said) ?? [];
    if (found === undefined) continue;
    url = found;
    return;
  }
  throw new Error(`the demo did not start: ${said}`);
}

async function open(size = { width: 1200, height: 1000 }): Promise<Page> {
  const page = await chromium.context.newPage();
  await page.setViewportSize(size);
  page.on('pageerror', (error) => faults.push(String(error)));
  await page.goto(url);
  await page.waitForFunction(() => document.querySelector('#api-state')?.textContent === 'The API is up.');
  return page;
}

const figure = (page: Page, lane: string, name: string): Promise<number> =>
  page.locator(`#${lane} .figures div`, { hasText: name }).locator('dd').innerText().then(Number);

async function reach(page: Page, lane: string, name: string, least: number): Promise<void> {
  await page.waitForFunction(
    ([id, words, count]) => {
      const found = [...document.querySelectorAll(`#${id} .figures div`)].find((one) =>
        one.textContent.includes(words),
      );
      return Number(found?.querySelector('dd')?.textContent) >= count;
    },
    [lane, name, least] as const,
    { polling: 100, timeout: 25_000 },
  );
}

async function slide(page: Page, id: string, value: number): Promise<void> {
  await page.locator(`#${id}`).fill(String(value));
}

describe('the live page', () => {
  test('serves every call of both clients in an outage, one of them with far fewer requests', async () => {
    const page = await open();
    await slide(page, 'quota', 40);
    await slide(page, 'outage', 2);
    await page.click('#break');
    await page.click('#burst');
    await page.waitForFunction(() => document.querySelector('#sentence')?.textContent.startsWith('Busy'));
    await reach(page, 'heed', 'calls answered', 60);
    await reach(page, 'plain', 'calls answered', 60);
    expect(await figure(page, 'heed', 'failed')).toBe(0);
    expect(await figure(page, 'heed', 'requests per answer')).toBeLessThan(1.3);
    expect(await figure(page, 'plain', 'requests per answer')).toBeGreaterThan(1.7);
    expect(await page.locator('#heed canvas').getAttribute('aria-label')).toMatch(/60 requests served/);
  });

  test('shows gates, lets one call and then all be cancelled, and tells the story of one', async () => {
    const page = await open();
    await page.click('#reset');
    await slide(page, 'outage', 10);
    await page.click('#break');
    await page.click('#burst');
    await page.locator('#gates .state.held').waitFor();
    await page.locator('.calls .cancel').nth(3).click();
    await page.locator('.calls', { hasText: 'cancelled' }).waitFor();
    await page.click('#cancel-all');
    await reach(page, 'heed', 'failed', 60);
    expect(await page.locator('#cancel-all').isDisabled()).toBe(true);
    await page.locator('.calls .pick').first().click();
    const story = await page.locator('#journal').innerText();
    expect(story).toContain('begins');
    expect(story).toMatch(/is held until/);
    await page.click('#reset');
  });

  test('works by keyboard alone', async () => {
    const page = await open();
    await page.click('#reset');
    await page.locator('#burst').focus();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('break');
    await page.keyboard.press('Enter');
    await page.waitForFunction(
      () => document.querySelector('#api-state')?.textContent === 'The API is down.',
    );
    await page.locator('#burst').focus();
    await page.keyboard.press('Enter');
    await page.locator('.calls .pick').first().waitFor();
    await page.locator('.calls .pick').first().focus();
    await page.keyboard.press('Enter');
    await page.locator('#journal li').first().waitFor();
    const kept = await page.evaluate(() => (document.activeElement as HTMLElement).dataset['key']);
    expect(kept).toMatch(/^pick-/);
    await page.click('#reset');
  });

  test('names every control', async () => {
    const page = await open();
    const nameless = await page.evaluate(
      () =>
        [...document.querySelectorAll('button, input, canvas')].filter((one) => {
          const labels = (one as HTMLInputElement).labels?.length ?? 0;
          return one.textContent.trim() === '' && labels === 0 && one.getAttribute('aria-label') === null;
        }).length,
    );
    expect(nameless).toBe(0);
  });

  test('fits a phone, in light and in dark', async () => {
    const page = await open({ width: 390, height: 844 });
    const session: CDPSession = await chromium.context.newCDPSession(page);
    const colours: string[] = [];
    for (const value of ['light', 'dark']) {
      await session.send('Emulation.setEmulatedMedia', {
        features: [{ name: 'prefers-color-scheme', value }],
      });
      colours.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
    }
    expect(new Set(colours).size).toBe(2);
    await page.click('#burst');
    await page.locator('.calls .pick').first().click();
    const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    expect(wide).toBeLessThanOrEqual(room);
  });

  test('shares its gates with a second tab', async () => {
    const first = await open();
    await first.click('#reset');
    const second = await open();
    await second.locator('#tabs', { hasText: '2 tabs' }).waitFor();
    await first.bringToFront(); // a tab in the background is not painted
    await slide(first, 'outage', 8);
    await first.click('#break');
    await first.click('#burst');
    await first.locator('#gates .state.held').waitFor();
    await second.bringToFront();
    await second.click('#burst');
    await second.locator('#gates .state.held').waitFor();
    // Its own calls have met no limit: what holds them is what the first tab has told.
    await second.waitForFunction(() => document.querySelectorAll('.calls .cancel').length >= 50);
    await second.click('#cancel-all');
    const sent = await second.locator('#journal').innerText();
    expect(sent).toBe('');
    await second.locator('.calls .pick').last().click();
    const story = await second.locator('#journal').innerText();
    expect(story).toMatch(/is held/);
    expect(story).not.toMatch(/Sends exchange/);
    await first.bringToFront();
    await first.click('#cancel-all');
    await first.click('#reset');
  });
});
