import type { ItemType } from './item.ts';
import type { MessageType } from './message.ts';
import type { Version } from './version.ts';

/** The items and messages of a mod. One with the number or UUID of one of the games takes its place, in all versions. */
export interface Schema {
  readonly items: readonly ItemType[];
  readonly messages: readonly MessageType[];
}

export const noSchema: Schema = { items: [], messages: [] };

/** Makes something for a version and a schema once, and keeps it as long as the schema. */
export function perSchema<Made extends object>(make: (version: Version, schema: Schema) => Made) {
  const made = new WeakMap<Schema, Map<Version, Made>>();
  return (version: Version, schema: Schema = noSchema): Made => {
    let ofSchema = made.get(schema);
    if (!ofSchema) {
      ofSchema = new Map();
      made.set(schema, ofSchema);
    }
    let one = ofSchema.get(version);
    if (!one) {
      one = make(version, schema);
      ofSchema.set(version, one);
    }
    return one;
  };
}

/** The types of a version without those that a mod replaces, and the mod's. */
export function withOwn<Type extends { readonly uuid?: string }>(
  types: readonly Type[],
  own: readonly Type[],
  isSameNumber: (a: Type, b: Type) => boolean,
): readonly Type[] {
  const isReplaced = (type: Type) =>
    own.some((one) => (one.uuid === undefined ? isSameNumber(one, type) : one.uuid === type.uuid));
  return own.length === 0 ? types : [...types.filter((type) => !isReplaced(type)), ...own];
}
