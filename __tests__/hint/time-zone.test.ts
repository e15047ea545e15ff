import { describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { join } from 'node:path';

// A process learns its time zone when it starts, so that the suite of this folder runs once more in others.
const REPOSITORY = join(__dirname, '../..');
const ZONE = 'HEED_TEST_ZONE';
const zone = process.env[ZONE];

if (zone === undefined) {
  describe('reading hints', () => {
    test.each(['America/New_York', 'Asia/Tokyo'])(
      'does not depend on the time zone: the suite passes in %s',
      async (name) => {
        const { code, output } = await suiteIn(name);
        expect(output).toMatch(/Tests: .* \d{3,} total/);
        expect([code, output]).toEqual([0, expect.any(String)]);
      },
      120_000,
    );
  });
} else {
  test('this process is in the time zone that was asked for', () => {
    expect(Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(zone);
    expect(new Date(2026, 0, 1).getTimezoneOffset()).not.toBe(0);
  });
}

function suiteIn(name: string): Promise<{ readonly code: number | null; readonly output: string }> {
  const jest = join(REPOSITORY, 'node_modules/jest/bin/jest.js');
  const child = spawn(
    process.execPath,
    [jest, '--selectProjects', 'unit', '--runInBand', '--testPathPatterns', '__tests__/hint/'],
    { cwd: REPOSITORY, env: { ...process.env, TZ: name, [ZONE]: name } },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code, output });
    });
  });
}
