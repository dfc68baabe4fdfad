export { annotate } from './annotate/annotate.ts';
export { annotateContents } from './annotate/packet.ts';
export type { Change, Role, Span } from './annotate/span.ts';
export { ByteBuffer, IntBuffer } from './bytes/buffers.ts';
export {
  type Args,
  type Code,
  DecodeError,
  type Diagnostic,
  type Place,
  type Severity,
  type Warn,
} from './bytes/diagnostic.ts';
export { bitOffsets, compress, decompress, type LastByte } from './codec/huffman.ts';
export { readInts, writeInts } from './codec/int32.ts';
export { packInts, unpackInts } from './codec/varint.ts';
export { type CaptureFrame, CaptureReader, isCapture } from './container/capture/reader.ts';
export { type DemoHeader, isDemo, readDemoHeader } from './container/demo/header.ts';
export { type DemoFrame, DemoReader } from './container/demo/reader.ts';
export type { DemoHeaderFields } from './container/demo/write-header.ts';
export { type ChunkKind, DemoWriter } from './container/demo/writer.ts';
export { Diagnostics } from './decode/diagnostics.ts';
export { encode } from './decode/encode.ts';
export { type Encoding, type EncodingLayers, maxPayloadBytes, unwrap } from './decode/encoding-layers.ts';
export { intsOfJson, type JsonBody, readJson } from './decode/json-input.ts';
export { type Kind, type Payload, readPayload } from './decode/payload.ts';
export { type Recognised, recognise, type Stated } from './decode/recognise.ts';
export { type PastedBytes, type PastedText, type PasteOptions, readPastedText, toHex } from './hex/index.ts';
export { type Message, type MessageValue, readMessage } from './packet/message.ts';
export type { Packet, PacketChunk } from './packet/packet.ts';
export {
  type MessageContents,
  type PacketContents,
  readMessageContents,
  readPacketContents,
} from './packet/packet-contents.ts';
export { readPacket } from './packet/read-packet.ts';
export { type RecognisedInput, recogniseInput } from './packet/recognise-input.ts';
export { type RecognisedPacket, recognisePacket } from './packet/recognise-packet.ts';
export type { Field, ItemType } from './protocol/item.ts';
export type { Meaning, Names } from './protocol/meaning.ts';
export { Protocol, protocolOf, type SizeOf, type Version, versions } from './protocol/registry.ts';
export { readSchema } from './protocol/schema.ts';
export { intsOfText, textOfInts } from './protocol/text.ts';
export { type TickRange, ticksPerSecond } from './protocol/ticks.ts';
export { intsOfUuid, uuidOfInts, uuidOfName } from './protocol/uuid.ts';
export { CaptureReplay } from './recording/capture.ts';
export { Connection } from './recording/connection.ts';
export { DemoReplay } from './recording/demo.ts';
export { formatOf, formats, type RecordingFormat, recordsOf } from './recording/formats.ts';
export { KeyframeIndex } from './recording/keyframes.ts';
export type { ReadOptions, RecordingEntry, Replay, SnapshotEntry, Stream } from './recording/record.ts';
export { type Health, RecordingSummary } from './recording/recording-summary.ts';
export type { StreamSummary } from './recording/stream-summary.ts';
export { apply, applyInto } from './snapshot/apply.ts';
export { SnapshotBuilder } from './snapshot/builder.ts';
export { type Comparison, compare } from './snapshot/compare.ts';
export { createDelta } from './snapshot/create-delta.ts';
export { Delta } from './snapshot/delta.ts';
export { ItemTypes } from './snapshot/item-types.ts';
export { idOf, keyOf, maxId, maxItems, maxSnapshotBytes, maxType, typeOf } from './snapshot/key.ts';
export { select } from './snapshot/select.ts';
export { Snapshot } from './snapshot/snapshot.ts';
export type { ModeTally } from './stats/connection-stats.ts';
export type { FieldTally, ItemTally } from './stats/item-tally.ts';
export { type Peak, partBytes } from './stats/peaks.ts';
export type { PlayerTally } from './stats/player-tallies.ts';
export { RecordingStats } from './stats/recording-stats.ts';
export { bitsOfSecond, type SecondTally } from './stats/second-tallies.ts';
export { statsOf } from './stats/stats.ts';
export type { StatsOptions } from './stats/stats-options.ts';
export { type PartName, type SizeCount, Tally } from './stats/tally.ts';
export { renderHexdump } from './view/hexdump/hexdump.ts';
export { itemJson, payloadJson } from './view/json/json.ts';
export { messageJson } from './view/json/message-json.ts';
export { packetJson } from './view/json/packet-json.ts';
export { diagnosticLine, diagnosticMessage } from './view/text/diagnostic-messages.ts';
export { plainTheme, type Theme } from './view/text/theme.ts';
