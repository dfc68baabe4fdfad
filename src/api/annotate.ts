/**
 * Where every value is in the bytes: readings with positions, and the spans that cover them.
 *
 * @module tw-snap/annotate
 */
export { annotate } from '../annotate/annotate.ts';
export { annotateContents } from '../annotate/packet.ts';
export type { Change, Role, Span } from '../annotate/span.ts';
export type { Diagnostics } from '../decode/diagnostics.ts';
export type { EncodingLayers } from '../decode/encoding-layers.ts';
export type { Payload } from '../decode/payload.ts';
export type {
  MessageContents,
  PacketContents,
} from '../packet/packet-contents.ts';
export { type RecognisedInput, recogniseInput } from '../packet/recognise-packet.ts';
