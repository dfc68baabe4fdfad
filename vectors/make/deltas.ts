import { checksum, deltaInts, intsHex, keyOf, sizes } from '../encode.mjs';
import { Seeded } from './seeded.ts';
import type { About, Vectors } from './vector.ts';

export type Item = readonly [type: number, id: number, data: readonly number[]];
type Version = '0.6' | '0.7';
const versions = ['0.6', '0.7'] as const;

const source = 'CSnapshotDelta::UnpackDelta in snapshot.cpp';
const row = (text: string, note?: string): About => ({ source, row: `delta: ${text}`, ...(note && { note }) });

/** Ints from `first` on, each one more than the one before. */
export const counting = (count: number, first = 1): number[] => Array.from({ length: count }, (_, i) => first + i);

const largestId = 0xffff;
const largestType = 0x7fff;

export function makeDeltas(vectors: Vectors): void {
  for (const protocol of versions) {
    makeSizes(vectors, protocol);
    makeOdd(vectors, protocol);
    makeWrong(vectors, protocol);
    makeRandomDeltas(vectors, protocol);
  }
  makeSizes(vectors, '0.5');
  makeApplied(vectors);
  makeOddApplied(vectors);
  makeWrongApplied(vectors);
  for (const protocol of versions) makeRandomApplied(vectors, protocol);
}

/** Types whose size both sides know, and those whose size is sent. */
function makeSizes(vectors: Vectors, protocol: Version | '0.5'): void {
  const read = (removed: readonly number[], updates: readonly Item[], about: About) => {
    const question = { protocol, in: intsHex(deltaInts(protocol, removed, updates)) };
    vectors.valid('delta', question, { removed, updates }, { source, ...about });
  };
  const agreed = sizes[protocol];
  read([], [], { note: 'nothing' });
  for (let type = 1; type < agreed.length; type++)
    read([], [[type, 3, counting(agreed[type]!, type)]], { note: 'the size is not sent' });
  for (const type of [0, agreed.length, agreed.length + 1, 62, 63, 64, 100, 0x4000, largestType])
    read([], [[type, 9, counting(3)]], { note: 'the size is sent' });
  read([], [[largestType - 1, 0, []]], { note: 'an item without ints' });
  const removed = [keyOf(9, 2), keyOf(5, 1)];
  const updates: Item[] = [
    [2, largestId, counting(6)],
    [200, 0, [7]],
  ];
  read(removed, updates, { note: 'removed keys, then updates; the largest id' });
  read([keyOf(largestType, largestId)], [], { note: 'the largest key' });
}

function makeOdd(vectors: Vectors, protocol: Version): void {
  const read = (ints: readonly number[], removed: readonly number[], updates: readonly Item[], about: About) =>
    vectors.valid('delta', { protocol, in: intsHex(ints) }, { removed, updates }, about);
  const update: Item = [2, 1, counting(6)];
  const whole = deltaInts(protocol, [], [update]);
  read(deltaInts(protocol, [], [update], { zero: 77 }), [], [update], row('third int is not 0'));
  read(deltaInts(protocol, [], [], { zero: -1 }), [], [], row('third int is not 0'));
  const excess = row('ints after the last update');
  read([...deltaInts(protocol, [], []), 10, 11], [], [], excess);
  read([...whole, 0], [], [update], excess);
  const none = row('negative number of updates');
  read([0, -1, 0], [], [], none);
  read([1, -(2 ** 31), 0, 7], [7], [], none);
}

function makeWrong(vectors: Vectors, protocol: Version): void {
  const refused = (ints: readonly number[], about: About) =>
    vectors.invalid('delta', { protocol, in: intsHex(ints) }, about);
  const cut = (note: string) => row('fewer updates or ints than announced', note);
  refused([], cut('no int'));
  refused([0, 0], cut('two ints'));
  refused([0, 1, 0], cut('one update is announced'));
  refused([1, 0, 0], cut('one removed item is announced'));
  refused([3, 0, 0, 1, 2], cut('three removed items are announced, two are there'));
  refused([0, 1, 0, 2, 1, 5, 5], cut('ints of the item are missing'));
  refused([0, 1, 0, 2], cut('it ends after a type'));
  refused([0, 1, 0, 100, 1], cut('it ends before a size'));
  refused([0, 1, 0, 100, 1, 9, 5], cut('size 9, one int'));
  refused([0, 2, 0, 100, 1, 1, 5], cut('two updates are announced, one is there'));
  refused([2 ** 31 - 1, 0, 0, 1], cut('more removed items than memory'));
  refused([0, 1, 0, 100, 1, 2 ** 31 - 1, 5], cut('a larger size than memory'));
  for (const size of [-1, -(2 ** 29)]) refused([0, 1, 0, 100, 1, size], row('negative size'));
  for (const size of [-(2 ** 31), 2 ** 30])
    vectors.acceptable(
      'delta',
      { protocol, in: intsHex([0, 1, 0, 100, 1, size]) },
      undefined,
      ['refused', { does: 'accepted', out: { removed: [], updates: [[100, 1, []]] } }],
      { source, note: 'a size that is 0 in bytes, since four times it wraps' },
    );
  refused([0, 1, 0, -1, 1, 1, 0], row('negative type'));

  /** @param item as it is in the snapshot: type and id are the halves of a key, which has a sign */
  const differ = (ints: readonly number[], item: Item, about: About) => {
    const teeworlds = { does: 'accepted', out: { removed: [], updates: [item] } };
    vectors.acceptable('delta', { protocol, in: intsHex(ints) }, undefined, ['refused', teeworlds], about);
  };
  differ([0, 1, 0, largestType + 1, 1, 1, 0], [-largestType - 1, 1, [0]], row('type above 0x7fff'));
  const ids = 'negative id, or one above 0xffff';
  if (protocol === '0.7') {
    differ([0, 1, 0, 100, largestId + 1, 1, 4], [100, 0, [4]], row(ids, 'the low 16 bits'));
    differ([0, 1, 0, 100, -1, 1, 4], [100, largestId, [4]], row(ids, 'the low 16 bits'));
  } else {
    const carried = 'it is added to the type in the key';
    differ([0, 1, 0, 100, largestId + 1, 1, 4], [101, 0, [4]], row(ids, carried));
    differ([0, 1, 0, 100, -1, 1, 4], [-1, largestId, [4]], row(ids, carried));
  }
  vectors.acceptable(
    'delta',
    { protocol, in: intsHex([-1, 0, 0]) },
    undefined,
    ['refused', 'misread'],
    row('negative number of removed items'),
  );
}

function makeRandomDeltas(vectors: Vectors, protocol: Version): void {
  const random = new Seeded(5);
  const types = [...sizes[protocol].keys()].slice(1);
  for (let i = 0; i < 10; i++) {
    const updates = Array.from({ length: 1 + random.below(5) }, (_, k): Item => {
      const type = random.pick([...types, 100, 300, largestType]);
      const size = sizes[protocol][type] ?? random.below(5);
      return [type, 10 * k + random.below(9), random.ints(size)];
    });
    const removed = Array.from({ length: random.below(4) }, () => keyOf(1 + random.below(20), random.below(64)));
    const question = { protocol, in: intsHex(deltaInts(protocol, removed, updates)) };
    vectors.valid('delta', question, { removed, updates }, { source });
  }
}

const applied = (base: readonly Item[], removed: readonly number[], updates: readonly Item[], protocol = '0.6') => ({
  protocol,
  base,
  in: intsHex(deltaInts(protocol as Version, removed, updates)),
});

const a: Item = [5, 1, [1, 2, 3]];
const b: Item = [5, 2, [4, 5, 6]];
const keyA = keyOf(5, 1);

function makeApplied(vectors: Vectors): void {
  const read = (base: readonly Item[], removed: number[], updates: Item[], items: readonly Item[], note: string) =>
    vectors.valid('apply', applied(base, removed, updates), { items, crc: checksum(items) }, { note, source });
  const most = 2 ** 31 - 1;
  const least = -(2 ** 31);
  read([], [], [], [], 'nothing to nothing');
  read([], [], [a], [a], 'a new item');
  read([a], [], [], [a], 'items that are not updated stay');
  read([a], [], [[5, 1, [1, 0, -1]]], [[5, 1, [2, 2, 2]]], 'a difference is added');
  read([[5, 1, [most, least, 0]]], [], [[5, 1, [1, -1, 0]]], [[5, 1, [least, most, 0]]], 'sums wrap at 32 bits');
  read([a, b], [keyA], [], [b], 'a removed item');
  read([a, b], [keyA, keyOf(5, 2)], [], [], 'all removed');
  read(
    [
      [5, 9, [1, 1, 1]],
      [5, 1, [2, 2, 2]],
      [4, 7, [3, 3, 3, 3]],
    ],
    [],
    [
      [5, 1, [1, 1, 1]],
      [5, 0, [9, 9, 9]],
    ],
    [
      [5, 9, [1, 1, 1]],
      [5, 1, [3, 3, 3]],
      [4, 7, [3, 3, 3, 3]],
      [5, 0, [9, 9, 9]],
    ],
    'items of the base in its order, then new ones in that of the delta',
  );
  const registration: Item = [0, 0x7fff, [1, 2, 3, 4]];
  read([registration], [], [[0, 0x7fff, [0, 0, 0, 0]]], [registration], 'an updated registration is one item');
  const others: Item[] = [
    [1, 2, counting(10)],
    [2, 1, counting(6)],
  ];
  read([others[0]!], [], [others[1]!], others, 'type 1, id 2 is not type 2, id 1');
  read([[300, 5, []]], [], [[300, 5, []]], [[300, 5, []]], 'an item without ints');
  const highest: Item = [largestType, largestId, [1]];
  read([highest], [], [highest], [[largestType, largestId, [2]]], 'the largest key');
  const wrapping: Item[] = [
    [5, 1, [most, most, 5]],
    [5, 2, [most, 1, -7]],
  ];
  read(wrapping, [], [], wrapping, 'the checksum wraps at 32 bits');
  read([[5, 1, [-1, -2, -3]]], [], [], [[5, 1, [-1, -2, -3]]], 'the checksum has a sign');
}

function makeOddApplied(vectors: Vectors): void {
  const read = (base: Item[], removed: number[], updates: Item[], items: Item[], about: About) =>
    vectors.valid('apply', applied(base, removed, updates), { items, crc: checksum(items) }, about);
  const moved = row('item removed and updated');
  read([a, b], [keyA], [[5, 1, [1, 1, 1]]], [b, [5, 1, [2, 3, 4]]], moved);
  const twice: Item[] = [
    [5, 1, [1, 1, 1]],
    [5, 1, [5, 5, 5]],
  ];
  read([a, b], [keyA], twice, [b, [5, 1, [6, 7, 8]]], { ...moved, note: 'and updated twice' });
  const updatedTwice = row('item updated twice');
  read([a], [], twice, [[5, 1, [6, 7, 8]]], { ...updatedTwice, note: 'the last counts, added to the base' });
  read([], [], twice, [[5, 1, [5, 5, 5]]], { ...updatedTwice, note: 'new: the last counts' });
  const unknown = row('removed key that the base lacks');
  read([a], [keyOf(5, 9)], [], [a], unknown);
  read([a], [keyOf(1, 5)], [], [a], { ...unknown, note: 'type and id swapped' });
  read([a], [keyA, keyA], [], [], row('key removed twice'));
  const same: Item[] = [
    [4, 1, [1, 0, 0, 0]],
    [4, 1, [5, 0, 0, 0]],
  ];
  read(same, [], [[4, 1, [10, 0, 0, 0]]], [[4, 1, [11, 0, 0, 0]], same[1]!], {
    source: 'CSnapshot::GetItemIndex, CSnapshotBuilder::GetItemData in snapshot.cpp',
    note: 'a key that the base has twice: the first is updated',
  });
  const extended: Item = [0x7fff, 3, [8]];
  read([], [], [extended], [extended], row('extended item whose registration is not in the snapshot'));
  const registration: Item = [0, 0x7fff, [1, 2, 3, 4]];
  read([], [], [extended, registration], [extended, registration], {
    source,
    note: 'a registration after its first use',
  });
}

function makeWrongApplied(vectors: Vectors): void {
  const differs = row('size of an update differs from the base, or from an update before it');
  const changed = (base: Item[], removed: number[], updates: Item[], note: string) =>
    vectors.acceptable('apply', applied(base, removed, updates), undefined, ['refused', 'misread'], {
      ...differs,
      note,
    });
  const three: Item = [300, 1, [1, 2, 3]];
  changed([three], [], [[300, 1, [1, 1]]], 'smaller than the base');
  changed([three], [], [[300, 1, [1, 1, 1, 1]]], 'larger than the base');
  changed([three], [keyOf(300, 1)], [[300, 1, [1]]], 'removed, and smaller than the base');
  const twice: Item[] = [
    [300, 1, [1, 1]],
    [300, 1, [1]],
  ];
  changed([], [], twice, 'new, with two sizes');
  vectors.invalid(
    'apply',
    { protocol: '0.6', base: [a], in: intsHex([0, 1, 0, 5, 1, 1]) },
    row('fewer updates or ints than announced'),
  );

  const many = Array.from({ length: 1024 }, (_, id): Item => [5, id, [id, 0, 0]]);
  vectors.valid('apply', applied(many, [], []), { items: many, crc: checksum(many) }, { note: '1,024 items', source });
  const tooMany = { ...row('result with more than 1,024 items'), note: '1,025 items' };
  const one: Item = [5, 2000, [0, 0, 0]];
  vectors.acceptable('apply', applied(many, [], [one]), undefined, ['refused', 'crashes'], tooMany);
  const exchanged = [...many.slice(1), one];
  vectors.valid(
    'apply',
    applied(many, [keyOf(5, 0)], [one]),
    { items: exchanged, crc: checksum(exchanged) },
    { note: 'one of 1,024 items is exchanged', source },
  );

  // Eight bytes of header, an offset and a key for each item, then its ints.
  const room = (1 << 14) - 2;
  const wide: Item = [300, 0, new Array(room - 4 - 1).fill(1)];
  const fits: Item[] = [wide, [301, 0, [1]]];
  vectors.acceptable(
    'apply',
    applied([wide], [], [fits[1]!]),
    { items: fits, crc: checksum(fits) },
    ['accepted', 'crashes'],
    { note: 'exactly 64 KiB: Teeworlds has no room for the last item', source },
  );
  const tooLarge = { ...row('result of more than 64 KiB'), note: 'one int more than 64 KiB' };
  vectors.acceptable('apply', applied([wide], [], [[301, 0, [1, 1]]]), undefined, ['refused', 'crashes'], tooLarge);
}

function makeRandomApplied(vectors: Vectors, protocol: Version): void {
  const random = new Seeded(6);
  const types = [...[...sizes[protocol].keys()].slice(1), 300, largestType];
  const sizeOf = (type: number) => sizes[protocol][type] ?? 4;
  for (let i = 0; i < 10; i++) {
    const base = Array.from({ length: 3 + random.below(6) }, (_, id): Item => {
      const type = random.pick(types);
      return [type, id, random.ints(sizeOf(type))];
    });
    const removed = base.filter(() => random.next() < 0.2).map(([type, id]) => keyOf(type, id));
    const kept = base.filter(([type, id]) => !removed.includes(keyOf(type, id)));
    const differences = new Map(
      kept.filter(() => random.next() < 0.5).map((item) => [item, random.ints(item[2].length)]),
    );
    const type = random.pick(types);
    const added: Item = [type, 50 + i, random.ints(sizeOf(type))];
    const updates = [...differences].map(([[type, id], data]): Item => [type, id, data]);
    const items = kept.map((item): Item => {
      const difference = differences.get(item);
      return [item[0], item[1], difference ? item[2].map((int, k) => (int + difference[k]!) | 0) : item[2]];
    });
    items.push(added);
    const question = applied(base, removed, [...updates, added], protocol);
    vectors.valid('apply', question, { items, crc: checksum(items) }, { source });
  }
}
