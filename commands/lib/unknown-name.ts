import { similarNames } from '../../src/protocol/lookup.ts';
import { escapeText } from '../../src/view/text/escape.ts';
import { type CommandError, usageError } from './errors.ts';

interface Named {
  readonly name: string;
}

/**
 * The error for an unknown name: `no table or item 'kils'; did you mean kills?`
 * @param what the kind of name that was expected
 * @param names the existing names in groups; similar ones of the first group come first
 * @param place the place that was searched, if it is not everything
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
