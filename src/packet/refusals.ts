import { DecodeError } from '../bytes/diagnostic.ts';
import { connlessVersionNumber } from './connectionless.ts';
import { controlsOf, type Packet } from './packet.ts';
import { tokenBytes } from './packet-values.ts';

/** `NET_MAX_PACKETSIZE`, and the same without the header of 0.6: the room that the games have for a payload. */
const [maxPacketBytes, maxPayloadBytes] = [1400, 1397];

const none: readonly DecodeError[] = [];

/**
 * The reasons for which the games drop a readable packet. If versions differ, DDNet 20 decides; refusals of 0.7 alone apply to
 * packets of 0.7. Offsets are those in the packet as sent.
 */
export function refusalsOf(bytes: Uint8Array, packet: Packet): readonly DecodeError[] {
  let found: readonly DecodeError[] = none;
  const refuse = (code: DecodeError['code'], offset: number, args: DecodeError['args'] = {}) => {
    found = [...found, new DecodeError(code, offset, args)];
  };
  const { kind, version, headSize, payload, numChunks, resend, control } = packet;
  if (bytes.length > maxPacketBytes) {
    refuse('packet_too_large', maxPacketBytes, { found: bytes.length, limit: maxPacketBytes });
  } else if (payload.length > maxPayloadBytes) {
    refuse('payload_too_large', headSize, { found: payload.length, limit: maxPayloadBytes });
  }
  if (kind === 'connless') {
    const found = connlessVersionNumber(bytes);
    if (version === '0.7' && found !== 1) refuse('connless_version', 0, { found });
  } else if (kind === 'chunks') {
    if (numChunks === 0 && !resend) refuse('no_chunks', 2);
  } else {
    if (numChunks > 0) refuse('chunks_in_control', 2, { found: numChunks });
    if (control === undefined) refuse('missing_control', headSize);
    else if (controlsOf(version)[control] === undefined) refuse('unknown_control', headSize, { found: control });
    else if (control === 5 && payload.length < 1 + tokenBytes) refuse('missing_token', headSize);
  }
  return found;
}
