/**
 * What the commands are made of: readers and writers of files, spans, statistics, text and JSON. It changes without
 * notice.
 *
 * @module tw-snap/unstable
 */

import { RecordingStats } from '../analysis/stats/recording-stats.ts';
import type { StatsOptions } from '../analysis/stats/tally.ts';
import {
  type FoundMoment,
  type FoundNote,
  type FoundPacket,
  MomentSearch,
  PacketSearch,
} from '../input/source/found.ts';
import { endOf, type Moment, parsePosition, tickOf, ticksAmong } from '../input/source/position.ts';
import { type Values, valuesOf } from '../output/results/fields.ts';
import { statsFields } from '../output/results/stats.ts';
import { formatOf, formats } from '../recording/all-formats.ts';
import type { RecordingFormat } from '../recording/formats.ts';
import type { RecordingEntry } from '../recording/replay/record.ts';
import type { Schema } from '../wire/protocol/registry.ts';
import { type Pieces, piecesIn } from './input.ts';
import { DetectedReplay, type ReadOptions, readOptions, recordsIn } from './read-recording.ts';

export type { StatsOptions } from '../analysis/stats/tally.ts';
export { ClientDemo, type ClientDemoStart } from '../editing/client-demo.ts';
export type * from '../editing/concat.ts';
export { Concat } from '../editing/concat.ts';
export { Editor } from '../editing/editor.ts';
export type { LossFilter } from '../editing/losses.ts';
export { Repairer } from '../editing/repair.ts';
export type * from '../editing/slice.ts';
export { Slicer } from '../editing/slice.ts';
export type * from '../editing/state-messages.ts';
export type { Platform } from '../input/decompress/decompress.ts';
export type * from '../input/source/found.ts';
export { NotFoundError } from '../input/source/found.ts';
export { type Bytes, open, type Source } from '../input/source/open.ts';
export type { SourceReading, Stated } from '../input/stated.ts';
export { renderHexdump } from '../output/hexdump/hexdump.ts';
export { payloadJson } from '../output/json/item-json.ts';
// For docs/examples/drop-file.mjs.
export { packetJson } from '../output/json/packet-json.ts';
export { foundText, missingText } from '../output/phrases/found-text.ts';
export { plainTheme, type Theme } from '../output/text/theme.ts';
export { formatOf, formats } from '../recording/all-formats.ts';
export { CaptureReplay } from '../recording/capture/capture-replay.ts';
export type * from '../recording/capture/snapshot-history.ts';
export type * from '../recording/capture/snapshot-receiver.ts';
export { type CaptureFrame, CaptureReader } from '../recording/container/capture/capture-reader.ts';
export { type DemoFrame, DemoReader } from '../recording/container/demo/demo-reader.ts';
export { type ChunkKind, type DemoHeaderFields, DemoWriter } from '../recording/container/demo/demo-writer.ts';
export type { DemoHeader } from '../recording/container/demo/header.ts';
export { isCapture, isDemo } from '../recording/container/detect.ts';
export type * from '../recording/container/ghost/ghost.ts';
export type * from '../recording/container/map/datafile.ts';
export type * from '../recording/container/map/game-map.ts';
export { DemoReplay } from '../recording/demo/demo-replay.ts';
export type { OfStream } from '../recording/events/events.ts';
export { type RecordingFormat, recordsOf } from '../recording/formats.ts';
export { answers } from '../recording/games/expectations.ts';
export type * from '../recording/health/checksums.ts';
export type { Finding, FindingCode, FindingPlace, FindingSeverity } from '../recording/health/findings.ts';
export type * from '../recording/replay/map-summary.ts';
export type * from '../recording/replay/record.ts';
export type * from '../recording/replay/replay.ts';
export type { ConnectionStream, Direction } from '../recording/replay/stream.ts';
export type * from '../recording/summary/recording-summary.ts';
export { RecordingSummary } from '../recording/summary/recording-summary.ts';
export type * from '../recording/summary/stream-summary.ts';
export { annotateContents } from '../wire/annotate/packet-spans.ts';
export { annotate } from '../wire/annotate/payload-spans.ts';
export type { Change, Role, Span } from '../wire/annotate/span.ts';
export type * from '../wire/packet/message.ts';
export type * from '../wire/packet/packet.ts';
export type * from '../wire/packet/packet-contents.ts';
export type { Diagnostics } from '../wire/payload/diagnostics.ts';
export type * from '../wire/payload/encoding-layers.ts';
export type { Payload } from '../wire/payload/payload.ts';
export type { OpenBounds } from '../wire/protocol/registry.ts';
export { applyInto } from '../wire/snapshot/apply.ts';
export type { FieldsOfAll, KeysOf, ValueIn } from './columns.ts';

/** What `tw-snap stats -t json` prints of a recording, without its path. */
export type Stats = Omit<Values<typeof statsFields>, 'file'>;

/**
 * Counts the bytes of a recording, as `stats` does.
 * @param options.format the format of the file, if its first bytes do not show it
 * @throws TypeError if the format is neither stated nor detected
 */
export function statsOf(
  bytes: Uint8Array,
  options: StatsOptions & { readonly format?: RecordingFormat; readonly schema?: Schema } = {},
): Stats {
  const format = options.format ?? formatOf(bytes);
  if (!format) throw new TypeError('the file is not a recording of a known format');
  const replay = format.open({ ...(options.schema ? { schema: options.schema } : {}), parts: true });
  const stats = new RecordingStats(replay, options);
  for (const record of recordsIn(bytes, replay, 'statsOf')) stats.add(record);
  stats.finish(bytes.length);
  const container = replay.container ?? 'unknown';
  const { file: _, ...values } = valuesOf(statsFields, { file: '', container, fileBytes: bytes.length, stats });
  return values;
}

/** What {@link at} found: the snapshot of a moment, or a packet. */
export type Found = (FoundMoment | FoundPacket) & {
  /** What the command line says of it. */
  readonly notes: readonly FoundNote[];
};

/** How the recording is read, and whose snapshots are searched: an address and port, as in `stream.client`. */
export interface AtOptions extends Pick<ReadOptions, 'protocol' | 'schema'> {
  readonly client?: string;
}

/**
 * Finds what a recording has at a position, as `FILE@MOMENT` and `FILE#N` of the command line do.
 *
 * @param position `@9938`, `@0:30`, `@first` or `@last-10s`: the snapshot that is current then; `#101`: the packet with
 *   Wireshark's number
 * @returns copies, which may be kept: of a moment `snapshot`, the base `before` it and the recorded `payload`; of a
 *   packet its `bytes`
 * and the `base` of the delta in it
 * @throws NotFoundError if the recording does not have it; SourceError if `position` is none; DecodeError
 *   `not_a_recording`
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { at } from 'tw-snap/unstable';
 *
 * const { snapshot } = at(readFileSync('samples/vanilla-dm1.demo'), '@last-1s');
 * console.log(snapshot?.size);
 * ```
 */
export function at(recording: Pieces, position: string, options: AtOptions = {}): Found {
  const { client, ...reading } = options;
  const pieces = [...piecesIn(recording, 'at')];
  const records = (parts: boolean, ticks = true) => {
    const own = { ...readOptions('at', reading), messages: false, parts, ticks };
    return recordsIn(pieces, new DetectedReplay(formats, 'not_a_recording', own), 'at');
  };
  const place = parsePosition(position);
  if ('packet' in place) return resultOf(new PacketSearch(place.packet), records(true, false));
  const { moment, text } = place;
  const tick = endOf(moment) ?? tickIn(() => records(false), moment, client);
  return resultOf(new MomentSearch(text, tick, client), records(false));
}

function tickIn(records: () => Iterable<RecordingEntry>, moment: Moment, client: string | undefined): number {
  const [first = 0] = moment.from === 'first' ? ticksAmong(records(), client) : [];
  let last = 0;
  if (moment.from === 'last') for (const tick of ticksAmong(records(), client)) last = tick;
  return tickOf(moment, first, last);
}

function resultOf<Result extends FoundMoment | FoundPacket>(
  search: { readonly notes: readonly FoundNote[]; add(entry: RecordingEntry): boolean; result(): Result },
  records: Iterable<RecordingEntry>,
): Result & Pick<Found, 'notes'> {
  for (const entry of records) if (search.add(entry)) break;
  return { ...search.result(), notes: search.notes };
}
