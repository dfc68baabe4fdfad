import type { UdpEnd } from '../../recording/container/net/udp-frame.ts';
import { udpFrame } from '../../recording/container/net/udp-frame.ts';
import type { Ends } from '../../recording/replay/server-info.ts';
import { u16be } from '../../wire/bytes/fixed-int.ts';

/** The registered link types whose headers have addresses of network cards. */
const ethernet = 1;
const linuxCooked = 113;
const linuxCooked2 = 276;

interface CapturedIp {
  /** A captured packet, its link type, and where IP begins in it. */
  readonly bytes: Uint8Array;
  readonly linkType: number;
  readonly at: number;
}

export interface NewAddresses {
  end(address: string, port: number): UdpEnd;
  /** Of a network card. */
  hardwareAddress(bytes: Uint8Array): Uint8Array;
}

/**
 * A captured packet with another datagram between pseudonyms of its ends: after the same link layer, in one IP packet
 * without options, with right lengths and checksums. Of a fragmented one, it is what the last fragment becomes.
 */
export function changedFrame(
  captured: CapturedIp,
  ends: Ends,
  datagram: Uint8Array,
  addresses: NewAddresses,
): Uint8Array {
  const { bytes, at } = captured;
  const from = addresses.end(ends.source, ends.sourcePort);
  const to = addresses.end(ends.destination, ends.destinationPort);
  const packet = udpFrame(from, to, datagram, bytes.subarray(at));
  const frame = new Uint8Array(at + packet.length);
  frame.set(linkHeader(captured, packet.length, addresses));
  frame.set(packet, at);
  return frame;
}

function linkHeader({ bytes, linkType, at }: CapturedIp, length: number, addresses: NewAddresses): Uint8Array {
  const header = bytes.slice(0, at);
  const view = new DataView(header.buffer);
  const replace = (start: number, size: number) =>
    header.set(addresses.hardwareAddress(header.slice(start, start + size)), start);
  if (linkType === ethernet) {
    replace(0, 6);
    replace(6, 6);
    // A smaller number instead of a type is the length of what follows.
    if (at > 14 && u16be(header, 12) < 0x0600) view.setUint16(12, at - 14 + length);
  } else if (linkType === linuxCooked) replace(6, 8);
  else if (linkType === linuxCooked2) replace(12, 8);
  // A session of PPP over Ethernet: 8864  11 code session[2] length[2] protocol[2]
  if (at >= 10 && u16be(header, at - 10) === 0x8864) view.setUint16(at - 4, length + 2);
  return header;
}
