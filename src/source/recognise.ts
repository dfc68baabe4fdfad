import { findDatagram } from '../container/net/link.ts';
import { implausible } from '../decode/evidence.ts';
import type { RecognisedPayload } from '../decode/recognise.ts';
import { isLikelyMessage, isLikelyPacket, recognisePacket } from '../packet/recognise-packet.ts';
import { isSent, isSettled, notingCut, readAsPayload, registryOf } from './payload.ts';
import type { SentReading, SourceReading, Stated } from './stated.ts';
import type { Part } from './text.ts';

/**
 * Reads one snapshot, delta, packet or message that is not JSON.
 * @param payload the best reading as a snapshot or delta, if it is there
 */
export const recognisePart = (part: Part, stated: Stated, payload?: RecognisedPayload): SourceReading =>
  notingCut(recognised(part, stated, payload), part);

function recognised(part: Part, stated: Stated, payload: RecognisedPayload | undefined): SourceReading {
  if (isSent(stated.kind)) return readAsSent(part, stated);
  const best = payload ?? readAsPayload(part, stated);
  return isSettled(best, part, stated) ? best : (readAsSent(part, stated, best) ?? best);
}

/** Reads bytes as the packet or message that they are stated to be, or that is more likely than the best reading as a payload. */
function readAsSent(part: Part, stated: Stated): SentReading;
function readAsSent(part: Part, stated: Stated, payload: RecognisedPayload): SentReading | undefined;
function readAsSent(part: Part, stated: Stated, payload?: RecognisedPayload): SentReading | undefined {
  const { bytes, form } = part;
  const { kind, version, base } = stated;
  const read = (kind: 'packet' | 'message', of = bytes, unpacked = false) =>
    recognisePacket(of, kind, version, registryOf(stated), { base, unpacked });
  if (kind === 'message') return read('message');
  const found = findDatagram(bytes);
  // An incomplete datagram is not sufficient evidence, unless tcpdump printed it.
  const datagram = found && (found.missing === 0 || form === 'tcpdump') ? found : undefined;
  const inside = datagram ? bytes.subarray(datagram.start, datagram.end) : bytes;
  const packed = read('packet', inside);
  const unpacked = packed.penalty > 0 && form === 'tw-snap' ? read('packet', inside, true) : packed;
  const packet = { ...(unpacked.penalty < packed.penalty ? unpacked : packed), datagram };
  if (kind === 'packet' || !payload) return packet;
  const message = read('message');
  if (isLikelyMessage(message, packet, payload)) return message;
  const isInDatagram = datagram !== undefined && packet.penalty < implausible;
  return isInDatagram || isLikelyPacket(packet, payload) ? packet : undefined;
}
