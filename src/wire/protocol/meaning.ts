/**
 * The meaning of the ints of a field, as data: the tables consist of these; annotations and views read them.
 * `min` and `max` are the bounds that the games accept; a value outside is suspicious, not wrong.
 *
 * Source: `datasrc/network.py` of the games.
 */
export type Meaning =
  | { readonly kind: 'int'; readonly min?: number; readonly max?: number; readonly names?: Names }
  | { readonly kind: 'boolean' }
  /**
   * A time at 50 ticks a second, or a number of ticks (`isDuration`). Below zero it is minus the tick that `negative`
   * names, if set.
   */
  | {
      readonly kind: 'tick';
      readonly negative?: string;
      readonly isDuration?: true;
      readonly min?: number;
      readonly max?: number;
    }
  /** A number of milliseconds, seconds, minutes or percent. */
  | { readonly kind: 'amount'; readonly unit: string; readonly min?: number; readonly max?: number }
  /** A client's number; -1 for none where `min` allows it. */
  | { readonly kind: 'client'; readonly min: number; readonly names?: Names }
  /** 32 units are a tile; `scale` is above 1 where fractions of a unit are sent. */
  | { readonly kind: 'position'; readonly scale: number }
  /** The value divided by `scale`, in `unit`. */
  | { readonly kind: 'fixed'; readonly scale: number; readonly unit: string; readonly min?: number }
  | { readonly kind: 'enum'; readonly names: Names }
  /** An enumeration selected by another field of the item: `names[4]` where `field` is 4; a plain int otherwise. */
  | { readonly kind: 'enum_by'; readonly field: string; readonly names: Readonly<Record<number, Names>> }
  /** In an item with fewer ints than `renamed.ints`, some bits have other names. */
  | {
      readonly kind: 'flags';
      readonly names: Names;
      readonly renamed?: { readonly ints: number; readonly names: Names };
    }
  /** Text of 4 bytes an int, highest byte first, each plus 128, with a NUL at its end. */
  | { readonly kind: 'text'; readonly ints: number }
  | { readonly kind: 'uuid' }
  | { readonly kind: 'list'; readonly count: number; readonly of: Meaning; readonly labels?: readonly string[] };

/** The number that is sent → its name; in flags, the value of a bit → its name. */
export type Names = Readonly<Record<number, string>>;

type Of<Kind extends Meaning['kind']> = Extract<Meaning, { readonly kind: Kind }>;

type Words<Text extends string, Found extends string = never> = Text extends `${infer Line}\n${infer Rest}`
  ? Words<`${Line} ${Rest}`, Found>
  : Text extends `${infer Word} ${infer Rest}`
    ? Words<Rest, Found | Exclude<Word, ''>>
    : Found | Exclude<Text, ''>;

export const words = <const Text extends string>(text: Text) =>
  text.trim().split(/\s+/) as readonly string[] as readonly Words<Text>[];

/** Names of the numbers from 0 on. */
export const numbered = <const Text extends string>(names: Text) =>
  Object.fromEntries(words(names).entries()) as Readonly<Record<number, Words<Text>>>;

/** Names of further numbers beside others. */
export const withNames = <const More extends Names, Others extends Names>(more: More, others: Others) =>
  ({ ...more, ...others }) as Readonly<Record<number, More[keyof More & number] | Others[number]>>;

/** Names of the bits from the lowest on: 1, 2, 4, … */
export const bits = <const Text extends string>(names: Text) =>
  Object.fromEntries(words(names).map((name, i) => [2 ** i, name])) as Readonly<Record<number, Words<Text>>>;

export const int = <const Named extends Names>(min?: number, max?: number, names?: Named) =>
  ({ kind: 'int', min, max, names }) as Of<'int'> & { readonly names?: Named };
export const boolean: Of<'boolean'> = { kind: 'boolean' };
export const tick: Of<'tick'> = { kind: 'tick' };
/** A number of ticks rather than a point in time. */
export const tickCount: Of<'tick'> = { kind: 'tick', isDuration: true };
export const amount = (unit: string, min?: number, max?: number) =>
  ({ kind: 'amount', unit, min, max }) as Of<'amount'>;
export const client: Of<'client'> = { kind: 'client', min: 0 };
export const clientOrNone: Of<'client'> = { kind: 'client', min: -1 };
export const position: Of<'position'> = { kind: 'position', scale: 1 };
export const fixed = (scale: number, unit: string): Of<'fixed'> => ({ kind: 'fixed', scale, unit });
export const enumeration = <const Named extends Names>(names: Named) => ({ kind: 'enum', names }) as const;
export const enumerationBy = (field: string, names: Readonly<Record<number, Names>>): Of<'enum_by'> => ({
  kind: 'enum_by',
  field,
  names,
});
export const flags = <const Named extends Names>(names: Named) => ({ kind: 'flags', names }) as const;
export const text = (ints: number): Of<'text'> => ({ kind: 'text', ints });
export const uuid: Of<'uuid'> = { kind: 'uuid' };
export const list = <const Element extends Meaning>(count: number, of: Element, labels?: readonly string[]) =>
  ({ kind: 'list', count, of, labels }) as Of<'list'> & { readonly of: Element };

/** The number of ints that a field of this meaning occupies in an item. */
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

export interface ValueBounds {
  readonly min: number;
  readonly max: number;
}

const minInt = -(2 ** 31);
const maxInt = 2 ** 31 - 1;
/** The client number of the last of DDNet's 128 players. */
export const maxClient = 127;

/** The values that the games accept in a field; undefined where they accept all. */
export function valueBoundsOf(meaning: Meaning): ValueBounds | undefined {
  switch (meaning.kind) {
    case 'int':
    case 'amount': {
      const { min = minInt, max = maxInt } = meaning;
      return min === minInt && max === maxInt ? undefined : { min, max };
    }
    case 'tick':
      return meaning.min === undefined ? undefined : { min: meaning.min, max: meaning.max ?? maxInt };
    case 'fixed':
      return meaning.min === undefined ? undefined : { min: meaning.min, max: maxInt };
    case 'boolean':
      return { min: 0, max: 1 };
    case 'client':
      return { min: meaning.min, max: maxClient };
    case 'enum': {
      const values = Object.keys(meaning.names).map(Number);
      return { min: Math.min(...values), max: Math.max(...values) };
    }
    default:
      return undefined;
  }
}

/**
 * Whether a number is above those of an enumeration. Between two names there may be others, as 2 among the states of a
 * hook.
 */
export function isBeyond(meaning: Meaning & { kind: 'enum' }, value: number): boolean {
  return value > valueBoundsOf(meaning)!.max;
}

/** A tick a little below zero is minus some other time; no map has 2^17 tiles of 32 units. */
const minTick = -(2 ** 10);
const maxUnits = 2 ** 22;

/**
 * The values that are found in real recordings; undefined where any value is. The games accept ticks and positions
 * beyond them.
 */
export function plausibleBoundsOf(meaning: Meaning): ValueBounds | undefined {
  switch (meaning.kind) {
    case 'tick':
      return valueBoundsOf(meaning) ?? { min: meaning.negative === undefined ? minTick : -maxInt, max: maxInt };
    case 'position':
      return { min: -maxUnits * meaning.scale, max: maxUnits * meaning.scale };
    default:
      return valueBoundsOf(meaning);
  }
}
