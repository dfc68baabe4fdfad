import { describe, expect, it } from 'vitest';
import { ItemsCsv } from '../../../src/output/tables/table-csv.ts';
import type { SnapshotEntry } from '../../../src/recording/replay/record.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { snapshotOf } from '../../support/readers.ts';

const everything = { all: true, item: () => true, message: () => true };

const pickup = 4;
const flag = 5;

/** The last column of the rows of snapshots one after another. */
function valuesOf(...snapshots: number[][][]): string[][] {
  const csv = new ItemsCsv(everything, 'x', false);
  return snapshots.map((items, tick) => {
    const snapshot = snapshotOf(...(items as [number, number, ...number[]][]));
    const stream = { number: 1, mapChanges: 0, client: '', protocol: protocolOf('0.6') };
    const entry = { record: 'snapshot', stream, tick, snapshot } as unknown as SnapshotEntry;
    csv.clock.at(entry);
    const lines = csv.add(entry);
    const rows = new TextDecoder().decode(lines).split('\n').slice(0, -1);
    for (const [i, row] of rows.entries()) {
      expect(row.split(',').slice(0, -2)).toEqual([
        'x',
        '1',
        '0',
        '',
        `${tick / 50}`,
        '',
        '',
        `${tick}`,
        `${items[i]![1]}`,
        `${items[i]![0]}`,
      ]);
    }
    return rows.map((row) => row.slice(row.lastIndexOf(',') + 1));
  });
}

describe('ItemsCsv', () => {
  it('has the values of each snapshot, whether they changed or not', () => {
    const repeated = [
      [flag, 7, 1, 2, 3],
      [flag, 7, 1, 2, 4],
    ];
    expect(
      valuesOf([[pickup, 0, 1, 2, 3, 0]], [[pickup, 0, 1, 2, 3, 0]], [[pickup, 0, 1, 9, 3, 0]], repeated, repeated),
    ).toEqual([
      ['x=1 y=2 type=3 subtype=0'],
      ['x=1 y=2 type=3 subtype=0'],
      ['x=1 y=9 type=3 subtype=0'],
      ['x=1 y=2 team=3', 'x=1 y=2 team=4'],
      ['x=1 y=2 team=3', 'x=1 y=2 team=4'],
    ]);
  });

  it('distinguishes an item with fewer ints from one with all', () => {
    expect(valuesOf([[flag, 7, 1, 2, 3]], [[flag, 7, 1, 2]], [[flag, 7, 1, 2, 3]])).toEqual([
      ['x=1 y=2 team=3'],
      ['x=1 y=2 team='],
      ['x=1 y=2 team=3'],
    ]);
  });
});
