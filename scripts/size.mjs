// What each entry adds to an application: bundled, minified and gzipped, without axios.
// Fails over budget, on an entry without a budget, and on anything of Node in a browser bundle.
import { build } from 'esbuild';
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

/** Entries that run in Node alone. */
const nodeEntries = new Set(['./node', './redis']);

/** Gzipped bytes: `limit` fails the check, `alarm` only speaks up. */
const budgets = {
  '.': { alarm: 33_800, limit: 34_000 },
  './retry-after': { alarm: 2_050, limit: 2_100 },
  './rate-limit': { alarm: 3_400, limit: 3_600 },
  './vendors': { alarm: 7_600, limit: 7_800 },
  './testing': { alarm: 4_800, limit: 5_000 },
  './journal': { alarm: 7_900, limit: 8_000 },
  './node': { alarm: 5_150, limit: 5_200 },
  './otel': { alarm: 4_450, limit: 4_700 },
  './store': { alarm: 6_780, limit: 6_800 },
  './redis': { alarm: 9_050, limit: 9_100 },
  './broadcast': { alarm: 10_080, limit: 10_100 },
  './describe': { alarm: 4_580, limit: 4_600 },
  // A page that imports only the parser.
  parseRetryAfter: { alarm: 1_200, limit: 1_200 },
};

const { exports: entries } = JSON.parse(readFileSync('package.json', 'utf8'));
const faults = [];

for (const [name, targets] of Object.entries(entries)) {
  if (typeof targets === 'string') continue;
  const { code, folders, builtins } = await bundle(targets.import.default);
  const gzipped = gzipSync(code, { level: 9 }).length;
  report(name, { minified: code.length, gzipped, folders });
  judge(name, { gzipped, builtins });
}

const parser = "export { parseRetryAfter } from './dist/esm/hint/retry-after.js';";
const alone = await bundle({ source: parser });
const aloneGzipped = gzipSync(alone.code, { level: 9 }).length;
report('parseRetryAfter', { minified: alone.code.length, gzipped: aloneGzipped, folders: alone.folders });
judge('parseRetryAfter', { gzipped: aloneGzipped, builtins: alone.builtins });

const readerEntries = ['./rate-limit', './vendors'].map((name) => entries[name].import.default);
await reportReaders(readerEntries);

for (const fault of faults) console.error(`size: ${fault}`);
if (faults.length > 0) process.exit(1);

/** What one reader adds to an application that has heed() already. */
async function reportReaders(modules) {
  const core = `export { heed } from './dist/esm/index.js';`;
  const sizeOf = async (source) => gzipSync((await bundle({ source })).code, { level: 9 }).length;
  const coreSize = await sizeOf(core);
  for (const module of modules) {
    const { outputs } = (await bundleWith({ entryPoints: [module] })).metafile;
    const { exports: names } = Object.values(outputs)[0];
    for (const name of names.filter((name) => !name.startsWith('parse'))) {
      const added = (await sizeOf(`${core} export { ${name} } from './${module}';`)) - coreSize;
      console.log(`${name.padEnd(20)} ${String(added).padStart(5)} B gzip on top of heed()`);
    }
  }
}

async function bundle(entry) {
  const { source } = entry;
  const result = await bundleWith(
    source === undefined
      ? { entryPoints: [entry] }
      : { stdin: { contents: source, resolveDir: process.cwd() } },
  );
  const [output] = Object.values(result.metafile.outputs);
  return {
    code: result.outputFiles[0].contents,
    folders: bytesByFolder(output.inputs),
    builtins: output.imports.map(({ path }) => path).filter((path) => isBuiltin(path)),
  };
}

function bundleWith(input) {
  return build({
    ...input,
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    external: ['axios', 'node:*', '@opentelemetry/api'],
    outdir: 'out',
    logLevel: 'warning',
    plugins: [{ name: 'keep-builtins-visible', setup: keepBuiltinsVisible }],
  });
}

/** A bare `fs` would end the bundling with an error that names no entry; here it becomes a finding. */
function keepBuiltinsVisible({ onResolve }) {
  onResolve({ filter: /^[a-z_/]+$/ }, ({ path }) => (isBuiltin(path) ? { path, external: true } : undefined));
}

function bytesByFolder(inputs) {
  const folders = new Map();
  for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
    const folder = folderOf(path);
    folders.set(folder, (folders.get(folder) ?? 0) + bytesInOutput);
  }
  return [...folders].filter(([, bytes]) => bytes > 0).sort(([, a], [, b]) => b - a);
}

function folderOf(path) {
  const foreign = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path);
  if (foreign) return foreign[1];
  const own = path.replace('dist/esm/', '');
  return own.includes('/') ? `${own.split('/')[0]}/` : own;
}

function report(name, { minified, gzipped, folders }) {
  console.log(
    `${name}: ${gzipped} B gzip (limit ${budgets[name]?.limit ?? 'missing'}), ${minified} B minified`,
  );
  for (const [folder, bytes] of folders) {
    console.log(`  ${folder.padEnd(16)} ${String(bytes).padStart(6)} B ${percent(bytes, minified)}`);
  }
}

function percent(part, whole) {
  return `${((100 * part) / whole).toFixed(1)} %`.padStart(8);
}

function judge(name, { gzipped, builtins }) {
  const budget = budgets[name];
  if (builtins.length > 0 && !nodeEntries.has(name))
    faults.push(`${name} imports ${builtins.join(', ')}, which no browser has`);
  if (budget === undefined) faults.push(`${name} has no budget in scripts/size.mjs`);
  else if (gzipped > budget.limit)
    faults.push(`${name} is ${gzipped} B gzip, over its limit of ${budget.limit}`);
  else if (gzipped > budget.alarm) console.warn(`size: ${name} comes near its limit`);
}
