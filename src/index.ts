/**
 * Decodes snapshots, deltas, packets and messages of Teeworlds and DDNet, and reads demos and captures.
 *
 * @module tw-snap
 */

export { type Decoded, type DecodeOptions, decode } from './api/decode.ts';
export type { Pieces, Streamed } from './api/input.ts';
export { checksum, diff, type Item, type ItemOf, item, items, type SnapshotDiff, valueNames } from './api/items.ts';
export { type MessageOf, messageOf } from './api/messages.ts';
export {
  type Borrowed,
  keep,
  type RecordingEntry,
  readCapture,
  readDemo,
  type SnapshotEntry,
} from './api/read-recording.ts';
export { DecodeError, type Diagnostic, type Place, type Severity } from './bytes/diagnostic.ts';
export { encode } from './decode/encoding-layers.ts';
export { writeDemo } from './edit/demo-recorder.ts';
export type { ReadOptions } from './recording/replay.ts';
export type { Stream } from './recording/stream.ts';
export { apply } from './snapshot/apply.ts';
export { Delta } from './snapshot/delta.ts';
export type { FieldValue } from './snapshot/item-fields.ts';
export { Snapshot } from './snapshot/snapshot.ts';
