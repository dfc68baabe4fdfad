import type { Args } from '../../../wire/bytes/diagnostic.ts';
import { i32, u16, u32 } from '../../../wire/bytes/fixed-int.ts';
import type { Window } from '../../../wire/bytes/window.ts';
import { orderAt, sectionType } from '../detect.ts';
import { CapturedPacket, type Link, type PacketSource, packetLimit, undescribed } from './capture-frame.ts';
import { type Framing, RecordReader } from './record-reader.ts';

/** The unit of time of a pcapng interface, according to its options. */
interface TimeUnit {
  /** 0DDD DDDD: 10 to the power of -D seconds; 1DDD DDDD: 2 to the power of -D. */
  readonly resolution: number;
  readonly offset: number;
}

const microseconds: TimeUnit = { resolution: 6, offset: 0 };

/** Reads a 64-bit count, upper half first, as whole seconds and nanoseconds. */
function readTimestamp(
  bytes: Uint8Array,
  at: number,
  little: boolean,
  { resolution, offset }: TimeUnit,
  into: { seconds: number; nanoseconds: number },
): void {
  const high = u32(bytes, at, little);
  const low = u32(bytes, at + 4, little);
  if (resolution <= 9) {
    const perSecond = powersOfTen[resolution]!;
    // Long division in steps of 16 bits, since nanoseconds since 1970 do not fit into a double.
    const upper = high < perSecond ? 0 : Math.floor(high / perSecond);
    const middle = (high - upper * perSecond) * 0x10000 + (low >>> 16);
    const middleSeconds = Math.floor(middle / perSecond);
    const lower = (middle - middleSeconds * perSecond) * 0x10000 + (low & 0xffff);
    const lowerSeconds = Math.floor(lower / perSecond);
    into.seconds = upper * 0x1_0000_0000 + middleSeconds * 0x10000 + lowerSeconds + offset;
    into.nanoseconds = (lower - lowerSeconds * perSecond) * powersOfTen[9 - resolution]!;
  } else {
    const exponent = BigInt(resolution & 0x7f);
    const perSecond = resolution & 0x80 ? 1n << exponent : 10n ** exponent;
    const count = (BigInt(high) << 32n) | BigInt(low);
    into.seconds = Number(count / perSecond) + offset;
    into.nanoseconds = Number(((count % perSecond) * 1_000_000_000n) / perSecond);
  }
}

const powersOfTen = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

interface PcapngInterface extends Link {
  readonly time: TimeUnit;
}

const endOfOptions = 0;
const timeResolution = 9;
const timeOffset = 14;

/**
 * Reads the body of an interface description, `bytes[at]` up to `bytes[end]`, at least 8 bytes.
 * ```
 * link_type u16  .. ..  snap_length u32  { code u16  length u16  value[length]  padding to 4 }*
 * ```
 */
function readInterface(bytes: Uint8Array, at: number, end: number, little: boolean, number: number): PcapngInterface {
  let { resolution, offset } = microseconds;
  const link = { number, type: u16(bytes, at, little), snapLength: u32(bytes, at + 4, little) };
  at += 8;
  while (at + 4 <= end) {
    const code = u16(bytes, at, little);
    const length = u16(bytes, at + 2, little);
    const value = at + 4;
    at = value + length + (-length & 3);
    if (code === endOfOptions || value + length > end) break;
    if (code === timeResolution && length >= 1) resolution = bytes[value]!;
    if (code === timeOffset && length >= 8) {
      const first = u32(bytes, value, little);
      const second = u32(bytes, value + 4, little);
      const [high, low] = little ? [second, first] : [first, second];
      offset = (high | 0) * 0x1_0000_0000 + low;
    }
  }
  return { ...link, time: { resolution, offset } };
}

/** The types of blocks that are read; others are skipped. */
const description = 1;
const obsoletePacket = 2;
const simplePacket = 3;
const enhancedPacket = 6;
/**
 * The types of blocks with which a search for blocks may begin. It includes names, statistics, secrets and private
 * blocks.
 */
const registered = new Set([sectionType, description, obsoletePacket, simplePacket, enhancedPacket, 4, 5, 10, 0xbad]);

/** The packets of more interfaces are as those of one that the file does not describe. */
const maxInterfaces = 4096;
/** The maximum size of a block without its packet: room for some comments, each of up to 64 KiB. */
const roomForOptions = 1 << 19;

/**
 * Reads the packets of a pcapng.
 * ```
 * { type u32  size u32  body  size u32 }*                    sizes count the whole block, in fours
 * 0a0d0d0a section    1a2b3c4d  version u16 u16  length i64  options
 * 00000001 interface  link_type u16  .. ..  snap_length u32  options
 * 00000006 packet     interface u32      time u64 (upper half first)  recorded u32  original u32  packet  padding  options
 * 00000002 packet     interface u16  drops u16  time, recorded, original, … as above; obsolete
 * 00000003 packet     original u32  packet  padding          of interface 0, without a time
 * ```
 * A file may have several sections, each with its own byte order and its own interfaces.
 */
export class PcapngSource implements PacketSource, Framing {
  readonly headSize = 12;
  readonly certain = true;
  readonly links: PcapngInterface[] = [];
  readonly packet = new CapturedPacket({ number: 0, type: 0, snapLength: 0 });
  readonly records: RecordReader;
  isLittleEndian = true;
  readonly #window: Window;
  readonly #hasBlocks: boolean;
  #limit = packetLimit(0);
  /** The interface that stands for those that the section does not describe. */
  #undescribed: Link | undefined;

  /** @param hasBlocks whether `next` also gives blocks without a packet */
  constructor(window: Window, hasBlocks = false) {
    this.#window = window;
    this.#hasBlocks = hasBlocks;
    this.records = new RecordReader(window, this);
  }

  next(): 'packet' | 'block' | 'diagnostic' | 'more' | 'done' {
    for (;;) {
      const step = this.records.next();
      if (step !== 'record') return step;
      const found = this.#readBlock(this.records.start, this.records.end - 4);
      if (found) return found;
      if (this.#hasBlocks) return 'block';
    }
  }

  sizeAt(bytes: Uint8Array, at: number, likely: boolean): number {
    const type = u32(bytes, at, this.isLittleEndian);
    const little = type === sectionType ? orderAt(bytes, at + 8) : this.isLittleEndian;
    if (little === undefined || (likely && !registered.has(type & 0x3fffffff))) return -1;
    const size = i32(bytes, at + 4, little);
    return size < 12 || size > this.#limit + roomForOptions || size % 4 !== 0 ? -1 : size;
  }

  isValid(bytes: Uint8Array, at: number, size: number): boolean {
    const little = i32(bytes, at, true) === sectionType ? orderAt(bytes, at + 8)! : this.isLittleEndian;
    return i32(bytes, at + size - 4, little) === size;
  }

  /** Reads a block whose body ends at `end`. */
  #readBlock(at: number, end: number): 'packet' | 'diagnostic' | undefined {
    const { bytes } = this.#window;
    const type = u32(bytes, at, this.isLittleEndian);
    const body = at + 8;
    switch (type) {
      case sectionType:
        this.isLittleEndian = orderAt(bytes, body)!;
        this.links.length = 0;
        this.#undescribed = undefined;
        return undefined;
      case description: {
        if (end - body < 8) return this.#badBlock({ found: end - body, expected: 8 });
        const link = readInterface(bytes, body, end, this.isLittleEndian, this.links.length);
        if (link.number < maxInterfaces) this.links.push(link);
        this.#limit = Math.max(this.#limit, packetLimit(link.snapLength));
        return undefined;
      }
      case enhancedPacket:
      case obsoletePacket:
        return this.#readPacket(body, end, type === enhancedPacket);
      case simplePacket:
        return this.#readSimple(body, end);
      default:
        return undefined;
    }
  }

  #readPacket(body: number, end: number, enhanced: boolean): 'packet' | 'diagnostic' | undefined {
    const { bytes } = this.#window;
    const little = this.isLittleEndian;
    const start = body + 20;
    if (start > end) return this.#badBlock({ found: end - body, expected: 20 });
    const recorded = u32(bytes, body + 12, little);
    if (recorded > end - start) return this.#badBlock({ found: end - body, expected: 20 + recorded });
    const number = enhanced ? u32(bytes, body, little) : u16(bytes, body, little);
    readTimestamp(bytes, body + 4, little, this.links[number]?.time ?? microseconds, this.packet);
    return this.#give(number, start, start + recorded, u32(bytes, body + 16, little));
  }

  #readSimple(body: number, end: number): 'packet' | 'diagnostic' | undefined {
    const start = body + 4;
    if (start > end) return this.#badBlock({ found: end - body, expected: 4 });
    const original = u32(this.#window.bytes, body, this.isLittleEndian);
    // A simple packet block has no recorded length; its block size includes up to 3 bytes of padding.
    const recorded = Math.min(original, this.links[0]?.snapLength || original, end - start);
    this.packet.seconds = this.packet.nanoseconds = Number.NaN;
    return this.#give(0, start, start + recorded, original);
  }

  #give(number: number, start: number, end: number, originalLength: number): 'packet' {
    const { packet } = this;
    const link = this.links[number];
    if (!link) this.#undescribed ??= { number, type: undescribed, snapLength: 0 };
    packet.link = (link ?? this.#undescribed)!;
    packet.number = ++this.records.packets;
    packet.offset = this.#window.offset(this.records.start);
    packet.start = start;
    packet.end = end;
    packet.originalLength = originalLength;
    return 'packet';
  }

  #badBlock(args: Args): 'diagnostic' {
    const offset = this.#window.offset(this.records.start);
    this.records.diagnostic = { severity: 'error', code: 'bad_block', offset, args };
    return 'diagnostic';
  }
}
