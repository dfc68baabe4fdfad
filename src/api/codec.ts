/**
 * The lower level of bytes, ints and snapshots: Huffman, varints, hex text; snapshots built, deltas made; the protocols
 * as tables.
 *
 * @module tw-snap/codec
 */

import { ByteBuffer, IntBuffer } from '../wire/bytes/buffers.ts';
import { ignore } from '../wire/bytes/diagnostic.ts';
import { expects } from '../wire/bytes/expects.ts';
import * as huffman from '../wire/codec/huffman.ts';
import * as varint from '../wire/codec/varint.ts';
import { Protocol, protocolOf, type SizeOf, type Version } from '../wire/protocol/registry.ts';
import * as texts from '../wire/protocol/texts.ts';
import * as delta from '../wire/snapshot/create-delta.ts';
import type { Delta } from '../wire/snapshot/delta.ts';
import { isSnapshot, type Snapshot } from '../wire/snapshot/snapshot.ts';
import { bytesOf } from './input.ts';

export type { Args, Code, Warn } from '../wire/bytes/diagnostic.ts';
export { toHex } from '../wire/bytes/to-hex.ts';
export type { LastByte } from '../wire/codec/huffman.ts';
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
  type Protocol,
  protocolOf,
  type Schema,
  type SizeOf,
  type Version,
  versions,
} from '../wire/protocol/registry.ts';
export { type TickRange, ticksPerSecond } from '../wire/protocol/ticks.ts';
export type * from '../wire/protocol/typed-names.ts';
export { readSchema } from '../wire/schema/read-schema.ts';
export { SnapshotBuilder } from '../wire/snapshot/builder.ts';
export type { ItemTypes } from '../wire/snapshot/item-types.ts';

/** Packs ints as varints, as the games do: each in the fewest bytes possible. @throws TypeError for other ints */
export function packInts(ints: Int32Array): Uint8Array {
  if (!(ints instanceof Int32Array)) expects('packInts', 'an Int32Array', ints);
  const into = new ByteBuffer();
  varint.packInts(ints, 0, ints.length, into);
  return into.bytes.slice(0, into.length);
}

/** Unpacks varints, all of them. @throws DecodeError `truncated_varint` if the bytes end inside an int */
export function unpackInts(bytes: Uint8Array | ArrayBuffer): Int32Array {
  const source = bytesOf(bytes, 'unpackInts');
  const into = new IntBuffer();
  varint.unpackInts(source, 0, source.length, into, ignore);
  return into.ints.slice(0, into.length);
}

/** Compresses bytes with the Huffman code of the games, without a byte after the end symbol, as DDNet does. */
export function compress(bytes: Uint8Array | ArrayBuffer): Uint8Array {
  const source = bytesOf(bytes, 'compress');
  const into = new ByteBuffer();
  huffman.compress(source, 0, source.length, into, 'none');
  return into.bytes.slice(0, into.length);
}

/**
 * `character@netobj.ddnet.tw` → `76ce455b-f9eb-3a48-add7-e04b941d045c`: RFC 4122 version 3, MD5 of the name without a
 * NUL, in the namespace of the games.
 */
export const uuidOfName = (name: string): string =>
  typeof name === 'string' ? texts.uuidOfName(name) : expects('uuidOfName', 'a text', name);

/** `76ce455b-…` → four big-endian ints. @throws TypeError for another text */
export function intsOfUuid(uuid: string): Int32Array {
  const digits = typeof uuid === 'string' ? uuid.replaceAll('-', '') : '';
  if (!/^[0-9a-f]{32}$/i.test(digits)) expects('intsOfUuid', 'a UUID, as 76ce455b-f9eb-3a48-add7-e04b941d045c', uuid);
  return texts.intsOfUuid(uuid);
}

/** Four big-endian ints → `76ce455b-…`. @throws RangeError if there are fewer from `at` on */
export function uuidOfInts(ints: ArrayLike<number>, at = 0): string {
  if (!(ints?.length >= at + 4)) throw new RangeError(`a UUID is four ints; from ${at} on there are fewer`);
  return texts.uuidOfInts(ints, at);
}

/** Any more are no snapshot, demo chunk or packet: the largest of those have 64 KiB. */
const maxDecompressed = 1 << 20;

/**
 * Decompresses the Huffman code of the games.
 * @throws DecodeError `huffman_no_eof` if the bits end before the end symbol; `huffman_output_full` beyond 1 MiB
 */
export function decompress(bytes: Uint8Array | ArrayBuffer): Uint8Array {
  const source = bytesOf(bytes, 'decompress');
  const into = new ByteBuffer();
  huffman.decompress(source, 0, source.length, into, ignore, maxDecompressed);
  return into.bytes.slice(0, into.length);
}

/**
 * The delta that turns a snapshot into another one, as the games create it. Items that stay keep the order of `from`.
 *
 * @param protocol says which items have a known size; a delta carries that of the others
 * @throws DecodeError `size_differs` if a new or changed item has another size than before or than its type has, which
 *   no delta can express
 */
export function createDelta(from: Snapshot, to: Snapshot, protocol: Version | Protocol | SizeOf): Delta {
  for (const one of [from, to]) if (!isSnapshot(one)) expects('createDelta', 'two Snapshots', one);
  const sizes = protocol instanceof Protocol ? protocol.sizeOf : protocol;
  return delta.createDelta(from, to, typeof sizes === 'function' ? sizes : protocolOf(sizes).sizeOf);
}
