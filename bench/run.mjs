// Everything that is measured in real time, one part after the other: about 22 minutes, with --quick nine.
//   node bench/run.mjs [--part parse,overhead,real] [--quick]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: {
    part: { type: 'string', default: 'parse,overhead,real' },
    quick: { type: 'boolean', default: false },
  },
});

if (!existsSync(new URL('node_modules/axios-retry/', import.meta.url))) {
  console.error('The peers are not installed: npm ci --prefix bench');
  process.exit(1);
}

const failed = [];
for (const part of options.part.split(',')) {
  const script = fileURLToPath(new URL(`${part}/run.mjs`, import.meta.url));
  console.log(`\n## ${part}`);
  const more = part === 'real' && options.quick ? ['--quick'] : [];
  const [code] = await once(spawn(process.execPath, [script, ...more], { stdio: 'inherit' }), 'exit');
  if (code !== 0) failed.push(part);
}
if (failed.length > 0) console.log(`\nWith misses: ${failed.join(', ')}`);
process.exit(failed.length > 0 ? 1 : 0);
