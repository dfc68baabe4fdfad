import { similarNames } from '../../src/protocol/lookup.ts';
import { escapeText } from '../../src/view/text/escape.ts';
import { type CommandError, usageError } from './errors.ts';

interface Named {
  readonly name: string;
}

/**
 * The error for a word that names nothing: `no table or item 'kils'; did you mean kills?`
 * @param what what the word should name
 * @param names the names that exist, in groups: similar ones of the first group come first
 * @param place where the word was looked for, if that is not everywhere
 */
export function unknownName(
  what: string,
  word: string,
  names: readonly (readonly Named[])[],
  place = '',
): CommandError {
  const near = names.flatMap((group) => similarNames(group, word)).slice(0, 3);
  const hint = near.length > 0 ? `did you mean ${near.join(', ')}?` : "'tw-snap schema' lists them all";
  return usageError(`no ${what} '${escapeText(word)}'${place}; ${hint}`);
}
