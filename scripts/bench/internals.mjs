// Internals that the library does not export, bundled like the library.
import { Buffer } from 'node:buffer';
import { build } from 'esbuild';
import { root } from './child.mjs';

const { outputFiles } = await build({
  stdin: {
    contents: `export { ByteBuffer, IntBuffer } from './src/wire/bytes/buffers.ts';
               export { decompress } from './src/wire/codec/huffman.ts';
               export { unpackInts } from './src/wire/codec/varint.ts';
               export { readPacket } from './src/wire/packet/packet.ts';
               export { decodeWhole } from './src/wire/codec/huffman-blocks.ts';
               export { unpackHuffman } from './src/wire/payload/payload-reader.ts';`,
    resolveDir: root,
  },
  bundle: true,
  format: 'esm',
  target: 'node20',
  minify: true,
  write: false,
});
const script = Buffer.from(outputFiles[0].text).toString('base64');

export const { ByteBuffer, decodeWhole, decompress, IntBuffer, readPacket, unpackHuffman, unpackInts } = await import(
  `data:text/javascript;base64,${script}`
);
