import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { byOrigin, byRoute, combine } from '../../lib/index';
import { ran, withFiles } from '../cli/command';
import { ndjson } from '../cli/hand-made';
import { scriptedClient } from '../support/scripted-client';
import { repository } from './markdown';

const page = readFileSync(join(repository, 'docs/cli.md'), 'utf8');
const [, policy = ''] = /```json\n(.*?)```/s.exec(page) ?? [];

/** What stands under the prompt with that command. */
function outputOf(command: string): string | undefined {
  const blocks = [...page.matchAll(/^```\n\$ npx axios-heed (.*)\n([\s\S]*?)^```$/gm)];
  return blocks.find(([, asked]) => asked?.startsWith(command))?.[2];
}

/** A server that asks for waits, and is slow after the long one. */
async function lastNight(): Promise<string> {
  const { api, ended, entries, clock } = scriptedClient(
    [
      { status: 200, afterMs: 60 },
      { status: 429, headers: { 'retry-after': '2' }, afterMs: 60 },
      { status: 200, afterMs: 60 },
      { status: 503, headers: { 'retry-after': '6' }, afterMs: 40 },
      { status: 200, afterMs: 2500 },
    ],
    {
      budget: { seconds: 8 },
      jitter: 0,
      scopes: [combine(byOrigin(), byRoute(['/orders/:id']))],
    },
  );
  for (const id of [7, 8, 9]) {
    await ended(api.get(`/orders/${id}`));
    await clock.advance(2000);
  }
  return ndjson(entries);
}

describe('docs/cli.md', () => {
  let journal: string;
  beforeAll(async () => {
    journal = await lastNight();
  });

  const run = (args: (path: (name: string) => string) => readonly string[]): ReturnType<typeof ran> =>
    withFiles({ 'last-night.ndjson': journal, 'reserve.json': policy }, (path) => ran(args(path)));

  test('shows what replay says of the night', async () => {
    const { exitCode, out } = await run((path) => [
      'replay',
      path('last-night.ndjson'),
      '--policy',
      path('reserve.json'),
    ]);
    expect(out).toBe(outputOf('replay last-night.ndjson --policy reserve.json'));
    expect(exitCode).toBe(1);
  });

  test('shows the story of the operation that would have gone another way', async () => {
    const [, operation = ''] = /show last-night\.ndjson --operation (\S+)/.exec(page) ?? [];
    const { out } = await run((path) => ['show', path('last-night.ndjson'), '--operation', operation]);
    expect(`${out.trimEnd()}\n`).toBe(outputOf('show last-night.ndjson'));
  });
});
