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

/** @template Yes what a yes or no is: a number as read, also a boolean to be written */
export type ItemValue<M, Yes = number> = M extends { readonly kind: 'text' | 'uuid' }
  ? string
  : M extends { readonly kind: 'list'; readonly of: infer Element }
    ? readonly ItemValue<Element, Yes>[]
    : M extends { readonly kind: 'boolean' }
      ? Yes
      : number;

/** The fields of an item by name. Those that older senders leave out may be missing. */
export type ItemFieldsOf<V extends Version, Name extends ItemName<V>> = FieldsOfShape<ShapeOfItem<V, Name>>;

/** Pairs have a default, which older senders leave out. */
export type FieldsOfShape<Shape extends FieldShape, Yes = number> = Flat<
  { readonly [Field in keyof Shape as Shape[Field] extends Meaning ? Field : never]: ItemValue<Shape[Field], Yes> } & {
    readonly [Field in keyof Shape as Shape[Field] extends Meaning ? never : Field]?: ItemValue<
      Extract<Shape[Field], readonly unknown[]>[0],
      Yes
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

export type MessageFieldValue<Type, Yes = number> = Type extends { readonly kind: 'string' | 'raw_uuid' }
  ? string
  : Type extends { readonly kind: 'data' | 'rest' | 'sha256' }
    ? Uint8Array
    : Type extends { readonly kind: 'repeat'; readonly of: infer Element }
      ? readonly MessageFieldValue<Element, Yes>[]
      : Type extends { readonly kind: 'record'; readonly shape?: infer Shape }
        ? MessageFieldsOfShape<NonNullable<Shape>, Yes>
        : Type extends { readonly kind: 'boolean' }
          ? Yes
          : number;

export type MessageFieldsOfShape<Shape, Yes = number> = Flat<
  {
    readonly [Field in keyof Shape as Shape[Field] extends MessageFieldType ? Field : never]: MessageFieldValue<
      Shape[Field],
      Yes
    >;
  } & {
    readonly [Field in keyof Shape as Shape[Field] extends MessageFieldType ? never : Field]?: Shape[Field] extends {
      readonly optional: infer Type;
    }
      ? MessageFieldValue<Type, Yes>
      : never;
  }
>;

/** The values of a message by name. */
export type MessageFieldsOf<V extends Version, Name extends MessageName<V>> = MessageFieldsOfShape<
  ShapeOfMessage<V, Name>
>;

export type Flat<Type> = { [Key in keyof Type]: Type[Key] } & {};

// What is written must be right for each version that a program may have when it runs: a name that all of them have,
// and fields that all of them take.

/** The names that are in the tables of all these versions. */
export type NameOfAll<Table extends Record<Version, { readonly name: string }>, V extends Version> = {
  [Name in Table[V]['name']]: [V] extends [
    { [Other in Version]: Name extends Table[Other]['name'] ? Other : never }[Version],
  ]
    ? Name
    : never;
}[Table[V]['name']];

/** The names of the items that all of these versions have. */
export type WritableItemName<V extends Version> = NameOfAll<Items, V>;

/** The names of the messages that all of these versions have. */
export type WritableMessageName<V extends Version> = NameOfAll<Messages, V>;

/** The fields of an item to be written: yes and no may be `true` and `false`. */
export type WritableItemFields<V extends Version, Name> = Partial<
  TakenByAll<V extends Version ? Partial<FieldsOfShape<ShapeOfItem<V, Name>, number | boolean>> : never>
>;

/**
 * The fields of all items by name. Looked up in a table, two builders of one array or choice are compared in
 * milliseconds; where each function asks for the fields of one item, TypeScript 7 computes for more than a minute.
 */
export type WritableItems<V extends Version> = {
  readonly [Name in WritableItemName<V>]: WritableItemFields<V, Name>;
};

/** The fields of a message to be written; `never` where the versions need different ones. */
export type WritableMessageFields<V extends Version, Name> = TakenByAll<
  V extends Version ? MessageFieldsOfShape<ShapeOfMessage<V, Name>, number | boolean> : never
>;

/** The fields that each member of a union takes; `never` where one needs a field that another lacks. */
export type TakenByAll<Fields> = [Fields extends unknown ? RequiredKey<Fields> : never] extends [keyof Fields]
  ? Pick<OfAll<Fields>, keyof Fields & keyof OfAll<Fields>>
  : never;

/** The keys that every value has. */
export type RequiredKey<Fields> = {
  [Key in keyof Fields]-?: Record<never, never> extends Pick<Fields, Key> ? never : Key;
}[keyof Fields];

/** The intersection of the members of a union. */
export type OfAll<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;
