// Writes etc/api.d.ts: every public declaration, by export path, and the types they reach.
// With --check it writes nothing and fails when the committed file says something else.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const target = 'etc/api.d.ts';
const { exports: paths } = JSON.parse(readFileSync('package.json', 'utf8'));
const entries = Object.entries(paths).filter(([, to]) => typeof to !== 'string');
const program = ts.createProgram(
  entries.map(([, to]) => to.import.types),
  {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: [],
    noEmit: true,
  },
);
const checker = program.getTypeChecker();
const printed = new Set();
const text = `${[...entries.map(entrySection), reachedSection(), augmentationSection()].join('\n\n')}\n`;

if (process.argv.includes('--check')) check();
else {
  mkdirSync('etc', { recursive: true });
  writeFileSync(target, text);
}

function check() {
  const committed = readOrEmpty(target);
  if (committed === text) return;
  const before = new Set(committed.split('\n'));
  const after = new Set(text.split('\n'));
  for (const line of before) if (!after.has(line)) console.error(`- ${line}`);
  for (const line of after) if (!before.has(line)) console.error(`+ ${line}`);
  console.error(
    `The public declarations changed; if that is meant, run \`npm run api\` and commit ${target}.`,
  );
  process.exit(1);
}

function readOrEmpty(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function entrySection([path, to]) {
  const source = program.getSourceFile(to.import.types);
  if (source === undefined) throw new Error(`${to.import.types} is missing: run \`npm run build\` first`);
  const names = checker.getExportsOfModule(checker.getSymbolAtLocation(source)).sort(byName);
  return section(`axios-heed${path.slice(1)}`, names.flatMap(declarationsOf));
}

/** Types that public declarations mention without exporting them: a reader needs them all the same. */
function reachedSection() {
  const texts = [];
  for (const declaration of printed) {
    for (const symbol of symbolsIn(declaration)) texts.push(...declarationsOf(symbol));
  }
  return section('reached, not exported', texts.sort());
}

function augmentationSection() {
  const modules = program
    .getSourceFiles()
    .filter(isOurs)
    .flatMap((file) =>
      file.statements.filter((node) => ts.isModuleDeclaration(node) && ts.isStringLiteral(node.name)),
    );
  return section('augmentations', modules.map(textOf));
}

function section(title, texts) {
  return [`// ==== ${title}`, ...texts].join('\n\n');
}

function declarationsOf(symbol) {
  const real = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const fresh = (real.declarations ?? [])
    .map((node) => (ts.isVariableDeclaration(node) ? node.parent.parent : node))
    .filter((node) => isOurs(node.getSourceFile()) && ts.isSourceFile(node.parent) && !printed.has(node));
  fresh.forEach((node) => printed.add(node));
  return fresh.map(textOf);
}

function symbolsIn(declaration) {
  const found = [];
  const visit = (node) => {
    const symbol = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined;
    if (symbol) found.push(symbol);
    ts.forEachChild(node, visit);
  };
  visit(declaration);
  return found.sort(byName);
}

function isOurs(file) {
  return file.fileName.split(sep).join('/').includes('dist/esm/');
}

function textOf(node) {
  return node.getFullText().trim().replace(/\r\n/g, '\n');
}

function byName(a, b) {
  return a.name < b.name ? -1 : Number(a.name > b.name);
}
