/** What a command needs of the process around it. */
export interface Terminal {
  readonly stdin: AsyncIterable<string | Uint8Array>;
  /** Resolves when the reader has room for more. */
  write(text: string): Promise<void>;
  complain(text: string): void;
  /** The path of the program that was started. */
  readonly program: string;
}
