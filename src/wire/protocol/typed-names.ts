import type { FieldShape, ItemType } from './item.ts';
import type { extendedItems, items05, items06, items07 } from './items.ts';
import type { Meaning } from './meaning.ts';
import type { MessageFieldType, MessageType } from './message-type.ts';
import type { extendedMessages, introductions, messages05, messages06, messages07 } from './messages.ts';
import type { Version } from './registry.ts';

// The names of the tables as types. The items and messages of a mod are known only when a program runs.

export interface Items {
  readonly '0.5': (typeof items05)[number];
  readonly '0.6': (typeof items06 | typeof extendedItems)[number];
  readonly '0.7': (typeof items07 | typeof extendedItems)[number];
}

export interface Messages {
  readonly '0.5': ReturnType<typeof messages05>[number];
  readonly '0.6': ReturnType<typeof messages06 | typeof extendedMessages | typeof introductions>[number];
  readonly '0.7': ReturnType<typeof messages07 | typeof extendedMessages | typeof introductions>[number];
}

/** The names of the items of a version: `'obj_character'`. */
export type ItemName<V extends Version = Version> = Items[V]['name'];

/** The names of the messages of a version: `'sv_chat'`. */
export type MessageName<V extends Version = Version> = Messages[V]['name'];

/** What an item's name and version say of its fields. */
export type ShapeOfItem<V extends Version, Name> =
  Extract<Items[V], { readonly name: Name }> extends ItemType<string, infer Shape> ? Shape : never;

export type ShapeOfMessage<V extends Version, Name> =
  Extract<Messages[V], { readonly name: Name }> extends MessageType<string, infer Shape> ? Shape : never;

export type ItemValue<M> = M extends { readonly kind: 'text' | 'uuid' }
  ? string
  : M extends { readonly kind: 'list'; readonly of: infer Element }
    ? readonly ItemValue<Element>[]
    : number;

/** The fields of an item by name. Those that older senders leave out may be missing. */
export type ItemFieldsOf<V extends Version, Name extends ItemName<V>> = FieldsOfShape<ShapeOfItem<V, Name>>;

/** Pairs have a default, which older senders leave out. */
export type FieldsOfShape<Shape extends FieldShape> = Flat<
  { readonly [Field in keyof Shape as Shape[Field] extends Meaning ? Field : never]: ItemValue<Shape[Field]> } & {
    readonly [Field in keyof Shape as Shape[Field] extends Meaning ? never : Field]?: ItemValue<
      Extract<Shape[Field], readonly unknown[]>[0]
    >;
  }
>;

/** The names of the values of an enumeration or of flags: `'hammer' | 'gun' | …`. */
export type ValueNameOf<
  V extends Version,
  Name extends ItemName<V>,
  Field extends keyof ShapeOfItem<V, Name>,
> = ShapeOfItem<V, Name>[Field] extends infer M
  ? (M extends readonly [infer Inner, number] ? Inner : M) extends { readonly names?: infer Names }
    ? Extract<NonNullable<Names>[keyof NonNullable<Names>], string>
    : never
  : never;

export type MessageFieldValue<Type> = Type extends { readonly kind: 'string' | 'raw_uuid' }
  ? string
  : Type extends { readonly kind: 'data' | 'rest' | 'sha256' }
    ? Uint8Array
    : Type extends { readonly kind: 'repeat'; readonly of: infer Element }
      ? readonly MessageFieldValue<Element>[]
      : Type extends { readonly kind: 'record'; readonly shape?: infer Shape }
        ? MessageFieldsOfShape<NonNullable<Shape>>
        : number;

export type MessageFieldsOfShape<Shape> = Flat<
  {
    readonly [Field in keyof Shape as Shape[Field] extends MessageFieldType ? Field : never]: MessageFieldValue<
      Shape[Field]
    >;
  } & {
    readonly [Field in keyof Shape as Shape[Field] extends MessageFieldType ? never : Field]?: Shape[Field] extends {
      readonly optional: infer Type;
    }
      ? MessageFieldValue<Type>
      : never;
  }
>;

/** The values of a message by name. */
export type MessageFieldsOf<V extends Version, Name extends MessageName<V>> = MessageFieldsOfShape<
  ShapeOfMessage<V, Name>
>;

export type Flat<Type> = { [Key in keyof Type]: Type[Key] } & {};
