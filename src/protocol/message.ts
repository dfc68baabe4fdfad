import type { ItemType } from './item.ts';
import type { Meaning } from './meaning.ts';

/** What a field of a message holds: a packed int with its meaning, bytes of some other kind, or several of these. */
export type MessageFieldType =
  | Meaning
  /** UTF-8 up to a NUL. */
  | { readonly kind: 'string' }
  /** As many bytes as the int before says. */
  | { readonly kind: 'data' }
  /** All bytes that are left. */
  | { readonly kind: 'rest' }
  | { readonly kind: 'sha256' }
  /** 16 bytes; a {@link Meaning} of this name is four ints. */
  | { readonly kind: 'raw_uuid' }
  | {
      readonly kind: 'repeat';
      readonly of: MessageFieldType;
      readonly times: Times;
      readonly labels?: readonly string[];
    }
  | { readonly kind: 'record'; readonly fields: readonly MessageField[] };

/** How often: always so; as the int before says, or at least; by what that int is, 0 where it isn't listed; to the end. */
export type Times = number | 'counted' | 'counted_or_more' | Readonly<Record<number, number>> | 'to_end';

export interface MessageField {
  readonly name: string;
  readonly holds: MessageFieldType;
  /** Whether a message may end before it. */
  readonly optional: boolean;
}

export interface MessageType {
  /** Of game messages NETMSGTYPE_…, lower case: `sv_killmsg`; of system messages the documents' words: `snap_single`. */
  readonly name: string;
  /** Number on the wire; undefined for messages known by UUID. */
  readonly id?: number;
  /** `showothers@netmsg.ddnet.tw`, and its version 3 UUID. */
  readonly uuidName?: string;
  readonly uuid?: string;
  /** Of the engine rather than of the game: each has numbers of its own. */
  readonly system: boolean;
  readonly fields: readonly MessageField[];
  /**
   * Counts of values with which the known senders end, where fields are optional: tells them from the NULs that
   * messages of a demo are padded with.
   */
  readonly ends: readonly number[];
}

export type MessageShape = Readonly<Record<string, MessageFieldType | { readonly optional: MessageFieldType }>>;

export const string: MessageFieldType = { kind: 'string' };
export const data: MessageFieldType = { kind: 'data' };
export const rest: MessageFieldType = { kind: 'rest' };
export const sha256: MessageFieldType = { kind: 'sha256' };
export const rawUuid: MessageFieldType = { kind: 'raw_uuid' };
export const repeat = (times: Times, of: MessageFieldType, labels?: readonly string[]): MessageFieldType => ({
  kind: 'repeat',
  of,
  times,
  ...(labels === undefined ? {} : { labels }),
});
export const record = (shape: MessageShape): MessageFieldType => ({ kind: 'record', fields: layout(shape) });
export const optional = (holds: MessageFieldType) => ({ optional: holds });

export function gameMessage(
  id: number,
  name: string,
  shape: MessageShape = {},
  ends: readonly number[] = [],
): MessageType {
  return { name, id, system: false, fields: layout(shape), ends };
}

export function systemMessage(id: number, name: string, shape: MessageShape = {}): MessageType {
  return { name, id, system: true, fields: layout(shape), ends: [] };
}

export function extendedGameMessage(
  name: string,
  uuidName: string,
  uuid: string,
  shape: MessageShape = {},
  ends: readonly number[] = [],
): MessageType {
  return { name, uuidName, uuid, system: false, fields: layout(shape), ends };
}

export function extendedSystemMessage(
  name: string,
  uuidName: string,
  uuid: string,
  shape: MessageShape = {},
): MessageType {
  return { name, uuidName, uuid, system: true, fields: layout(shape), ends: [] };
}

/** An item's fields as a message's: there every int is packed by itself. */
export function shapeOfItem(items: readonly ItemType[], name: string): MessageShape {
  const { fields } = items.find((item) => item.name === name)!;
  return Object.fromEntries(fields.map((field) => [field.name, field.meaning]));
}

function layout(shape: MessageShape): MessageField[] {
  return Object.entries(shape).map(([name, entry]) =>
    'optional' in entry ? { name, holds: entry.optional, optional: true } : { name, holds: entry, optional: false },
  );
}
