import { describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { consumer, installed, tarballFiles } from './consumer';

const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));

describe('the tarball', () => {
  test('holds the build, its sources, the papers, docs and recipes, and nothing else', () => {
    const papers = ['package.json', 'LICENSE', 'README.md', 'CHANGELOG.md'];
    const other = tarballFiles.filter(
      (path) => !papers.includes(path) && !/^(dist|lib|docs|examples\/recipes)\//.test(path),
    );
    expect(other).toEqual([]);
  });

  test('PKG-04: holds no compiled file but those of its own sources, so no code of axios or date-fns', () => {
    const compiled = tarballFiles.filter((path) => path.endsWith('.js'));
    const sourceOf = (path: string): string =>
      path.replace(/^dist\/(esm|cjs)\//, 'lib/').replace(/\.js$/, '.ts');
    expect(compiled.length).toBeGreaterThan(0);
    expect(compiled.filter((path) => !tarballFiles.includes(sourceOf(path)))).toEqual([]);
  });

  test('holds every file that an export path names', () => {
    const targets = Object.values<Record<string, Record<string, string>> | string>(manifest.exports).flatMap(
      (entry) => (typeof entry === 'string' ? [entry] : Object.values(entry).flatMap(Object.values)),
    );
    expect(targets.length).toBeGreaterThan(8);
    expect(targets.filter((path) => !existsSync(join(installed, path)))).toEqual([]);
  });

  test('holds every file that its papers and docs link to', () => {
    const pages = tarballFiles.filter((path) => path.endsWith('.md'));
    expect(pages).toContain('docs/recipes.md');
    const links = pages.flatMap((page) =>
      [...readFileSync(join(installed, page), 'utf8').matchAll(/\]\(([^)\s#]+)/g)]
        .map(([, target]) => String(target))
        .filter((target) => !target.startsWith('https:'))
        .map((target) => join(dirname(page), target)),
    );
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter((path) => !existsSync(join(installed, path)))).toEqual([]);
  });

  test('PKG-04: asks for axios as a peer and brings date-fns alone', () => {
    expect(manifest.peerDependencies).toEqual({ '@opentelemetry/api': '^1.9.0', axios: '^1.7.2' });
    expect(manifest.peerDependenciesMeta).toEqual({ '@opentelemetry/api': { optional: true } });
    expect(Object.keys(manifest.dependencies)).toEqual(['date-fns']);
    expect(manifest.bundledDependencies ?? manifest.bundleDependencies).toBeUndefined();
  });

  test('declares its types without those of date-fns, which do not compile from CommonJS under node16', () => {
    const declarations = tarballFiles.filter((path) => path.endsWith('.d.ts'));
    expect(declarations.length).toBeGreaterThan(0);
    const borrowed = declarations.filter((path) =>
      /['"]date-fns\b/.test(readFileSync(join(installed, path), 'utf8')),
    );
    expect(borrowed).toEqual([]);
  });

  test('keeps the module augmentation in both declaration trees', () => {
    for (const tree of ['esm', 'cjs']) {
      const declarations = readFileSync(join(installed, 'dist', tree, 'options.d.ts'), 'utf8');
      expect(declarations).toMatch(/declare module ['"]axios['"]/);
    }
  });
});

describe('the project that installed it', () => {
  test('has every dependency and peer in a version that fits', () => {
    const { problems } = JSON.parse(
      execFileSync('npm', ['ls', '--all', '--json'], { cwd: consumer, encoding: 'utf8' }),
    );
    expect(problems).toBeUndefined();
  });

  test('PKG-04: has one axios', () => {
    const listing = execFileSync('npm', ['ls', 'axios', '--all', '--parseable'], {
      cwd: consumer,
      encoding: 'utf8',
    });
    const places = listing
      .trim()
      .split('\n')
      .filter((path) => /[\\/]axios$/.test(path));
    expect([...new Set(places)]).toEqual([join(consumer, 'node_modules/axios')]);
  });
});
