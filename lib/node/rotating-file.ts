import { open, rename, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { CutShort } from './write-queue.js';

/**
 * A file that grows up to a size, then becomes `path.1`, the former `path.1` becomes `path.2`, and so on up to
 * a number. It is opened for each write: what others do to it meanwhile, or a killed process left, is seen.
 */
export class RotatingFile {
  readonly #path: string;
  readonly #bounds: RotationBounds;

  constructor(path: string, bounds: RotationBounds) {
    this.#path = path;
    this.#bounds = bounds;
  }

  /** @throws what the platform says of the file or its folder; CutShort when a part of the text is in the file */
  async append(text: string): Promise<void> {
    const fits = await this.#within((file, size) => this.#appendWhereItFits(file, size, text));
    if (fits) return;
    await this.#rotate();
    await this.#within((file, size) => appendTo(file, size, text));
  }

  async #appendWhereItFits(file: FileHandle, size: number, text: string): Promise<boolean> {
    if (size > 0 && size + Buffer.byteLength(text) > this.#bounds.maxFileBytes) return false;
    await appendTo(file, size, text);
    return true;
  }

  async #within<T>(use: (file: FileHandle, size: number) => Promise<T>): Promise<T> {
    const file = await open(this.#path, 'a+', 0o600);
    try {
      const stats = await file.stat();
      // What is no file, such as a terminal, has no size and no last line, and is not to be renamed.
      return await use(file, stats.isFile() ? stats.size : 0);
    } finally {
      await file.close();
    }
  }

  // Up to the first free name only: a rotation that failed half-way has left one, and trying again pushes
  // nothing over the end.
  async #rotate(): Promise<void> {
    let free = 1;
    while (free < this.#bounds.maxOldFiles && (await exists(this.#named(free)))) free += 1;
    for (let at = free; at > 0; at -= 1) await rename(this.#named(at - 1), this.#named(at));
  }

  #named(at: number): string {
    return at === 0 ? this.#path : `${this.#path}.${at}`;
  }
}

export interface RotationBounds {
  readonly maxFileBytes: number;
  readonly maxOldFiles: number;
}

// A line that was broken off stays one unreadable line, and does not spoil the next.
async function appendTo(file: FileHandle, size: number, text: string): Promise<void> {
  const lead = (await endsMidLine(file, size)) ? '\n' : '';
  const bytes = Buffer.from(lead + text);
  let written = 0;
  try {
    while (written < bytes.length) written += (await file.write(bytes, written)).bytesWritten;
  } catch (error) {
    throw new CutShort(Math.max(0, written - lead.length), error);
  }
}

async function endsMidLine(file: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return false;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return bytesRead === 1 && buffer[0] !== LINE_END;
}

const LINE_END = 0x0a;

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
