import { describe, expect, test } from '@jest/globals';
import ts from 'typescript';
import { parseSource, parseText, sourceFiles, walk } from './imports';

const files = sourceFiles();
const sources = files.filter((file) => file.endsWith('.ts')).map(parseSource);

/** The one file that may read time, set timers and roll dice. */
const clockFile = 'time/clock.ts';

const timeGlobals = [
  'performance',
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'queueMicrotask',
  'requestAnimationFrame',
];
const timeMembers = ['Date.now', 'Math.random', 'AbortSignal.timeout'];

/** Where a file reads time, sets a timer or rolls dice, as `file: text`. */
function timeUses(source: ts.SourceFile): string[] {
  const uses: string[] = [];
  walk(source, (node) => {
    if (usesTime(node)) uses.push(`${source.fileName}: ${node.getText(source)}`);
  });
  return uses;
}

function usesTime(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node)) {
    const owner = node.expression.getText();
    return (
      timeMembers.includes(node.getText()) || (owner === 'globalThis' && timeGlobals.includes(node.name.text))
    );
  }
  if (ts.isNewExpression(node)) return node.expression.getText() === 'Date' && !node.arguments?.length;
  if (ts.isCallExpression(node) && node.expression.getText() === 'Date') return true;
  return ts.isIdentifier(node) && timeGlobals.includes(node.text) && isReference(node);
}

/** A free name, as opposed to a member, a key, a declaration or a name in a type. */
function isReference(name: ts.Identifier): boolean {
  const { parent } = name;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === name;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === name;
  return (
    ts.isExpression(parent) || ts.isShorthandPropertyAssignment(parent) || ts.isVariableDeclaration(parent)
  );
}

function nameless(source: ts.SourceFile): string[] {
  return source.statements
    .filter((node) => isStarExport(node) || isDefaultExport(node))
    .map((node) => `${source.fileName}: ${node.getText(source)}`);
}

function isStarExport(node: ts.Statement): boolean {
  return ts.isExportDeclaration(node) && (!node.exportClause || ts.isNamespaceExport(node.exportClause));
}

function isDefaultExport(node: ts.Statement): boolean {
  if (ts.isExportAssignment(node)) return true;
  if (!ts.canHaveModifiers(node)) return false;
  return (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword);
}

describe('time and dice', () => {
  test('are touched in the clock only', () => {
    expect(sources.filter(({ fileName }) => fileName !== clockFile).flatMap(timeUses)).toEqual([]);
  });

  test('are touched in the clock, which shows that the search finds them', () => {
    expect(timeUses(parseSource(clockFile))).not.toEqual([]);
  });

  test.each([
    'const now = Date.now();',
    'const now = new Date();',
    'const now = new Date;',
    'const text = Date();',
    'setTimeout(run, 5);',
    'const timer = setInterval;',
    'const ports = { setTimeout };',
    'globalThis.setTimeout(run, 5);',
    'const roll = Math.random();',
    'const signal = AbortSignal.timeout(5);',
    'const mono = performance.now();',
  ])('are found in %s', (line) => {
    expect(timeUses(parseText('gate/gate.ts', line))).toHaveLength(1);
  });

  test.each([
    'const at = new Date(epochMs);',
    'const at = Date.UTC(2026, 0, 1);',
    'clock.setTimeout(run, 5);',
    'const port = { setTimeout: run };',
    'interface Clock { performance: number }',
  ])('are not found in %s', (line) => {
    expect(timeUses(parseText('gate/gate.ts', line))).toEqual([]);
  });
});

describe('exports', () => {
  test('are named one by one: no star, no default', () => {
    expect(sources.flatMap(nameless)).toEqual([]);
  });

  test.each([
    "export * from './gate.js';",
    "export * as gate from './gate.js';",
    'export default 1;',
    'export default function gate() {}',
    'export default class Gate {}',
  ])('are reported in %s', (line) => {
    expect(nameless(parseText('gate/gate.ts', line))).toHaveLength(1);
  });
});

describe('files', () => {
  test('at the root of lib are the vocabulary and the contents page', () => {
    const root = files.filter((file) => !file.includes('/'));
    expect(root).toEqual(['index.ts', 'model.ts', 'option-checks.ts', 'options.ts', 'reasons.ts']);
  });

  test('have kebab-case names', () => {
    expect(
      files.filter((file) => !/^([a-z0-9]+(-[a-z0-9]+)*\/)*[a-z0-9]+(-[a-z0-9]+)*\.ts$/.test(file)),
    ).toEqual([]);
  });

  test('are not named after nothing in particular', () => {
    const empty = /(^|[/-])(utils?|helpers?|common|manager|handler|misc)([/.-]|$)/;
    expect(files.filter((file) => empty.test(file))).toEqual([]);
  });
});
