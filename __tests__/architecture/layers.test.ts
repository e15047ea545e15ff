import { describe, expect, test } from '@jest/globals';
import { importsOf, parseSource, parseText, sourceFiles } from './imports';
import { cycleIn, layerOf, violationsOf } from './layer-table';
import type { LayerTable } from './layer-table';

const value = 'value';
const types = 'types';

const sideEntry = {
  time: types,
  hint: types,
  model: types,
  reasons: types,
  gate: types,
  operation: types,
  options: types,
} as const;
/** They read fields as the core does, with the same parsers; of all else they know the types. */
const readers = { ...sideEntry, hint: value } as const;
const tool = {
  time: value,
  hint: value,
  model: types,
  reasons: types,
  policy: value,
  gate: value,
  operation: types,
  options: types,
} as const;
/** Functions by subpath only: the barrel is slow to load, and its types would leak into our declarations. */
const durations = { 'date-fns/*': value } as const;

/** The import table of docs/architecture.md, row by row: a row may import what its columns grant. */
const table: LayerTable = {
  rows: {
    time: {},
    hint: { reasons: types },
    model: { hint: types, reasons: types },
    reasons: {},
    policy: { hint: types, model: value, reasons: types },
    scope: { hint: types, model: types, reasons: types },
    gate: { time: value, hint: types, model: types, reasons: types },
    operation: {
      time: value,
      hint: types,
      model: types,
      reasons: types,
      policy: value,
      scope: types,
      gate: types,
    },
    options: {
      time: value,
      hint: value,
      model: types,
      reasons: types,
      policy: types,
      scope: types,
      gate: types,
      operation: types,
    },
    'option-checks': { options: value },
    axios: {
      time: value,
      hint: value,
      model: types,
      reasons: types,
      policy: value,
      scope: value,
      gate: value,
      operation: value,
      options: value,
      'option-checks': value,
    },
    'rate-limit': readers,
    vendors: readers,
    journal: sideEntry,
    node: { ...sideEntry, journal: value },
    store: { ...sideEntry, gate: value },
    redis: { ...sideEntry, store: value },
    broadcast: { ...sideEntry, time: value, store: value },
    otel: sideEntry,
    describe: sideEntry,
    report: sideEntry,
    cli: { ...tool, options: value, 'option-checks': value, journal: value, node: value },
    testing: tool,
    index: {
      hint: value,
      model: value,
      reasons: value,
      policy: value,
      scope: value,
      gate: value,
      operation: value,
      options: value,
      'option-checks': value,
      time: value,
      axios: value,
    },
  },
  packages: {
    hint: durations,
    options: { ...durations, axios: types },
    'option-checks': durations,
    scope: { axios: types },
    axios: { ...durations, axios: value },
    describe: durations,
    report: durations,
    cli: {
      'node:events': value,
      'node:fs': value,
      'node:fs/promises': value,
      'node:path': value,
      'node:util': value,
    },
    testing: { ...durations, axios: types },
    otel: { '@opentelemetry/api': value },
    redis: { 'node:crypto': value },
    node: { 'node:diagnostics_channel': value, 'node:fs/promises': value, 'node:path': value },
  },
};

const files = sourceFiles();
const edges = files.filter((file) => file.endsWith('.ts')).flatMap((file) => importsOf(parseSource(file)));

describe('the layers of lib', () => {
  test('every import line is one that the table grants', () => {
    expect(violationsOf(edges, table)).toEqual([]);
  });

  test('every import line leads to a file that exists', () => {
    const own = edges.filter(({ to }) => to.endsWith('.ts'));
    expect(own.filter(({ to }) => !files.includes(to))).toEqual([]);
  });

  test('no file reaches itself through its imports, types included', () => {
    expect(cycleIn(edges.filter(({ to }) => to.endsWith('.ts')))).toBeUndefined();
  });

  test('every folder and root file has a row in the table', () => {
    const layers = [...new Set(files.map(layerOf))];
    expect(layers.filter((layer) => !(layer in table.rows))).toEqual([]);
  });
});

describe('the check itself', () => {
  const planted = (file: string, line: string): string[] =>
    violationsOf(importsOf(parseText(file, line)), table);

  test.each([
    [
      'gate/gate.ts',
      "import { runOperation } from '../operation/operation.js';",
      'gate may not import operation',
    ],
    ['model.ts', "import { readHints } from './hint/hint.js';", 'model may import types only from hint'],
    ['model.ts', "import { type Hint } from './hint/hint.js';", 'model may import types only from hint'],
    ['model.ts', "export { readHints } from './hint/hint.js';", 'model may import types only from hint'],
    ['options.ts', "import axios from 'axios';", 'options may import types only from axios'],
    ['policy/decide.ts', "import type { AxiosError } from 'axios';", 'policy may not import axios'],
    [
      'time/clock.ts',
      "import { performance } from 'node:perf_hooks';",
      'time may not import node:perf_hooks',
    ],
    ['hint/hint.ts', "import { parse } from 'date-fns';", 'hint may not import date-fns'],
    ['options.ts', "import type { Duration } from 'date-fns';", 'options may not import date-fns'],
    ['scope/scope.ts', "const axios = require('axios');", 'scope may import types only from axios'],
    ['hint/hint.ts', "type A = import('../gate/gate.js').Gate;", 'hint may not import gate'],
    ['hint/hint.ts', "const gate = await import('../gate/gate.js');", 'hint may not import gate'],
    ['novelty/new.ts', "import type { Hint } from '../hint/hint.js';", 'novelty may not import hint'],
  ])('sees in %s the line %s', (file, line, fault) => {
    expect(planted(file, line)).toEqual([expect.stringContaining(fault)]);
  });

  test.each([
    ['model.ts', "import type { Hint } from './hint/hint.js';"],
    ['model.ts', "export type { Hint } from './hint/hint.js';"],
    ['hint/retry-after.ts', "import { milliseconds } from 'date-fns/milliseconds';"],
    ['hint/retry-after.ts', "import { parseHttpDate } from './http-date.js';"],
    ['axios/heed.ts', "import { AxiosError } from 'axios';"],
    ['scope/scope.ts', "import type { AxiosRequestConfig } from 'axios';"],
  ])('lets pass in %s the line %s', (file, line) => {
    expect(planted(file, line)).toEqual([]);
  });

  test('refuses an import whose target is computed', () => {
    expect(() => planted('hint/hint.ts', 'await import(name);')).toThrow('computed');
  });

  test('finds a cycle of type-only imports', () => {
    const ring = [
      ...importsOf(parseText('gate/a.ts', "import type { B } from './b.js';")),
      ...importsOf(parseText('gate/b.ts', "import type { C } from './c.js';")),
      ...importsOf(parseText('gate/c.ts', "import type { A } from './a.js';")),
    ];
    expect(cycleIn(ring)).toEqual(['gate/a.ts', 'gate/b.ts', 'gate/c.ts', 'gate/a.ts']);
    expect(cycleIn(ring.slice(1))).toBeUndefined();
  });
});
