import type { ItemTally } from '../stats/item-tally.ts';
import type { Tally } from '../stats/tally.ts';

/** What something took of a recording. */
export interface SizeEntry {
  readonly name: string;
  readonly kind: 'item' | 'message' | 'other';
  readonly times: number;
  readonly bits: number;
  /** Of an item, where there are several: largest first. */
  readonly fields: readonly { readonly name: string; readonly changed: number; readonly bits: number }[];
}

/** Where the bits of a recording go, largest first: they add up to all. */
export function sizeBreakdown(tally: Tally): SizeEntry[] {
  const others = (kind: SizeEntry['kind']) => (counted: { name: string; times: number; bits: number }) => ({
    name: counted.name.replaceAll('_', kind === 'other' ? ' ' : '_'),
    kind,
    times: counted.times,
    bits: counted.bits,
    fields: [],
  });
  return [
    ...tally.items.all.map(weightOf),
    ...[...tally.messages.values()].map(others('message')),
    ...[...tally.parts.values()].map(others('other')),
  ]
    .filter(({ bits }) => bits > 0)
    .sort((a, b) => b.bits - a.bits);
}

function weightOf({ name, uuid, type, sent, bits, fields }: ItemTally): SizeEntry {
  return {
    name: name ?? uuid ?? (type === undefined ? 'other items' : `type ${type}`),
    kind: 'item',
    times: sent,
    bits,
    fields: fields
      .filter((field) => field.bits > 0)
      .map((field) => ({ name: field.name ?? 'type, id, size or key', changed: field.changed, bits: field.bits }))
      .sort((a, b) => b.bits - a.bits),
  };
}
