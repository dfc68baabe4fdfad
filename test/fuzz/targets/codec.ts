import { ByteBuffer, IntBuffer } from '../../../src/bytes/buffers.ts';
import { ignore } from '../../../src/bytes/diagnostic.ts';
import { bitOffsets, compress, decompress, endsWithEof } from '../../../src/codec/huffman.ts';
import { packInts, unpackInts } from '../../../src/codec/varint.ts';
import { holds, sameNumbers, unlessRefused } from '../checks.ts';
import { damaged } from '../make/bytes.ts';
import { compressed, intsOf, packed } from '../make/payload.ts';
import { decompressSlowly, unpackSlowly } from '../reference.ts';
import type { Target } from '../target.ts';

const out = new ByteBuffer();
const again = new ByteBuffer();
const ints = new IntBuffer({ positions: true });

/** Huffman code and varints against their slow references, at any place of a larger array, and back again. */
export const codec: Target = {
  name: 'codec',
  share: 4000,
  run(random, { contents }, note) {
    let plain = packed(random, intsOf(random.pick(contents)).slice(0, 80));
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
    holds(end === undefined ? slow.bit < 0 : end - 8 * before === slow.bit, `Huffman: ends at ${end}, not ${slow.bit}`);
    if (end !== undefined && end <= 8 * (before + stream.length)) {
      compress(bytes, 0, bytes.length, again, 'none');
      const whole = again.bytes.slice(0, again.length);
      holds(bitOffsets(bytes).at(-1)! + 15 === slow.bit, 'Huffman: the offsets of the bits');
      holds(endsWithEof(whole, 0, whole.length), 'Huffman: the end is not seen');
      sameNumbers(decompressSlowly(whole, limit).bytes, bytes, 'Huffman: compressed again');
    }

    const source = random.oneIn(2) ? plain : bytes;
    note('ints.packed', source);
    unlessRefused(() => unpackInts(source, 0, source.length, ints, ignore));
    const read = ints.ints.slice(0, ints.length);
    sameNumbers(read, unpackSlowly(source), 'varints: fast and slow differ');
    packInts(read, 0, read.length, again);
    const written = again.bytes.slice(0, again.length);
    unpackInts(written, 0, written.length, ints, () => holds(false, 'varints: ours are odd'));
    sameNumbers(ints.ints.subarray(0, ints.length), read, 'varints: packed again');
  },
};
