/**
 * What the ints of a field mean. Data only: the tables are made of these, annotate and view read them.
 * `min`/`max` are what the games themselves accept; a value outside is odd, not wrong.
 */
export type Meaning =
  | { readonly kind: 'int'; readonly min?: number; readonly max?: number; readonly names?: Names }
  | { readonly kind: 'boolean' }
  /** 50 ticks a second. Where `negative` is given, a value below zero is minus a tick, and this says of what. */
  | { readonly kind: 'tick'; readonly negative?: string }
  /** Milliseconds, seconds or percent, as named. */
  | { readonly kind: 'amount'; readonly unit: string; readonly min?: number; readonly max?: number }
  /** A client's number, -1 for nobody. */
  | { readonly kind: 'client'; readonly min: number; readonly names?: Names }
  /** 32 units a tile; `scale` > 1 where the wire holds fractions of a unit. */
  | { readonly kind: 'position'; readonly scale: number }
  /** The value times 1/`scale`, in `unit`. */
  | { readonly kind: 'fixed'; readonly scale: number; readonly unit: string }
  | { readonly kind: 'enum'; readonly names: Names }
  /** An enumeration that the value of another field of the item selects: `names[4]` where `field` is 4, a plain int elsewhere. */
  | { readonly kind: 'enum_by'; readonly field: string; readonly names: Readonly<Record<number, Names>> }
  | { readonly kind: 'flags'; readonly names: Names }
  /** `ints` × 4 bytes of text, highest byte first, each plus 128, NUL-terminated. */
  | { readonly kind: 'text'; readonly ints: number }
  /** Four ints, big-endian. */
  | { readonly kind: 'uuid' }
  | { readonly kind: 'list'; readonly count: number; readonly of: Meaning; readonly labels?: readonly string[] };

/** Number on the wire → name. Of flags: the bit's value → name. */
export type Names = Readonly<Record<number, string>>;

export const int = (min?: number, max?: number, names?: Names): Meaning => ({
  kind: 'int',
  ...(min === undefined ? {} : { min }),
  ...(max === undefined ? {} : { max }),
  ...(names === undefined ? {} : { names }),
});
export const boolean: Meaning = { kind: 'boolean' };
export const tick: Meaning = { kind: 'tick' };
export const amount = (unit: string, min?: number, max?: number): Meaning => ({
  kind: 'amount',
  unit,
  ...(min === undefined ? {} : { min }),
  ...(max === undefined ? {} : { max }),
});
export const client: Meaning = { kind: 'client', min: -1 };
export const position: Meaning = { kind: 'position', scale: 1 };
export const fixed = (scale: number, unit: string): Meaning => ({ kind: 'fixed', scale, unit });
export const enumeration = (names: Names): Meaning => ({ kind: 'enum', names });
export const enumerationBy = (field: string, names: Readonly<Record<number, Names>>): Meaning => ({
  kind: 'enum_by',
  field,
  names,
});
export const flags = (names: Names): Meaning => ({ kind: 'flags', names });
export const text = (ints: number): Meaning => ({ kind: 'text', ints });
export const uuid: Meaning = { kind: 'uuid' };
export const list = (count: number, of: Meaning, labels?: readonly string[]): Meaning => ({
  kind: 'list',
  count,
  of,
  ...(labels === undefined ? {} : { labels }),
});

/** How many ints of an item a field of this meaning takes. */
export function intsOf(meaning: Meaning): number {
  switch (meaning.kind) {
    case 'text':
      return meaning.ints;
    case 'uuid':
      return 4;
    case 'list':
      return meaning.count * intsOf(meaning.of);
    default:
      return 1;
  }
}
