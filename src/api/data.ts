/**
 * The tables of the protocols as JSON: items, messages, enumerations and UUIDs. The same as files for programs in other
 * languages: `tw-snap/data/0.5.json`, `0.6.json` and `0.7.json`.
 *
 * @module tw-snap/data
 */

import { schemaJson } from '../output/json/schema-json.ts';
import type { ItemType } from '../wire/protocol/item.ts';
import type { Meaning, Names } from '../wire/protocol/meaning.ts';
import { messagesOf } from '../wire/protocol/message-registry.ts';
import type { MessageField, MessageFieldType, MessageType } from '../wire/protocol/message-type.ts';
import { type Protocol, protocolOf, type Version } from '../wire/protocol/registry.ts';

/** An item, as `tw-snap schema -t json` prints it. */
export interface ItemTable {
  readonly name: string;
  /** The number as sent; missing for an item with a UUID, whose number is local to a snapshot. */
  readonly type?: number;
  readonly uuid?: string;
  /** `character@netobj.ddnet.tw`, of which the UUID is made. */
  readonly uuid_name?: string;
  /** In ints. */
  readonly size: number;
  /** Whether a delta carries the size of this item. */
  readonly sized: boolean;
  readonly event: boolean;
  readonly fields: readonly ItemFieldTable[];
}

/** A field of an item. */
export interface ItemFieldTable {
  readonly name: string;
  /** The index of its first int, and their number. */
  readonly at: number;
  readonly ints: number;
  readonly meaning: Meaning;
  /** The value that the games use when an older sender left the field out. */
  readonly absent?: number;
}

/** A message, as `tw-snap schema -t json` prints it. */
export interface MessageTable {
  readonly name: string;
  /** Whether it belongs to the engine rather than the game; the two are numbered separately. */
  readonly system: boolean;
  /** Missing for a message with a UUID. */
  readonly id?: number;
  readonly uuid?: string;
  readonly uuid_name?: string;
  readonly fields: readonly MessageField[];
}

/** The tables of one version. */
export interface Tables {
  readonly version: Version;
  readonly items: readonly ItemTable[];
  readonly messages: readonly MessageTable[];
  /** The names of the values of enumerations, or of the bits of flags, by `item.field` and `message.field`. */
  readonly enums: Readonly<Record<string, Names>>;
  /** What has a UUID. */
  readonly uuids: Readonly<Record<string, { readonly kind: 'item' | 'message'; readonly name: string }>>;
}

/**
 * The tables of a version, or of a protocol with the items and messages of a mod, as plain data.
 *
 * @example
 * ```ts
 * import { tables } from 'tw-snap/data';
 *
 * const { items, enums } = tables('0.7');
 * console.log(items.find(({ name }) => name === 'obj_character')?.size, enums['obj_character.weapon']?.[1]); // 22 gun
 * ```
 */
export function tables(of: Version | Protocol): Tables {
  const protocol = typeof of === 'object' ? of : protocolOf(of);
  const { version, items } = protocol;
  const messages = messagesOf(version, protocol.schema).all;
  const { items: ofItems, messages: ofMessages = [] } = schemaJson(
    version,
    [{ version, types: items }],
    [{ version, types: messages }],
  );
  const plain = {
    version,
    items: ofItems,
    messages: ofMessages,
    enums: enumsOf(items, messages),
    uuids: uuidsOf(items, messages),
  };
  // Without what is undefined, and what is only there for the compiler.
  return JSON.parse(
    JSON.stringify(plain, (key, value: unknown) => (key === 'protocols' || key === 'shape' ? undefined : value)),
  ) as Tables;
}

function enumsOf(items: readonly ItemType[], messages: readonly MessageType[]): Record<string, Names> {
  const enums: Record<string, Names> = {};
  for (const { name, fields } of items)
    for (const field of fields) addNames(enums, `${name}.${field.name}`, field.meaning);
  for (const { name, fields } of messages)
    for (const field of fields) addNames(enums, `${name}.${field.name}`, field.type);
  return enums;
}

function addNames(into: Record<string, Names>, path: string, type: MessageFieldType): void {
  if (type.kind === 'list' || type.kind === 'repeat') addNames(into, path, type.of);
  else if (type.kind === 'record') for (const { name, type: of } of type.fields) addNames(into, `${path}.${name}`, of);
  else if (type.kind !== 'enum_by' && 'names' in type && type.names) into[path] = type.names;
}

const uuidsOf = (items: readonly ItemType[], messages: readonly MessageType[]) =>
  Object.fromEntries(
    [
      ...items.map((item) => ({ kind: 'item', ...item })),
      ...messages.map((message) => ({ kind: 'message', ...message })),
    ].flatMap(({ kind, name, uuid }) => (uuid === undefined ? [] : [[uuid, { kind, name }]])),
  );
