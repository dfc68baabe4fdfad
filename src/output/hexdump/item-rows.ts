import type { Value } from '../../wire/annotate/field-values.ts';
import type { ItemNode } from '../../wire/annotate/item-node.ts';
import type { Segment } from '../text/layout.ts';
import type { Theme } from '../text/theme.ts';
import { token } from './hexdump.ts';

/** The values of an item that are not 0: `x=784`, `weapon=1 (gun)`. With `verbose`, those that are 0, too. */
export function valueWords(
  item: ItemNode,
  { theme, verbose }: { readonly theme: Theme; readonly verbose: boolean },
  isShown = (_: Value) => true,
): Segment[] {
  return [...item.values()].filter(isShown).flatMap((value) => {
    const described = item.describe(value);
    if (!verbose && described.value === 0 && described.symbol === undefined) return [];
    const text = token({ start: 0, end: 0, label: value.label, ...described }, false);
    return [{ text, style: theme.role[described.role] }];
  });
}
