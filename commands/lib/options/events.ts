import { escapeText } from '../../../src/output/text/escape.ts';
import { eventGroups, eventKinds } from '../../../src/recording/events/event.ts';
import { similarNames } from '../../../src/wire/protocol/lookup.ts';
import { CommandError, exit, usageError } from './errors.ts';

/**
 * The error for a word that names no event, with the similar ones or all of them by group.
 * @param more what else the option takes
 */
export function wrongEvent(option: string, text: string, more = ''): CommandError {
  const [, kind, name] = /^([a-z_]+):(.*)$/s.exec(text) ?? [];
  if (kind === 'chat' && name?.startsWith('/'))
    return usageError(`${option}: '${escapeText(text)}' is no regular expression as chat:/RE/`);
  if (name === '0') return usageError(`${option} ${escapeText(text)}: the first is number 1`);
  if (kind !== undefined && name !== undefined && kind in eventGroups)
    return usageError(`${option} ${escapeText(text)}: a player is named with --player ${escapeText(name)}`);
  const near = similarNames(
    eventKinds.map((name) => ({ name })),
    text,
  ).slice(0, 3);
  if (near.length > 0) return usageError(`${option}: no event '${escapeText(text)}'; did you mean ${near.join(', ')}?`);
  const groups = [...new Set(Object.values(eventGroups))];
  const list = groups.map(
    (group) => `  ${group.padEnd(10)} ${eventKinds.filter((kind) => eventGroups[kind] === group).join(', ')}`,
  );
  const unknown = `${option}: no event '${escapeText(text)}'; there are, by group${more}:`;
  return new CommandError(exit.usage, [unknown, ...list].join('\n'));
}
