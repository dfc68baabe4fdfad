import fc from 'fast-check';
import { readRleBitPackedHybrid } from 'hyparquet/src/encoding.js';
import { snappyUncompress } from 'hyparquet/src/snappy.js';
import { describe, expect, it } from 'vitest';
import { runsRoom, writeRuns } from '../../commands/export/runs.ts';
import { compressSnappy, snappyRoom } from '../../commands/export/snappy.ts';

describe('runs and packed bits', () => {
  function written(values: readonly number[], width: number): Uint8Array {
    const room = new Uint8Array(runsRoom(values.length, width));
    const end = writeRuns(Int32Array.from(values), values.length, width, room, 0);
    expect(end).toBeLessThanOrEqual(room.length);
    return room.subarray(0, end);
  }

  // The example of Encodings.md of the Parquet format: the numbers 0 to 7 in three bits.
  it('packs 0 to 7 as the format shows it', () => {
    expect([...written([0, 1, 2, 3, 4, 5, 6, 7], 3)]).toEqual([(1 << 1) | 1, 0b10001000, 0b11000110, 0b11111010]);
  });

  it('writes one run for equal values', () => {
    expect([...written(Array(300).fill(5), 9)]).toEqual([0xd8, 0x04, 5, 0]);
  });

  it('are read by another reader', () => {
    const parts = fc.oneof(
      fc.record({ value: fc.nat(), times: fc.integer({ min: 1, max: 40 }) }),
      fc.record({ value: fc.nat(), times: fc.constant(1) }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 16 }), fc.array(parts, { maxLength: 60, size: 'max' }), (width, all) => {
        const values = all.flatMap(({ value, times }) => Array<number>(times).fill(value % 2 ** width));
        const bytes = written(values, width);
        const output = new Array<number>(values.length);
        const { buffer, byteOffset, byteLength } = bytes;
        readRleBitPackedHybrid(
          { view: new DataView(buffer, byteOffset, byteLength), offset: 0 },
          width,
          output,
          byteLength,
        );
        expect(output).toEqual(values);
      }),
      { numRuns: 300 },
    );
  });
});

describe('Snappy', () => {
  function compressed(bytes: Uint8Array): Uint8Array {
    const room = new Uint8Array(snappyRoom(bytes.length));
    const end = compressSnappy(bytes, bytes.length, room, 0);
    expect(end).toBeLessThanOrEqual(room.length);
    return room.subarray(0, end);
  }

  function uncompressed(bytes: Uint8Array, length: number): Uint8Array {
    const output = new Uint8Array(length);
    snappyUncompress(bytes, output);
    return output;
  }

  // By format_description.txt: 12 bytes; a literal of 4; a copy of 8 from 4 bytes before.
  it('writes a literal and a copy as the format says', () => {
    expect([...compressed(Uint8Array.from([1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4]))]).toEqual([
      ...[12, 3 << 2, 1, 2, 3, 4],
      ...[1 | (4 << 2), 4],
    ]);
  });

  it('is read by another reader', () => {
    const parts = fc.oneof(
      fc.record({ bytes: fc.uint8Array({ maxLength: 90 }), times: fc.integer({ min: 1, max: 30 }) }),
      fc.record({ bytes: fc.uint8Array({ maxLength: 400, size: 'max' }), times: fc.constant(1) }),
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 12 }), (all) => {
        const bytes = Uint8Array.from(
          all.flatMap(({ bytes, times }) =>
            Array(times)
              .fill([...bytes])
              .flat(),
          ),
        );
        expect(uncompressed(compressed(bytes), bytes.length)).toEqual(bytes);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['zeros', () => 0],
    ['bytes without a repetition', (i: number) => Math.imul(i, 0x9e3779b1) >>> 24],
    ['what repeats further away than a copy reaches', (i: number) => Math.imul(i % 66_000, 0x9e3779b1) >>> 24],
  ])('300,000 bytes: %s', (_, byte) => {
    const bytes = Uint8Array.from({ length: 300_000 }, (_, i) => byte(i));
    expect(Buffer.compare(uncompressed(compressed(bytes), bytes.length), bytes)).toBe(0);
  });
});
