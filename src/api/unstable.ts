/**
 * What the commands are made of: readers and writers of files, spans, statistics, text and JSON. It changes without
 * notice.
 *
 * @module tw-snap/unstable
 */
import type { Schema } from '../protocol/registry.ts';
import { formatOf } from '../recording/all-formats.ts';
import type { RecordingFormat } from '../recording/formats.ts';
import { RecordingStats } from '../stats/recording-stats.ts';
import type { StatsOptions } from '../stats/tally.ts';
import { recordsIn } from './read-recording.ts';

export { annotate } from '../annotate/annotate.ts';
export { annotateContents } from '../annotate/packet.ts';
export type { Change, Role, Span } from '../annotate/span.ts';
export { PcapngWriter } from '../container/capture/pcapng-writer.ts';
export { type CaptureFrame, CaptureReader } from '../container/capture/reader.ts';
export { type DemoHeader, readDemoHeader } from '../container/demo/header.ts';
export { type DemoFrame, DemoReader } from '../container/demo/reader.ts';
export { type ChunkKind, type DemoHeaderFields, DemoWriter } from '../container/demo/writer.ts';
export { isCapture, isDemo } from '../container/detect.ts';
export type * from '../container/ghost/ghost.ts';
export type * from '../container/map/datafile.ts';
export type * from '../container/map/game-map.ts';
export type { Diagnostics } from '../decode/diagnostics.ts';
export type * from '../decode/encoding-layers.ts';
export type { Payload } from '../decode/payload.ts';
export type * from '../edit/client-demo.ts';
export type * from '../edit/concat.ts';
export type * from '../edit/editor.ts';
export type { LossFilter } from '../edit/losses.ts';
export type * from '../edit/slice.ts';
export type * from '../edit/state-messages.ts';
export type { OfStream } from '../events/events.ts';
export type * from '../packet/message.ts';
export { messageJson, readMessage } from '../packet/message.ts';
export type * from '../packet/packet.ts';
export { readPacket } from '../packet/packet.ts';
export type * from '../packet/packet-contents.ts';
export type { OpenBounds } from '../protocol/registry.ts';
export { formatOf, formats } from '../recording/all-formats.ts';
export { CaptureReplay } from '../recording/capture.ts';
export type * from '../recording/checksums.ts';
export { DemoReplay } from '../recording/demo.ts';
export type { Finding, FindingCode, FindingPlace, FindingSeverity } from '../recording/findings.ts';
export { type RecordingFormat, recordsOf } from '../recording/formats.ts';
export type * from '../recording/map-summary.ts';
export type * from '../recording/record.ts';
export type * from '../recording/recording-summary.ts';
export { RecordingSummary } from '../recording/recording-summary.ts';
export type * from '../recording/replay.ts';
export type * from '../recording/snapshot-history.ts';
export type * from '../recording/snapshot-receiver.ts';
export type { ConnectionStream, Direction } from '../recording/stream.ts';
export type * from '../recording/stream-summary.ts';
export { applyInto } from '../snapshot/apply.ts';
export { anyPlatform, type Platform } from '../source/decompress.ts';
export type * from '../source/found.ts';
export { NotFoundError } from '../source/found.ts';
export { type OpenedSource, openSource } from '../source/open.ts';
export { readPart } from '../source/read-part.ts';
export { recognisePart } from '../source/recognise.ts';
export type { SourceReading, Stated } from '../source/stated.ts';
export { type Part, type Parts, partsOf } from '../source/text.ts';
export { RecordingStats } from '../stats/recording-stats.ts';
export type { StatsOptions } from '../stats/tally.ts';
export { diagnosticLine, diagnosticMessage } from '../text/diagnostic-messages.ts';
export { foundText, missingText } from '../text/found-text.ts';
export { plainTheme, type Theme } from '../text/theme.ts';
export { renderHexdump } from '../view/hexdump/hexdump.ts';
export { itemJson, payloadJson } from '../view/json/json.ts';
export { packetJson } from '../view/json/packet-json.ts';
export { CaptureAnnotator } from '../view/wireshark/capture-annotator.ts';
export { renderPostDissector } from '../view/wireshark/post-dissector.ts';
export { type AtOptions, at, type Found } from './at.ts';
export type { SomeFields } from './build.ts';
export type { FieldsOfAll, KeysOf, ValueIn } from './columns.ts';

/**
 * Counts a recording.
 * @param options.format the format of the file, if its first bytes do not show it
 * @throws TypeError if the format is neither stated nor detected
 */
export function statsOf(
  bytes: Uint8Array,
  options: StatsOptions & { readonly format?: RecordingFormat; readonly schema?: Schema } = {},
): RecordingStats {
  const format = options.format ?? formatOf(bytes);
  if (!format) throw new TypeError('the file is not a recording of a known format');
  const replay = format.open({ ...(options.schema ? { schema: options.schema } : {}), parts: true });
  const stats = new RecordingStats(replay, options);
  for (const record of recordsIn(bytes, replay, 'statsOf')) stats.add(record);
  stats.finish(bytes.length);
  return stats;
}
