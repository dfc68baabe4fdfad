import { endpointText } from './ip.ts';

export interface UdpEnd {
  readonly address: string;
  readonly port: number;
}

const hopLimit = 64;
const udp = 17;

/**
 * A datagram in an IP packet, as it would be captured: IPv4 between two addresses of it, otherwise IPv6, in which an
 * address of IPv4 is `::ffff:1.2.3.4`.
 * ```
 * IPv4  45 00 len[2]  id[2] 00 00  ttl 11 sum[2]  source[4]  destination[4]     UDP  from[2] to[2] len[2] sum[2]
 * IPv6  60 00 00 00   len[2] 11 hops              source[16] destination[16]
 * ```
 *
 * Source: RFC 791, RFC 8200, RFC 768.
 *
 * @param like another IP packet of the same version, whose class of service, number and hops this one has
 */
export function udpFrame(from: UdpEnd, to: UdpEnd, payload: Uint8Array, like?: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = [addressBytes(from), addressBytes(to)];
  const isV4 = both.every(({ length }) => length === 4);
  const [source, destination] = isV4 ? both : both.map(asV6);
  const size = source!.length;
  const at = isV4 ? 20 : 40;
  const frame = new Uint8Array(at + 8 + payload.length);
  const view = new DataView(frame.buffer);
  const length = 8 + payload.length;
  if (isV4) {
    frame.set([0x45, 0]);
    view.setUint16(2, frame.length);
    frame.set([hopLimit, udp], 8);
    if (like && like[0]! >> 4 === 4) {
      // The bit that forbids fragments stays, too.
      frame[1] = like[1]!;
      frame.set([like[4]!, like[5]!, like[6]! & 0x40], 4);
      frame[8] = like[8]!;
    }
  } else {
    frame[0] = 0x60;
    view.setUint16(4, length);
    frame.set([udp, hopLimit], 6);
    if (like && like[0]! >> 4 === 6) {
      frame.set([0x60 | (like[0]! & 0x0f), like[1]! & 0xf0]);
      frame[7] = like[7]!;
    }
  }
  frame.set(source!, at - 2 * size);
  frame.set(destination!, at - size);
  if (isV4) view.setUint16(10, foldedSum(frame, 0, at, 0));
  view.setUint16(at, from.port);
  view.setUint16(at + 2, to.port);
  view.setUint16(at + 4, length);
  frame.set(payload, at + 8);
  // The pseudo header has the addresses, the protocol and the length. A sum of 0 would say that there is none.
  view.setUint16(at + 6, foldedSum(frame, at - 2 * size, frame.length, udp + length) || 0xffff);
  return frame;
}

/** The complement of the sum of 16-bit words, as all of IP has it. */
function foldedSum(bytes: Uint8Array, start: number, end: number, first: number): number {
  let sum = first;
  for (let i = start; i < end; i += 2) sum += (bytes[i]! << 8) | (i + 1 < end ? bytes[i + 1]! : 0);
  while (sum > 0xffff) sum = (sum & 0xffff) + Math.floor(sum / 0x10000);
  return ~sum & 0xffff;
}

const asV6 = (bytes: Uint8Array) =>
  bytes.length === 16 ? bytes : Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, ...bytes);

/** The bytes of an address: 4, or 16 with an IPv6 address in any of its notations. */
export function addressBytes({ address, port }: UdpEnd): Uint8Array {
  const v4 = /^(.*?)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const last = v4 ? v4.slice(2).map(Number) : [];
  if (v4?.[1] === '') return Uint8Array.from(last);
  const words = v4
    ? `${v4[1]}${((last[0]! << 8) | last[1]!).toString(16)}:${((last[2]! << 8) | last[3]!).toString(16)}`
    : address;
  // A zone, as in fe80::1%eth0, is not in a packet.
  const [before, after] = words
    .replace(/%.*/, '')
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':')));
  const zeros = after ? Array<string>(8 - before!.length - after.length).fill('0') : [];
  const groups = [...before!, ...zeros, ...(after ?? [])].map((group) => Number.parseInt(group, 16));
  if (groups.length !== 8 || groups.some(Number.isNaN))
    throw new RangeError(`no address: ${endpointText(address, port)}`);
  return Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
}
