import { type Command, InvalidArgumentError } from 'commander';
import type { ItemType } from '../../src/protocol/item.ts';
import { findItems, similarNames } from '../../src/protocol/lookup.ts';
import { messagesOf } from '../../src/protocol/message-registry.ts';
import { protocolOf, versions } from '../../src/protocol/registry.ts';
import type { ItemTypes } from '../../src/snapshot/item-types.ts';
import type { RecordFilter } from '../../src/view/json/dump-json.ts';
import { escapeText } from '../../src/view/text/escape.ts';
import { usageError } from './errors.ts';

/** Options that keep only some items. */
export interface FilterOptions {
  type?: string[];
  id?: number[];
}

/** What is kept of a recording or a comparison. */
export interface ItemFilter extends RecordFilter {
  /** The one item type that is asked for, if it is one. */
  readonly only: ItemType | undefined;
}

export function withFilter(command: Command): Command {
  return command
    .option('--type <names>', 'only items of these types: names or numbers, with commas', names)
    .option('--id <numbers>', 'only items with these ids, with commas', numbers);
}

/** @throws CommandError when a name is none of an item or message */
export function filterOf({ type, id }: FilterOptions, added: readonly ItemType[]): ItemFilter {
  if (!type && !id) return { all: true, item: () => true, message: () => true, only: undefined };
  const itemNames = new Set<string>();
  const typeNumbers = new Set<number>();
  const messageNames = new Set<string>();
  const items = versions.flatMap((version) => protocolOf(version, added).items);
  const messages = new Set(versions.flatMap((version) => messagesOf(version).all.map(({ name }) => name)));
  for (const word of type ?? []) {
    if (/^\d+$/.test(word)) typeNumbers.add(Number(word));
    else if (messages.has(word)) messageNames.add(word);
    else {
      const found = findItems(items, word);
      if (found.length === 0) throw unknown(word, items);
      for (const { name } of found) itemNames.add(name);
    }
  }
  const wantedType = (types: ItemTypes, number: number) =>
    !type || typeNumbers.has(number) || itemNames.has(types.of(number)?.name ?? '');
  return {
    all: false,
    item: (types, number, itemId) => (!id || id.includes(itemId)) && wantedType(types, number),
    message: (name) => (type ? messageNames.has(name ?? '') : false),
    only:
      itemNames.size === 1 && typeNumbers.size === 0 ? items.findLast(({ name }) => itemNames.has(name)) : undefined,
  };
}

export const names = (text: string) => text.split(',').filter((name) => name !== '');

function numbers(text: string): number[] {
  return names(text).map((name) => {
    if (!/^\d+$/.test(name)) throw new InvalidArgumentError('Expected numbers.');
    return Number(name);
  });
}

function unknown(word: string, items: readonly ItemType[]) {
  const near = similarNames(items, word).slice(0, 3);
  const hint = near.length > 0 ? `did you mean ${near.join(', ')}?` : "'tw-snap schema' lists them all";
  return usageError(`no item or message '${escapeText(word)}'; ${hint}`);
}
