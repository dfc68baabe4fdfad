import { CompiledQuery } from '../../../src/analysis/query/compile.ts';
import { QueryMatcher } from '../../../src/analysis/query/matcher.ts';
import { escapeText } from '../../../src/output/text/escape.ts';
import {
  type EventKind,
  eventGroups,
  eventKindsOf,
  type GameEvent,
  isAction,
} from '../../../src/recording/events/event.ts';
import { PlayerChoice } from '../../../src/recording/events/player-choice.ts';
import type { RecordFilter } from '../../../src/recording/replay/record.ts';
import { getOr } from '../../../src/wire/bytes/get-or.ts';
import type { ItemType } from '../../../src/wire/protocol/item.ts';
import { findTypes, similarNames } from '../../../src/wire/protocol/lookup.ts';
import { messagesOf } from '../../../src/wire/protocol/message-registry.ts';
import type { MessageType } from '../../../src/wire/protocol/message-type.ts';
import { protocolOf, type Schema, versions } from '../../../src/wire/protocol/registry.ts';
import type { ItemTypes } from '../../../src/wire/snapshot/item-types.ts';
import { type CommandError, usageError } from './errors.ts';
import { wrongEvent } from './events.ts';
import { type Given, type itemSelection, nameTest } from './options.ts';
import { type Where, whereError } from './where.ts';

/** The query of `--where`, ready to be asked about the records of a recording: each has its own players. */
export const matcherOf = (
  given: Where | undefined,
  schema: Schema,
  prefersEvents?: boolean,
): QueryMatcher | undefined => given && new QueryMatcher(compiledOf(given, schema, prefersEvents));

const compiled = { all: new WeakMap<Where, CompiledQuery>(), events: new WeakMap<Where, CompiledQuery>() };

/** The query of `--where`, compiled once for all files. */
export const compiledOf = (given: Where, schema: Schema, prefersEvents = false): CompiledQuery =>
  getOr(compiled[prefersEvents ? 'events' : 'all'], given, () => {
    try {
      return new CompiledQuery(given.query, schema, prefersEvents);
    } catch (error) {
      throw whereError(given.text, error);
    }
  });

export interface ItemFilter extends RecordFilter {
  readonly only: ItemType | undefined;
  readonly namesMessages: boolean;
  readonly onlyMessages: boolean;
  /** The kind of message, if only one is selected and no item. */
  readonly onlyMessage: MessageType | undefined;
  readonly player: PlayerChoice | undefined;
  readonly where: QueryMatcher | undefined;
  /** The options that select, as a message names them: `--type and --id`. */
  readonly optionNames: string;
}

/** The players that `--player` names: by client number, name or regular expression. */
export const playerChoice = (text: string | undefined): PlayerChoice | undefined =>
  text === undefined ? undefined : new PlayerChoice(/^\d+$/.test(text) ? Number(text) : undefined, nameTest(text));

/** The test of `--events`, of which `--type` selects kinds by the beginnings of their names: `kill,chat`. */
export function eventTest(
  words: readonly string[] | undefined,
  player: PlayerChoice | undefined,
  query?: QueryMatcher,
) {
  const kinds = words?.flatMap((word) => {
    const found = eventKindsOf(word);
    if (found.length > 0) return found;
    throw wrongEvent('--type', word);
  });
  const isKind = (event: GameEvent) =>
    event.what in eventGroups &&
    (kinds ? kinds.includes(event.what as EventKind) : query !== undefined || !isAction(event));
  return (event: GameEvent): boolean =>
    isKind(event) && (player?.event(event) ?? true) && (query?.event(event) ?? true);
}

type GivenItems = Partial<Given<ReturnType<typeof itemSelection>>> & {
  readonly player?: string | undefined;
  readonly where?: Where | undefined;
};

/** Whether messages may be selected, or the names of players are in them. */
const readsMessages = (where: QueryMatcher | undefined) =>
  !where || where.query.selects.messages || where.query.needsPlayers;

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What `--type` calls all that no table has. */
const unknownWord = 'unknown';

/** Whether `--type` may select what no table has by this word: a number, a UUID, or `unknown`. */
export const isOfNoTable = (word: string): boolean =>
  /^\d+$/.test(word) || uuidPattern.test(word) || word === unknownWord;

/** @throws CommandError for a name of no item or message */
export function filterOf({ type, id, player: who, where: query }: GivenItems, schema: Schema): ItemFilter {
  const player = playerChoice(who);
  const where = matcherOf(query, schema);
  if (where && !where.query.selects.items && !where.query.selects.messages)
    throw usageError('--where: the query is about events alone: dump, info, slice and report find them');
  const given = { '--type': type, '--id': id, '--player': who, '--where': query };
  const optionNames = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const common = { player, where, optionNames: optionNames.join(' and ') };
  const everything = {
    ...common,
    only: undefined,
    namesMessages: false,
    onlyMessages: false,
    onlyMessage: undefined,
  };
  if (!type && !id && !player && !where) return { all: true, item: () => true, message: () => true, ...everything };
  const itemNames = new Set<string>();
  const typeNumbers = new Set<number>();
  const messageNames = new Set<string>();
  const uuids = new Set<string>();
  let hasUnknown = false;
  const items = versions.flatMap((version) => protocolOf(version, schema).items);
  const messages = versions.flatMap((version) => messagesOf(version, schema).all);
  for (const word of type ?? []) {
    // `9`, or `type_9`, as an item is called that no table has.
    const [, number] = /^(?:type_)?(\d+)$/.exec(word) ?? [];
    if (number !== undefined) {
      typeNumbers.add(Number(number));
      continue;
    }
    const uuid = uuidPattern.exec(word)?.[0].toLowerCase();
    const foundItems = findTypes(items, word);
    const foundMessages = foundItems.length > 0 ? [] : findTypes(messages, word);
    if (foundItems.length + foundMessages.length === 0 && word === unknownWord) {
      hasUnknown = true;
      continue;
    }
    if (foundItems.length + foundMessages.length === 0 && uuid !== undefined) {
      // Of no table: what mods send is selected by what it is called in the output.
      uuids.add(uuid);
      continue;
    }
    if (foundItems.length + foundMessages.length === 0) throw unknownName('item or message', word, [items, messages]);
    for (const { name } of foundItems) itemNames.add(name);
    for (const { name } of foundMessages) messageNames.add(name);
  }
  const isSelected = (types: ItemTypes, number: number) =>
    !type ||
    typeNumbers.has(number) ||
    itemNames.has(types.of(number)?.name ?? '') ||
    // Items of type 0 register others.
    (hasUnknown && number !== 0 && !types.of(number)) ||
    (uuids.size > 0 && uuids.has(types.uuidOf(number) ?? ''));
  const isNamed = typeNumbers.size + uuids.size === 0 && !hasUnknown;
  const onlyMessages = type
    ? messageNames.size > 0 && itemNames.size === 0 && isNamed
    : where?.query.selects.messages === true && !where.query.selects.items;
  const onlyOf = <T extends { readonly name: string }>(all: readonly T[], selected: ReadonlySet<string>) =>
    selected.size === 1 && isNamed ? all.findLast(({ name }) => selected.has(name)) : undefined;
  return {
    all: false,
    item: (types, number, itemId) =>
      (!id || id.includes(itemId)) &&
      isSelected(types, number) &&
      (player?.item(types, number, itemId) ?? true) &&
      (where?.item(types, number, itemId) ?? true),
    message: (name, uuid) =>
      (type
        ? messageNames.has(name ?? '') || (hasUnknown && name === undefined) || (uuid !== undefined && uuids.has(uuid))
        : (player ?? where) !== undefined && !id) &&
      (player?.isMessage ?? true) &&
      (where?.isMessage ?? true),
    ...common,
    only: onlyOf(items, itemNames),
    namesMessages: readsMessages(where) && (type !== undefined || ((player ?? where) !== undefined && !id)),
    onlyMessages,
    onlyMessage: onlyMessages ? onlyOf(messages, messageNames) : undefined,
  };
}

/**
 * The error for an unknown name: `no table or item 'kils'; did you mean kills?`
 * @param what the kind of name that was expected
 * @param names the existing names in groups; similar ones of the first group come first
 * @param place the place that was searched, if it is not everything
 * @param list what lists them all
 */
export function unknownName(
  what: string,
  word: string,
  names: readonly (readonly { readonly name: string }[])[],
  place = '',
  list = "'tw-snap schema' lists them all",
): CommandError {
  const near = names.flatMap((group) => similarNames(group, word)).slice(0, 3);
  const hint = near.length > 0 ? `did you mean ${near.join(', ')}?` : list;
  return usageError(`no ${what} '${escapeText(word)}'${place}; ${hint}`);
}
