// Checks lib and tests with both compilers: TypeScript 6 builds the package, 7 is what many users run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const projects = [
  'tsconfig.json',
  'tsconfig.node.json',
  '__tests__/tsconfig.json',
  '__tests__/recipes/tsconfig.json',
];
const failed = (await Promise.all(['typescript', 'typescript7'].map(checkAll))).flat();

if (failed.length > 0) {
  console.error(`Type errors: ${failed.join(', ')}`);
  process.exit(1);
}

async function checkAll(compiler) {
  const failures = [];
  for (const project of projects) {
    const args = [`node_modules/${compiler}/bin/tsc`, '-p', project];
    const [code] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit');
    if (code !== 0) failures.push(`${project} (${compiler})`);
  }
  return failures;
}
