import { describe, expect, it } from 'vitest';
import { protocolOf } from '../../src/protocol/registry.ts';
import type { SnapshotEntry } from '../../src/recording/record.ts';
import { Batch } from '../../src/tables/batch.ts';
import { itemsOfAllTypes } from '../../src/tables/record-rows.ts';
import { snapshotOf } from '../support/readers.ts';

const everything = { all: true, item: () => true, message: () => true };

const pickup = 4;
const flag = 5;

/** The values in the rows of snapshots one after another. */
function valuesOf(...snapshots: number[][][]): unknown[][] {
  const rows = itemsOfAllTypes(everything, 'x');
  const at = rows.schema.columns.findIndex(({ name }) => name === 'values');
  return snapshots.map((items, tick) => {
    const batch = new Batch(rows.schema);
    const snapshot = snapshotOf(...(items as [number, number, ...number[]][]));
    const stream = { number: 1, mapChanges: 0, client: '', protocol: protocolOf('0.6') };
    rows.add({ record: 'snapshot', stream, tick, snapshot } as unknown as SnapshotEntry, batch);
    return Array.from({ length: batch.rows }, (_, row) => batch.columns[at]!.at(row));
  });
}

describe('itemsOfAllTypes', () => {
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
