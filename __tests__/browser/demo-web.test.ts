import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { startChromium } from './support/chromium';
import type { Chromium } from './support/chromium';

const root = join(__dirname, '../..');
const faults: string[] = [];
let chromium: Chromium;
let demo: Demo;

beforeAll(async () => {
  execFileSync(process.execPath, ['scripts/build.mjs', '--if-stale'], { cwd: root, stdio: 'inherit' });
  [chromium, demo] = await Promise.all([startChromium(), startDemo('0')]);
}, 120_000);
afterEach(async () => {
  await Promise.all(chromium.context.pages().map((page) => page.close()));
  if (faults.length > 0) throw new Error(`the page complains: ${faults.splice(0).join('; ')}`);
});
afterAll(async () => {
  await Promise.all([chromium.close(), demo.end('SIGTERM')]);
});

interface Demo {
  readonly url: string;
  readonly said: string;
  end(signal: 'SIGINT' | 'SIGTERM'): Promise<number | null>;
}

function runDemo(port: string): ChildProcess & { readonly stdout: NodeJS.ReadableStream } {
  const env = { ...process.env, PORT: port };
  return spawn(process.execPath, ['examples/demo-web/run.mjs'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function startDemo(port: string): Promise<Demo> {
  const child = runDemo(port);
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const end = async (signal: 'SIGINT' | 'SIGTERM'): Promise<number | null> => {
    child.kill(signal);
    return (await exited)[0];
  };
  let said = '';
  for await (const more of child.stdout) {
    said += String(more);
    const [, url] = /(http:\S+)\n/.exec(said) ?? [];
    if (url !== undefined) return { url, said, end };
  }
  throw new Error(`the demo did not start: ${said}`);
}

interface View {
  readonly size?: { readonly width: number; readonly height: number };
  readonly scheme?: 'light' | 'dark';
}

/** The page at a fresh start, with what it writes to the console heard. */
async function open({ size = { width: 1440, height: 900 }, scheme = 'light' }: View = {}): Promise<Page> {
  const page = await chromium.context.newPage();
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: scheme });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    // The browser itself notes every refusal.
    if (message.type() === 'error' && !/status of (503|429)/.test(message.text()))
      faults.push(message.text());
  });
  await page.goto(demo.url);
  await page.locator('#api-state', { hasText: 'The API is' }).waitFor();
  return page;
}

async function openAfresh(view: View = {}): Promise<Page> {
  const page = await open(view);
  const round = await page.evaluate(() => document.body.dataset['round']);
  await page.click('#reset');
  await page.locator(`body:not([data-round="${round}"]) .api[data-state=up]`).waitFor();
  return page;
}

const figure = (page: Page, lane: string, name: string): Promise<number> =>
  page.locator(`#${lane} [data-figure=${name}]`).innerText().then(Number);

const slide = (page: Page, id: string, value: number): Promise<void> => page.fill(`#${id}`, String(value));

async function expectStatus(page: Page, lane: string, words: RegExp): Promise<void> {
  await page.locator(`#${lane} .status`, { hasText: words }).waitFor({ timeout: 20_000 });
}

/** Sixty calls that wait for the end of an outage. */
async function hold(page: Page): Promise<void> {
  await slide(page, 'outage', 10);
  await page.click('#play');
  await page.locator('.state.held').waitFor();
  await page.locator('#cancel-all', { hasText: '(60)' }).waitFor();
}

const active = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { id = '', ariaLabel, textContent } = document.activeElement ?? {};
    return id || (ariaLabel ?? textContent ?? '');
  });

describe('the program', () => {
  test('takes the next port where the one that it is given is taken, says so, and ends at Ctrl-C', async () => {
    const other = createServer();
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { said, url, end } = await startDemo(String(port));
    expect(said).toContain(`Port ${port} is taken.\n`);
    expect(Number(new URL(url).port)).toBeGreaterThan(port);
    expect(await end('SIGINT')).toBe(0);
    other.close();
  });

  test('refuses a port that is none in one line', async () => {
    const child = runDemo('eighty');
    const [complaint, [code]] = await Promise.all([
      text(child.stderr as NodeJS.ReadableStream),
      once(child, 'exit'),
    ]);
    expect(complaint).toMatch(/^axios-heed demo failed: PORT is to be a number[^\n]*"eighty"\.\n$/);
    expect(code).toBe(1);
  });
});

describe('the live page', () => {
  test('has every call of both clients answered after an outage, by one of them with far fewer requests', async () => {
    const page = await openAfresh();
    await slide(page, 'quota', 40);
    await slide(page, 'outage', 2);
    await page.click('#play');
    await page.locator('.api[data-state=down]').waitFor();
    await expectStatus(page, 'heed', /0 of 60 answered\. Busy\. Next try in \d seconds?, 59 ahead of you/);
    await expectStatus(page, 'heed', /All 60 calls answered in/);
    await expectStatus(page, 'plain', /All 60 calls answered in/);
    expect(await figure(page, 'heed', 'perServed')).toBeLessThan(1.3);
    expect(await figure(page, 'plain', 'perServed')).toBeGreaterThan(1.7);
    expect(await figure(page, 'heed', 'refused')).toBeLessThan((await figure(page, 'plain', 'refused')) / 3);
    await page.locator('#heed canvas[aria-label*="60 requests served"]').waitFor();
    expect(await isPainted(page, '#heed canvas')).toBe(true);
  });

  test('lets one call and then all be cancelled, and tells the story of the one that is picked', async () => {
    const page = await openAfresh();
    await hold(page);
    await page.click('[aria-label="Cancel call 4"]');
    await page.locator('#cancel-all', { hasText: '(59)' }).waitFor();
    await page
      .locator('#ended .call', { hasText: /Call 4\s*cancelled/ })
      .locator('.pick')
      .click();
    await page.locator('#journal-of', { hasText: /^of call 4$/ }).waitFor();
    expect(await page.locator('#journal li').first().innerText()).toMatch(/0\.00 s\s+GET \/items begins/);
    expect(await page.locator('#journal').innerText()).toMatch(/waits no longer\.[^]*Ends cancelled/);
    await page.click('#cancel-all');
    await expectStatus(page, 'heed', /0 calls answered, 60 given up/);
    expect(await page.getAttribute('#cancel-all', 'aria-disabled')).toBe('true');
  });

  test('brings a held call to an end at a fresh start, for both clients', async () => {
    const page = await openAfresh();
    await hold(page);
    await page.click('#reset');
    for (const lane of ['plain', 'heed']) await expectStatus(page, lane, /No call from this tab yet/);
    await page.locator('.api[data-state=up]').waitFor();
    await page.click('#burst');
    await page.locator('#ended .call.succeeded').first().waitFor();
  });

  test('shows a bounded part of hundreds of calls that wait', async () => {
    const page = await openAfresh();
    await hold(page);
    for (let i = 0; i < 8; i += 1) await page.click('#burst');
    await page.locator('#more-waiting', { hasText: 'and 500 more' }).waitFor();
    expect(await page.locator('.call').count()).toBe(40);
    await page.click('#cancel-all');
    await page.locator('#cancel-all', { hasText: '(0)' }).waitFor();
    expect(await page.locator('.call').count()).toBe(40);
  });

  test('works by keyboard alone, and keeps the focus where it is', async () => {
    const page = await openAfresh();
    await page.focus('#outage');
    await page.keyboard.press('End');
    await page.focus('#play');
    await page.keyboard.press('Enter');
    await page.locator('#cancel-all', { hasText: '(60)' }).waitFor();
    await page.focus('#cancel-all');
    await page.keyboard.press('Tab');
    expect(await active(page)).toMatch(/^Call 1/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('#journal-of', { hasText: 'of call 2' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await active(page)).toBe('Cancel call 2');
    await page.keyboard.press('Enter');
    await page.locator('#cancel-all', { hasText: '(59)' }).waitFor();
    expect(await active(page)).toBe('Cancel call 3');
    await page.keyboard.press('Tab');
    expect(await active(page)).toBe('journal');
    await page.focus('#cancel-all');
    await page.keyboard.press('Space');
    await page.locator('#cancel-all', { hasText: '(0)' }).waitFor();
    expect(await active(page)).toBe('cancel-all');
  });

  test('says what changes to those who listen, and no countdown', async () => {
    const page = await openAfresh();
    await page.evaluate(() => {
      const heard: string[] = [];
      Object.assign(globalThis, { heard });
      const place = document.querySelector('#spoken');
      if (place !== null)
        new MutationObserver(() => heard.push(place.textContent)).observe(place, { childList: true });
    });
    await slide(page, 'outage', 3);
    await page.click('#play');
    await expectStatus(page, 'heed', /[1-9]\d? of 60/);
    const heard = await page.evaluate(() => (globalThis as unknown as { readonly heard: string[] }).heard);
    expect(heard).toContain('The API is down.');
    expect(heard.filter((words) => words.startsWith('Busy. Next try in')).length).toBeLessThanOrEqual(2);
    expect(heard.length).toBeLessThan(15);
    expect(await page.locator('[aria-live], [role=status], [role=alert]').count()).toBe(1);
  });

  test('takes its quota from any tab', async () => {
    const first = await openAfresh();
    const second = await open();
    await second.focus('#quota');
    await second.keyboard.press('Home');
    await first.bringToFront(); // a tab in the background is not painted
    await first.waitForFunction(() => document.querySelector('output[for=quota]')?.textContent === '2/s');
    expect(await first.inputValue('#quota')).toBe('2');
    await slide(second, 'quota', 10);
    await first.waitForFunction(() => document.querySelector('output[for=quota]')?.textContent === '10/s');
  });

  test('keeps up a steady load', async () => {
    const page = await openAfresh();
    await slide(page, 'load', 20);
    await page.waitForFunction(
      () => Number(document.querySelector('#heed [data-figure=served]')?.textContent) >= 10,
    );
    await slide(page, 'load', 0);
    await expectStatus(page, 'heed', /answered in/);
  });

  test('shares its gates with a second tab, whose calls wait without having asked', async () => {
    const first = await openAfresh();
    const second = await open();
    await second.locator('#tabs.shared', { hasText: '2 tabs share these gates' }).waitFor();
    // It knows the gate, and so hears news of it: a tab in the background is slow to answer who asks.
    await slide(second, 'load', 5);
    await second.waitForFunction(
      () => Number(document.querySelector('#heed [data-figure=served]')?.textContent) >= 1,
    );
    await slide(second, 'load', 0);
    await expectStatus(second, 'heed', /answered in/);
    await second.click('#reset');
    await first.bringToFront();
    await hold(first);
    await second.bringToFront();
    await second.click('#burst');
    await second.locator('.gate', { hasText: 'another tab has been told so' }).waitFor();
    await second.locator('#cancel-all', { hasText: '(60)' }).waitFor();
    expect(await figure(second, 'heed', 'most')).toBeLessThan(7);
    const story = await second.locator('#journal').innerText();
    expect(story).toMatch(/is held until[^]*another client was told so/);
    expect(story).not.toContain('Sends exchange');
    await second.click('#reset');
    await expectStatus(second, 'heed', /No call from this tab yet/);
  });
});

describe.each([
  { name: 'a phone', size: { width: 390, height: 844 } },
  { name: 'a wide screen', size: { width: 1440, height: 900 } },
])('on $name', ({ size }) => {
  test.each(['light', 'dark'] as const)('has room and contrast in %s', async (scheme) => {
    const page = await openAfresh({ size, scheme });
    await hold(page);
    await page.locator('.call .pick').nth(1).click();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width);
    expect(await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(
      scheme === 'dark',
    );
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(ground).toBe(scheme === 'dark' ? 'rgb(14, 17, 22)' : 'rgb(243, 244, 247)');
    expect(await faintTexts(page)).toEqual([]);
  });

  test('stays where it is when calls come and go', async () => {
    const page = await openAfresh({ size });
    const places = (): Promise<readonly number[]> =>
      page
        .locator('.card')
        .evaluateAll((cards) => cards.map((card) => Math.round(card.getBoundingClientRect().top + scrollY)));
    const before = await places();
    await hold(page);
    expect(await places()).toEqual(before);
    await page.click('#cancel-all');
    await page.locator('#ended .call').first().waitFor();
    expect(await places()).toEqual(before);
  });
});

test('every control, list, picture and region has a name', async () => {
  const page = await openAfresh();
  await hold(page);
  const session = await chromium.context.newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  const named = ['button', 'slider', 'link', 'image', 'region'];
  const found = nodes.filter(({ ignored, role }) => !ignored && named.includes(String(role?.value)));
  const nameless = found.filter(({ name }) => !name?.value);
  expect(nameless.map(({ role }) => role?.value)).toEqual([]);
  expect(found.map(({ name }) => name?.value)).toEqual(
    expect.arrayContaining(['Quota', 'Outage', 'Load', 'Cancel call 1', 'Cancel all that wait (60)']),
  );
});

function isPainted(page: Page, canvas: string): Promise<boolean> {
  return page.locator(canvas).evaluate((one) => {
    const { width, height } = one as HTMLCanvasElement;
    const pixels = (one as HTMLCanvasElement).getContext('2d')?.getImageData(0, 0, width, height).data ?? [];
    return new Set(pixels).size > 3;
  });
}

/** Texts whose contrast to what is behind them is less than 4.5 to 1. */
function faintTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const over = (colour: string, ground: readonly number[]): readonly number[] => {
      if (pen === null) return [];
      pen.fillStyle = `rgb(${ground.join(' ')})`;
      pen.fillRect(0, 0, 1, 1);
      pen.fillStyle = colour;
      pen.fillRect(0, 0, 1, 1);
      return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const luminance = (colour: readonly number[]): number => {
      const [red = 0, green = 0, blue = 0] = colour.map((part) =>
        part <= 10 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4,
      );
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const groundOf = (one: Element | null): readonly number[] =>
      one === null
        ? [255, 255, 255]
        : over(getComputedStyle(one).backgroundColor, groundOf(one.parentElement));
    const hasText = (one: Element): boolean =>
      [...one.childNodes].some(({ nodeType, nodeValue }) => nodeType === 3 && nodeValue?.trim() !== '');
    return [...document.querySelectorAll('body *')].filter(hasText).flatMap((one) => {
      const ground = groundOf(one);
      const [light = 0, dark = 0] = [
        luminance(over(getComputedStyle(one).color, ground)),
        luminance(ground),
      ].sort((a, b) => b - a);
      const contrast = (light + 0.05) / (dark + 0.05);
      return contrast < 4.5 ? [`${one.tagName} ${one.className} ${contrast.toFixed(2)}`] : [];
    });
  });
}
