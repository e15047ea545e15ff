/**
 * What tells the bytes of a body from other bytes, without keeping them; `undefined` for streams, which only
 * reading would tell. Of blobs and files the size. Not every platform has all of these, or lets a form be read.
 */
export function bodyPrintOf(data: unknown): string | undefined {
  if (typeof data === 'string') return data;
  if (data instanceof URLSearchParams) return String(data);
  if (data instanceof ArrayBuffer) return printOf(new Uint8Array(data));
  if (ArrayBuffer.isView(data)) return printOf(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  if (typeof Blob === 'function' && data instanceof Blob) return `${data.size}`;
  if (typeof FormData === 'function' && data instanceof FormData && Symbol.iterator in data)
    return JSON.stringify([...data].map(([name, part]) => [name, sizeOf(part)]));
  return undefined;
}

function sizeOf(part: FormDataEntryValue): string | number {
  return typeof part === 'string' ? part : part.size;
}

// FNV-1a, 32 bits: it is to tell a change, not to withstand one who looks for a collision.
function printOf(bytes: Uint8Array): string {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return `${bytes.length}:${hash}`;
}
