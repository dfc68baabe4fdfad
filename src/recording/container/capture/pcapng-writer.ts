import { join } from '../../../wire/bytes/copy.ts';
import { u32 } from '../../../wire/bytes/fixed-int.ts';
import { nanoMagic, orderMagic, sectionType } from '../detect.ts';
import { endpointText } from '../net/ip.ts';
import type { CaptureBlock, CapturedPacket } from './capture-frame.ts';

const interfaceType = 1;
const obsoletePacketType = 2;
const simplePacketType = 3;
const packetType = 6;
const endOfOptions = 0;
const comment = 1;
const application = 4;
const timeResolution = 9;
const fcsLength = 13;

/** The largest option, in bytes: its length is a u16. */
export const maxOptionBytes = 0xffff;

/**
 * Writes a capture as a pcapng, with comments on its packets. Nothing else of a pcapng changes. A pcap becomes one
 * section with one interface, with its link type and the resolution of its times.
 *
 * Source: the Internet draft `draft-ietf-opsawg-pcapng`.
 */
export class PcapngWriter {
  readonly #application: Uint8Array;
  readonly #isReplaced: (comment: Uint8Array) => boolean;
  /** For a pcap: whether its times are in nanoseconds. */
  #isNano = false;
  #hasSection = false;

  /**
   * @param application the name of the program, written into the section of a pcap
   * @param isReplaced selects the comments of packets that are not copied, as UTF-8
   */
  constructor(application: string, isReplaced: (comment: Uint8Array) => boolean = () => false) {
    this.#application = new TextEncoder().encode(application);
    this.#isReplaced = isReplaced;
  }

  /**
   * Returns a block of the output, or the two blocks that begin a pcapng for the header of a pcap.
   * @param comments UTF-8, at most `maxOptionBytes` each. They precede the comments that the packet has. A simple
   * packet block has no place for comments and remains unchanged.
   */
  write(block: CaptureBlock, comments: readonly Uint8Array[] = []): Uint8Array {
    const { format, bytes, packet, isLittleEndian } = block;
    if (format === 'pcapng') {
      const written = commented(bytes, isLittleEndian, comments, this.#isReplaced);
      // The first section of a damaged file may be lost.
      const needsSection = !this.#hasSection && u32(bytes, 0, isLittleEndian) !== sectionType;
      this.#hasSection = true;
      return needsSection ? join([this.#section(isLittleEndian), written]) : written;
    }
    if (packet) return this.#packet(packet, bytes.subarray(bytes.length - (packet.end - packet.start)), comments);
    return this.#header(bytes, isLittleEndian);
  }

  #header(header: Uint8Array, little: boolean): Uint8Array {
    this.#isNano = u32(header, 0, little) === nanoMagic;
    const link = u32(header, 20, little);
    const options: [number, Uint8Array][] = [[timeResolution, Uint8Array.of(this.#isNano ? 9 : 6)]];
    // FFFF .P.. .... .... LLLL LLLL LLLL LLLL      P: frames end in a checksum of F * 16 bits
    if (link & 0x0400_0000) options.push([fcsLength, Uint8Array.of((link >>> 28) * 16)]);
    const description = new BlockWriter(interfaceType, 8, options);
    description.u32(link & 0xffff, u32(header, 16, little));
    return join([this.#section(true), description.end()]);
  }

  #section(little: boolean): Uint8Array {
    const section = new BlockWriter(sectionType, 16, [[application, this.#application]], little);
    // The version is 1.0, in two u16.
    section.u32(orderMagic, little ? 1 : 0x10000, ...unknownLength);
    return section.end();
  }

  #packet(packet: CapturedPacket, bytes: Uint8Array, comments: readonly Uint8Array[]): Uint8Array {
    const writer = new BlockWriter(packetType, 20 + padded(bytes.length), asOptions(comments));
    const { seconds, nanoseconds, originalLength } = packet;
    const perSecond = this.#isNano ? 1_000_000_000n : 1_000_000n;
    const fraction = BigInt(this.#isNano ? nanoseconds : nanoseconds / 1000);
    const time = BigInt(seconds) * perSecond + fraction;
    writer.u32(0, Number(time >> 32n), Number(time & 0xffff_ffffn), bytes.length, originalLength);
    writer.bytes(bytes);
    return writer.end();
  }
}

/** -1 as 64 bits. */
const unknownLength = [0xffffffff, 0xffffffff] as const;
const padded = (length: number) => length + (-length & 3);
const asOptions = (comments: readonly Uint8Array[]) => comments.map((text): [number, Uint8Array] => [comment, text]);

/** Returns a block of a pcapng with comments before its options, or a section without its length, which has changed. */
function commented(
  bytes: Uint8Array,
  little: boolean,
  comments: readonly Uint8Array[],
  isReplaced: (comment: Uint8Array) => boolean,
): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const type = view.getUint32(0, little);
  if (type === sectionType) {
    const copy = bytes.slice();
    return copy.length >= 28 ? copy.fill(0xff, 16, 24) : copy;
  }
  const isPacket = type === packetType || type === obsoletePacketType;
  if (!isPacket) return bytes.slice();
  const optionsAt = 28 + padded(view.getUint32(20, little));
  const options = withoutComments(bytes.subarray(optionsAt, -4), little, isReplaced);
  if (comments.length === 0 && optionsAt + options.length + 4 === bytes.length) return bytes.slice();
  const body = bytes.subarray(8, optionsAt);
  const writer = new BlockWriter(type, body.length, asOptions(comments), little, options);
  writer.bytes(body);
  return writer.end();
}

/** Returns options without some comments. Options that are not in order remain as they are. */
function withoutComments(
  options: Uint8Array,
  little: boolean,
  isReplaced: (comment: Uint8Array) => boolean,
): Uint8Array {
  const view = new DataView(options.buffer, options.byteOffset, options.byteLength);
  const kept: Uint8Array[] = [];
  let at = 0;
  while (at + 4 <= options.length) {
    const code = view.getUint16(at, little);
    const length = view.getUint16(at + 2, little);
    const end = at + 4 + padded(length);
    if (code === endOfOptions || end > options.length) break;
    if (code !== comment || !isReplaced(options.subarray(at + 4, at + 4 + length)))
      kept.push(options.subarray(at, end));
    at = end;
  }
  return join([...kept, options.subarray(at)]);
}

export function hasOptions({ format, bytes, packet, isLittleEndian }: CaptureBlock): boolean {
  return packet !== undefined && (format === 'pcap' || u32(bytes, 0, isLittleEndian) !== simplePacketType);
}

class BlockWriter {
  readonly #out: Uint8Array<ArrayBuffer>;
  readonly #view: DataView;
  readonly #little: boolean;
  readonly #options: readonly (readonly [code: number, value: Uint8Array])[];
  readonly #more: Uint8Array;
  #at = 8;

  /** @param more options as they are, after the others */
  constructor(
    type: number,
    bodySize: number,
    options: readonly (readonly [code: number, value: Uint8Array])[],
    little = true,
    more: Uint8Array = new Uint8Array(0),
  ) {
    const own = options.reduce((sum, [, value]) => sum + 4 + padded(value.length), 0);
    const needsEnd = own > 0 && more.length === 0;
    const size = 12 + padded(bodySize) + own + more.length + (needsEnd ? 4 : 0);
    this.#out = new Uint8Array(size);
    this.#view = new DataView(this.#out.buffer);
    this.#little = little;
    this.#options = needsEnd ? [...options, [endOfOptions, new Uint8Array(0)]] : options;
    this.#more = more;
    this.#view.setUint32(0, type, little);
    this.#view.setUint32(4, size, little);
    this.#view.setUint32(size - 4, size, little);
  }

  u32(...values: readonly number[]): void {
    for (const value of values) {
      this.#view.setUint32(this.#at, value, this.#little);
      this.#at += 4;
    }
  }

  /** Padded with zeros to a multiple of 4. */
  bytes(bytes: Uint8Array): void {
    this.#out.set(bytes, this.#at);
    this.#at += padded(bytes.length);
  }

  end(): Uint8Array<ArrayBuffer> {
    for (const [code, value] of this.#options) {
      this.#view.setUint16(this.#at, code, this.#little);
      this.#view.setUint16(this.#at + 2, value.length, this.#little);
      this.#at += 4;
      this.bytes(value);
    }
    this.#out.set(this.#more, this.#at);
    return this.#out;
  }
}

/** One end of a datagram. */
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
 */
export function udpFrame(from: UdpEnd, to: UdpEnd, payload: Uint8Array): Uint8Array<ArrayBuffer> {
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
  } else {
    frame[0] = 0x60;
    view.setUint16(4, length);
    frame.set([udp, hopLimit], 6);
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
function addressBytes({ address, port }: UdpEnd): Uint8Array {
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
