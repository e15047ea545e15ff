// Uploads: a stream is read once, so each exchange gets one of its own.
// To change: the URLs, and the budget, which has to cover all exchanges of a large file.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { AxiosInstance, AxiosRequestConfig } from 'axios';

/** Replaces a file: PUT may be repeated as it is. */
export async function replaceFile(api: AxiosInstance, url: string, path: string): Promise<void> {
  await api.put(url, undefined, await streaming(path));
}

/** Adds a file: a POST is repeated only with a key, and only if the server knows keys. */
export async function addFile(api: AxiosInstance, url: string, path: string): Promise<void> {
  const config = await streaming(path);
  await api.post(url, undefined, { ...config, heed: { ...config.heed, idempotencyKey: 'auto' } });
}

async function streaming(path: string): Promise<AxiosRequestConfig & { heed: object }> {
  const { size } = await stat(path);
  return {
    headers: { 'Content-Type': 'application/octet-stream', 'Content-Length': size },
    // To be able to follow a redirect, axios would keep all that it sends in memory.
    maxRedirects: 0,
    heed: { body: () => createReadStream(path), budget: { minutes: 10 } },
  };
}
