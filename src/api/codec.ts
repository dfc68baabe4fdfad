/**
 * The lower level of bytes, ints and snapshots: Huffman, varints, buffers, hex text; deltas made and applied.
 *
 * @module tw-snap/codec
 */
export { ByteBuffer, IntBuffer } from '../bytes/buffers.ts';
export type { Args, Code, Warn } from '../bytes/diagnostic.ts';
export { bitOffsets, compress, decompress, type LastByte } from '../codec/huffman.ts';
export { readInts, writeInts } from '../codec/int32.ts';
export { packInts, unpackInts } from '../codec/varint.ts';
export { type PastedBytes, type PastedText, type PasteOptions, readPastedText } from '../hex/pasted-text.ts';
export { toHex } from '../hex/to-hex.ts';
export { applyInto } from '../snapshot/apply.ts';
export { SnapshotBuilder, select } from '../snapshot/builder.ts';
export { type Comparison, compare } from '../snapshot/compare.ts';
export { createDelta } from '../snapshot/create-delta.ts';
export { ItemTypes } from '../snapshot/item-types.ts';
export { idOf, keyOf, maxId, maxItems, maxSnapshotBytes, maxType, typeOf } from '../snapshot/key.ts';
