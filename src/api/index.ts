/**
 * Decodes snapshots, deltas, packets and messages of Teeworlds and DDNet, and reads demos and captures.
 *
 * @module tw-snap
 */

export { writeDemo } from '../editing/write-demo.ts';
export { diagnosticMessage } from '../output/phrases/diagnostic-messages.ts';
export type { Endpoint, Stream } from '../recording/replay/stream.ts';
export { DecodeError, type Diagnostic, type Place, type Severity } from '../wire/bytes/diagnostic.ts';
export type { Base, DecodedMessage, DecodedPacket } from '../wire/packet/packet-contents.ts';
export { encode } from '../wire/payload/encoding-layers.ts';
export { apply } from '../wire/snapshot/apply.ts';
export { Delta } from '../wire/snapshot/delta.ts';
export type { FieldValue } from '../wire/snapshot/item-fields.ts';
export { Snapshot } from '../wire/snapshot/snapshot.ts';
export type * from './build.ts';
export { build } from './build.ts';
export type * from './columns.ts';
export { columns } from './columns.ts';
export type * from './decode.ts';
export { decode } from './decode.ts';
export type { Pieces, Streamed, WebStream } from './input.ts';
export type * from './items.ts';
export { checksum, diff, item, items, valueNames } from './items.ts';
export type * from './messages.ts';
export { messageOf } from './messages.ts';
export type * from './read-recording.ts';
export { keep, read, readCapture, readDemo } from './read-recording.ts';
