/**
 * Decodes snapshots, deltas, packets and messages of Teeworlds and DDNet, and reads demos and captures.
 *
 * @module tw-snap
 */

import type * as record from './records.ts';

export type { Emit } from '../editing/slice.ts';
export { writeDemo } from '../editing/write-demo.ts';
export { diagnosticMessage } from '../output/phrases/diagnostic-messages.ts';
export type { Endpoint, Stream } from '../recording/replay/stream.ts';
export {
  type Args,
  type Code,
  DecodeError,
  type Diagnostic,
  type Place,
  type Severity,
  type Warn,
} from '../wire/bytes/diagnostic.ts';
export type { LastByte } from '../wire/codec/huffman.ts';
export type { Message, MessageValue } from '../wire/packet/message.ts';
export type { Packet, PacketChunk, PacketVersion } from '../wire/packet/packet.ts';
export type {
  Base,
  DecodedMessage,
  DecodedPacket,
  EmbeddedDelta,
  MessageContents,
  Sent,
} from '../wire/packet/packet-contents.ts';
export { type BinaryEncoding, type Encoding, encode } from '../wire/payload/encoding-layers.ts';
export type { Payload } from '../wire/payload/payload.ts';
export { apply } from '../wire/snapshot/apply.ts';
export { Delta } from '../wire/snapshot/delta.ts';
export type { FieldValue } from '../wire/snapshot/item-fields.ts';
export { Snapshot } from '../wire/snapshot/snapshot.ts';
export { type Building, build, type ModBuilding } from './build.ts';
export {
  type Column,
  type ColumnName,
  type ColumnOptions,
  type ColumnsFrom,
  columns,
  type FieldsOfAll,
  type KeysOf,
  type ModColumnOptions,
  type PlaceColumn,
  type ValueIn,
} from './columns.ts';
export {
  type Decoded,
  type DecodedBody,
  type DecodedInput,
  type DecodedSent,
  type DecodeOptions,
  decode,
} from './decode.ts';
export type { Pieces, Streamed, WebStream } from './input.ts';
export {
  checksum,
  diff,
  type Item,
  type ItemOf,
  type ItemPlace,
  item,
  items,
  type Named,
  type SnapshotDiff,
  type UnknownItem,
  valueNames,
} from './items.ts';
export { type Borrowed, type Kept, keep, type MessageEntry, type RecordingEntry, type SnapshotEntry } from './keep.ts';
export { type MessageOf, messageOf, type UnknownMessage } from './messages.ts';
export {
  type AsyncRecords,
  type BorrowedRecords,
  type Keeping,
  type LaterOptions,
  type LaterRecording,
  type ReadOptions,
  type Recording,
  type Records,
  type Reusing,
  read,
  readCapture,
  readDemo,
  type StreamedRecords,
} from './read-recording.ts';
export type { record };
