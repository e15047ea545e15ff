import { resolve } from 'node:path';
import { checkValue } from '../journal/check-options.js';

/**
 * Makes a path the caller's own in this process, until it is released: two writers would rotate each other's files
 * away. It is seen as it is spelled, from the folder of the process; a link to it is another one.
 * @throws TypeError (`code` ERR_HEED_OPTIONS) for a path that is in use
 */
export function claimPath(path: string): PathClaim {
  const place = resolve(path);
  checkValue('the path of journalFile', path, {
    expected: 'in use by no other journalFile (close that first)',
    fits: () => !inUse.has(place),
  });
  inUse.add(place);
  return {
    place,
    release: () => {
      inUse.delete(place);
    },
  };
}

export interface PathClaim {
  /** The path from the root: the process may go to another folder. */
  readonly place: string;
  readonly release: () => void;
}

const inUse: Set<string> = new Set();
