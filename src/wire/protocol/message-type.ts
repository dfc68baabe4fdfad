import type { ItemType } from './item.ts';
import type { Meaning } from './meaning.ts';

/** The type of a field in a message: a packed int with its meaning, bytes of some other kind, or several of these. */
export type MessageFieldType =
  | Meaning
  /**
   * UTF-8 up to a NUL. A receiver that sanitises it replaces control characters by spaces, and may leave out spaces at
   * its beginning.
   */
  | { readonly kind: 'string'; readonly sanitised?: 'controls' | 'controls_and_spaces'; readonly secret?: true }
  /** The int before it is its number of bytes. */
  | { readonly kind: 'data' }
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
 * How often: a number; the int before it, or at least that; the number listed for that int, 0 for others; to the end of
 * the message.
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

/** A field of a message. */
export interface MessageField {
  readonly name: string;
  readonly type: MessageFieldType;
  /** Whether a message may end before it. */
  readonly optional: boolean;
}

/** A kind of message, as the tables of a protocol describe it. */
export interface MessageType<Name extends string = string, Shape extends MessageShape = MessageShape> {
  /**
   * `sv_killmsg`, the games' NETMSGTYPE_SV_KILLMSG in lower case; for system messages the documents' words,
   * `snap_single`.
   */
  readonly name: Name;
  /** The number that is sent; undefined for messages with a UUID. */
  readonly id?: number;
  /** `showothers@netmsg.ddnet.tw`, and its version 3 UUID. */
  readonly uuidName?: string;
  readonly uuid?: string;
  /** Whether it belongs to the engine rather than the game; the two are numbered separately. */
  readonly system: boolean;
  readonly fields: readonly MessageField[];
  /**
   * With optional fields: the numbers of values that known senders send. The NULs that pad a demo's messages are no
   * values.
   */
  readonly valueCounts: readonly number[];
  /** Only a type: what the fields were made from. */
  readonly shape?: Shape;
}

/** The fields of a message by name. */
export type MessageShape = Readonly<Record<string, MessageFieldType | { readonly optional: MessageFieldType }>>;

type Empty = Readonly<Record<never, never>>;

export const string = { kind: 'string' } as const;
/**
 * Passwords, and what an admin types and gets, shown as `(hidden)`: servers print each command again,
 * `rcon='sv_rcon_password x'`, and values on request.
 */
export const secret = { kind: 'string', secret: true } satisfies MessageFieldType;
/** Strings that the receiver sanitises: without control characters, and without spaces at the beginning. */
export const lineString = { kind: 'string', sanitised: 'controls' } satisfies MessageFieldType;
export const strictString = { kind: 'string', sanitised: 'controls_and_spaces' } satisfies MessageFieldType;
export const data = { kind: 'data' } as const;
export const rest = { kind: 'rest' } as const;
export const sha256 = { kind: 'sha256' } as const;
export const rawUuid = { kind: 'raw_uuid' } as const;
export const repeat = <const Element extends MessageFieldType>(
  times: Repetition,
  of: Element,
  labels?: readonly string[],
) => ({ kind: 'repeat' as const, of, times, ...(labels === undefined ? {} : { labels }) });
export const record = <const Shape extends MessageShape>(
  shape: Shape,
): Extract<MessageFieldType, { kind: 'record' }> & { readonly shape?: Shape } => ({
  kind: 'record',
  fields: layout(shape),
});
export const optional = <const Type extends MessageFieldType>(type: Type) => ({ optional: type });

const numberedMessage =
  (system: boolean) =>
  <const Name extends string, const Shape extends MessageShape = Empty>(
    id: number,
    name: Name,
    shape?: Shape,
    valueCounts: readonly number[] = [],
  ): MessageType<Name, Shape> => ({ name, id, system, fields: layout(shape ?? {}), valueCounts });

const extendedMessage =
  (system: boolean) =>
  <const Name extends string, const Shape extends MessageShape = Empty>(
    name: Name,
    uuidName: string,
    uuid: string,
    shape?: Shape,
    valueCounts: readonly number[] = [],
  ): MessageType<Name, Shape> => ({ name, uuidName, uuid, system, fields: layout(shape ?? {}), valueCounts });

export const gameMessage = numberedMessage(false);
export const systemMessage = numberedMessage(true);
export const extendedGame = extendedMessage(false);
export const extendedSystem = extendedMessage(true);

/** The fields of an item as those of a message, in which every int is a field. */
export function shapeOfItem<Item extends ItemType, Name extends Item['name']>(items: readonly Item[], name: Name) {
  const { fields } = items.find((item) => item.name === name)!;
  type Shape = Extract<Item, { readonly name: Name }> extends ItemType<Name, infer Found> ? Found : never;
  return Object.fromEntries(fields.map((field) => [field.name, field.meaning])) as MessageShape as Shape & MessageShape;
}

function layout(shape: MessageShape): MessageField[] {
  return Object.entries(shape).map(([name, entry]) =>
    'optional' in entry ? { name, type: entry.optional, optional: true } : { name, type: entry, optional: false },
  );
}
