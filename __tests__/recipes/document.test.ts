import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readDocument, repository } from '../docs/markdown';

const folder = join(repository, 'examples/recipes');
const recipes = readdirSync(folder).filter((file) => /\.tsx?$/.test(file));
const sections = readDocument('docs/recipes.md').split(/^## /m);

const textOf = (recipe: string): string => readFileSync(join(folder, recipe), 'utf8');

function sectionOf(recipe: string): string {
  const found = sections.filter((section) => section.includes(`](../examples/recipes/${recipe})`));
  expect(found).toHaveLength(1);
  return found[0] ?? '';
}

describe('docs/recipes.md', () => {
  test('has a section for each recipe, and no other code', () => {
    const blocks = sections.flatMap((section) => [...section.matchAll(/^```\w+$/gm)]);
    expect(recipes).not.toEqual([]);
    expect(blocks).toHaveLength(recipes.length);
  });

  test.each(recipes)('prints %s as it stands', (recipe) => {
    const code = /^```(?:typescript|tsx)\n([\s\S]*?)^```$/m.exec(sectionOf(recipe))?.[1];
    expect(code).toBe(textOf(recipe));
  });

  test.each(recipes)('says why %s is so, and where it can go wrong', (recipe) => {
    expect(sectionOf(recipe)).toMatch(/^\*\*Why it is so\.\*\*/m);
    expect(sectionOf(recipe)).toMatch(/^\*\*Pitfalls\.\*\*/m);
  });

  test('lists its sections at the top', () => {
    const listed = [...(sections[0] ?? '').matchAll(/^- \[(.+)\]/gm)].map(([, title]) => title);
    const titles = sections.slice(1).map((section) => section.split('\n', 1)[0]);
    expect(listed).toEqual(titles.filter((title) => title !== 'More'));
  });
});

describe('the recipes', () => {
  test.each(recipes)('%s begins with what it shows and what to change', (recipe) => {
    const head = /^(?:\/\/ .+\n)+/.exec(textOf(recipe))?.[0] ?? '';
    expect(head).toMatch(/^\/\/ .+\n\/\/ To change: /);
    expect(head.split('\n').length - 1).toBeLessThanOrEqual(4);
  });

  test.each(recipes)('%s is run by a test of this folder', (recipe) => {
    const tests = readdirSync(__dirname).filter((file) => file.endsWith('.test.ts'));
    const name = recipe.replace(/\.tsx?$/, '');
    const importing = tests.filter((file) =>
      readFileSync(join(__dirname, file), 'utf8').includes(`'../../examples/recipes/${name}'`),
    );
    expect(importing).not.toEqual([]);
  });
});
