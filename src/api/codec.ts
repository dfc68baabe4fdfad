/**
 * The lower level of bytes, ints and snapshots: Huffman, varints, hex text; snapshots built, deltas made; the protocols
 * as tables.
 *
 * @module tw-snap/codec
 */

export { type PastedBytes, type PastedText, type PasteOptions, readPastedText } from '../input/pasted/pasted-text.ts';
export { ByteBuffer, IntBuffer } from '../wire/bytes/buffers.ts';
export type { Args, Code, Warn } from '../wire/bytes/diagnostic.ts';
export { toHex } from '../wire/bytes/to-hex.ts';
export { bitOffsets, compress, decompress, type LastByte } from '../wire/codec/huffman.ts';
export { readInts, writeInts } from '../wire/codec/int32.ts';
export { packInts, unpackInts } from '../wire/codec/varint.ts';
export type { Field, FieldShape, ItemType } from '../wire/protocol/item.ts';
export type { Meaning, Names } from '../wire/protocol/meaning.ts';
export type {
  MessageField,
  MessageFieldType,
  MessageShape,
  MessageType,
  Repetition,
} from '../wire/protocol/message-type.ts';
export {
  type ModProtocol,
  Protocol,
  protocolOf,
  type Schema,
  type SizeOf,
  type Version,
  versions,
} from '../wire/protocol/registry.ts';
export { intsOfText, intsOfUuid, textOfInts, uuidOfInts, uuidOfName } from '../wire/protocol/texts.ts';
export { type TickRange, ticksPerSecond } from '../wire/protocol/ticks.ts';
export type * from '../wire/protocol/typed-names.ts';
export { readSchema } from '../wire/schema/read-schema.ts';
export { SnapshotBuilder, select } from '../wire/snapshot/builder.ts';
export { type Comparison, compare } from '../wire/snapshot/compare.ts';
export { createDelta } from '../wire/snapshot/create-delta.ts';
export { ItemTypes } from '../wire/snapshot/item-types.ts';
export { idOf, keyOf, maxId, maxItems, maxSnapshotBytes, maxType, typeOf } from '../wire/snapshot/key.ts';
