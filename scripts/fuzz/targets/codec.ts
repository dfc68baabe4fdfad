import { ByteBuffer, IntBuffer } from '../../../src/wire/bytes/buffers.ts';
import { ignore, type Warn } from '../../../src/wire/bytes/diagnostic.ts';
import { bitOffsets, compress, decompress, endsWithEof } from '../../../src/wire/codec/huffman.ts';
import { packInts, unpackInts } from '../../../src/wire/codec/varint.ts';
import { unpackHuffman } from '../../../src/wire/payload/payload-reader.ts';
import { check, same, sameNumbers, unlessRefused } from '../checks.ts';
import { damaged } from '../make/bytes.ts';
import { compressed, intsOf, packed } from '../make/payload.ts';
import type { Random } from '../random.ts';
import { decompressSlowly, unpackSlowly } from '../reference.ts';
import type { Target } from '../target.ts';

const out = new ByteBuffer();
const again = new ByteBuffer();
const ints = new IntBuffer({ positions: true });
const withoutPositions = new IntBuffer();

/** Checks that both steps at once and one after the other result in the same ints and diagnostics. */
function inOneGo(stream: Uint8Array, limit: number, random: Random): void {
  const before = random.below(3);
  const inside = new Uint8Array(before + stream.length + random.below(5)).fill(random.byte());
  inside.set(stream, before);
  const end = before + stream.length;
  const once = codesOf((warn) => unpackHuffman(inside, before, end, again, withoutPositions, warn, limit));
  const whole = withoutPositions.ints.subarray(0, withoutPositions.length);
  const steps = codesOf((warn) => {
    decompress(inside, before, end, again, warn, limit);
    unpackInts(again.bytes, 0, again.length, ints, warn);
  });
  same(once.join(), steps.join(), 'Huffman and varints together: other diagnostics');
  if (steps.at(-1) !== 'refused')
    sameNumbers(whole, ints.ints.subarray(0, ints.length), 'Huffman and varints together');
}

function codesOf(read: (warn: Warn) => void): string[] {
  const codes: string[] = [];
  const isRead = unlessRefused(() => {
    read((code, offset) => codes.push(`${code} ${offset}`));
    return true;
  });
  return isRead ? codes : [...codes, 'refused'];
}

/** Huffman coding and varints compared with slow references, at any position of a larger array, and encoded again. */
export const codec: Target = {
  name: 'codec',
  share: 4000,
  run(random, { contents }, note) {
    // Occasionally longer than one block.
    const parts = random.oneIn(60) ? random.between(10, 60) : 1;
    const some = Array.from({ length: parts }, () => intsOf(random.pick(contents)).slice(0, parts > 1 ? 400 : 80));
    let plain = packed(random, some.flat());
    if (random.oneIn(2)) plain = random.oneIn(3) ? random.bytes(random.below(60)) : damaged(random, plain);
    let stream = compressed(random, plain);
    if (random.oneIn(2)) stream = damaged(random, stream);
    const limit = random.oneIn(4) ? random.below(64) : 1 << 16;
    note('stream.huff', stream);

    const slow = decompressSlowly(stream, limit);
    const before = random.below(5);
    const inside = new Uint8Array(before + stream.length + random.below(5)).fill(random.byte());
    inside.set(stream, before);
    const end = unlessRefused(() => decompress(inside, before, before + stream.length, out, ignore, limit));
    const bytes = out.bytes.slice(0, out.length);
    sameNumbers(bytes, slow.bytes, 'Huffman: fast and slow differ');
    check(end === undefined ? slow.bit < 0 : end - 8 * before === slow.bit, `Huffman: ends at ${end}, not ${slow.bit}`);
    if (end !== undefined) {
      compress(bytes, 0, bytes.length, again, 'none');
      const whole = again.bytes.slice(0, again.length);
      check(bitOffsets(bytes).at(-1)! + 15 === slow.bit, 'Huffman: the offsets of the bits');
      check(endsWithEof(whole, 0, whole.length), 'Huffman: the end is not seen');
      sameNumbers(decompressSlowly(whole, limit).bytes, bytes, 'Huffman: compressed again');
    }

    inOneGo(stream, limit, random);

    const source = random.oneIn(2) ? plain : bytes;
    note('ints.packed', source);
    unlessRefused(() => unpackInts(source, 0, source.length, ints, ignore));
    const read = ints.ints.slice(0, ints.length);
    sameNumbers(read, unpackSlowly(source), 'varints: fast and slow differ');
    packInts(read, 0, read.length, again);
    const written = again.bytes.slice(0, again.length);
    unpackInts(written, 0, written.length, ints, () => check(false, 'varints: ours are odd'));
    sameNumbers(ints.ints.subarray(0, ints.length), read, 'varints: packed again');
  },
};
