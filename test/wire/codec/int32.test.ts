import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteBuffer, IntBuffer } from '../../../src/wire/bytes/buffers.ts';
import { bytesOfInts, readInts, writeInts } from '../../../src/wire/codec/int32.ts';
import { bytes, codesOf, diagnosticsInFull } from '../../support/readers.ts';

function read(src: Uint8Array, start = 0, end = src.length) {
  const into = new IntBuffer({ positions: true });
  const codes = codesOf(() => readInts(src, start, end, into));
  return { ints: [...into.ints.subarray(0, into.length)], at: [...into.offsets!.subarray(0, into.length + 1)], codes };
}

function write(ints: readonly number[], start = 0, end = ints.length): Uint8Array {
  const out = new ByteBuffer();
  writeInts(Int32Array.from(ints), start, end, out);
  return out.bytes.slice(0, out.length);
}

describe('32-bit little-endian', () => {
  it.each([
    ['', []],
    ['00 00 00 00', [0]],
    ['01 02 03 04', [0x04030201]],
    ['ff ff ff ff', [-1]],
    ['ff ff ff 7f', [2 ** 31 - 1]],
    ['00 00 00 80', [-(2 ** 31)]],
    ['10 03 00 00 31 01 00 00', [784, 305]],
  ])('%s is %j', (hex, ints) => {
    expect(read(bytes(hex))).toEqual({ ints, at: [0, 4, 8].slice(0, ints.length + 1), codes: [] });
    expect(write(ints)).toEqual(bytes(hex));
    const into = new IntBuffer();
    readInts(bytes(hex), 0, bytes(hex).length, into);
    expect(bytesOfInts(into)).toEqual(bytes(hex));
  });

  it.each([
    ['05', [], 0],
    ['05 00 00 00 06', [5], 4],
    ['05 00 00 00 06 00', [5], 4],
    ['05 00 00 00 06 00 00', [5], 4],
  ])('%s has leftover bytes', (hex, ints, at) => {
    expect(read(bytes(hex))).toMatchObject({ ints, codes: [`error: ints_not_aligned ${at}`] });
    expect(diagnosticsInFull(() => readInts(bytes(hex), 0, bytes(hex).length, new IntBuffer()))).toEqual([
      ['error', 'ints_not_aligned', at, { bytes: bytes(hex).length - at }],
    ]);
  });

  it('begins and ends at the stated offsets, aligned or not', () => {
    expect(read(bytes('ff 01 00 00 00 02 00 00 00 ff'), 1, 9)).toEqual({ ints: [1, 2], at: [1, 5, 9], codes: [] });
    expect(write([1, 2, 3], 1, 2)).toEqual(bytes('02 00 00 00'));
  });

  it('reads any written ints back', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), (ints) => {
        expect(read(write(ints))).toMatchObject({ ints, codes: [] });
      }),
    );
  });
});
