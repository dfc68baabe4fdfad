import type { ItemType } from './item.ts';
import type { Meaning } from './meaning.ts';

/** The type of a field in a message: a packed int with its meaning, bytes of some other kind, or several of these. */
export type MessageFieldType =
  | Meaning
  /** UTF-8 up to a NUL. */
  | { readonly kind: 'string' }
  /** The int before it is its number of bytes. */
  | { readonly kind: 'data' }
  /** All remaining bytes. */
  | { readonly kind: 'rest' }
  | { readonly kind: 'sha256' }
  /** 16 bytes; the `uuid` of a {@link Meaning} is four ints. */
  | { readonly kind: 'raw_uuid' }
  | {
      readonly kind: 'repeat';
      readonly of: MessageFieldType;
      readonly times: Repetition;
      readonly labels?: readonly string[];
    }
  | { readonly kind: 'record'; readonly fields: readonly MessageField[] };

/**
 * How often a field is repeated: a fixed number; the number in the int before it, or at least that number; the number
 * listed for the value of that int, 0 for others; to the end of the message.
 */
export type Repetition = number | 'counted' | 'counted_or_more' | Readonly<Record<number, number>> | 'to_end';

/** The kinds whose values are texts, bytes or several values. */
const notInts: ReadonlySet<MessageFieldType['kind']> = new Set([
  'text',
  'uuid',
  'string',
  'data',
  'rest',
  'sha256',
  'raw_uuid',
  'repeat',
  'record',
]);

/** Whether each value is an int, rather than a text, bytes or several values. */
export const isInt = (type: MessageFieldType): boolean =>
  type.kind === 'list' ? isInt(type.of) : !notInts.has(type.kind);

export interface MessageField {
  readonly name: string;
  readonly type: MessageFieldType;
  /** Whether a message may end before it. */
  readonly optional: boolean;
}

export interface MessageType {
  /** `sv_killmsg`, the games' NETMSGTYPE_SV_KILLMSG in lower case; for system messages the documents' words, `snap_single`. */
  readonly name: string;
  /** The number that is sent; undefined for messages with a UUID. */
  readonly id?: number;
  /** `showothers@netmsg.ddnet.tw`, and its version 3 UUID. */
  readonly uuidName?: string;
  readonly uuid?: string;
  /** Whether it belongs to the engine rather than the game; the two are numbered separately. */
  readonly system: boolean;
  readonly fields: readonly MessageField[];
  /**
   * For messages with optional fields: the numbers of values that known senders send. The NULs that pad a demo's messages are no
   * values.
   */
  readonly valueCounts: readonly number[];
}

export type MessageShape = Readonly<Record<string, MessageFieldType | { readonly optional: MessageFieldType }>>;

export const string: MessageFieldType = { kind: 'string' };
export const data: MessageFieldType = { kind: 'data' };
export const rest: MessageFieldType = { kind: 'rest' };
export const sha256: MessageFieldType = { kind: 'sha256' };
export const rawUuid: MessageFieldType = { kind: 'raw_uuid' };
export const repeat = (times: Repetition, of: MessageFieldType, labels?: readonly string[]): MessageFieldType => ({
  kind: 'repeat',
  of,
  times,
  ...(labels === undefined ? {} : { labels }),
});
export const record = (shape: MessageShape): MessageFieldType => ({ kind: 'record', fields: layout(shape) });
export const optional = (type: MessageFieldType) => ({ optional: type });

const message = (
  which: Pick<MessageType, 'name' | 'id' | 'uuidName' | 'uuid' | 'system'>,
  shape: MessageShape = {},
  valueCounts: readonly number[] = [],
): MessageType => ({ ...which, fields: layout(shape), valueCounts });

export const gameMessage = (id: number, name: string, shape?: MessageShape, valueCounts?: readonly number[]) =>
  message({ name, id, system: false }, shape, valueCounts);

export const systemMessage = (id: number, name: string, shape?: MessageShape) =>
  message({ name, id, system: true }, shape);

export const extendedGame = (
  name: string,
  uuidName: string,
  uuid: string,
  shape?: MessageShape,
  valueCounts?: readonly number[],
) => message({ name, uuidName, uuid, system: false }, shape, valueCounts);

export const extendedSystem = (name: string, uuidName: string, uuid: string, shape?: MessageShape) =>
  message({ name, uuidName, uuid, system: true }, shape);

/** The fields of an item as those of a message, in which every int is a field. */
export function shapeOfItem(items: readonly ItemType[], name: string): MessageShape {
  const { fields } = items.find((item) => item.name === name)!;
  return Object.fromEntries(fields.map((field) => [field.name, field.meaning]));
}

function layout(shape: MessageShape): MessageField[] {
  return Object.entries(shape).map(([name, entry]) =>
    'optional' in entry ? { name, type: entry.optional, optional: true } : { name, type: entry, optional: false },
  );
}
