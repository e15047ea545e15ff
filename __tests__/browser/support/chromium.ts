import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext } from 'playwright-core';

/** A Chromium of our own, as its users have it: it freezes pages, and keeps them in its back/forward cache. */
export interface Chromium {
  readonly context: BrowserContext;
  readonly pid: number;
  /** Ends it, and gives back once its processes have. */
  close(): Promise<void>;
}

/**
 * Playwright's own launch keeps every page visible and awake, and switches the back/forward cache off; so the
 * browser is started here, and Playwright joins it.
 */
export async function startChromium(): Promise<Chromium> {
  const profile = mkdtempSync(join(tmpdir(), 'heed-chromium-'));
  const child = spawn(PATH, [...FLAGS, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const endpoint = await endpointOf(child);
  const browser = await chromium.connectOverCDP(endpoint, { noDefaults: true });
  const [context] = browser.contexts();
  if (context === undefined || child.pid === undefined) throw new Error('chromium: no context');
  const close = async (): Promise<void> => {
    const exited = once(child, 'exit');
    await quit(browser);
    await exited;
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  return { context, pid: child.pid, close };
}

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--remote-debugging-port=0',
];

function chromiumPath(): string {
  const script = pathToFileURL(join(__dirname, '../../../scripts/obtain.mjs')).href;
  const program = `import { pathOf } from '${script}'; process.stdout.write(pathOf('chromium') ?? '');`;
  const path = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  if (path !== '') return path;
  throw new Error('Missing: chromium. Install it, or name it in CHROMIUM_PATH.');
}

// Looked for once, at import: where it is missing, a suite says so in one line and runs no test.
const PATH = chromiumPath();

async function endpointOf({ stderr }: ChildProcess): Promise<string> {
  let said = '';
  for await (const text of stderr ?? []) {
    said += String(text);
    const [, endpoint] = /listening on (ws:\S+)/.exec(said) ?? [];
    if (endpoint === undefined) continue;
    return endpoint;
  }
  throw new Error(`chromium did not start: ${said.slice(-500)}`);
}

async function quit(browser: Browser): Promise<void> {
  const session = await browser.newBrowserCDPSession();
  const disconnected = new Promise((resolve) => browser.once('disconnected', resolve));
  // The answer may be lost with the connection.
  await Promise.race([session.send('Browser.close').catch(() => undefined), disconnected]);
  await browser.close();
}
