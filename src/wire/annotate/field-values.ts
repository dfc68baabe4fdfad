import { getOr } from '../bytes/get-or.ts';
import type { Field, ItemType } from '../protocol/item.ts';
import { enumeration, flags, intsOf, type Meaning } from '../protocol/meaning.ts';
import { textOfInts, uuidOfInts } from '../protocol/texts.ts';

/** One value of an item: a field, or an element of a list field. */
export interface Value {
  readonly label: string;
  readonly meaning: Meaning;
  /** Index of its first int in the item's data, and the number of its ints. */
  readonly at: number;
  readonly ints: number;
  /** Index of the int that selects the enumeration, where the meaning is `enum_by`. */
  readonly selectedBy?: number;
  /** False for an int of an unknown item and for one after the known fields. */
  readonly known: boolean;
  /** Whether it is in an extended item, whose bounds are DDNet's in all versions. */
  readonly isExtended?: boolean;
}

const plain: Meaning = { kind: 'int' };
const cache = new WeakMap<ItemType, readonly Value[]>();

/**
 * The values of an item in order; the elements of a list are values of their own: `status[0]`, `tune_params[gravity]`.
 */
export const valuesOf = (type: ItemType): readonly Value[] =>
  getOr(cache, type, () => {
    const isExtended = type.uuid !== undefined;
    return type.fields.flatMap((field) => split(field, type)).map((value) => ({ ...value, isExtended }));
  });

/** The values in the first `length` ints of an item: those of its type that are complete, then unnamed ones. */
export function* valuesUpTo(type: ItemType | undefined, length: number): Iterable<Value> {
  let at = 0;
  for (const value of type ? valuesOf(type) : []) {
    if (at >= length) return;
    if (at + value.ints > length) break;
    yield value;
    at += value.ints;
  }
  for (; at < length; at++) yield { label: `data[${at}]`, meaning: plain, at, ints: 1, known: false };
}

/**
 * A text or UUID as a string, any other value as its int; undefined for a text field without valid text.
 * @param areDifferences whether the ints may be the differences of a delta, which are rarely valid text
 */
export function readValue(value: Value, ints: ArrayLike<number>, areDifferences = false): number | string | undefined {
  if (value.meaning.kind === 'text') return textOfInts(ints, value.at, value.ints, areDifferences);
  if (value.meaning.kind === 'uuid') return uuidOfInts(ints, value.at);
  return ints[value.at]!;
}

/**
 * The meaning of a value in its item: an `enum_by` has the enumeration that another value selects; a difference selects
 * none.
 */
export function meaningIn({ meaning, selectedBy }: Value, ints: ArrayLike<number>, areDifferences = false): Meaning {
  if (meaning.kind === 'flags' && meaning.renamed && ints.length < meaning.renamed.ints)
    return flags({ ...meaning.names, ...meaning.renamed.names });
  if (meaning.kind !== 'enum_by') return meaning;
  const names = areDifferences || selectedBy === undefined ? undefined : meaning.names[ints[selectedBy]!];
  return names ? enumeration(names) : plain;
}

function split({ name, meaning, at }: Field, { fields }: ItemType): Value[] {
  if (meaning.kind === 'enum_by') {
    const selectedBy = fields.find((field) => field.name === meaning.field)?.at;
    return [{ label: name, meaning, at, ints: 1, known: true, ...(selectedBy === undefined ? {} : { selectedBy }) }];
  }
  if (meaning.kind !== 'list') return [{ label: name, meaning, at, ints: intsOf(meaning), known: true }];
  const ints = intsOf(meaning.of);
  return Array.from({ length: meaning.count }, (_, i) => ({
    label: `${name}[${meaning.labels?.[i] ?? i}]`,
    meaning: meaning.of,
    at: at + i * ints,
    ints,
    known: true,
  }));
}
