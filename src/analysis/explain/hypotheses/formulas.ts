import { crc32 } from '../../../wire/codec/crc32.ts';
import type { Snapshot } from '../../../wire/snapshot/snapshot.ts';
import type { Failure } from '../failure.ts';
import { type Found, hypothesis } from '../hypothesis.ts';
import { itemSums, sumOf } from '../item-evidence.ts';
import { smallDifference } from '../limits.ts';

const intsOf = ({ data, offsets, count }: Snapshot) => data.subarray(0, offsets[count]);

/** As in the memory of a server: little-endian. */
const bytesOf = (ints: Int32Array) => new Uint8Array(ints.buffer, ints.byteOffset, ints.byteLength);

function swappedBytes(int: number): number {
  const view = new DataView(new ArrayBuffer(4));
  view.setInt32(0, int);
  return view.getInt32(0, true);
}

/** What a home-made server may announce in place of the wrapping sum of all ints. */
const formulas: Readonly<Record<string, (rebuilt: Snapshot, failure: Failure) => number>> = {
  zero: () => 0,
  negated: (rebuilt) => -rebuilt.checksum() | 0,
  inverted: (rebuilt) => ~rebuilt.checksum(),
  low_16: (rebuilt) => rebuilt.checksum() & 0xffff,
  low_16_signed: (rebuilt) => (rebuilt.checksum() << 16) >> 16,
  swapped_bytes: (rebuilt) => swappedBytes(rebuilt.checksum()),
  xor: (rebuilt) => intsOf(rebuilt).reduce((all, int) => all ^ int, 0),
  with_keys: (rebuilt) => (rebuilt.checksum() + sumOf(rebuilt.keys.subarray(0, rebuilt.count))) | 0,
  with_sizes: (rebuilt) => (rebuilt.checksum() + intsOf(rebuilt).length) | 0,
  of_bytes: (rebuilt) => bytesOf(intsOf(rebuilt)).reduce((sum, byte) => sum + byte, 0),
  crc_32: (rebuilt) => crc32(bytesOf(intsOf(rebuilt))) | 0,
  crc_32_of_delta: (_, { received }) => crc32(received.payload) | 0,
  change: (rebuilt, { received }) => (rebuilt.checksum() - received.before.checksum()) | 0,
};

/**
 * The checksum is computed otherwise than the games do. Two that are not alike are no coincidence, but for the sum of
 * the first items: those after them may be of one kind, and the order of items on the server is not known.
 */
export const otherFormula = hypothesis({
  cause: 'other_formula',
  *find(failure: Failure): Iterable<Found> {
    const { snapshot, difference, isSound } = failure;
    const { announced } = failure.received;
    if (!snapshot || !difference || !isSound) return;
    const standing = Math.abs(difference) < smallDifference ? 'fits' : 'repeats';
    for (const [about, formula] of Object.entries(formulas))
      if (formula(snapshot, failure) === announced) yield { about, standing };
    let sum = 0;
    for (const [i, own] of [...itemSums(snapshot)].slice(0, -1).entries()) {
      sum = (sum + own) | 0;
      if (sum === announced) yield { about: `first ${i + 1}`, numbers: { first: i + 1 } };
    }
  },
});
