import type { JournalListener } from '../operation/journal-entry.js';
import { call, checkValue } from './check-options.js';
import { quietly } from './quietly.js';

/**
 * One listener that tells several, in their order. What one of them throws, or rejects with, is dropped: the
 * others hear every entry all the same.
 * @throws TypeError for what is no function
 */
export function tee(...listeners: readonly JournalListener[]): JournalListener {
  listeners.forEach((listener, at) => checkValue(`listener ${at + 1} of tee`, listener, call));
  return (entry) => {
    for (const listener of listeners) quietly(() => listener(entry));
  };
}
