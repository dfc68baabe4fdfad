import { describeChange, describeValue } from '../../wire/annotate/describe.ts';
import { type Value, valuesUpTo } from '../../wire/annotate/field-values.ts';
import type { Change } from '../../wire/annotate/span.ts';
import type { ItemTypes } from '../../wire/snapshot/item-types.ts';
import type { Segment } from '../text/layout.ts';
import type { Theme } from '../text/theme.ts';
import { token } from './hexdump.ts';

/** `obj_character 0`, `type 9 0` */
export const itemTitle = (types: ItemTypes, type: number, id: number): string => `${types.nameOf(type)} ${id}`;

/** The values of an item that are not 0: `x=784`, `weapon=1 (gun)`. With `verbose`, those that are 0, too. */
export function valueWords(
  types: ItemTypes,
  type: number,
  ints: Int32Array,
  { theme, verbose }: { readonly theme: Theme; readonly verbose: boolean },
  isShown = (_: Value) => true,
): Segment[] {
  return [...valuesUpTo(types.of(type), ints.length)].filter(isShown).flatMap((value) => {
    const described = describeValue(value, ints, false, types);
    if (!verbose && described.value === 0 && described.symbol === undefined) return [];
    const text = token({ start: 0, end: 0, label: value.label, ...described }, false);
    return [{ text, style: theme.role[described.role] }];
  });
}

export function* changesOf(types: ItemTypes, type: number, before: Int32Array, after: Int32Array) {
  for (const value of valuesUpTo(types.of(type), Math.max(before.length, after.length))) {
    const change: Change = describeChange(value, before, after);
    if (change.old !== change.new) yield { value, change };
  }
}
