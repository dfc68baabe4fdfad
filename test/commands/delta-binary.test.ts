import fc from 'fast-check';
import { ByteWriter } from 'hyparquet-writer';
import { deltaBinaryPack } from 'hyparquet-writer/src/delta.js';
import { expect, it } from 'vitest';
import { packDeltas, packedRoom } from '../../commands/export/delta-binary.ts';

/** What the library writes. */
function packed(values: Int32Array): Uint8Array {
  const writer = new ByteWriter();
  deltaBinaryPack(writer, values, 'INT32');
  return writer.getBytes();
}

function packedHere(values: Int32Array): Uint8Array {
  const room = new Uint8Array(packedRoom(values.length));
  return room.subarray(0, packDeltas(values, values.length, room));
}

// "Delta Encoding" in Encodings.md of the Parquet format: 1, 2, 3, 4, 5 have the differences 1, which need no bits.
it('writes the first value and the least difference of equal steps', () => {
  const header = [0x80, 0x01, 4, 5, 2];
  expect([...packedHere(Int32Array.of(1, 2, 3, 4, 5))]).toEqual([...header, 2, 0, 0, 0, 0]);
});

it('writes what the library writes', () => {
  const ints = fc.oneof(fc.integer(), fc.integer({ min: -3, max: 3 }), fc.constantFrom(-(2 ** 31), 2 ** 31 - 1, 0));
  fc.assert(
    fc.property(fc.array(ints, { maxLength: 700, size: 'max' }), (all) => {
      const values = Int32Array.from(all);
      expect(packedHere(values)).toEqual(packed(values));
    }),
    { numRuns: 300 },
  );
});

it.each(Array.from({ length: 33 }, (_, bits) => bits))('differences of %i bits', (bits) => {
  const step = bits === 32 ? -1 : 2 ** bits - 1;
  const values = Int32Array.from({ length: 300 }, (_, i) => (i % 2 === 0 ? 0 : step));
  expect(packedHere(values)).toEqual(packed(values));
});
