import eslint from '@eslint/js';
import jest from 'eslint-plugin-jest';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

const onlyInClock = 'Time and dice live in lib/time/clock.ts only: take a Clock.';

/** Rule 9 of the house: globals, properties and calls that read time, set timers or roll dice. */
const timeAndDice = {
  globals: [
    'performance',
    'setTimeout',
    'clearTimeout',
    'setInterval',
    'clearInterval',
    'setImmediate',
    'queueMicrotask',
    'requestAnimationFrame',
    'requestIdleCallback',
  ].map((name) => ({ name, message: onlyInClock })),
  properties: [
    ['Date', 'now'],
    ['Math', 'random'],
    ['AbortSignal', 'timeout'],
    ['globalThis', 'performance'],
    ['globalThis', 'setTimeout'],
    ['globalThis', 'setInterval'],
    ['globalThis', 'queueMicrotask'],
    ['globalThis', 'Date'],
  ].map(([object, property]) => ({ object, property, message: onlyInClock })),
  syntax: [
    { selector: 'NewExpression[callee.name="Date"][arguments.length=0]', message: onlyInClock },
    { selector: 'CallExpression[callee.name="Date"]', message: onlyInClock },
  ],
};

const shape = [
  { selector: 'ExportAllDeclaration', message: 'Name every export: no `export *`.' },
  { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
  {
    selector: ':function > .params[typeAnnotation.typeAnnotation.type="TSBooleanKeyword"]',
    message: 'No positional boolean: take an options object or a union of words.',
  },
  {
    selector: ':function > AssignmentPattern.params[right.raw=/^(true|false)$/]',
    message: 'No positional boolean: take an options object or a union of words.',
  },
];

/** What the page of the demo uses of a browser. */
const pageGlobals = Object.fromEntries(
  [
    'document',
    'devicePixelRatio',
    'EventSource',
    'getComputedStyle',
    'matchMedia',
    'navigator',
    'requestAnimationFrame',
    'ResizeObserver',
  ].map((name) => [name, 'readonly']),
);

const nodeGlobals = Object.fromEntries(
  Object.getOwnPropertyNames(globalThis).map((name) => [name, 'readonly']),
);

export default defineConfig(
  { ignores: ['dist/', 'coverage/', 'etc/', 'docs/api/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  eslint.configs.recommended,
  {
    files: ['**/*.{ts,tsx,mts,cts}'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // isolatedDeclarations asks for annotations that these four would take away.
      '@typescript-eslint/no-inferrable-types': 'off',
      '@typescript-eslint/consistent-generic-constructors': ['error', 'type-annotation'],
      '@typescript-eslint/dot-notation': ['error', { allowIndexSignaturePropertyAccess: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],

      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/consistent-type-exports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      eqeqeq: 'error',
    },
  },
  {
    files: ['lib/**/*.ts'],
    rules: {
      'max-lines': ['error', { max: 200, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }],
      'max-params': ['error', 3],
      'no-console': 'error',
      'no-restricted-globals': ['error', ...timeAndDice.globals],
      'no-restricted-properties': ['error', ...timeAndDice.properties],
      'no-restricted-syntax': ['error', ...shape, ...timeAndDice.syntax],
    },
  },
  {
    // What runs in Node alone has a configuration of its own.
    files: ['lib/{cli,node,redis}/**/*.ts'],
    languageOptions: {
      parserOptions: {
        projectService: false,
        project: 'tsconfig.node.json',
        tsconfigRootDir: import.meta.dirname,
      },
    },
  },
  {
    files: ['lib/time/clock.ts'],
    rules: {
      'no-restricted-globals': 'off',
      'no-restricted-properties': 'off',
      'no-restricted-syntax': ['error', ...shape],
    },
  },
  {
    files: ['__tests__/**/*.ts'],
    extends: [jest.configs['flat/recommended']],
    settings: { jest: { globalPackage: '@jest/globals' } },
    rules: {
      'jest/no-disabled-tests': 'error',
      'jest/no-commented-out-tests': 'error',
      'jest/no-duplicate-hooks': 'error',
      'jest/expect-expect': ['error', { assertFunctionNames: ['expect*', 'fc.assert'] }],
      'no-restricted-syntax': [
        'error',
        ...shape.slice(0, 2),
        {
          selector: 'CallExpression[callee.property.name="todo"]',
          message: 'Write the test or leave it out.',
        },
      ],
      '@typescript-eslint/consistent-generic-constructors': 'off',
      // Tests look at values that came from a server or a file as `any`.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-empty-function': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: { globals: nodeGlobals },
    rules: { eqeqeq: 'error' },
  },
  { files: ['examples/demo-web/page/*.js'], languageOptions: { globals: pageGlobals } },
);
