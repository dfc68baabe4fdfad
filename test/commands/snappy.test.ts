import fc from 'fast-check';
import { snappyUncompress } from 'hyparquet/src/snappy.js';
import { describe, expect, it } from 'vitest';
import { snappy } from '../../commands/export/snappy.ts';

describe('Snappy', () => {
  function uncompressed(bytes: Uint8Array, length: number): Uint8Array {
    const output = new Uint8Array(length);
    snappyUncompress(bytes, output);
    return output;
  }

  // By format_description.txt: 12 bytes; a literal of 4; a copy of 8 from 4 bytes before.
  it('writes a literal and a copy as the format says', () => {
    expect([...snappy(Uint8Array.from([1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4]))]).toEqual([
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
        expect(uncompressed(snappy(bytes), bytes.length)).toEqual(bytes);
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
    expect(Buffer.compare(uncompressed(snappy(bytes), bytes.length), bytes)).toBe(0);
  });
});
