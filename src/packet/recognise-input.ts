import { type Recognised, recognise, type Stated } from '../decode/recognise.ts';
import type { Protocol, Version } from '../protocol/registry.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { isLikelyMessage, isLikelyPacket, type RecognisedPacket, recognisePacket } from './recognise-packet.ts';

/** What bytes are: a snapshot or delta, or a packet or message. */
export type RecognisedInput = Recognised | RecognisedPacket;

/**
 * Recognises bytes of which nothing need be known: as a snapshot, delta, packet or message, in the encoding and version that
 * make most sense.
 */
export function recogniseInput(
  file: Uint8Array,
  stated: Pick<Stated, 'protocol'>,
  protocolOf: (version: Version) => Protocol,
  base?: Snapshot,
): RecognisedInput {
  const payload = recognise(file, stated, protocolOf, base);
  if (payload.odd === 0) return payload;
  const packet = recognisePacket(file, 'packet', stated.protocol, protocolOf, { base });
  const message = recognisePacket(file, 'message', stated.protocol, protocolOf, { base });
  if (isLikelyMessage(message, packet, payload)) return message;
  return isLikelyPacket(packet, payload) ? packet : payload;
}
