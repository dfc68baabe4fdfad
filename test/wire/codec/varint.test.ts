import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteBuffer, IntBuffer } from '../../../src/wire/bytes/buffers.ts';
import { endOfInt, packInts, unpackInt, unpackInts } from '../../../src/wire/codec/varint.ts';
import { readVectors } from '../../../vectors/check.mjs';
import { bytes, codesOf, diagnosticsInFull } from '../../support/readers.ts';

const max = 2 ** 31 - 1;

/** The bytes of single ints, each in its shortest form. What else is right is in the vectors. */
const forms: readonly (readonly [hex: string, int: number])[] = readVectors(['pack']).map(({ value, out }) => [
  out.hex,
  value,
]);

/** Forms that no game writes and all games read, with the places of their warnings. */
const nonMinimal: readonly (readonly [hex: string, ints: number[], codes: string[]])[] = [
  ['02 bf 80 80 80 00', [2, 63], ['overlong_varint 1']],
  ['05 80 80 80 80 f1 80 00', [5, 2 ** 27, 0], ['varint_padding 1', 'overlong_varint 6']],
];

function unpack(src: Uint8Array, start = 0, end = src.length) {
  const into = new IntBuffer({ positions: true });
  const codes = codesOf((warn) => unpackInts(src, start, end, into, warn));
  return { ints: [...into.ints.subarray(0, into.length)], at: [...into.offsets!.subarray(0, into.length + 1)], codes };
}

function pack(ints: readonly number[], start = 0, end = ints.length): Uint8Array {
  const out = new ByteBuffer();
  packInts(Int32Array.from(ints), start, end, out);
  return out.bytes.slice(0, out.length);
}

describe('an int', () => {
  it.each(nonMinimal)('%s is read with a warning', (hex, ints, codes) => {
    expect(unpack(bytes(hex))).toMatchObject({ ints, codes });
  });

  it('comes with the numbers of the warning', () => {
    expect(diagnosticsInFull((warn) => unpackInts(bytes('c1 80 00'), 0, 3, new IntBuffer(), warn))).toEqual([
      ['overlong_varint', 0, { bytes: 3, value: -2 }],
    ]);
    expect(diagnosticsInFull((warn) => unpackInts(bytes('80 80 80 80 11'), 0, 5, new IntBuffer(), warn))).toEqual([
      ['varint_padding', 0, { byte: 0x11 }],
    ]);
  });
});

describe('where no positions are asked for, block by block', () => {
  const unpackFast = (src: Uint8Array) => {
    const into = new IntBuffer();
    const codes = codesOf((warn) => unpackInts(src, 0, src.length, into, warn));
    return { ints: [...into.ints.subarray(0, into.length)], codes };
  };

  it.each(forms)('%s is %i, over and over', (hex, int) => {
    // More bytes than a block, so that an int lies across its end.
    const count = 4099;
    const src = bytes(`00${hex.repeat(count)}`);
    expect(unpackFast(src)).toEqual({ ints: [0, ...new Array<number>(count).fill(int)], codes: [] });
  });

  it.each(nonMinimal)('%s is read among others with a warning', (hex, ints, codes) => {
    const [before, after] = ['bf 7f '.repeat(50), ' bf 7f'.repeat(50)];
    const moved = codes.map((code) => code.replace(/\d+$/, (at) => String(100 + Number(at))));
    const usual = new Array<number>(50).fill(2 ** 13 - 1);
    expect(unpackFast(bytes(before + hex + after))).toEqual({ ints: [...usual, ...ints, ...usual], codes: moved });
  });
});

describe('the end of the data', () => {
  const five = '01 c0 01 bf ff ff ff 0f';

  it.each([
    [0, [], []],
    [1, [1], []],
    [2, [1], ['error: truncated_varint 1']],
    [3, [1, -65], []],
    [4, [1, -65], ['error: truncated_varint 3']],
    [5, [1, -65], ['error: truncated_varint 3']],
    [6, [1, -65], ['error: truncated_varint 3']],
    [7, [1, -65], ['error: truncated_varint 3']],
    [8, [1, -65, max], []],
  ])(`${five} cut to %i bytes keeps the ints before`, (length, ints, codes) => {
    const cut = unpack(bytes(five).subarray(0, length));
    expect(cut).toMatchObject({ ints, codes });
    expect(cut.at).toEqual([0, 1, 3, 8].slice(0, ints.length + 1));
  });

  it('is at the stated length, not at the end of the array', () => {
    expect(unpack(bytes('ff 01 80 01 ff'), 1, 4)).toEqual({ ints: [1, 64], at: [1, 2, 4], codes: [] });
    expect(unpack(bytes('ff 01 80 01 ff'), 1, 3)).toMatchObject({ ints: [1], codes: ['error: truncated_varint 2'] });
  });

  it('reports how many bytes of the cut int there are', () => {
    expect(diagnosticsInFull((warn) => unpackInts(bytes('00 80 80'), 0, 3, new IntBuffer(), warn))).toEqual([
      ['error', 'truncated_varint', 1, { bytes: 2 }],
    ]);
  });
});

it('packs a part of the ints', () => {
  expect(pack([7, 64, -1, 9], 1, 3)).toEqual(bytes('80 01 40'));
});

it('reuses its buffers', () => {
  const into = new IntBuffer({ positions: true });
  unpackInts(bytes('01 02 03 04'), 0, 4, into, () => {});
  const { ints } = into;
  unpackInts(bytes('80 01'), 0, 2, into, () => {});
  expect(into.ints).toBe(ints);
  expect([into.length, into.ints[0], into.offsets![0], into.offsets![1]]).toEqual([1, 64, 0, 2]);
});

describe('any ints', () => {
  const anyInts = fc.array(fc.oneof(fc.integer(), fc.integer({ min: -200, max: 200 })), { maxLength: 300 });
  const shortest = (int: number) => [6, 13, 20, 27].filter((bits) => (int < 0 ? ~int : int) >= 2 ** bits).length + 1;

  it('are equal after packing and unpacking, each from its own bytes', () => {
    fc.assert(
      fc.property(anyInts, (ints) => {
        const at = [0];
        for (const int of ints) at.push(at.at(-1)! + shortest(int));
        expect(unpack(pack(ints))).toEqual({ ints, at, codes: [] });
      }),
    );
  });

  it('are cut to the whole ints', () => {
    fc.assert(
      fc.property(anyInts, fc.nat(), (ints, n) => {
        const packed = pack(ints);
        const cut = unpack(packed.subarray(0, n % (packed.length + 1)));
        expect(cut.ints).toEqual(ints.slice(0, cut.ints.length));
      }),
    );
  });
});

it('random bytes are read, or an error gives the reason', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (src) => {
      const { ints, at } = unpack(src);
      expect(at).toHaveLength(ints.length + 1);
      for (let i = 0; i < ints.length; i++) {
        expect(at[i + 1]! - at[i]!).toBeGreaterThanOrEqual(1);
        expect(at[i + 1]! - at[i]!).toBeLessThanOrEqual(5);
      }
    }),
  );
});

it('a single int is what it is among others, with the same warnings', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 6 }), (src) => {
      const end = endOfInt(src, 0, src.length);
      if (end < 0) return;
      const into = new IntBuffer({ positions: true });
      const codes = codesOf((warn) => unpackInts(src, 0, end, into, warn));
      let int: number | undefined;
      const own = codesOf((warn) => {
        int = unpackInt(src, 0, end, warn);
      });
      expect([int, own]).toEqual([into.ints[0], codes]);
    }),
    { numRuns: 2000 },
  );
});
