import { IpPacket, UdpPayload } from './ip.ts';
import { addressText } from './ip-address.ts';
import { findIp, LinkType } from './link.ts';
import { UdpDatagram } from './udp.ts';

/** The UDP payload of one packet as captured by a network card. */
export interface Datagram {
  /** `127.0.0.1:8303`, `[::1]:8303` */
  readonly source: string;
  readonly destination: string;
  readonly start: number;
  readonly end: number;
  /** The number of payload bytes that are missing. */
  readonly missing: number;
}

/** The possible beginnings of a pasted packet, the IP header first. */
const linkTypes = [LinkType.raw, LinkType.ethernet, LinkType.linuxCooked, LinkType.linuxCooked2, LinkType.null];

/** Ethernet pads shorter packets to this size. */
const shortestFrame = 60;

/** Finds the datagram in bytes that begin with an IP header or with a link layer header. */
export function findDatagram(bytes: Uint8Array): Datagram | undefined {
  for (const linkType of linkTypes) {
    const datagram = datagramAfter(bytes, linkType);
    if (datagram) return datagram;
  }
  return undefined;
}

function datagramAfter(bytes: Uint8Array, linkType: number): Datagram | undefined {
  const ip = new IpPacket();
  const udp = new UdpDatagram();
  const at = findIp(bytes, 0, bytes.length, linkType);
  if (at < 0 || ip.read(bytes, at, bytes.length) !== undefined) return undefined;
  if (ip.isFragment || ip.protocol !== UdpPayload.udp || !udp.read(bytes, ip.start, ip.end, ip.missing))
    return undefined;
  const isWhole = udp.length === ip.end + ip.missing - ip.start;
  const isAll = ip.end === bytes.length || bytes.length <= shortestFrame;
  if (!isWhole || !isAll) return undefined;
  const endpoint = (address: number, port: number) => {
    const text = addressText(bytes, address, ip.addressSize);
    return `${text.includes(':') ? `[${text}]` : text}:${port}`;
  };
  return {
    source: endpoint(ip.source, udp.sourcePort),
    destination: endpoint(ip.destination, udp.destinationPort),
    start: udp.start,
    end: udp.end,
    missing: udp.missing,
  };
}
