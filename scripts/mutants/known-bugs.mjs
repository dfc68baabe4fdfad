// Bugs that were made once, or could have been: `mutants.mjs --known` puts each into a copy of the sources, and a test
// has to notice it.
/**
 * The description of each bug, the file, the original text, its replacement, the tests to run, and a second text with
 * its replacement.
 */
export const knownBugs = [
  [
    "a bit too few in the varint's fifth byte",
    'src/codec/varint.ts',
    '(byte & 0x0f) << 27',
    '(byte & 0x07) << 27',
    'test/codec/varint.test.ts',
  ],
  [
    'negative ints are packed with the wrong sign bit',
    'src/codec/varint.ts',
    '(flip & 0x40)',
    '(flip & 0x20)',
    'test/codec/varint.test.ts',
  ],
  [
    'a zero byte after a complete stream is left out',
    'src/codec/huffman.ts',
    "have || lastByte === 'extra'",
    'have',
    'test/codec/huffman.test.ts',
  ],
  [
    'chunk-size bits of 0.6 and 0.7 swapped',
    'src/packet/packet.ts',
    "version === '0.7' ? 6 : 4",
    "version === '0.7' ? 4 : 6",
    'test/commands/decode/packet.test.ts',
  ],
  [
    'sequence numbers lose their upper bits',
    'src/packet/packet.ts',
    '& 0x3ff : 0',
    '& 0xff : 0',
    'test/recording/capture.test.ts test/commands/decode/packet.test.ts',
  ],
  [
    'UUID items left out of the checksum',
    'src/snapshot/snapshot.ts',
    'if (this.#sum !== undefined) return this.#sum;',
    'for (let i = 0; i < this.count; i++) if (this.type(i) >= 0x4000) return this.sumUpTo(this.offsets[i]!);\n    if (this.#sum !== undefined) return this.#sum;',
    'test/commands/decode/samples.test.ts test/snapshot/snapshot.test.ts',
    [
      '  checksum(): number {',
      '  sumUpTo(end: number): number {\n    return this.data.subarray(0, end).reduce((sum, int) => (sum + int) | 0, 0);\n  }\n\n  checksum(): number {',
    ],
  ],
  [
    'base changed in place',
    'src/snapshot/apply.ts',
    '    loadedSnapshot = result;',
    '    for (let at = 0; at < Math.min(base.offsets[base.count]!, scratch.offsets[scratch.count]!); at++) base.data[at] = scratch.data[at]!;\n    loadedSnapshot = result;',
    'test/snapshot/apply.test.ts test/recording/track.test.ts',
  ],
  [
    'the checksum by what differs keeps removed items',
    'src/snapshot/apply.ts',
    'for (let at = start; at < end; at++) sum = (sum - data[at]!) | 0;',
    '',
    'test/snapshot/apply.test.ts test/commands/decode/samples.test.ts',
  ],
  [
    'the scratch is taken for any base',
    'src/snapshot/apply.ts',
    'if (base !== loadedSnapshot ',
    'if (!loadedSnapshot ',
    'test/snapshot/apply.test.ts test/recording/capture.test.ts',
  ],
  [
    "a bit too few in the varint's fifth byte, read block by block",
    'src/codec/varint-blocks.ts',
    'value |= byte << 27;',
    'value |= (byte & 0x07) << 27;',
    'test/codec/varint.test.ts test/codec/huffman.test.ts',
  ],
  [
    'the last item of a snapshot loses an int',
    'src/snapshot/snapshot.ts',
    'i + 1 < items ? itemStart(ints, i + 1, items, dataSize, length, base) : expected',
    'i + 1 < items ? itemStart(ints, i + 1, items, dataSize, length, base) : expected - 1',
    'test/snapshot/snapshot.test.ts',
  ],
  [
    'a removed item stays when it is the first',
    'src/snapshot/delta.ts',
    'return this.ints[headerInts + i]!',
    'return this.ints[headerInts + i + 1]!',
    'test/snapshot/apply.test.ts test/snapshot/delta.test.ts',
  ],
  [
    'a size of -1 is taken',
    'src/snapshot/delta.ts',
    'if (size < 0) throw',
    'if (size < -1) throw',
    'test/snapshot/delta.test.ts',
  ],
  [
    'chunks of demos over 255 bytes have the bytes of their size swapped',
    'src/container/demo/chunk.ts',
    'if (headSize > 2) size |= bytes[at + 2]! << 8;',
    'if (headSize > 2) size = (size << 8) | bytes[at + 2]!;',
    'test/recording/demo-damage.test.ts',
  ],
  [
    'steps of ticks take a bit too many from version 5 on',
    'src/container/demo/chunk.ts',
    'first & 0x20 ? first & 0x1f : -1',
    'first & 0x20 ? first & 0x3f : -1',
    'test/recording/demo-damage.test.ts',
  ],
  [
    'fragments of IP packets are put in at half their offset',
    'src/container/net/ip.ts',
    '8 * (fragment & 0x1fff)',
    '4 * (fragment & 0x1fff)',
    'test/container/net/ip.test.ts test/container/net/fragments.test.ts test/container/capture/reader.test.ts',
  ],
  [
    'later registrations of UUIDs are overlooked',
    'src/snapshot/item-types.ts',
    'if (ints.length >= uuidInts)',
    'if (ints.length >= uuidInts && !this.#uuids.has(from.id(i)))',
    'test/snapshot/item-types.test.ts',
  ],
  [
    'text in ints begins with the lowest byte',
    'src/protocol/texts.ts',
    '(24 - 8 * (length & 3))',
    '(8 * (length & 3))',
    'test/protocol/items.test.ts test/commands/decode/samples.test.ts',
  ],
  ['direction marks reach the terminal', 'src/text/escape.ts', '\\p{Cf}\\p{Cs}', '\\p{Cs}', 'test/text/escape.test.ts'],
];
