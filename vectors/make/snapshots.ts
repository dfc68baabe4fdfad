import { checksum, intsHex, keyOf, snapshotInts, toHex } from '../encode.mjs';
import { counting, type Item } from './deltas.ts';
import { Seeded } from './seeded.ts';
import type { About, Vectors } from './vector.ts';

const source = 'CSnapshot::IsValid in snapshot.cpp, CSnapshotBuilder::UnserializeSnap of Teeworlds';
const row = (text: string, note?: string): About => ({ source, row: `snapshot: ${text}`, ...(note && { note }) });
const protocol = '0.6';

const a: Item = [5, 1, [1, 2, 3]];
const b: Item = [4, 7, [4, 5, 6, 7]];

/** Whole snapshots, as in keyframes of demos: `data_size num_items offset… { key data… }…`, packed. */
export function makeSnapshots(vectors: Vectors): void {
  const read = (ints: readonly number[], items: readonly Item[], about: About = { source }) =>
    vectors.valid('snapshot', { protocol, in: intsHex(ints) }, { items, crc: checksum(items) }, about);
  const whole = (items: readonly Item[], note: string) => read(snapshotInts(items), items, { source, note });
  whole([], 'nothing');
  whole([a], 'one item');
  whole([b, a], 'in their order');
  whole([[300, 5, []], a], 'an item without ints');
  whole([[0x7fff, 0xffff, [1]]], 'the largest key');
  whole(
    [
      [0, 0x7fff, [1, 2, 3, 4]],
      [0x7fff, 2, counting(9)],
    ],
    'a registration and its item',
  );
  whole([[5, 1, [2 ** 31 - 1, 1, -7]]], 'the checksum wraps at 32 bits');
  const many = Array.from({ length: 1024 }, (_, id): Item => [300, id, [id]]);
  whole(many, '1,024 items');

  const random = new Seeded(7);
  for (let i = 0; i < 8; i++) {
    const items = Array.from({ length: 1 + random.below(6) }, (_, id): Item => {
      return [200 + random.below(100), id, random.ints(random.below(8))];
    });
    read(snapshotInts(items), items);
  }
  makeOdd(vectors, read);
  makeWrong(vectors);
  makeUnpacked(vectors);
}

/** Ints of 32 bits, the lowest byte first, as they are in memory. */
function makeUnpacked(vectors: Vectors): void {
  const hex = toHex(
    snapshotInts([a]).flatMap((int) => [int & 0xff, (int >> 8) & 0xff, (int >> 16) & 0xff, int >>> 24]),
  );
  const question = (bytes: string) => ({ protocol, in: bytes, unpacked: true });
  vectors.valid('snapshot', question(hex), { items: [a], crc: checksum([a]) }, { source, note: 'unpacked' });
  const cut = { source, row: 'int: unpacked ints whose number of bytes is not a multiple of 4' };
  vectors.invalid('snapshot', question(`${hex}00`), cut);
  vectors.invalid('snapshot', question(hex.slice(0, -2)), cut);
}

function makeOdd(
  vectors: Vectors,
  read: (ints: readonly number[], items: readonly Item[], about: About) => void,
): void {
  read(snapshotInts([a, a]), [a, a], row('the same key twice'));
  read([8, 0, 7, 9], [], row('data, but no items'));
  const shifted = [4 + 4 * 4, 1, 4, 99, ...body(a)];
  vectors.acceptable(
    'snapshot',
    { protocol, in: intsHex(shifted) },
    { items: [a], crc: checksum([a]) },
    ['accepted', 'misread'],
    row('first offset is not 0', 'the int before it belongs to no item'),
  );
  const question = { protocol, in: intsHex([8, 1, 0, keyOf(0x8000, 1), 7]) };
  // An int has a sign, and so has what is above its 16th bit.
  const signed = { items: [[-0x8000, 1, [7]]], crc: 7 };
  const about = row('key with a type above 0x7fff');
  vectors.acceptable('snapshot', question, undefined, ['crashes', { does: 'accepted', out: signed }], about);
  for (const data of [counting(2), counting(4)]) {
    const item: Item = [5, 1, data];
    read(snapshotInts([item]), [item], { note: 'an item ends where the next begins: no agreed size is asked', source });
  }
}

const body = ([type, id, data]: Item) => [keyOf(type, id), ...data];

function makeWrong(vectors: Vectors): void {
  const refused = (ints: readonly number[], about: About) =>
    vectors.invalid('snapshot', { protocol, in: intsHex(ints) }, about);
  const cut = 'fewer ints than `data_size` and `num_items` announce';
  for (const [ints, note] of [
    [[], 'no int'],
    [[0], 'one int'],
    [[16, 1], 'no offset'],
    [[16, 1, 0], 'no item'],
    [snapshotInts([a]).slice(0, -1), 'one int is missing'],
  ] as const)
    refused(ints, row(cut, note));
  refused([...snapshotInts([a]), 0], row('more ints'));
  refused([0, 0, 0], row('more ints'));
  refused([-4, 0], row('negative `data_size`'));
  for (const offset of [-4, 20]) refused([16, 1, offset, ...body(a)], row('offset below 0, or beyond the data'));
  refused([16, 1, 16, ...body(a)], { ...row('offset that is less than 4 above the one before'), note: 'at the end' });
  const order = row('offset that is less than 4 above the one before');
  refused([16, 2, 0, 0, ...body(a)], { ...order, note: 'the same offset twice' });
  refused([16, 2, 8, 0, ...body(a)], { ...order, note: 'a lower one' });

  const differ = (ints: readonly number[], teeworlds: string, about: About) =>
    vectors.acceptable('snapshot', { protocol, in: intsHex(ints) }, undefined, ['refused', teeworlds], about);
  refused([18, 1, 0, ...body(a)], row('`data_size` that is not a multiple of 4'));
  differ([16, 1, 2, ...body(a)], 'misread', row('offset that is not a multiple of 4'));
  differ([20, -1, ...body(a)], 'crashes', row('negative `num_items`'));

  refused([16, -1, ...body(a)], { source, note: 'a negative number of items, and ints as if there were none' });

  const many = Array.from({ length: 1025 }, (_, id): Item => [300, id, []]);
  refused(snapshotInts(many), row('more than 1,024 items', '1,025 items'));
  // Eight bytes of header, an offset and a key, then the ints.
  const most = (1 << 14) - 4;
  const wide = (ints: number): Item => [300, 0, new Array(ints).fill(1)];
  vectors.acceptable(
    'snapshot',
    { protocol, in: intsHex(snapshotInts([wide(most)])) },
    { items: [wide(most)], crc: most },
    ['accepted', 'refused'],
    { note: 'exactly 64 KiB: Teeworlds has a sorted list of keys besides, which is counted', source },
  );
  refused(snapshotInts([wide(most + 1)]), row('more than 64 KiB', 'one int more'));
}
