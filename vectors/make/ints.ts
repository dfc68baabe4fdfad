import { intsHex, packInt, toHex } from '../encode.mjs';
import { borders, Seeded } from './seeded.ts';
import type { About, Vectors } from './vector.ts';

const source = 'CVariableInt::Unpack in compression.cpp';
const overlong = { source, row: 'int: int with more bytes than needed' };
const padding = { source, row: 'int: padding bits 0x20 to 0x80 in the fifth byte' };
const cut = { source, row: 'int: int that ends early' };

export function makeInts(vectors: Vectors): void {
  const random = new Seeded(1);
  for (const value of borders) {
    const bytes = packInt(value);
    vectors.valid('varint', { in: toHex(bytes) }, { value, size: bytes.length }, { source });
    vectors.valid('pack', { value }, { hex: toHex(bytes) }, { source: 'CVariableInt::Pack in compression.cpp' });
  }
  const varint = (hex: string, value: number, size: number, note: string, about: object = { source }) =>
    vectors.valid('varint', { in: hex }, { value, size }, { note, ...about });

  varint('41', -2, 1, 'the sign inverts all bits: it is no minus');
  varint('3f00', 63, 1, 'what follows is the next int');
  varint('bfffffff07', 2 ** 30 - 1, 5, 'the highest data bit is 0');
  varint('8000', 0, 2, 'one byte too many', overlong);
  varint('c000', -1, 2, 'one byte too many', overlong);
  varint('818000', 1, 3, 'two bytes too many', overlong);
  varint('c080808000', -1, 5, 'four bytes too many', overlong);
  varint('bf80808000', 63, 5, 'four bytes too many', overlong);
  varint('808080808001', 0, 5, 'a fifth byte is the last: a sixth is the next int', padding);
  varint('bfffffffef', 2 ** 31 - 1, 5, 'padding bits 0x80, 0x40 and 0x20 have no effect', padding);
  varint('ffffffff8f', -(2 ** 31), 5, 'bit E of the fifth byte has no effect', padding);
  varint('80808080a0', 0, 5, 'padding bits 0x80 and 0x20', padding);

  // Bit 0x10 is shifted to where the highest bit of an int is. Teeworlds masks it since 2022, after its last release.
  const highestBit = (hex: string, value: number, shifted: number) =>
    vectors.acceptable(
      'varint',
      { in: hex },
      { value, size: 5 },
      ['accepted', { does: 'misread', out: { value: shifted, size: 5 } }],
      {
        source,
        row: 'int: padding bit 0x10 in the fifth byte',
        note: 'masked, or it inverts the highest bit',
      },
    );
  highestBit('bfffffff1f', 2 ** 31 - 1, -1);
  highestBit('ffffffffff', -(2 ** 31), 0);
  highestBit('80808080f0', 0, -(2 ** 31));
  highestBit('8180808070', 1, -(2 ** 31) + 1);
  highestBit('8080808010', 0, -(2 ** 31));

  for (const hex of ['80', 'c0', 'ff80', '80808080', 'ffffffff'])
    vectors.acceptable('varint', { in: hex }, {}, ['refused', 'accepted'], {
      note: 'Teeworlds reads the previous contents of its buffer',
      ...cut,
    });
  vectors.acceptable('varint', { in: '' }, {}, ['refused', 'accepted'], { note: 'no byte', ...cut });

  for (let i = 0; i < 12; i++) {
    const value = random.int();
    vectors.valid(
      'pack',
      { value },
      { hex: toHex(packInt(value)) },
      { source: 'CVariableInt::Pack in compression.cpp' },
    );
  }
  makeLists(vectors, random);
}

function makeLists(vectors: Vectors, random: Seeded): void {
  const list = (hex: string, ints: readonly number[], about: About = {}) =>
    vectors.valid('ints', { in: hex }, { ints }, { source: 'CVariableInt::Decompress in compression.cpp', ...about });
  list('', [], { note: 'nothing' });
  list('808080808001', [0, 1], { ...padding, note: 'five bytes, then one' });
  list('ffffffffef05', [-(2 ** 31), 5], { ...padding, note: 'five bytes, then one' });
  list('80008180000240', [0, 1, 2, -1], { ...overlong, note: 'overlong ones among others' });
  vectors.acceptable(
    'ints',
    { in: 'bfffffff1f00' },
    { ints: [2 ** 31 - 1, 0] },
    ['accepted', { does: 'misread', out: { ints: [-1, 0] } }],
    { source, row: 'int: padding bit 0x10 in the fifth byte', note: 'another int follows' },
  );
  vectors.acceptable('ints', { in: '0180' }, {}, ['refused', 'accepted'], { note: 'the second int is cut', ...cut });
  for (let i = 0; i < 20; i++) {
    const ints = random.ints(1 + random.below(12));
    list(intsHex(ints), ints);
  }
}
