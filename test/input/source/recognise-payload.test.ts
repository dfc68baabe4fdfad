import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recognise, type StatedPayload } from '../../../src/input/source/recognise-payload.ts';
import { ByteBuffer } from '../../../src/wire/bytes/buffers.ts';
import { compress } from '../../../src/wire/codec/huffman.ts';
import { packInts } from '../../../src/wire/codec/varint.ts';
import type { Payload } from '../../../src/wire/payload/payload.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { Snapshot } from '../../../src/wire/snapshot/snapshot.ts';
import { firstHuffman, firstInts, firstPacked } from '../../support/first.ts';
import { bytes, type Item, itemsOf, littleEndian, snapshotInts } from '../../support/readers.ts';

const reading = ({ layers, kind, types }: Payload) => `${layers.encoding} ${kind} ${types.protocol.version}`;
const recognised = (src: Uint8Array, stated: StatedPayload = {}) => recognise(src, stated, protocolOf);
const best = (src: Uint8Array, stated: StatedPayload = {}) => reading(recognised(src, stated).payload);

function packed(ints: ArrayLike<number>): Uint8Array {
  const out = new ByteBuffer();
  packInts(Int32Array.from(ints), 0, ints.length, out);
  return out.bytes.slice(0, out.length);
}

function huffman(ints: ArrayLike<number>): Uint8Array {
  const out = new ByteBuffer();
  const src = packed(ints);
  compress(src, 0, src.length, out, 'extra');
  return out.bytes.slice(0, out.length);
}

const encodings = [
  ['huffman', huffman],
  ['packed', packed],
  ['ints', littleEndian],
] as const;

/** A tee that stands: tick, x, y, … hooked_player -1, … */
const core = [1243, 784, 305, 0, 0, 0, 0, 0, -1, 0, 0, 784, 305, 0, 0];
const bodies: readonly (readonly [reading: string, ints: ArrayLike<number>])[] = [
  ['delta 0.7', firstInts],
  ['delta 0.6', [0, 2, 0, 9, 0, ...core, 1, 10, 0, 10, 1, 0, 0, 10, 0, 1, 0, 0, 5, 60]],
  ['delta 0.6', [1, 1, 0, 0x00040003, 5, 0, 1000, 500, 1]],
  [
    'snapshot 0.7',
    snapshotInts([6, 0, 0, 1, 0], [10, 0, ...core, 10, 0, 10, 1, 0, 0, 0], [11, 0, 8, 0, 0], [4, 2, 784, 305, 1]),
  ],
  [
    'snapshot 0.6',
    snapshotInts([9, 0, ...core, 1, 10, 0, 10, 1, 0, 0], [10, 0, 1, 0, 0, 5, 60], [4, 2, 784, 305, 1, 0]),
  ],
  [
    'snapshot 0.5',
    snapshotInts([8, 0, ...core, 1, 10, 0, 10, 1, 0, 0], [5, 0, 784, 305, 0, -2], [4, 2, 784, 305, 1, 0]),
  ],
];

describe('recognised', () => {
  for (const [encoding, encode] of encodings) {
    it.each(bodies)(`from ${encoding}: a %s`, (expected, ints) => {
      expect(best(encode(ints))).toBe(`${encoding} ${expected}`);
    });
  }

  it('are those of first.packed', () => {
    expect(best(firstPacked)).toBe('packed delta 0.7');
    expect(best(firstHuffman)).toBe('huffman delta 0.7');
  });

  it.each(encodings)('from %s: an empty payload, of either protocol', (encoding, encode) => {
    for (const [kind, ints] of [
      ['delta', [0, 0, 0]],
      ['snapshot', [0, 0]],
    ] as const) {
      const { payload, otherReadings } = recognised(encode(ints));
      expect(reading(payload)).toMatch(`${encoding} ${kind}`);
      const versions = [payload, ...otherReadings].map((payload) => payload.types.protocol.version);
      expect(versions).toEqual(expect.arrayContaining(['0.6', '0.7']));
    }
  });

  it('from invalid bytes: the most plausible reading', () => {
    for (const hex of ['', '00', 'ff ff ff', '80 80 80']) {
      expect(recognised(bytes(hex)).payload.diagnostics.error).toBeDefined();
    }
  });

  // Shorter beginnings contain little more than the header, which does not show the reading.
  it('a cut delta: as a delta', () => {
    for (let length = 5; length < firstPacked.length; length++) {
      expect(best(firstPacked.subarray(0, length))).toContain('packed delta');
    }
  });

  // As 0.6 these bytes have a size of -1 in the middle, an error that no further byte can correct.
  it('a cut delta: one that ends early before one that contradicts itself', () => {
    for (let length = 23; length < firstPacked.length; length++) {
      expect(best(firstPacked.subarray(0, length))).toBe('packed delta 0.7');
    }
  });
});

describe('a stated encoding, kind or protocol', () => {
  const encoding = fc.constantFrom(undefined, 'huffman', 'packed', 'ints' as const);
  const kind = fc.constantFrom(undefined, 'delta', 'snapshot' as const);
  const protocol = fc.constantFrom(undefined, '0.5', '0.6', '0.7' as const);

  it('is used, whatever the bytes are', () => {
    const src = fc.oneof(fc.uint8Array({ maxLength: 60 }), fc.constantFrom(firstPacked, firstHuffman));
    fc.assert(
      fc.property(src, fc.record({ encoding, kind, protocol }), (file, stated) => {
        const { payload, otherReadings } = recognised(file, stated);
        for (const entry of [payload, ...otherReadings]) {
          expect(entry.layers.encoding).toBe(stated.encoding ?? entry.layers.encoding);
          expect(entry.kind).toBe(stated.kind ?? entry.kind);
          expect(entry.types.protocol.version).toBe(stated.protocol ?? entry.types.protocol.version);
        }
      }),
    );
  });

  it('decides where the bytes are ambiguous', () => {
    expect(best(bytes('00 00 00'), { protocol: '0.5' })).toBe('packed delta 0.5');
    expect(best(firstPacked, { kind: 'snapshot', encoding: 'packed', protocol: '0.6' })).toBe('packed snapshot 0.6');
  });
});

describe('equal readings', () => {
  it('are listed, without the one that was chosen', () => {
    // An item whose fields are the same in 0.6 and 0.7: a projectile.
    const { payload, otherReadings } = recognised(packed([0, 1, 0, 2, 0, 784, 305, 0, 0, 1, 1243]));
    expect(otherReadings).not.toContain(payload);
    expect([payload, ...otherReadings].map(reading)).toEqual(
      expect.arrayContaining(['packed delta 0.6', 'packed delta 0.7']),
    );
  });

  it('have the names of their own version in their warnings', () => {
    // Type 10 is `NETOBJTYPE_PLAYERINFO` in 0.6 and `NETOBJTYPE_CHARACTER` in 0.7.
    const { payload, otherReadings } = recognised(littleEndian([2, 0, 0, 0x000a0003, 0x000a0003]));
    const names = [payload, ...otherReadings].map(({ types, diagnostics }) => [
      types.protocol.version,
      diagnostics.warnings[0]!.args.name,
    ]);
    expect(Object.fromEntries(names)).toMatchObject({ '0.6': 'obj_player_info', '0.7': 'obj_character' });
  });

  it('do not exist where only one reading is plausible', () => {
    expect(recognised(firstPacked).otherReadings).toEqual([]);
  });
});

describe('any snapshot of 0.7 with a tee', () => {
  const pickup = fc.tuple(fc.integer({ min: 1, max: 900 }), fc.nat(5000), fc.nat(3000), fc.nat(7));

  it('is recognised in all encodings', () => {
    fc.assert(
      fc.property(fc.uniqueArray(pickup, { selector: ([id]) => id, maxLength: 20 }), (pickups) => {
        const tee: Item = [10, 0, ...core, 10, 0, 10, 1, 0, 0, 0];
        const items: Item[] = [tee, [11, 0, 8, 0, 0], ...pickups.map((pickup): Item => [4, ...pickup])];
        for (const [encoding, encode] of encodings) {
          const { payload } = recognised(encode(snapshotInts(...items)));
          expect(reading(payload)).toBe(`${encoding} snapshot 0.7`);
          expect(itemsOf(payload.body)).toEqual(items);
        }
      }),
      { numRuns: 40 },
    );
  });
});

it('a version has the same reading among others as alone, also if the counts at the beginning are impossible in all', () => {
  const versions = ['0.6', '0.7', '0.5'] as const;
  const heads = fc.array(fc.oneof(fc.integer({ min: -3, max: 6 }), fc.integer()), { maxLength: 12 });
  const how = fc.record({
    encoding: fc.constantFrom(...encodings.map(([name]) => name)),
    kind: fc.constantFrom('delta', 'snapshot'),
  });
  fc.assert(
    fc.property(heads, how, (ints, stated) => {
      const src = encodings.find(([name]) => name === stated.encoding)![1](ints);
      const alone = versions.map((protocol) => recognised(src, { ...stated, protocol }));
      const { payload, isFlawless, evidence, otherReadings } = recognised(src, stated);
      const own = alone.find((entry) => reading(entry.payload) === reading(payload));
      expect(own).toMatchObject({ isFlawless, evidence });
      expect(payload.diagnostics.all).toEqual(own!.payload.diagnostics.all);
      for (const other of otherReadings) expect(alone.map((entry) => reading(entry.payload))).toContain(reading(other));
    }),
  );
});

describe('with another base than its own', () => {
  it.each(bodies.filter(([body]) => body.startsWith('delta')))('a %s is read as without one', (expected, ints) => {
    const without = recognised(packed(ints));
    const found = recognise(packed(ints), {}, protocolOf, new Snapshot());
    expect(reading(found.payload)).toBe(`packed ${expected}`);
    expect(found.otherReadings.map(reading)).toEqual(without.otherReadings.map(reading));
  });

  it('a removed item that the base does not have is a warning', () => {
    // event_sound_world 0 is removed, and a projectile moves.
    const found = recognise(packed([1, 1, 0, 0x00130000, 2, 3, 12, -2, 0, 0, 0, 0]), {}, protocolOf, new Snapshot());
    expect(found.isFlawless).toBe(true);
    expect([...found.payload.diagnostics.codes]).toContain('unknown_removed');
  });
});

describe('a snapshot with a flaw', () => {
  // weapon 99; items of 22 and 5 ints, which 0.7 has with others
  const character: Item = [9, 0, ...core, 0, 10, 0, 0, 99, 0, 0];
  const info: Item = [10, 0, 1, 0, 0, -5, 20];
  it('has its version by the sizes of its items', () => {
    const { payload, otherReadings } = recognised(littleEndian(snapshotInts(character, info)));
    expect([reading(payload), otherReadings.map(reading)]).toEqual(['ints snapshot 0.6', []]);
  });

  it('is not beside a delta that ends early', () => {
    const item = Array.from({ length: 27 }, (_, i) => 0x1a2c1316 * (i + 1));
    const { otherReadings } = recognised(littleEndian([112, 1, 0, 0x80000901, ...item]));
    expect(otherReadings.map(reading)).toEqual(['ints snapshot 0.7']);
  });
});
