import { packInt, toHex } from '../encode.mjs';
import { codes, eof } from '../huffman-codes.mjs';
import type { About, Deed, Vectors } from './vector.ts';

const source = 'CDemoRecorder::Write in demo.cpp';
const types = { snapshot: 1, message: 2, delta: 3 } as const;

/** 64 KiB. */
const mostInts = 1 << 14;

/** Bits of one int so many times, packed and compressed. */
function bitsOf(int: number, times: number): number {
  const bits = packInt(int).reduce((sum, byte) => sum + codes[byte]!.length, 0);
  return times * bits + codes[eof]!.length;
}

const sizeOf = (int: number, times: number) => Math.ceil(bitsOf(int, times) / 8);

/** Chunks that a recorder writes, of one int so many times: the head and the bytes after it. */
export function makeDemoWrites(vectors: Vectors): void {
  const write = (chunk: keyof typeof types, int: number, times: number, about: About = {}) => {
    const size = sizeOf(int, times);
    const [type, low, high] = [types[chunk] << 5, size & 0xff, size >> 8];
    const head = size < 30 ? [type | size] : size < 256 ? [type | 30, low] : [type | 31, low, high];
    vectors.valid('demowrite', { chunk, int, times }, { head: toHex(head), size }, { source, ...about });
  };
  write('snapshot', 0, 2);
  for (const [times, size] of [
    [53, 29],
    [55, 30],
    [505, 255],
    [507, 256],
  ] as const)
    for (const chunk of ['snapshot', 'message', 'delta'] as const)
      write(chunk, 1, times, { note: `${size.toLocaleString('en')} bytes` });
  write('snapshot', 295_853_050, 11_915, { note: '65,535 bytes, the most' });

  const whole = Array.from({ length: 8 }, (_, i) => 8 + i).find((times) => bitsOf(5, times) % 8 === 0)!;
  const size = sizeOf(5, whole);
  const more = { does: 'accepted', out: { head: toHex([0x60 | (size + 1)]), size: size + 1 } };
  vectors.acceptable(
    'demowrite',
    { chunk: 'delta', int: 5, times: whole },
    { head: toHex([0x60 | size]), size },
    ['accepted', more],
    { source, note: 'Teeworlds and DDNet before 20.0 write one more byte where the end fills the last one' },
  );
  write('snapshot', 0, mostInts, { note: '64 KiB of ints, the most' });

  const row = 'demo: chunk of more than 65,535 bytes';
  vectors.acceptable(
    'demowrite',
    { chunk: 'snapshot', int: 0, times: mostInts + 1 },
    undefined,
    ['refused', { does: 'misread', out: {} }],
    { source, note: 'more than 64 KiB of ints: Teeworlds writes beyond its buffer' },
  );
  vectors.invalid(
    'demowrite',
    { chunk: 'snapshot', int: 0x7fffffff, times: 13_200 },
    { source, row, note: 'more than 64 KiB, packed' },
  );
  const cut: Deed = { does: 'accepted', out: { head: '3f0000', size: 1 << 16 } };
  const question = { chunk: 'snapshot', int: 191_089_423, times: 12_787 };
  vectors.acceptable('demowrite', question, cut.out, [cut, cut], {
    source,
    note: '65,536 bytes: the size is cut to 16 bits, and the demo cannot be read',
  });
}
