import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteBuffer } from '../../../src/wire/bytes/buffers.ts';
import { compress } from '../../../src/wire/codec/huffman.ts';
import { maxPayloadBytes, unwrap } from '../../../src/wire/payload/encoding-layers.ts';
import { type Kind, readPayload } from '../../../src/wire/payload/payload.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { Snapshot } from '../../../src/wire/snapshot/snapshot.ts';
import { firstBits, firstHuffman, firstInts, firstPacked } from '../../support/first.ts';
import {
  bytes,
  diagnosticsOf,
  type Item,
  itemsOf,
  key,
  littleEndian,
  payloadOfInts,
  snapshotInts,
  snapshotOf,
} from '../../support/readers.ts';

/** `character@netobj.ddnet.tw` (docs/formats/extended-items.md). */
const uuid = [0x76ce455b, 0xf9eb3a48 | 0, 0xadd7e04b | 0, 0x941d045c | 0] as const;
const [first07, pickup06]: [Item, Item] = [
  [4, 0, 1, 2, 0],
  [4, 0, 1, 2, 0, 0],
];

const read = (src: Uint8Array, encoding: 'huffman' | 'packed' | 'ints', kind: Kind) =>
  readPayload(unwrap(src, encoding), kind, protocolOf('0.7'));

describe('the same delta', () => {
  const items = [
    [6, 0, 0, 1, 0],
    [10, 0, ...firstInts.slice(10, 32)],
    [11, 0, 8, 0, 0],
  ];
  it.each([
    ['huffman', firstHuffman],
    ['packed', firstPacked],
    ['ints', littleEndian(firstInts)],
  ] as const)('is read from %s', (encoding, src) => {
    const payload = read(src, encoding, 'delta');
    expect(itemsOf(payload.body)).toEqual(items);
    expect(diagnosticsOf(payload)).toEqual([]);
    expect([...payload.layers.ints.ints.subarray(0, payload.layers.ints.length)]).toEqual(firstInts);
    expect(payload.layers.file).toEqual(src);
  });

  it('knows the bit of each compressed byte', () => {
    const { bits } = unwrap(firstHuffman, 'huffman');
    const rows = firstBits.map((_, row) => `${(bits![4 * row]! >>> 3).toString(16)}.${bits![4 * row]! & 7}`);
    expect(rows).toEqual(firstBits);
    expect([bits!.length, bits![43]]).toEqual([44, 178]);
  });
});

/** Cases that need no base, as ints: int `i` is at byte `4 i`. */
describe('warnings and errors', () => {
  const [a, b] = [
    [4, 1, 5, 6, 0],
    [4, 2, 7, 8, 0],
  ] as const;
  it.each<[string, number[], string[]]>([
    ['nothing odd', [1, 2, 0, key(4, 9), ...a, ...b], []],
    ['a key removed twice', [2, 0, 0, key(4, 9), key(4, 9)], ['removed_twice 16']],
    ['a removed item updated', [1, 2, 0, key(4, 2), ...a, ...b], ['removed_and_updated 36']],
    ['an item updated twice', [0, 3, 0, ...a, ...b, ...a], ['updated_twice 52']],
    ['the third int', [0, 1, 1, ...a], ['nonzero_zero 8']],
    ['ints left over', [0, 1, 0, ...a, 0], ['excess_ints 32']],
    ['too few updates', [0, 2, 0, ...a], ['error: truncated_delta 32']],
    ['a negative count', [-1, 0, 0], ['error: negative_count 0']],
    ['a type too high', [0, 1, 0, 0x8000, 1], ['error: bad_type 12']],
    ['a warning before an error', [0, 2, 1, ...a], ['nonzero_zero 8', 'error: truncated_delta 32']],
  ])('in a delta: %s', (_, ints, codes) => {
    expect(diagnosticsOf(payloadOfInts(ints, 'delta', '0.7'))).toEqual(codes);
  });

  it.each<[string, ArrayLike<number>, string[]]>([
    ['nothing odd', snapshotInts(a, b), []],
    ['duplicate keys', snapshotInts(a, b, a), ['duplicate_key 52']],
    ['a key three times', snapshotInts(a, a, a), ['duplicate_key 36', 'duplicate_key 52']],
    ['another size than agreed', snapshotInts(a, pickup06), ['unusual_size 32']],
    ['another first offset', [20, 1, 4, 0, key(4, 1), 1, 2, 0], ['first_offset 8']],
    ['data without items', [4, 0, 5], ['data_without_items 8']],
    ['ints after the data', [...snapshotInts(a), 5], ['error: excess_ints 28']],
    ['too many items', [4100, 1025], ['error: too_many_items 4']],
  ])('in a snapshot: %s', (_, ints, codes) => {
    expect(diagnosticsOf(payloadOfInts(ints, 'snapshot', '0.7'))).toEqual(codes);
  });

  it('keeps two hundred warnings and counts the rest', () => {
    const { diagnostics } = payloadOfInts(snapshotInts(...new Array<Item>(301).fill(first07)), 'snapshot', '0.7');
    expect([diagnostics.warnings.length, diagnostics.more]).toEqual([200, 100]);
  });
});

describe('registrations', () => {
  const registration: Item = [0, 0x7fff, ...uuid];
  const user: Item = [0x7fff, 3, 1];
  const update = (item: Item) => [item[0], item[1], item.length - 2, ...item.slice(2)];

  it.each<[string, Item[], string[]]>([
    ['before their users', [registration, user], []],
    ['missing', [user, [0x7fff, 4, 1]], ['missing_registration 16']],
    ['of other types', [registration, [0x7ffe, 3, 1]], ['missing_registration 36']],
    ['after their users', [user, registration], ['late_registration 16']],
  ])('%s, in a snapshot', (_, items, codes) => {
    const payload = payloadOfInts(snapshotInts(...items), 'snapshot');
    expect(diagnosticsOf(payload)).toEqual(codes);
  });

  // An item of type 0 with less than the 4 ints of a UUID is not a registration.
  it('too short, in a snapshot', () => {
    const payload = payloadOfInts(snapshotInts([0, 0x7fff, 1, 2, 3], user), 'snapshot');
    expect(payload.types.uuidOf(0x7fff)).toBe(undefined);
    expect(diagnosticsOf(payload)).toContain('missing_registration 32');
  });

  it('of a delta alone may be in its base', () => {
    const payload = payloadOfInts([0, 1, 0, ...update(user)], 'delta');
    expect(diagnosticsOf(payload)).toEqual(['missing_registration 12']);
    expect(payload.types.of(0x7fff)).toBe(undefined);
  });

  it('are taken from the base', () => {
    const payload = payloadOfInts([0, 1, 0, ...update(user)], 'delta', '0.6', snapshotOf(registration));
    expect(diagnosticsOf(payload)).toEqual([]);
    expect(payload.types.of(0x7fff)?.name).toBe('ddnet_character');
    expect(itemsOf(payload.result!)).toEqual([registration, user]);
  });

  it('are taken from the delta', () => {
    const payload = payloadOfInts([0, 2, 0, ...update(registration), ...update(user)], 'delta');
    expect(diagnosticsOf(payload)).toEqual([]);
    expect(payload.types.of(0x7fff)?.name).toBe('ddnet_character');
  });

  it('that are updated are those of the result', () => {
    const base = snapshotOf([0, 0x7fff, 0, uuid[1], uuid[2], uuid[3]]);
    const difference: Item = [0, 0x7fff, uuid[0], 0, 0, 0];
    const payload = payloadOfInts([0, 2, 0, ...update(difference), ...update(user)], 'delta', '0.6', base);
    expect(payload.types.uuidOf(0x7fff)).toBe('76ce455b-f9eb-3a48-add7-e04b941d045c');
  });
});

describe('a delta with its base', () => {
  const base = snapshotOf([4, 1, 10, 20, 0]);

  it('results in a snapshot', () => {
    const payload = payloadOfInts([0, 1, 0, 4, 1, 1, -1, 0], 'delta', '0.7', base);
    expect(itemsOf(payload.result!)).toEqual([[4, 1, 11, 19, 0]]);
    expect(payload.base).toBe(base);
    expect(itemsOf(base)).toEqual([[4, 1, 10, 20, 0]]);
  });

  it.each<[string, number[], string[]]>([
    ['a removed key it lacks', [1, 0, 0, key(4, 9)], ['unknown_removed 12']],
    ['a key removed twice, reported once', [2, 0, 0, key(4, 1), key(4, 1)], ['removed_twice 16']],
    ['a removed item updated, reported once', [1, 1, 0, key(4, 1), 4, 1, 1, 1, 1], ['removed_and_updated 16']],
    ['a new item of another size', [0, 2, 0, 23, 1, 1, 5, 23, 1, 2, 5, 6], ['error: size_differs 28']],
  ])('%s', (_, ints, codes) => {
    expect(diagnosticsOf(payloadOfInts(ints, 'delta', '0.7', base))).toEqual(codes);
  });

  it('that is cut results in no snapshot', () => {
    const payload = payloadOfInts([0, 1, 0, 4, 1, 1], 'delta', '0.7', base);
    expect(diagnosticsOf(payload)).toEqual(['error: truncated_delta 24']);
    expect(payload.result).toBe(undefined);
    expect(itemsOf(payload.body)).toEqual([[4, 1, 1]]);
  });

  it('of another size results in no snapshot, but shows all that was read', () => {
    const payload = payloadOfInts([0, 1, 0, 4, 1, 1, 1, 1], 'delta', '0.7', snapshotOf(pickup06, [4, 1, 1]));
    expect(diagnosticsOf(payload)).toEqual(['error: size_differs 12']);
    expect(payload.result).toBe(undefined);
    expect(itemsOf(payload.body)).toEqual([[4, 1, 1, 1, 1]]);
  });
});

describe('offsets', () => {
  it('are bytes of packed input', () => {
    const payload = read(bytes('00 01 05 04 01 80 00 01 00'), 'packed', 'delta');
    expect(diagnosticsOf(payload)).toEqual(['nonzero_zero 2', 'overlong_varint 5']);
  });

  it('are bytes and bits of compressed input, with the byte after it', () => {
    // 00 00 05: each 0x00 has one bit, so 05 begins at bit 2.
    const compressed = new ByteBuffer();
    compress(bytes('00 00 05'), 0, 3, compressed, 'extra');
    const payload = read(compressed.bytes.slice(0, compressed.length), 'huffman', 'delta');
    expect(payload.diagnostics.all).toMatchObject([{ code: 'nonzero_zero', offset: 0, bit: 2, unpacked: 2 }]);
  });

  it('are in order, the error last', () => {
    const payload = read(bytes('00 02 80 00 04 01 05 04 01 80'), 'packed', 'delta');
    expect(diagnosticsOf(payload)).toEqual(['overlong_varint 2', 'error: truncated_varint 9']);
  });

  it('of the first error are reported', () => {
    expect(diagnosticsOf(read(bytes('00 01 00 04 01 80'), 'packed', 'delta'))).toEqual(['error: truncated_varint 5']);
    expect(diagnosticsOf(read(bytes('00 00 00 00 01'), 'ints', 'delta'))).toEqual(['error: ints_not_aligned 4']);
    expect(diagnosticsOf(read(bytes('ff'), 'huffman', 'delta')).at(-1)).toBe('error: huffman_no_eof 1');
  });

  it('end where the input is too large', () => {
    const payload = read(new Uint8Array(maxPayloadBytes + 1), 'packed', 'delta');
    expect(diagnosticsOf(payload).at(-1)).toBe(`error: input_too_large ${maxPayloadBytes}`);
    expect(payload.layers.bytes).toHaveLength(maxPayloadBytes);
  });
});

describe('progress', () => {
  // The delta of first.packed, cut: 18 bytes contain 15 ints, and the last byte begins the 16th, vel_y.
  it('reports the field where a cut item stopped, and what was read', () => {
    const { error } = read(firstPacked.subarray(0, 18), 'packed', 'delta').diagnostics;
    expect(error).toMatchObject({
      code: 'truncated_varint',
      offset: 17,
      args: { item: 'obj_character', id: 0, field: 'vel_y', have: 4, of: 22, read: 1, items: 3 },
    });
  });

  it('contains the items that were read whole', () => {
    const { error } = read(firstPacked.subarray(0, 8), 'packed', 'delta').diagnostics;
    expect(error).toMatchObject({ code: 'truncated_delta', offset: 8, args: { read: 1, items: 3 } });
  });
});

describe('any input', () => {
  const encoding = fc.constantFrom('huffman', 'packed', 'ints' as const);
  const kind = fc.constantFrom<Kind>('delta', 'snapshot');
  const version = fc.constantFrom('0.5', '0.6', '0.7' as const);
  const byte = fc.oneof({ weight: 3, arbitrary: fc.nat(12) }, fc.nat(255));
  const base = fc.constantFrom(undefined, new Snapshot(), snapshotOf([4, 1, 1, 2, 3], [0, 0x7fff, ...uuid]));

  it('is read up to the first error, without throwing', () => {
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 120 }), encoding, kind, version, base, (src, how, what, of, old) => {
        const layers = unwrap(Uint8Array.from(src), how);
        const payload = readPayload(layers, what, protocolOf(of), old);
        for (const { offset, bit, unpacked } of payload.diagnostics.all) {
          expect(offset).toBeGreaterThanOrEqual(0);
          expect(offset).toBeLessThanOrEqual(src.length);
          expect([bit, unpacked].map((value) => value !== undefined)).toEqual([how === 'huffman', how === 'huffman']);
        }
      }),
      { numRuns: 500 },
    );
  });
});
