import type { Random } from '../random.ts';

/** Damages bits, bytes and ranges, regardless of their meaning. */
export function damaged(random: Random, bytes: Uint8Array, others: readonly Uint8Array[] = []): Uint8Array {
  let damagedBytes = bytes;
  for (let left = random.few(); left > 0; left--) damagedBytes = onceDamaged(random, damagedBytes, others);
  return damagedBytes;
}

function onceDamaged(random: Random, bytes: Uint8Array, others: readonly Uint8Array[]): Uint8Array {
  const at = random.below(bytes.length + 1);
  const size = Math.min(bytes.length - at, random.oneIn(4) ? random.below(bytes.length) : random.between(1, 8));
  switch (random.below(10)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return spliced(bytes, at, 0, random.bytes(random.between(1, 9)));
    case 2:
      return spliced(bytes, at, size);
    case 3:
      return spliced(bytes, at, 0, bytes.subarray(at, at + size));
    case 4: {
      const other = others.length > 0 ? random.pick(others) : bytes;
      const from = random.below(other.length + 1);
      return spliced(bytes, at, random.oneIn(2) ? size : 0, other.subarray(from, from + random.between(1, 64)));
    }
    case 5:
    case 6:
      return withInt(random, bytes, at);
    case 7:
      return bytes.slice().fill(random.byte(), at, at + size);
    default: {
      const copy = bytes.slice();
      if (at < copy.length) copy[at] = random.oneIn(2) ? copy[at]! ^ (1 << random.below(8)) : random.byte();
      return copy;
    }
  }
}

/** Writes an extreme int of any size and byte order. */
function withInt(random: Random, bytes: Uint8Array, at: number): Uint8Array {
  const copy = bytes.slice();
  const view = new DataView(copy.buffer);
  const [value, little] = [random.int(), random.oneIn(2)];
  if (random.oneIn(2) && at + 4 <= copy.length) view.setInt32(at, value, little);
  else if (at + 2 <= copy.length) view.setInt16(at, value, little);
  return copy;
}

/** `bytes` with `count` bytes at `at` replaced. */
export function spliced(
  bytes: Uint8Array,
  at: number,
  count: number,
  inserted: Uint8Array = new Uint8Array(0),
): Uint8Array {
  const result = new Uint8Array(bytes.length - count + inserted.length);
  result.set(bytes.subarray(0, at));
  result.set(inserted, at);
  result.set(bytes.subarray(at + count), at + inserted.length);
  return result;
}

/** A list with an element lost, repeated, moved or taken from another list. */
export function shuffled<T>(random: Random, list: readonly T[], others: readonly T[]): T[] {
  const copy = list.slice();
  const at = random.below(copy.length);
  switch (random.below(5)) {
    case 0:
      copy.splice(at, random.few());
      break;
    case 1:
      if (copy.length > 0) copy.splice(random.below(copy.length + 1), 0, copy[at]!);
      break;
    case 2:
      copy.splice(random.below(copy.length), 0, ...copy.splice(at, 1));
      break;
    case 3:
      if (others.length > 0) copy.splice(at, 0, random.pick(others));
      break;
    default:
      copy.length = at;
  }
  return copy;
}
