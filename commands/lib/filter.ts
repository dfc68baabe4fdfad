import { type Command, InvalidArgumentError } from 'commander';
import type { ItemType } from '../../src/protocol/item.ts';
import { findItems, findMessages } from '../../src/protocol/lookup.ts';
import type { MessageType } from '../../src/protocol/message.ts';
import { messagesOf } from '../../src/protocol/message-registry.ts';
import { protocolOf, versions } from '../../src/protocol/registry.ts';
import type { Schema } from '../../src/protocol/schema.ts';
import type { RecordFilter } from '../../src/recording/record-filter.ts';
import type { ItemTypes } from '../../src/snapshot/item-types.ts';
import { unknownName } from './unknown-name.ts';

/** Options that select items. */
export interface FilterOptions {
  type?: string[];
  id?: number[];
}

/** Selects items and messages of a recording. */
export interface ItemFilter extends RecordFilter {
  /** The item type, if only one is selected. */
  readonly only: ItemType | undefined;
  /** Whether only messages are selected. */
  readonly onlyMessages: boolean;
  /** The kind of message, if only one is selected and no item. */
  readonly onlyMessage: MessageType | undefined;
}

export function withFilter(command: Command, what = 'items of these types and messages'): Command {
  return command
    .option('--type <names>', `only ${what}: names or numbers, separated by commas`, names)
    .option('--id <numbers>', 'only items with these ids, separated by commas', numbers);
}

/** @throws CommandError for a name of no item or message */
export function filterOf({ type, id }: FilterOptions, schema: Schema): ItemFilter {
  if (!type && !id) {
    const selected = () => true;
    return {
      all: true,
      item: selected,
      message: selected,
      only: undefined,
      onlyMessages: false,
      onlyMessage: undefined,
    };
  }
  const itemNames = new Set<string>();
  const typeNumbers = new Set<number>();
  const messageNames = new Set<string>();
  const items = versions.flatMap((version) => protocolOf(version, schema).items);
  const messages = versions.flatMap((version) => messagesOf(version, schema).all);
  for (const word of type ?? []) {
    if (/^\d+$/.test(word)) {
      typeNumbers.add(Number(word));
      continue;
    }
    const foundItems = findItems(items, word);
    const foundMessages = foundItems.length > 0 ? [] : findMessages(messages, word);
    if (foundItems.length + foundMessages.length === 0) throw unknownName('item or message', word, [items, messages]);
    for (const { name } of foundItems) itemNames.add(name);
    for (const { name } of foundMessages) messageNames.add(name);
  }
  const isSelected = (types: ItemTypes, number: number) =>
    !type || typeNumbers.has(number) || itemNames.has(types.of(number)?.name ?? '');
  const onlyMessages = messageNames.size > 0 && itemNames.size + typeNumbers.size === 0;
  const one = <T extends { readonly name: string }>(all: readonly T[], selected: ReadonlySet<string>) =>
    selected.size === 1 && typeNumbers.size === 0 ? all.findLast(({ name }) => selected.has(name)) : undefined;
  return {
    all: false,
    item: (types, number, itemId) => (!id || id.includes(itemId)) && isSelected(types, number),
    message: (name) => (type ? messageNames.has(name ?? '') : false),
    only: one(items, itemNames),
    onlyMessages,
    onlyMessage: onlyMessages ? one(messages, messageNames) : undefined,
  };
}

export const names = (text: string) => text.split(',').filter((name) => name !== '');

function numbers(text: string): number[] {
  return names(text).map((name) => {
    if (!/^\d+$/.test(name)) throw new InvalidArgumentError('Expected numbers.');
    return Number(name);
  });
}
