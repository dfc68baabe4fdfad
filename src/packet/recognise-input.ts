import { type Recognised, recognise, type Stated } from '../decode/recognise.ts';
import type { Protocol, Version } from '../protocol/registry.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { isLikelyMessage, isLikelyPacket, type RecognisedPacket, recognisePacket } from './recognise-packet.ts';

/** A reading of bytes: as a snapshot or delta (`payload`), or as a packet or message (`packet`). */
export type RecognisedInput = Recognised | RecognisedPacket;

/**
 * Recognises bytes without any statement about them: as a snapshot, delta, packet or message, in the most plausible encoding and
 * version.
 */
export function recogniseInput(
  file: Uint8Array,
  stated: Pick<Stated, 'protocol'>,
  protocolOf: (version: Version) => Protocol,
  base?: Snapshot,
): RecognisedInput {
  const payload = recognise(file, stated, protocolOf, base);
  if (payload.penalty === 0) return payload;
  const packet = recognisePacket(file, 'packet', stated.protocol, protocolOf, { base });
  const message = recognisePacket(file, 'message', stated.protocol, protocolOf, { base });
  if (isLikelyMessage(message, packet, payload)) return message;
  return isLikelyPacket(packet, payload) ? packet : payload;
}
