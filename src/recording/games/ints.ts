import type { Subject } from './check.ts';

export const ints: Subject = {
  about: 'int',
  title: 'Compression and ints',
  source: 'CHuffman::Decompress in huffman.cpp, CVariableInt in compression.cpp',
  checks: [
    {
      code: 'huffman_no_eof',
      severity: 'error',
      when: 'no EOF in Huffman data, or one that is cut',
      ddnet: 'refused',
      teeworlds: { does: 'refused', how: 'zero bits are read until the output is full; then refused' },
    },
    {
      code: 'huffman_output_full',
      severity: 'error',
      when: "more output than fits in the reader's buffer",
      ddnet: 'refused',
    },
    { code: 'huffman_after_eof', severity: 'warning', when: 'bytes after EOF', ddnet: 'ignored' },
    {
      code: 'huffman_padding',
      severity: 'warning',
      when: 'bits after EOF that are not 0',
      ddnet: 'ignored',
    },
    {
      code: 'truncated_varint',
      severity: 'error',
      when: 'int that ends early',
      ddnet: 'refused',
      teeworlds: { does: 'accepted', how: 'the previous contents of the buffer are read' },
    },
    {
      code: 'overlong_varint',
      severity: 'warning',
      when: 'int with more bytes than needed',
      ddnet: 'accepted',
    },
    {
      code: 'varint_padding',
      severity: 'warning',
      when: 'padding bits 0x20 to 0x80 in the fifth byte',
      ddnet: { does: 'accepted', how: 'no effect' },
    },
    {
      code: 'varint_padding',
      severity: 'warning',
      when: 'padding bit 0x10 in the fifth byte',
      ddnet: { does: 'accepted', how: 'masked' },
      teeworlds: { does: 'misread', how: 'inverts the highest bit of the int' },
    },
    {
      code: 'ints_not_aligned',
      severity: 'error',
      when: 'unpacked ints whose number of bytes is not a multiple of 4',
      ddnet: { does: 'refused', how: 'cannot occur' },
    },
  ],
};
