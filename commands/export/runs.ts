import { writeVarint } from './varint.ts';

/**
 * Parquet's hybrid of runs and packed bits, for indexes into a dictionary and for which rows have a value:
 * ```
 * run       varint of its length times 2; the value, in whole bytes
 * packed    varint of the number of groups of 8 values times 2, plus 1; the values, each in `width` bits, lowest first
 * ```
 * hyparquet-writer appends each byte by a call, and V8 compiled that eight times in one export, since indexes, levels
 * and booleans are arrays of different kinds.
 *
 * Source: "Run Length Encoding / Bit-Packing Hybrid" in Encodings.md of the Parquet format.
 */

const group = 8;

/** The most bytes that `count` values can take. */
export const runsRoom = (count: number, width: number): number => 16 + Math.ceil(count / group) * (width + 6);

/** Writes the first `count` values to `into[at, …)`, which has {@link runsRoom}. @returns the end */
export function writeRuns(values: Int32Array, count: number, width: number, into: Uint8Array, at: number): number {
  let end = at;
  let packed = 0;
  for (let i = 0; i < count; ) {
    const value = values[i]!;
    let next = i + 1;
    while (next < count && values[next] === value) next++;
    // Groups are whole, except for the last.
    if (next - i < group) i = Math.min(i + group, count);
    else {
      end = writePacked(values, packed, i, width, into, end);
      end = writeVarint(into, end, (next - i) << 1);
      for (let bits = 0; bits < width; bits += 8) into[end++] = value >>> bits;
      i = next;
      packed = next;
    }
  }
  return writePacked(values, packed, count, width, into, end);
}

function writePacked(
  values: Int32Array,
  from: number,
  to: number,
  width: number,
  into: Uint8Array,
  at: number,
): number {
  if (from === to) return at;
  const groups = Math.ceil((to - from) / group);
  let end = writeVarint(into, at, (groups << 1) | 1);
  // `word` holds the lowest `used` of the bits that are not yet written.
  let word = 0;
  let used = 0;
  for (let i = from; i < from + group * groups; i++) {
    const value = i < to ? values[i]! : 0;
    word |= value << used;
    used += width;
    while (used >= 8) {
      into[end++] = word;
      word >>>= 8;
      used -= 8;
    }
  }
  return end;
}
