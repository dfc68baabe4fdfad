/**
 * The lower level of bytes, ints and snapshots: Huffman, varints, hex text; snapshots built, deltas made; the protocols
 * as tables.
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
export type { Field, FieldShape, ItemType } from '../protocol/item.ts';
export type { Meaning, Names } from '../protocol/meaning.ts';
export type { MessageField, MessageFieldType, MessageShape, MessageType, Repetition } from '../protocol/message.ts';
export type * from '../protocol/names.ts';
export { readSchema } from '../protocol/read-schema.ts';
export {
  type ModProtocol,
  Protocol,
  protocolOf,
  type Schema,
  type SizeOf,
  type Version,
  versions,
} from '../protocol/registry.ts';
export { intsOfText, intsOfUuid, textOfInts, uuidOfInts, uuidOfName } from '../protocol/texts.ts';
export { type TickRange, ticksPerSecond } from '../protocol/ticks.ts';
export { SnapshotBuilder, select } from '../snapshot/builder.ts';
export { type Comparison, compare } from '../snapshot/compare.ts';
export { createDelta } from '../snapshot/create-delta.ts';
export { ItemTypes } from '../snapshot/item-types.ts';
export { idOf, keyOf, maxId, maxItems, maxSnapshotBytes, maxType, typeOf } from '../snapshot/key.ts';
