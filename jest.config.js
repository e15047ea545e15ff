import { readFileSync } from 'node:fs';

const { devDependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const root = '<rootDir>/__tests__';

/** Folders that are projects of their own; every other folder of __tests__ belongs to `unit`. */
const ownProjects = ['dom', 'server', 'package', 'browser', 'redis', 'recipes'];

const project = (displayName, testMatch, more = {}) => ({
  displayName,
  testEnvironment: 'node',
  testMatch,
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: `${root}/tsconfig.json` }] },
  restoreMocks: true,
  ...more,
});

const unit = project('unit', [`${root}/**/*.test.ts`], {
  testPathIgnorePatterns: ['/node_modules/', `${root}/(${ownProjects.join('|')})/`],
});
const dom = project('dom', [`${root}/dom/**/*.test.ts`], { testEnvironment: 'jsdom' });
const server = project('server', [`${root}/server/**/*.test.ts`]);
const packed = project('package', [`${root}/package/**/*.test.ts`], {
  globalSetup: `${root}/package/setup.mjs`,
  globalTeardown: `${root}/package/teardown.mjs`,
});
/** Real Chromium; `scripts/test.mjs` installs it where it can, and the suite fails where it is missing. */
const browser = project('browser', [`${root}/browser/**/*.test.ts`]);
/** A real Redis server on a private port, in the same way. */
const redis = project('redis', [`${root}/redis/**/*.test.ts`]);
/** The recipes of examples/, in the frameworks that they are for. */
const recipes = project('recipes', [`${root}/recipes/**/*.test.ts`], {
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^axios-heed$': '<rootDir>/lib/index.ts',
    '^axios-heed/([a-z-]+)$': '<rootDir>/lib/$1/index.ts',
  },
  transform: { '^.+\\.tsx?$': ['ts-jest', { tsconfig: `${root}/recipes/tsconfig.json` }] },
});

/** The suites that touch axios, once more against each older axios among the dev dependencies. */
const underAxios = (alias) =>
  [{ ...unit, testMatch: [`${root}/axios/**/*.test.ts`, `${root}/operation/**/*.test.ts`] }, dom, server].map(
    (base) => ({
      ...base,
      displayName: `${base.displayName}:${alias}`,
      moduleNameMapper: { ...base.moduleNameMapper, '^axios$': alias },
    }),
  );

const aliases =
  process.env.AXIOS === 'all' ? Object.keys(devDependencies).filter((name) => /^axios-\d/.test(name)) : [];

export default {
  // Properties and servers on a machine that is busy with other suites; what hangs still fails.
  testTimeout: 30_000,
  // On two cores jest would run all suites in one process, whose heap grows until collecting it takes most
  // of the time.
  maxWorkers: '100%',
  workerIdleMemoryLimit: '1GB',
  projects: [unit, dom, server, packed, browser, redis, recipes, ...aliases.flatMap(underAxios)],
};
