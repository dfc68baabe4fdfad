import { noBytes } from '../../../wire/bytes/buffers.ts';
import { join } from '../../../wire/bytes/copy.ts';
import { u32 } from '../../../wire/bytes/fixed-int.ts';
import { nanoMagic, orderMagic, sectionType } from '../detect.ts';
import type { CaptureBlock, CapturedPacket, CaptureFormat, Link } from './capture-frame.ts';

const interfaceType = 1;
const obsoletePacketType = 2;
const simplePacketType = 3;
const packetType = 6;
const endOfOptions = 0;
const comment = 1;
const application = 4;
const timeResolution = 9;
const fcsLength = 13;
const timeOffset = 14;

/** The options of interfaces without which times are read wrongly. */
const ofTimes: ReadonlySet<number> = new Set([timeResolution, timeOffset]);
const ofPackets: ReadonlySet<number> = new Set([obsoletePacketType, simplePacketType, packetType]);

/** The largest option, in bytes: its length is a u16. */
export const maxOptionBytes = 0xffff;

/** A capture that the format can't hold, with the reason. */
export class UnwritableCapture extends Error {}

interface WriterOptions {
  /** A pcap has one link type, and neither comments nor anything else but packets. `pcapng` by default. */
  readonly format?: CaptureFormat;
  /** Selects the comments of packets that are not copied, as UTF-8. */
  readonly isReplaced?: (comment: Uint8Array) => boolean;
  /**
   * Whether of all blocks only packets are written, with their time and the interfaces that they need: no comments,
   * names, statistics or descriptions.
   */
  readonly onlyPackets?: boolean;
}

/**
 * Writes a capture block by block, as its reader gives them: a copy, a part, or with other packets in place of those
 * that were captured. Several captures one after the other become one.
 *
 * - As pcapng, blocks stay as they are but for comments. A pcap becomes one section with one interface, with its link
 *   type and the resolution of its times.
 * - As pcap, the records of a pcap stay as they are; the packets of a pcapng get times in nanoseconds.
 *
 * Source: the Internet drafts `draft-ietf-opsawg-pcapng` and `draft-ietf-opsawg-pcap`.
 */
export class CaptureWriter {
  readonly #application: Uint8Array;
  readonly #options: WriterOptions;
  /** For a pcap that is read: whether its times are in nanoseconds. */
  #isNano = false;
  #hasSection = false;
  /** For a pcap that is written: its link type, byte order and resolution, once it has a header. */
  #pcap: { readonly link: number; readonly little: boolean; readonly isNano: boolean } | undefined;

  /** @param application the name of the program, written into the section of a pcap */
  constructor(application: string, options: WriterOptions = {}) {
    this.#application = new TextEncoder().encode(application);
    this.#options = options;
  }

  /**
   * Returns what a block becomes; it may be nothing.
   * @param comments UTF-8, at most `maxOptionBytes` each. They precede the comments that the packet has. A simple
   *   packet block and a pcap have no place for them
   * @param content what is written as the packet in place of the captured bytes
   * @throws UnwritableCapture for what a pcap can't hold
   */
  write(block: CaptureBlock, comments: readonly Uint8Array[] = [], content?: Uint8Array): Uint8Array {
    const { format, bytes, packet, isLittleEndian: little } = block;
    if (format === 'pcap' && !packet) this.#isNano = u32(bytes, 0, little) === nanoMagic;
    if (this.#options.format === 'pcap') return this.#asPcap(block, content);
    if (format === 'pcap') return packet ? this.#packet(block, packet, comments, content) : this.#header(bytes, little);
    const written = this.#block(block, comments, content);
    // The first section of a damaged file may be lost.
    const needsSection = !this.#hasSection && u32(bytes, 0, little) !== sectionType;
    this.#hasSection = true;
    return needsSection ? join([this.#section(little), written]) : written;
  }

  #block({ bytes, isLittleEndian: little }: CaptureBlock, comments: readonly Uint8Array[], content?: Uint8Array) {
    const { isReplaced = () => false, onlyPackets = false } = this.#options;
    const type = u32(bytes, 0, little);
    if (!onlyPackets) return changed(bytes, little, { comments, content, isDropped: commentsThat(isReplaced) });
    if (type === sectionType) return this.#section(little);
    if (type === interfaceType) return changed(bytes, little, { isDropped: (code) => !ofTimes.has(code) });
    return ofPackets.has(type) ? changed(bytes, little, { comments, content, isDropped: () => true }) : noBytes;
  }

  #header(header: Uint8Array, little: boolean): Uint8Array {
    const link = u32(header, 20, little);
    const options: [number, Uint8Array][] = [[timeResolution, Uint8Array.of(this.#isNano ? 9 : 6)]];
    // FFFF .P.. .... .... LLLL LLLL LLLL LLLL      P: frames end in a checksum of F * 16 bits
    if (link & 0x0400_0000 && !this.#options.onlyPackets) options.push([fcsLength, Uint8Array.of((link >>> 28) * 16)]);
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

  #packet(block: CaptureBlock, packet: CapturedPacket, comments: readonly Uint8Array[], content?: Uint8Array) {
    const bytes = content ?? dataOf(block, packet);
    const writer = new BlockWriter(packetType, 20 + padded(bytes.length), asOptions(comments));
    const { seconds, nanoseconds, originalLength } = packet;
    const perSecond = this.#isNano ? 1_000_000_000n : 1_000_000n;
    const fraction = BigInt(this.#isNano ? nanoseconds : nanoseconds / 1000);
    const time = BigInt(seconds) * perSecond + fraction;
    const original = content ? bytes.length : originalLength;
    writer.u32(0, Number(time >> 32n), Number(time & 0xffff_ffffn), bytes.length, original);
    writer.bytes(bytes);
    return writer.end();
  }

  #asPcap(block: CaptureBlock, content?: Uint8Array): Uint8Array {
    const { format, packet, bytes, isLittleEndian } = block;
    if (!packet) return format === 'pcap' ? this.#pcapHeader(bytes, isLittleEndian) : noBytes;
    const { seconds, nanoseconds, originalLength, link } = packet;
    const head = this.#pcap ? noBytes : this.#pcapHeader(newPcapHeader(link), true);
    const { link: own, little, isNano } = this.#pcap!;
    if (link.type !== own)
      throw new UnwritableCapture(`a pcap has packets of one link type, and these are ${own} and ${link.type}`);
    if (Number.isNaN(seconds)) throw new UnwritableCapture('a pcap has a time for each packet, and some have none');
    const data = content ?? dataOf(block, packet);
    const record = new Uint8Array(16 + data.length);
    const view = new DataView(record.buffer);
    const fraction = isNano ? nanoseconds : Math.floor(nanoseconds / 1000);
    const original = content ? data.length : originalLength;
    for (const [i, value] of [seconds, fraction, data.length, original].entries()) view.setUint32(4 * i, value, little);
    record.set(data, 16);
    return join([head, record]);
  }

  /** The header of the first pcap; those of others are left out. */
  #pcapHeader(header: Uint8Array, little: boolean): Uint8Array {
    if (this.#pcap) return noBytes;
    const link = u32(header, 20, little);
    this.#pcap = { link: link & 0xffff, little, isNano: u32(header, 0, little) === nanoMagic };
    const written = header.slice();
    // New packets have no checksum at their end.
    if (this.#options.onlyPackets) new DataView(written.buffer).setUint32(20, link & 0xffff, little);
    return written;
  }
}

/** The captured bytes of the packet in a block. */
export const dataOf = ({ format, bytes, isLittleEndian }: CaptureBlock, { start, end }: CapturedPacket): Uint8Array => {
  const size = end - start;
  if (format === 'pcap') return bytes.subarray(bytes.length - size);
  const at = u32(bytes, 0, isLittleEndian) === simplePacketType ? 12 : 28;
  return bytes.subarray(at, at + size);
};

/** Version 2.4, times in nanoseconds. */
function newPcapHeader({ type, snapLength }: Link): Uint8Array {
  const header = new DataView(new ArrayBuffer(24));
  header.setUint32(0, nanoMagic, true);
  header.setUint16(4, 2, true);
  header.setUint16(6, 4, true);
  header.setUint32(16, snapLength, true);
  header.setUint32(20, type, true);
  return new Uint8Array(header.buffer);
}

/** -1 as 64 bits. */
const unknownLength = [0xffffffff, 0xffffffff] as const;
const padded = (length: number) => length + (-length & 3);
const asOptions = (comments: readonly Uint8Array[]) => comments.map((text): [number, Uint8Array] => [comment, text]);

interface BlockChanges {
  readonly comments?: readonly Uint8Array[];
  readonly content?: Uint8Array | undefined;
  readonly isDropped: (code: number, value: Uint8Array) => boolean;
}

const commentsThat =
  (isReplaced: (comment: Uint8Array) => boolean): BlockChanges['isDropped'] =>
  (code, value) =>
    code === comment && isReplaced(value);

/**
 * Returns a block of a pcapng with comments before its options, with other options or another packet, or a section
 * without its length, which has changed.
 */
function changed(bytes: Uint8Array, little: boolean, { comments = [], content, isDropped }: BlockChanges): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const type = view.getUint32(0, little);
  if (type === sectionType) {
    const copy = bytes.slice();
    return copy.length >= 28 ? copy.fill(0xff, 16, 24) : copy;
  }
  if (type === simplePacketType && content) {
    const writer = new BlockWriter(type, 4 + padded(content.length), [], little);
    writer.u32(content.length);
    writer.bytes(content);
    return writer.end();
  }
  const isPacket = type === packetType || type === obsoletePacketType;
  if (!isPacket && type !== interfaceType) return bytes.slice();
  const optionsAt = isPacket ? 28 + padded(view.getUint32(20, little)) : 16;
  const options = optionsWithout(bytes.subarray(optionsAt, -4), little, isDropped);
  if (!content && comments.length === 0 && optionsAt + options.length + 4 === bytes.length) return bytes.slice();
  const size = content ? 20 + padded(content.length) : optionsAt - 8;
  const writer = new BlockWriter(type, size, asOptions(comments), little, options);
  if (!content) writer.bytes(bytes.subarray(8, optionsAt));
  else {
    writer.bytes(bytes.subarray(8, 20));
    writer.u32(content.length, content.length);
    writer.bytes(content);
  }
  return writer.end();
}

/** Returns options without some of them. Options that are not in order remain as they are, unless all are dropped. */
function optionsWithout(options: Uint8Array, little: boolean, isDropped: BlockChanges['isDropped']): Uint8Array {
  const view = new DataView(options.buffer, options.byteOffset, options.byteLength);
  const kept: Uint8Array[] = [];
  let at = 0;
  while (at + 4 <= options.length) {
    const code = view.getUint16(at, little);
    const length = view.getUint16(at + 2, little);
    const end = at + 4 + padded(length);
    if (code === endOfOptions || end > options.length) break;
    if (!isDropped(code, options.subarray(at + 4, at + 4 + length))) kept.push(options.subarray(at, end));
    at = end;
  }
  const isOther = at + 4 <= options.length && view.getUint16(at, little) !== endOfOptions;
  if (isOther && isDropped(endOfOptions, noBytes)) return join(kept);
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
