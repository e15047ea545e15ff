import { describe, expect, test } from '@jest/globals';
import * as journal from '../../lib/journal/index';
import * as node from '../../lib/node/index';
import { readDocument, tableUnder } from './markdown';

const page = readDocument('docs/journal-sinks.md');

/** The options that a sink accepts, as it tells whoever gives it another. */
function optionsOf(sink: (options: object) => unknown): readonly string[] {
  try {
    sink({ nonesuch: 1 });
  } catch (error) {
    return /\((.*)\)/.exec((error as Error).message)?.[1]?.split(', ') ?? [];
  }
  throw new Error('it took an option that does not exist');
}

describe('docs/journal-sinks.md', () => {
  test('names every function of both entries', () => {
    const names = [...Object.keys(journal), ...Object.keys(node)];
    expect(names.filter((name) => !page.includes(`\`${name}(`) && !page.includes(`\`${name}\``))).toEqual([]);
  });

  test.each([
    ['toConsole', 'toConsole', (options: object) => journal.toConsole(options)],
    ['journalFile', 'In a file', (options: object) => node.journalFile('x', options)],
  ])('lists the options of %s, all of them and no others', (_, heading, sink) => {
    const table = tableUnder(page.replaceAll(/^(#+) `(\w+)`$/gm, '$1 $2'), heading);
    expect(table.map(([name]) => name)).toEqual(optionsOf(sink));
  });

  test('explains why a line can be unreadable, in the words of the reader', () => {
    const lines = ['x', '{}', '{"v":2}', 'x'.repeat(1_048_577), '{"v"'];
    const seen = journal.parseJournal(lines).unreadableAt.map(({ because }) => because);
    const told = [...page.matchAll(/^\| `([a-z-]+)` +\| (?:is|was|has) /gm)].map(([, because]) => because);
    expect([...told].sort()).toEqual([...seen].sort());
  });
});
