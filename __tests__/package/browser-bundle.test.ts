import { describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import type { BuildResult, Metafile } from 'esbuild';
import { isBuiltin } from 'node:module';
import { runInNewContext } from 'node:vm';
import { consumer } from './consumer';

async function bundle(contents: string): Promise<BuildResult<{ metafile: true; write: false }>> {
  return build({
    stdin: { contents, resolveDir: consumer },
    absWorkingDir: consumer,
    bundle: true,
    write: false,
    metafile: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'bundled',
    target: 'es2022',
    logLevel: 'silent',
  });
}

function importedPaths({ inputs, outputs }: Metafile): string[] {
  return [...Object.values(inputs), ...Object.values(outputs)].flatMap(({ imports }) =>
    imports.map(({ path }) => path),
  );
}

describe('a bundle for the browser', () => {
  test('builds with axios and names no module of Node', async () => {
    const { metafile, outputFiles } = await bundle(
      "export { heed } from 'axios-heed'; export { default as axios } from 'axios';",
    );
    expect(Object.keys(metafile.inputs).some((path) => path.includes('axios-heed/dist/esm/'))).toBe(true);
    expect(importedPaths(metafile).filter((path) => path.startsWith('node:') || isBuiltin(path))).toEqual([]);
    expect(outputFiles[0]?.text).not.toContain('node:');
  });

  test('takes the parser alone without any file of axios', async () => {
    const { metafile } = await bundle("export { retryDelay } from 'axios-heed/retry-after';");
    expect(Object.keys(metafile.inputs).filter((path) => /node_modules\/axios\//.test(path))).toEqual([]);
  });

  test('loads where there is no process, no Buffer and no require', async () => {
    const { outputFiles } = await bundle(
      "export { retryDelay } from 'axios-heed/retry-after';\nexport { isHeedError } from 'axios-heed';",
    );
    const kinds = runInNewContext(
      `${outputFiles[0]?.text ?? ''}\n[typeof process, typeof bundled.isHeedError, bundled.retryDelay('5', 0, 8000)]`,
      {
        URL,
        URLSearchParams,
        AbortController,
        AbortSignal,
        TextEncoder,
        FormData,
        Blob,
        console,
      },
    );
    expect(kinds).toEqual(['undefined', 'function', 5000]);
  });
});
