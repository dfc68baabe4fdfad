import { bitsOfSecond } from '../../stats/tally.ts';
import { fieldName, labelOf, type StatsBy, type StatsReport } from '../table/stats-rows.ts';

type Row = (string | number | undefined)[];

/** The columns of each table; every row begins with the file. */
export const statsCsvHeads: Readonly<Record<StatsBy, readonly string[]>> = {
  type: ['file', 'kind', 'name', 'sent', 'full', 'new', 'updated', 'changed', 'removed', 'bits', 'estimate_bits'],
  field: ['file', 'item', 'field', 'sent', 'changed', 'bits', 'estimate_bits'],
  player: ['file', 'client', 'name', 'sent', 'changed', 'bits', 'estimate_bits'],
  second: [
    'file',
    'second',
    'snapshots',
    'most_items',
    'messages',
    'snapshot_bits',
    'message_bits',
    'other_bits',
    'bits',
  ],
};

/** The rows of a table. The bits of `type` add up to the whole file, those of `field` and `player` to all items. */
export function statsCsv({ file, stats: { tally } }: StatsReport, by: StatsBy): Row[] {
  switch (by) {
    case 'field':
      return tally.items.all.flatMap((item) =>
        item.fields.map((one) => {
          return [file, labelOf(item), fieldName(one), item.sent, one.changed, one.bits, one.estimate];
        }),
      );
    case 'player':
      return tally.players.all.map((one) => {
        return [file, one.client, one.name, one.sent, one.changed, one.bits, one.estimate];
      });
    case 'second':
      return tally.seconds.all.map((one) => {
        const bits = [one.snapshotBits, one.messageBits, one.otherBits, bitsOfSecond(one)];
        return [file, one.second, one.snapshots, one.items, one.messages, ...bits];
      });
    default:
      return [
        ...tally.items.all.map((one): Row => {
          const { sent, full, updated, changed, removed, bits, estimate } = one;
          return [file, 'item', labelOf(one), sent, full, one.new, updated, changed, removed, bits, estimate];
        }),
        ...[...tally.messages.values()].map(countedRow(file, 'message')),
        ...[...tally.parts.values()].map(countedRow(file, 'part')),
      ];
  }
}

const countedRow =
  (file: string, kind: string) =>
  ({ name, times, bits }: { readonly name: string; readonly times: number; readonly bits: number }): Row => [
    file,
    kind,
    name,
    times,
    ...new Array(5).fill(undefined),
    bits,
    undefined,
  ];
