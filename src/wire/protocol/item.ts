import { intsOf, type Meaning } from './meaning.ts';

/** A field of an item: its name, what its ints mean, and where they are. */
export interface Field {
  readonly name: string;
  readonly meaning: Meaning;
  /** Index of its first int in the item's data, and the number of its ints. */
  readonly at: number;
  readonly ints: number;
  /** Whether its value is one number: neither a text nor a list. */
  readonly isNumber: boolean;
  /** The value the games use when an older sender left the field out (extended items grow between versions). */
  readonly defaultValue?: number;
}

/**
 * A kind of item, as the tables of a protocol describe it.
 *
 * Source: `datasrc/network.py` of the games.
 */
export interface ItemType<Name extends string = string, Shape extends FieldShape = FieldShape> {
  /** Snake case: `obj_…` and `event_…` for numbered types, the bare name for UUID items. */
  readonly name: Name;
  /** Type number as sent; undefined for UUID items, whose number is local to a snapshot. */
  readonly type?: number;
  /** `character@netobj.ddnet.tw`, and its version 3 UUID. */
  readonly uuidName?: string;
  readonly uuid?: string;
  readonly fields: readonly Field[];
  readonly size: number;
  /**
   * Whether a delta carries the size of this item, as it does of every item with a UUID. The key of `schema -t json`.
   */
  readonly sized: boolean;
  readonly event: boolean;
  /** Only a type: what the fields were made from. */
  readonly shape?: Shape;
}

/** Type numbers from here on have no agreed size, in any version. */
export const firstSizedType = 64;

/** Field names with their meanings, or with pairs of a meaning and a default value. */
export type FieldShape = Readonly<Record<string, Meaning | readonly [Meaning, number]>>;

/** A numbered item whose size sender and receiver have agreed on. */
export function item<const Name extends string, const Shape extends FieldShape>(
  type: number,
  name: Name,
  shape: Shape,
): ItemType<Name, Shape> {
  return { name, type, ...layout(shape), sized: false, event: name.startsWith('event_') };
}

/** A numbered item that carries its size in every delta (`player_info_race`, `game_data_race`). */
export function sizedItem<const Name extends string, const Shape extends FieldShape>(
  type: number,
  name: Name,
  shape: Shape,
): ItemType<Name, Shape> {
  return { ...item(type, name, shape), sized: true };
}

/** An item identified by a UUID, which each snapshot registers under a local type number. */
export function extendedItem<const Name extends string, const Shape extends FieldShape>(
  name: Name,
  uuidName: string,
  uuid: string,
  shape: Shape,
): ItemType<Name, Shape> {
  return { name, uuidName, uuid, ...layout(shape), sized: true, event: uuidName.includes('@netevent.') };
}

function layout(shape: FieldShape): { fields: Field[]; size: number } {
  let at = 0;
  const fields = Object.entries(shape).map(([name, entry]): Field => {
    const [meaning, defaultValue] = isPair(entry) ? entry : [entry, undefined];
    const ints = intsOf(meaning);
    at += ints;
    const isNumber = !/^(text|uuid|list)$/.test(meaning.kind);
    return { name, meaning, at: at - ints, ints, isNumber, ...(defaultValue === undefined ? {} : { defaultValue }) };
  });
  return { fields, size: at };
}

function isPair(entry: FieldShape[string]): entry is readonly [Meaning, number] {
  return Array.isArray(entry);
}

/** Whose rules a client has for the values of an item: those of its version, or DDNet's own for its extended items. */
export const rulesOf = ({ uuid }: ItemType, version: string): string => (uuid === undefined ? version : 'ddnet');

/**
 * Types of the games' tables that no game puts into a snapshot: inputs are messages, the others are what further types
 * begin with.
 */
export const neverSent: ReadonlySet<string> = new Set(['obj_player_input', 'obj_character_core', 'event_common']);

/** Types of 0.7 that only demos have: a client puts them there in place of messages. */
export const isOnlyInDemos = (name: string): boolean => name.startsWith('obj_de_');

/** Items whose id is the number of a client. */
export const clientItems: ReadonlySet<string> = new Set([
  'obj_character',
  'obj_player_info',
  'obj_client_info',
  'obj_de_client_info',
  'obj_player_info_race',
  'ddnet_character',
  'ddnet_player',
  'spec_char',
]);
