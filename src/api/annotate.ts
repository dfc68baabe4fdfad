/**
 * Where every value is in the bytes: readings with positions, and the spans that cover them.
 *
 * @module tw-snap/annotate
 */
export { annotate } from '../annotate/annotate.ts';
export { annotateContents } from '../annotate/packet.ts';
export type { Change, Role, Span } from '../annotate/span.ts';
export { Diagnostics } from '../decode/diagnostics.ts';
export { type Encoding, type EncodingLayers, maxPayloadBytes, unwrap } from '../decode/encoding-layers.ts';
export { intsOfJson, type JsonBody, readJson } from '../decode/json-input.ts';
export { type Kind, type Payload, readPayload } from '../decode/payload.ts';
export { type Recognised, recognise, type Stated } from '../decode/recognise.ts';
export {
  type MessageContents,
  type PacketContents,
  readMessageContents,
  readPacketContents,
} from '../packet/packet-contents.ts';
export { type RecognisedInput, recogniseInput } from '../packet/recognise-input.ts';
export { type RecognisedPacket, recognisePacket } from '../packet/recognise-packet.ts';
