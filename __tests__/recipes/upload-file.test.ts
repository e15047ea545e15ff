import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import axios from 'axios';
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { heed } from 'axios-heed';
import { addFile, replaceFile } from '../../examples/recipes/upload-file';
import { loopback } from '../support/loopback';
import type { Loopback } from '../support/loopback';

const content = randomBytes(3 * 2 ** 20);
let directory: string;
let path: string;
let server: Loopback;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'upload-'));
  path = join(directory, 'file');
  await writeFile(path, content);
});

afterAll(() => rm(directory, { recursive: true }));

afterEach(() => server.close());

/** A server that is overloaded when the first upload has arrived. */
async function overloaded(): Promise<ReturnType<typeof axios.create>> {
  server = await loopback(({ number }, response) => {
    if (number === 1) response.writeHead(503, { 'retry-after': '1' }).end();
    else response.writeHead(201).end();
  });
  const api = axios.create({ baseURL: server.url });
  heed(api);
  return api;
}

const sha = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const digests = (): readonly string[] => server.arrivals.map(({ body }) => sha(body));

describe('the recipe of uploads', () => {
  test('sends all of the file with each exchange of a PUT', async () => {
    await replaceFile(await overloaded(), '/files/7', path);
    expect(digests()).toEqual([sha(content), sha(content)]);
    expect(server.arrivals.map(({ headers }) => headers['content-length'])).toEqual(
      Array.from({ length: 2 }, () => String(content.length)),
    );
  });

  test('sends all of the file with each exchange of a POST, under one key', async () => {
    await addFile(await overloaded(), '/files', path);
    expect(digests()).toEqual([sha(content), sha(content)]);
    const keys = server.arrivals.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[\w-]{20,}$/);
  });

  test('would not send it again without the factory', async () => {
    const api = await overloaded();
    await expect(api.put('/files/7', createReadStream(path), { maxRedirects: 0 })).rejects.toMatchObject({
      heed: { reason: 'body-not-replayable', exchanges: 1 },
    });
  });
});
