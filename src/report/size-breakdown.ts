import type { ItemTally } from '../stats/item-tallies.ts';
import type { Tally } from '../stats/tally.ts';

/** The size of one kind of data in a recording. */
export interface SizeEntry {
  readonly name: string;
  readonly kind: 'item' | 'message' | 'other';
  readonly times: number;
  readonly bits: number;
  /** The fields of an item, largest first; empty for anything else. */
  readonly fields: readonly { readonly name: string; readonly changed: number; readonly bits: number }[];
}

/** Where the bits of a recording go, largest first. The entries add up to all bits of the file. */
export function sizeBreakdown(tally: Tally): SizeEntry[] {
  const others = (kind: SizeEntry['kind']) => (count: { name: string; times: number; bits: number }) => ({
    name: count.name.replaceAll('_', kind === 'other' ? ' ' : '_'),
    kind,
    times: count.times,
    bits: count.bits,
    fields: [],
  });
  return [
    ...tally.items.all.map(itemEntry),
    ...[...tally.messages.values()].map(others('message')),
    ...[...tally.parts.values()].map(others('other')),
  ]
    .filter(({ bits }) => bits > 0)
    .sort((a, b) => b.bits - a.bits);
}

function itemEntry({ name, uuid, type, sent, bits, fields }: ItemTally): SizeEntry {
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
