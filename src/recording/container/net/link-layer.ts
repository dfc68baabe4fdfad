import { u16, u16be } from '../../../wire/bytes/fixed-int.ts';
import { addressText, endpointText, IpPacket, UdpDatagram, UdpPayload } from './ip.ts';

export const LinkType = {
  null: 0,
  ethernet: 1,
  raw: 101,
  // The number that some systems use for `raw`.
  rawBsd: 12,
  rawOpenBsd: 14,
  loop: 108,
  linuxCooked: 113,
  ipv4: 228,
  ipv6: 229,
  linuxCooked2: 276,
} as const;

/** The results of {@link findIp} for packets without IP and for unsupported link types. */
const noIp = -1;
export const unknownLink = -2;

/**
 * The result of {@link findIp} for a packet of an EtherType that is not read, but may have IP inside, is below this by
 * the type.
 */
const unreadType = -0x10000;

/** The EtherType of a packet that is not read, by the result of {@link findIp}; undefined for other results. */
export const unreadTypeOf = (result: number): number | undefined =>
  result <= unreadType ? unreadType - result : undefined;

/** EtherTypes without IP inside: Wake-on-LAN, ARP, RARP, PPPoE discovery, 802.1X, LLDP, time, and tests. */
const typesWithoutIp: ReadonlySet<number> = new Set([
  ...[0x0842, 0x0806, 0x8035, 0x8863, 0x888e, 0x88cc, 0x88f7, 0x9000, 0x8809, 0x8902, 0x893a, 0x887b, 0x8899],
]);

const EtherType = { ipv4: 0x0800, ipv6: 0x86dd, pppoe: 0x8864, mpls: 0x8847, mplsMulticast: 0x8848 } as const;
const PppProtocol = { ipv4: 0x0021, ipv6: 0x0057 } as const;
/** A smaller number instead of an EtherType is the length of an LLC packet. */
const minType = 0x0600;
/** The bytes before the EtherType in LLC with SNAP. */
const snap = [0xaa, 0xaa, 0x03, 0, 0, 0] as const;
/** 802.1Q, 802.1ad, and the numbers used for double tags before the latter. */
const vlanTags: ReadonlySet<number> = new Set([0x8100, 0x88a8, 0x9100, 0x9200]);

/** AF_INET, then AF_INET6 of Linux, Windows, NetBSD and OpenBSD, FreeBSD, macOS. */
const ipFamilies: ReadonlySet<number> = new Set([2, 10, 23, 24, 28, 30]);

/**
 * The index of the IP packet in the captured packet `bytes[at]` up to `bytes[end]`; otherwise {@link noIp},
 * {@link unknownLink}, or a result for {@link unreadTypeOf}.
 */
export function findIp(bytes: Uint8Array, at: number, end: number, linkType: number): number {
  switch (linkType) {
    case LinkType.ethernet:
      return afterType(bytes, at + 12, end, 0);
    case LinkType.linuxCooked:
      return afterType(bytes, at + 14, end, 0);
    case LinkType.linuxCooked2:
      return afterType(bytes, at, end, 18);
    case LinkType.null:
    case LinkType.loop:
      return afterFamily(bytes, at, end);
    case LinkType.raw:
    case LinkType.rawBsd:
    case LinkType.rawOpenBsd:
    case LinkType.ipv4:
    case LinkType.ipv6:
      return at < end ? at : noIp;
    default:
      return unknownLink;
  }
}

/**
 * The index of the IP packet after an EtherType at `at`, with `gap` bytes between.
 * ```
 * Ethernet          destination[6]  source[6]  TYPE                              packet
 * Linux cooked v1   direction u16  hardware u16  length u16  address[8]  TYPE    packet
 * Linux cooked v2   TYPE  0 u16  interface u32  hardware u16  direction u8  length u8  address[8]    packet
 * a tag of a VLAN   8100 (as TYPE)  tag u16  TYPE                                packet; any number of them
 * LLC with SNAP     length u16 (as TYPE)  aa aa 03 00 00 00  TYPE                packet
 * ```
 */
function afterType(bytes: Uint8Array, at: number, end: number, gap: number): number {
  if (at + 2 + gap > end) return noIp;
  let type = u16be(bytes, at);
  at += 2 + gap;
  while (type !== EtherType.ipv4 && type !== EtherType.ipv6) {
    if (type === EtherType.pppoe) return afterPpp(bytes, at, end);
    if (type === EtherType.mpls || type === EtherType.mplsMulticast) return afterLabels(bytes, at, end);
    const isTag = vlanTags.has(type);
    if (!isTag && type >= minType) return typesWithoutIp.has(type) ? noIp : unreadType - type;
    if (!isTag && !isSnap(bytes, at)) return noIp;
    at += isTag ? 2 : snap.length;
    if (at + 2 > end) return noIp;
    type = u16be(bytes, at);
    at += 2;
  }
  return at;
}

const isSnap = (bytes: Uint8Array, at: number) => snap.every((byte, i) => bytes[at + i] === byte);

/** A session of PPP over Ethernet: `0x11  code u8  session u16  length u16  protocol u16  packet` */
function afterPpp(bytes: Uint8Array, at: number, end: number): number {
  if (at + 8 > end) return noIp;
  const protocol = u16be(bytes, at + 6);
  return protocol === PppProtocol.ipv4 || protocol === PppProtocol.ipv6 ? at + 8 : noIp;
}

/**
 * MPLS labels: `LLLL LLLL  LLLL LLLL  LLLL TTTB  ttl u8`; the bit B marks the last one. The IP version is in the packet
 * itself.
 */
function afterLabels(bytes: Uint8Array, at: number, end: number): number {
  for (; at + 4 < end; at += 4) {
    if ((bytes[at + 2]! & 1) === 0) continue;
    const version = bytes[at + 4]! >> 4;
    return version === 4 || version === 6 ? at + 4 : unreadType - EtherType.mpls;
  }
  return noIp;
}

/** `family u32  packet`: big-endian for `loop` of OpenBSD, in the byte order of the capturing machine for `null`. */
function afterFamily(bytes: Uint8Array, at: number, end: number): number {
  if (at + 4 > end) return noIp;
  const little = u16be(bytes, at) !== 0;
  const upper = u16(bytes, little ? at + 2 : at, little);
  const family = u16(bytes, little ? at : at + 2, little);
  return upper === 0 && ipFamilies.has(family) ? at + 4 : noIp;
}

/** The UDP payload of one packet as captured by a network card. */
export interface Datagram {
  /** `127.0.0.1:8303`, `[::1]:8303` */
  readonly source: string;
  readonly destination: string;
  readonly start: number;
  readonly end: number;
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
  const endpoint = (address: number, port: number) => endpointText(addressText(bytes, address, ip.addressSize), port);
  return {
    source: endpoint(ip.source, udp.sourcePort),
    destination: endpoint(ip.destination, udp.destinationPort),
    start: udp.start,
    end: udp.end,
    missing: udp.missing,
  };
}
