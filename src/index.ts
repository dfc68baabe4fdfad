/**
 * Decodes snapshots, deltas, packets and messages of Teeworlds and DDNet, and reads demos and captures.
 *
 * @module tw-snap
 */

export type * from './api/build.ts';
export { build } from './api/build.ts';
export type * from './api/columns.ts';
export { columns } from './api/columns.ts';
export type * from './api/decode.ts';
export { decode } from './api/decode.ts';
export type { Pieces, Streamed, WebStream } from './api/input.ts';
export type * from './api/items.ts';
export { checksum, diff, item, items, valueNames } from './api/items.ts';
export type * from './api/messages.ts';
export { messageOf } from './api/messages.ts';
export type * from './api/read-recording.ts';
export { keep, read, readCapture, readDemo } from './api/read-recording.ts';
export { DecodeError, type Diagnostic, type Place, type Severity } from './bytes/diagnostic.ts';
export { encode } from './decode/encoding-layers.ts';
export { writeDemo } from './edit/write-demo.ts';
export type { Base, DecodedMessage, DecodedPacket } from './packet/packet-contents.ts';
export type { Endpoint, Stream } from './recording/stream.ts';
export { apply } from './snapshot/apply.ts';
export { Delta } from './snapshot/delta.ts';
export type { FieldValue } from './snapshot/item-fields.ts';
export { Snapshot } from './snapshot/snapshot.ts';
export { diagnosticMessage } from './text/diagnostic-messages.ts';
