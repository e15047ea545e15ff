import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from '@jest/globals';

const repository = join(__dirname, '../..');
const examples = join(repository, 'examples');

/** What each example has to say, line by line. */
const OUTPUT: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  'basic.mjs': ['order 7 is shipped; the server was asked 2 times'],
  'deadline.mjs': [
    /^order 7: deadline-too-near, 1 sent, open again in 60 s$/,
    /^order 8: deadline-too-near, 0 sent, open again in 6\d s$/,
  ],
  'scopes.mjs': [
    'globex has its orders',
    'gate of acme: held',
    'gate of globex: open',
    'acme has its orders',
  ],
  'journal.mjs': [
    /operation-opened/,
    /exchange-sent/,
    /observation .*503/,
    /gate-hold-began/,
    /weighed/,
    /permission-granted/,
    /decision .*Row 11/,
    /hold-entered/,
    /gate-hold-ended/,
    /gate-lease .*granted/,
    /gate-probe/,
    /wait-ended/,
    /probe-sent/,
    /exchange-sent/,
    /observation .*200/,
    /gate-verdict .*accepted/,
    /gate-released/,
    /gate-opened/,
    /probe-accepted/,
    /decision .*Row 1 /,
    /operation-closed .*succeeded/,
  ],
};

interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly complaints: string;
}

async function run(file: string): Promise<Ended> {
  const child = spawn(process.execPath, [join(examples, file)], { env: { ...process.env, NO_COLOR: '1' } });
  const [output, complaints, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { code, output, complaints };
}

describe('the examples', () => {
  beforeAll(() => {
    execFileSync(process.execPath, ['scripts/build.mjs', '--if-stale'], {
      cwd: repository,
      stdio: 'inherit',
    });
  }, 120_000);

  test('are all in this test', () => {
    const files = readdirSync(examples).filter((file) => file.endsWith('.mjs') && file !== 'local-api.mjs');
    expect([...Object.keys(OUTPUT), 'testing.mjs'].sort()).toEqual(files.sort());
  });

  test.each(Object.entries(OUTPUT))(
    '%s says what its reader expects',
    async (file, expected) => {
      const { code, output, complaints } = await run(file);
      const lines = output.trimEnd().split('\n');
      expect({ code, complaints }).toEqual({ code: 0, complaints: '' });
      expect(lines).toHaveLength(expected.length);
      for (const [at, line] of expected.entries()) expect(lines[at]).toMatch(line);
    },
    30_000,
  );

  test('testing.mjs passes its own tests', async () => {
    const { code, output } = await run('testing.mjs');
    expect({ code, failed: /^# fail (\d+)$/m.exec(output)?.[1] }).toEqual({ code: 0, failed: '0' });
  }, 30_000);

  // Other suites run beside it, and a starved process sends in bursts: what it measures is not judged here.
  test('the demo ends by itself, shows all three clients, and its exit code agrees with what it says', async () => {
    const { code, output, complaints } = await run('demo/run.mjs');
    for (const name of ['axios', 'axios-retry', 'axios-heed']) {
      expect(output).toMatch(new RegExp(`^ {2}${name} +\\d+ +\\d+ +\\d+ of 60 `, 'm'));
    }
    expect(output).toMatch(/ closed +succeeded after \d exchange/);
    expect(complaints).toMatch(code === 0 ? /^$/ : /^axios-heed demo failed: [^\n]+\n$/);
  }, 45_000);
});
