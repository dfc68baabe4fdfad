import { bitsOf, bytesOfBits, compress, fromHex, toHex } from '../encode.mjs';
import { codes, eof } from '../huffman-codes.mjs';
import { Seeded } from './seeded.ts';
import type { Vectors } from './vector.ts';

const source = 'CHuffman::Decompress in huffman.cpp';
const huff = (bytes: Iterable<number>, options = {}) => toHex(compress(bytes, options));

export function makeHuffman(vectors: Vectors): void {
  const read = (hex: string, bytes: Iterable<number>, about: object = {}) =>
    vectors.valid('huffman', { in: hex }, { hex: toHex(bytes) }, { source, ...about });

  const texts = [
    '',
    '00',
    'ff',
    '0000000000',
    '0102030405',
    '546565776f726c6473',
    'ff00ff00',
    '808182838485868788898a',
  ];
  for (const text of texts) read(huff(fromHex(text)), fromHex(text));
  for (let first = 0; first < 256; first += 16) {
    const bytes = Array.from({ length: 16 }, (_, i) => first + i);
    read(huff(bytes), bytes, { note: `symbols 0x${first.toString(16)} to 0x${(first + 15).toString(16)}` });
  }
  makeEnds(vectors, read);
  makeCompressed(vectors, [], codes[eof]!.length % 8 === 0);

  const noEnd = { source, row: 'int: no EOF in Huffman data, or one that is cut' };
  for (const bytes of [[1, 2, 3], [0x54, 0x77], new Array(8).fill(0)])
    vectors.invalid('huffman', { in: huff(bytes, { end: false }) }, { note: 'no end', ...noEnd });
  vectors.invalid('huffman', { in: '' }, { note: 'no byte', ...noEnd });
  vectors.invalid('huffman', { in: '8a' }, { note: 'a code of the end that is cut in its middle', ...noEnd });

  const full = { source, row: "int: more output than fits in the reader's buffer" };
  const sevens = (count: number) => new Array(count).fill(7);
  vectors.invalid('huffman', { in: huff(sevens(9)), room: 8 }, { note: 'nine bytes into room for eight', ...full });
  vectors.invalid('huffman', { in: huff(sevens(2)), room: 1 }, { note: 'two bytes into room for one', ...full });
  vectors.valid(
    'huffman',
    { in: huff(sevens(8)), room: 8 },
    { hex: '07'.repeat(8) },
    { note: 'eight bytes into room for eight', source },
  );
  makePastEnd(vectors);
}

/** For each bit of a byte that the last bit of the end can be: what may follow. */
function makeEnds(vectors: Vectors, read: (hex: string, bytes: Iterable<number>, about?: object) => void): void {
  const random = new Seeded(2);
  const seen = new Set<number>();
  while (seen.size < 8) {
    const bytes = random.bytes(1 + random.below(6));
    const bits = (bitsOf(bytes) + codes[eof]!).length % 8;
    if (seen.has(bits)) continue;
    seen.add(bits);
    const hex = huff(bytes);
    read(hex, bytes, {
      note: bits === 0 ? 'the end fills its last byte' : `the end has ${bits} bits of its last byte`,
    });
    if (bits > 0)
      read(huff(bytes, { tail: '1'.repeat(8 - bits) }), bytes, {
        row: 'int: bits after EOF that are not 0',
        note: 'all bits after the end are 1',
      });
    const after = { row: 'int: bytes after EOF' };
    read(`${hex}00`, bytes, { note: 'a zero byte after the end', ...(bits > 0 && after) });
    read(`${hex}ffab`, bytes, { note: 'two bytes after the end', ...after });
    makeCompressed(vectors, bytes, bits === 0);
  }
}

function makeCompressed(vectors: Vectors, bytes: readonly number[], isWhole: boolean): void {
  const question = { in: toHex(bytes) };
  const hex = huff(bytes);
  const about = { source: 'CHuffman::Compress in huffman.cpp' };
  if (!isWhole) {
    vectors.valid('compress', question, { hex }, about);
    return;
  }
  const extra = { does: 'accepted', out: { hex: `${hex}00` } };
  const note = 'Teeworlds and DDNet before 20.0 write one more byte where the end fills the last one';
  vectors.acceptable('compress', question, { hex }, ['accepted', extra], { note, ...about });
}

/** The code of the end closes with two zeros, which a reader of zeros beyond the last byte would find without them. */
function makePastEnd(vectors: Vectors): void {
  const about = { source, row: 'int: no EOF in Huffman data, or one that is cut' };
  for (const missing of [1, 2]) {
    const byte = Array.from({ length: 256 }, (_, value) => value).find(
      (value) => (bitsOf([value]).length + codes[eof]!.length) % 8 === missing,
    )!;
    const bits = (bitsOf([byte]) + codes[eof]!).slice(0, -missing);
    const note = `the end without its last ${missing === 1 ? 'bit' : 'two bits'}`;
    vectors.invalid('huffman', { in: toHex(bytesOfBits(bits)) }, { note, ...about });
  }
}
