import { intsOf, type Meaning } from '../../src/wire/protocol/meaning.ts';
import { textInts, uuidInts } from '../encode.mjs';

const number = (int: number) => ({ ints: [int], values: [int as number | string] });

/**
 * Ints that every game accepts for a meaning, different from place to place where that is possible, and the values that
 * they are.
 * @param place counts the values of an item or message
 */
export function valuesFor(meaning: Meaning, place: number): { ints: number[]; values: (number | string)[] } {
  switch (meaning.kind) {
    case 'boolean':
      return number(place & 1);
    case 'client':
      return number(place % 16);
    case 'enum': {
      const named = Object.keys(meaning.names)
        .map(Number)
        .filter((value) => value >= 0);
      return number(named[place % named.length]!);
    }
    case 'enum_by':
      return number(0);
    case 'flags': {
      const named = Object.keys(meaning.names).map(Number);
      return number(named[place % named.length] ?? 0);
    }
    case 'text': {
      const text = `s${place}`;
      return { ints: textInts(text, meaning.ints), values: [text] };
    }
    case 'uuid': {
      const text = `0${(place % 10).toString()}234567-89ab-3def-8123-456789abcdef`;
      return { ints: uuidInts(text), values: [text] };
    }
    case 'list': {
      const each = Array.from({ length: meaning.count }, (_, i) => valuesFor(meaning.of, place + i));
      return { ints: each.flatMap(({ ints }) => ints), values: each.flatMap(({ values }) => values) };
    }
    case 'position':
    case 'fixed':
      return number(place);
    default: {
      const { min = 0, max = 2 ** 31 - 1 } = meaning;
      return number(Math.min(Math.max(min, place), max));
    }
  }
}

/** Values from 2 on, so that none is what is there by chance. */
const firstValue = 2;

/** The ints of an item with these fields. */
export function itemValues(fields: readonly { readonly meaning: Meaning }[]) {
  const ints: number[] = [];
  const values: (number | string)[] = [];
  for (const { meaning } of fields) {
    const own = valuesFor(meaning, firstValue + ints.length);
    if (own.ints.length !== intsOf(meaning)) throw new Error(`not ${intsOf(meaning)} ints`);
    ints.push(...own.ints);
    values.push(...own.values);
  }
  return { ints, values };
}
