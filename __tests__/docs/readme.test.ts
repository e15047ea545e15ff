import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { codeOf } from '../../lib/axios/delivery';
import * as library from '../../lib/index';
import { optionNames } from '../../lib/option-checks';
import { DEFAULTS } from '../../lib/options';
import { STOP_REASONS } from '../../lib/reasons';
import { documents, readDocument, repository, tableUnder } from './markdown';

const readme = readDocument('README.md');

function firstCells(heading: string): readonly (string | undefined)[] {
  return tableUnder(readme, heading).map(([first]) => first);
}

function defaultOf(option: string): string | undefined {
  return tableUnder(readme, 'Options of the policy').find(([name]) => name === option)?.[1];
}

describe('the README', () => {
  test('lists the options of the policy, all of them and no others, in the order of the types', () => {
    expect(firstCells('Options of the policy')).toEqual(optionNames('policy'));
  });

  test('lists the options of a request, all of them and no others, in the order of the types', () => {
    expect(firstCells('Options of a request')).toEqual(optionNames('request'));
  });

  test('gives the defaults that the code has', () => {
    const { backoff, allowance } = DEFAULTS;
    expect(defaultOf('exchanges')).toBe(String(DEFAULTS.exchanges));
    expect(defaultOf('jitter')).toBe(String(DEFAULTS.jitter));
    expect(defaultOf('transient')).toBe(DEFAULTS.transient.join(', '));
    expect(defaultOf('maxQueued')).toBe(String(DEFAULTS.maxQueued));
    expect(defaultOf('maxGates')).toBe(String(DEFAULTS.maxGates));
    expect(defaultOf('maxHint')).toContain(`${DEFAULTS.maxHintMs / 1000} s`);
    expect(defaultOf('backoff')).toBe(
      `{ first: ${backoff.firstMs}, factor: ${backoff.factor}, max: ${backoff.maxMs} }`,
    );
    expect(defaultOf('allowance')).toBe(
      `{ start: ${allowance.start}, perExchange: ${allowance.perExchange}, perSecond: ${allowance.perSecond}, max: ${allowance.max} }`,
    );
  });

  test('explains every reason for which an operation ends, and no other', () => {
    expect(firstCells('Reasons')).toEqual(STOP_REASONS);
  });

  test('names no error code that the code does not have', () => {
    const known = ['ERR_HEED_OPTIONS', ...STOP_REASONS.map((reason) => codeOf(reason))];
    const codes = [...new Set(readme.match(/ERR_HEED\w*/g))];
    expect(codes.filter((code) => !known.includes(code))).toEqual([]);
    expect(codes).not.toEqual([]);
  });

  test('names every function of the public API', () => {
    const functions = Object.entries(library).filter(([, value]) => typeof value === 'function');
    expect(functions.map(([name]) => name).filter((name) => !readme.includes(name))).toEqual([]);
  });

  test('names only scripts that package.json has', () => {
    const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
    const named = [...readme.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name);
    expect(named.filter((name) => !(String(name) in scripts))).toEqual([]);
  });
});

describe('links', () => {
  test.each(documents)('of %s lead to files and headings that exist', (document) => {
    const text = readDocument(document);
    const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => String(target));
    expect(targets.filter((target) => !leadsSomewhere(document, target))).toEqual([]);
  });
});

function leadsSomewhere(document: string, target: string): boolean {
  if (/^https:/.test(target)) return true;
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? document : join(dirname(document), path);
  if (!existsSync(join(repository, file))) return false;
  return anchor === undefined || anchorsOf(readDocument(file)).includes(anchor);
}

function anchorsOf(document: string): readonly string[] {
  return [...document.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    String(heading)
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}
