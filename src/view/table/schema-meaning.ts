import type { Field } from '../../protocol/item.ts';
import type { Meaning, Names } from '../../protocol/meaning.ts';
import { ticksPerSecond } from '../../protocol/ticks.ts';
import { count } from '../text/number.ts';

/**
 * The text of a meaning: its kind (`kind`), its own properties (`about`), a note on all meanings of this kind (`hint`), and the
 * names of its values.
 */
export interface MeaningText {
  readonly kind: string;
  readonly about: string;
  readonly hint: string;
  readonly names: readonly Named[];
}

export interface Named {
  readonly value: string;
  readonly name: string;
}

/** @param fields the fields of the item, since one field may select the meaning of another */
export function meaningText(meaning: Meaning, fields: readonly Field[] = []): MeaningText {
  const { kind } = meaning;
  const none = { kind, about: '', hint: '', names: [] };
  switch (kind) {
    case 'int':
      return { ...none, about: range(meaning), names: named(meaning.names) };
    case 'boolean':
      return none;
    case 'tick':
      return {
        ...none,
        about: meaning.negative ? `below zero: minus ${meaning.negative}` : '',
        hint: `${ticksPerSecond} a second`,
      };
    case 'amount':
      return { ...none, about: [meaning.unit, range(meaning)].filter(Boolean).join(', ') };
    case 'client':
      return { ...none, names: named(meaning.names ?? { [-1]: 'nobody' }) };
    case 'position':
      return { ...none, about: meaning.scale === 1 ? '' : `×${meaning.scale}`, hint: '32 units a tile' };
    case 'fixed':
      return { ...none, about: `×${meaning.scale} ${meaning.unit}`.trim() };
    case 'enum':
      return { ...none, names: named(meaning.names) };
    case 'enum_by':
      return { ...none, kind: 'enum', about: `by ${meaning.field}`, names: selectedNames(meaning, fields) };
    case 'flags':
      return { ...none, names: bits(meaning.names) };
    case 'text':
      return { ...none, about: `at most ${count(4 * meaning.ints - 1, 'byte')}`, hint: count(meaning.ints, 'int') };
    case 'uuid':
      return { ...none, hint: '4 ints, big-endian' };
    case 'list':
      return listText(meaning);
  }
}

function listText({ count: length, of, labels }: Meaning & { kind: 'list' }): MeaningText {
  const each = meaningText(of);
  const names = labels?.map((name, i) => ({ value: `[${i}]`, name })) ?? each.names;
  return { ...each, kind: `${length} × ${each.kind}`, names };
}

function range({ min, max }: { readonly min?: number; readonly max?: number }): string {
  if (min === undefined) return max === undefined ? '' : `at most ${max}`;
  return max === undefined ? `at least ${min}` : `${min} to ${max}`;
}

function named(names: Names = {}): Named[] {
  const values = Object.keys(names).map(Number);
  return values.sort((a, b) => a - b).map((value) => ({ value: String(value), name: names[value]! }));
}

/** `dragger 0 weak`: each value follows the name of the value that selects it. */
function selectedNames({ field, names }: Meaning & { kind: 'enum_by' }, fields: readonly Field[]): Named[] {
  const selector = fields.find(({ name }) => name === field)?.meaning;
  const selectors = selector?.kind === 'enum' ? selector.names : {};
  return Object.entries(names).flatMap(([key, values]) =>
    named(values).map(({ value, name }) => ({ value: `${selectors[Number(key)] ?? key} ${value}`, name })),
  );
}

/** Many bits are easier to read in hexadecimal. */
function bits(names: Names): Named[] {
  const values = Object.keys(names).map(Number);
  const hex = values.some((value) => value > 0xff);
  return values.map((value) => ({ value: hex ? `0x${value.toString(16)}` : String(value), name: names[value]! }));
}
