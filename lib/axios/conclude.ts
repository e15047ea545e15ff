import { boundedText } from '../hint/bounded-text.js';
import { known } from '../hint/known.js';
import type { Conclusion } from '../operation/journal-entry.js';
import { checkOptions, HeedOptionsError } from '../option-checks.js';
import { carriedBy } from './errors.js';

/**
 * Adds the application's own word to the journal of an operation.
 * @throws HeedOptionsError for what has no journal, and for anything but words
 */
export function conclude(responseOrError: unknown, said: Conclusion): void {
  checkOptions(said, 'conclusion');
  const { conclusion, detail } = said;
  if (typeof (conclusion as unknown) !== 'string' || conclusion.trim() === '')
    throw new HeedOptionsError('conclusion', 'to have a `conclusion`, a text that is not empty');
  const journal = carriedBy(responseOrError);
  if (journal === undefined)
    throw new HeedOptionsError(
      'conclusion',
      'to be of a response or an error as axios gave it, with its journal',
    );
  journal.write(
    known({
      event: 'concluded',
      conclusion: boundedText(conclusion),
      detail: detail && boundedText(detail),
    }),
  );
}
