import { build } from 'esbuild';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const folder = new URL('page/', import.meta.url);

/** The page as the server sends it: path to type and text. */
export async function bundlePage() {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('main.js', folder))],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    write: false,
  });
  const read = (name) => readFile(new URL(name, folder), 'utf8');
  return {
    '/': { type: 'text/html; charset=utf-8', text: await read('index.html') },
    '/page.css': { type: 'text/css', text: await read('page.css') },
    '/page.js': { type: 'text/javascript', text: outputFiles[0].text },
  };
}
