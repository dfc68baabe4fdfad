import { expect, it } from 'vitest';
import { explainDelta } from '../../../src/analysis/explain/explanation.ts';
import type { Cause } from '../../../src/analysis/explain/hypothesis.ts';
import { idOf, typeOf } from '../../../src/wire/snapshot/key.ts';
import { ints } from '../../support/packet-builder.ts';
import { key, snapshotOf } from '../../support/readers.ts';
import { items, laser, pickup, playerInfo, protocol, sumOfBase } from '../../support/small-base.ts';

// The single failures that 1.0.0 named, from its tests of hypotheses: each is shown, or the first of what fits.

const older = snapshotOf([pickup, 17, 1000, 2000, 700], [laser, 2, 10, 20, 30, 40, 50]);
const stored = [[980, older] as const, [990, snapshotOf(...items)] as const];

const sound = ints(0, 2, 0, laser, 7, 100, 2, 3, 4, 5, playerInfo, 0, 0, 5, 0);
const flip = (bytes: readonly number[], byte: number, bit: number) => bytes.with(byte, bytes[byte]! ^ (1 << bit));
const many = Array.from({ length: 1021 }, (_, i) => [playerInfo, 100 + i, 0, 0, 0]).flat();

interface Named {
  readonly fault: string;
  readonly bytes: readonly number[];
  readonly announced: number;
  readonly cause: Cause;
  /** `4/17`, or nothing where no item is named. */
  readonly items?: readonly string[];
  readonly numbers?: Readonly<Record<string, number>>;
}

const cases: readonly Named[] = [
  {
    fault: 'a new item twice',
    bytes: ints(0, 2, 0, laser, 9, 100, 0, 0, 0, 0, laser, 9, 200, 0, 0, 0, 0),
    announced: sumOfBase + 300,
    cause: 'duplicate_key',
    items: ['3/9'],
  },
  {
    fault: 'an item of the base twice',
    bytes: ints(0, 2, 0, laser, 2, 1, 0, 0, 0, 0, laser, 2, 7, 0, 0, 0, 0),
    announced: sumOfBase + 7 + 151,
    cause: 'duplicate_key',
    items: ['3/2'],
  },
  {
    fault: 'an item twice, once as in the base',
    bytes: ints(0, 1, 0, playerInfo, 0, 1, 0, 0),
    announced: sumOfBase + 1 + 3785,
    cause: 'duplicate_key',
    items: ['4/17'],
  },
  {
    fault: 'an item removed though unchanged',
    bytes: ints(2, 0, 0, key(pickup, 17), key(laser, 2)),
    announced: sumOfBase - 150,
    cause: 'removed_unchanged',
    items: ['4/17'],
  },
  {
    fault: 'two items sent in full',
    bytes: ints(0, 2, 0, pickup, 17, 1000, 2000, 785, pickup, 18, 1605, 2400, 1),
    announced: sumOfBase + 5,
    cause: 'sent_in_full',
    items: ['4/17', '4/18'],
  },
  {
    fault: 'one of two items sent in full, with other values',
    bytes: ints(0, 2, 0, laser, 2, 60, 70, 80, 90, 100, playerInfo, 0, 0, 5, 0),
    announced: sumOfBase + 400 - 150 + 5,
    cause: 'sent_in_full',
    items: ['3/2'],
  },
  {
    fault: 'an item sent in full and one listed as removed',
    bytes: ints(1, 1, 0, key(laser, 2), pickup, 17, 1000, 2000, 785),
    announced: sumOfBase,
    cause: 'sent_in_full',
    items: ['4/17', '3/2'],
  },
  {
    fault: 'a pickup of 4 ints, as in the report of 2018',
    bytes: ints(0, 2, 0, pickup, 30, 100, 200, 1, 0, laser, 7, 1, 2, 3, 4, 5),
    announced: sumOfBase + 301 + 15,
    cause: 'other_size',
    numbers: { type: pickup, size: 4 },
  },
  {
    fault: 'a pickup whose size is sent',
    bytes: ints(0, 2, 0, pickup, 30, 3, 100, 200, 1, laser, 7, 1, 2, 3, 4, 5),
    announced: sumOfBase + 301 + 15,
    cause: 'other_size',
    numbers: { type: pickup, size: 0 },
  },
  {
    fault: 'a delta from an older snapshot',
    bytes: ints(0, 1, 0, laser, 2, 1, 0, 0, 0, 0),
    announced: 3700 + 151,
    cause: 'wrong_base',
    numbers: { base: 980 },
  },
  {
    fault: 'more than 1,024 items',
    bytes: ints(0, 1021, 0, ...many),
    announced: 0,
    cause: 'too_large',
    numbers: { found: 1025, limit: 1024 },
  },
  {
    fault: 'a flipped bit after which the rest is read differently',
    bytes: flip(sound, 5, 7),
    announced: sumOfBase + 114 + 5,
    cause: 'damaged',
    items: ['3/7'],
  },
  {
    fault: 'an item that is gone, and not listed as removed',
    bytes: ints(0, 1, 0, playerInfo, 0, 1, 0, 0),
    announced: sumOfBase + 1 - 4001,
    cause: 'not_removed',
    items: ['4/18'],
  },
];

it.each(cases)('$fault: $cause', ({ bytes, announced, cause, items: named, numbers = {} }) => {
  const [explanation] = explainDelta({
    ...{ protocol, tick: 1000, base: 990, before: snapshotOf(...items), stored },
    ...{ payload: Uint8Array.from(bytes), announced },
  });
  const { shown, fits } = explanation!;
  const [first] = [...shown, ...fits];
  expect(first).toMatchObject({ cause, numbers });
  if (named) expect(first!.keys.map((one) => `${typeOf(one)}/${idOf(one)}`)).toEqual(named);
});
