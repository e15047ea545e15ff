/**
 * Whether a body, as the adapter gets it, can be sent once more with the same bytes. Streams cannot: they
 * are read by being sent, and axios sends an exhausted one as an empty upload.
 */
export function isReplayable(data: unknown): boolean {
  if (typeof data === 'function') return false;
  // The form-data package is a stream of Node's kind too. Native FormData and URLSearchParams iterate, but over
  // values that stay.
  const source = (data ?? {}) as Source;
  return !(
    typeof source.pipe === 'function' ||
    typeof source.getReader === 'function' ||
    typeof source.next === 'function' ||
    typeof source[Symbol.asyncIterator] === 'function'
  );
}

/** What reads a stream of Node or of the web, or a source of chunks. */
interface Source {
  readonly pipe?: unknown;
  readonly getReader?: unknown;
  readonly next?: unknown;
  readonly [Symbol.asyncIterator]?: unknown;
}

/** Whether a stream can still give all its bytes: nobody has read of it, and it was never handed out. */
export function isUnread(stream: object): boolean {
  const { readableDidRead, destroyed, readable, locked }: ReadState = stream;
  return (
    !handedOut.has(stream) &&
    !(readableDidRead === true || destroyed === true || locked === true || readable === false)
  );
}

/** From now on this stream is one that is used. */
export function handOut(stream: object): void {
  handedOut.add(stream);
}

const handedOut: WeakSet<object> = new WeakSet();

/** What Node and the web tell of a stream. */
interface ReadState {
  readonly readableDidRead?: boolean;
  readonly destroyed?: boolean;
  readonly readable?: boolean;
  readonly locked?: boolean;
}

/** Releases a request body that nobody will read any more: files are closed. Others than streams stay. */
export function discardStream(data: unknown): void {
  if (!isReplayable(data)) discardBody(data);
}

/** Releases a response body that nobody will read, so that its socket is free again. */
export function discardBody(data: unknown): void {
  // Parsed data may have such keys too: only what can be called is a stream's.
  const body = (data ?? {}) as ReadBody;
  if (typeof body.destroy === 'function') {
    // A destroyed response may still report the cut, and an unheard `error` ends a Node process.
    if (typeof body.on === 'function') body.on('error', ignore);
    body.destroy();
  } else if (typeof body.cancel === 'function') {
    // A stream that is locked already refuses; then its reader owns it.
    Promise.resolve(body.cancel()).catch(ignore);
  }
}

/** What response bodies of Node and of the web have, as far as it matters here. */
interface ReadBody {
  readonly destroy?: (() => void) | null;
  readonly on?: ((event: 'error', listener: () => void) => void) | null;
  readonly cancel?: (() => unknown) | null;
}

function ignore(): void {
  return;
}
