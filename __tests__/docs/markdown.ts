import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const repository: string = join(__dirname, '../..');

/** The documents that people read, relative to the repository. */
export const documents = [
  'README.md',
  'docs/architecture.md',
  'docs/browser.md',
  'docs/cli.md',
  'docs/hints.md',
  'docs/journal-sinks.md',
  'docs/permission.md',
  'docs/journal.md',
  'docs/otel.md',
  'docs/shared-gates.md',
  'CHANGELOG.md',
] as const;

export function readDocument(path: string): string {
  return readFileSync(join(repository, path), 'utf8');
}

export interface CodeBlock {
  /** Where it stands, as `README.md:12`. */
  readonly place: string;
  readonly language: string;
  readonly text: string;
}

export function codeBlocksOf(path: string): readonly CodeBlock[] {
  const document = readDocument(path);
  return [...document.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map((match) => {
    const [, language = '', text = ''] = match;
    const line = document.slice(0, match.index).split('\n').length;
    return { place: `${path}:${line}`, language, text };
  });
}

/** The cells of the first table below a heading, without its head; code marks are taken off. */
export function tableUnder(document: string, heading: string): readonly (readonly string[])[] {
  const lines = document.split('\n');
  const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading);
  if (start === -1) throw new Error(`no heading "${heading}"`);
  const first = lines.findIndex((line, at) => at > start && line.startsWith('|'));
  const rows = lines.slice(first, first + lines.slice(first).findIndex((line) => !line.startsWith('|')));
  return rows.slice(2).map((row) => cellsOf(row));
}

function cellsOf(row: string): readonly string[] {
  return row
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|').replaceAll('`', ''));
}
