import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { importsOf, parseSource, sourceFiles } from '../architecture/imports';
import type { ImportEdge } from '../architecture/imports';
import { layerOf } from '../architecture/layer-table';
import { readDocument, repository, tableUnder } from './markdown';

const page = readDocument('docs/architecture.md');
const lib = join(repository, 'lib');

/** Paths under lib that the tree names, folders with a slash at the end. */
function treePaths(): readonly string[] {
  const tree = /## The tree\n\n```\nlib\/\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  let folder = '';
  return tree.split('\n').flatMap((line) => {
    const entry = /^(\s+)([a-z-]+\/|(?:[a-z-]+\.ts(?:, )?)+)/.exec(line);
    if (entry === null) return [];
    const [, indent = '', names = ''] = entry;
    if (indent.length === 2) folder = '';
    if (names.endsWith('/')) folder = names;
    return names.endsWith('/') ? [names] : names.split(', ').map((name) => folder + name);
  });
}

/** What the layer table of the page grants, as `row > column: types`. */
function grants(): ReadonlyMap<string, string> {
  const head = /^\| row may import column \|(.*)\|$/m.exec(page)?.[1] ?? '';
  const columns = head.split('|').map((cell) => cell.trim());
  const rows = tableUnder(page, 'The layers');
  return new Map(
    rows.flatMap(([row = '', ...cells]) =>
      cells.map((cell, at) => [`${row} > ${String(columns[at])}`, cell]),
    ),
  );
}

function faultOf({ from, to, kind }: ImportEdge): string | undefined {
  const [row, column] = [layerOf(from), layerOf(to)];
  if (row === column || row === 'index') return undefined;
  const grant = grants().get(`${row} > ${column}`);
  return grant === 'yes' || (grant === 'types' && kind === 'types') ? undefined : `${from} -> ${to}`;
}

describe('docs/architecture.md', () => {
  test('names files and folders that exist', () => {
    expect(treePaths()).not.toEqual([]);
    expect(treePaths().filter((path) => !existsSync(join(lib, path)))).toEqual([]);
  });

  test('names every folder and root file of lib', () => {
    const entries = readdirSync(lib, { withFileTypes: true });
    const names = entries.map((entry) => entry.name + (entry.isDirectory() ? '/' : ''));
    expect(names.filter((name) => !treePaths().includes(name))).toEqual([]);
  });

  test('grants every import that the code has', () => {
    const edges = sourceFiles().flatMap((file) => importsOf(parseSource(file)));
    const own = edges.filter(({ to }) => to.endsWith('.ts'));
    expect(own).not.toEqual([]);
    expect(own.flatMap((edge) => faultOf(edge) ?? [])).toEqual([]);
  });

  test('sends nobody to a file that does not exist', () => {
    const files = tableUnder(page, 'Where a change goes').flatMap(
      ([, where = '']) => where.match(/[\w/-]+\.ts/g) ?? [],
    );
    expect(files).not.toEqual([]);
    expect(files.filter((file) => !existsSync(join(lib, file)))).toEqual([]);
  });
});
