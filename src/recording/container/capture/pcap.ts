import { u32 } from '../../../wire/bytes/fixed-int.ts';
import type { Answer, Window } from '../../../wire/bytes/window.ts';
import { microMagic, nanoMagic } from '../detect.ts';
import { CapturedPacket, type Link, type PacketSource, packetLimit } from './capture-frame.ts';
import { type Framing, RecordReader } from './record-reader.ts';

export const pcapHeaderBytes = 24;

/** The sizes of the head of a record: as in the draft, and as tcpdump of Nokia and of Red Hat 6.1 writes it. */
const headSizes = [16, 20, 24] as const;

/**
 * The maximum difference in seconds between a likely record and the others. Without it the middle of a record could be
 * mistaken for a record.
 */
const closeBy = 30 * 86_400;

/**
 * Reads the packets of a libpcap file.
 * ```
 * magic u32  version u16 u16  zone i32  accuracy u32  snap_length u32  link_type u16 (in an u32)
 * { seconds u32  fraction u32  recorded u32  original u32  packet[recorded] }*
 * ```
 * All ints have the byte order of the machine that wrote the file, which the magic shows; `a1b2c3d4` means fractions in
 * microseconds, `a1b23c4d` in nanoseconds. Nokia's and Red Hat's tcpdump add 4 and 8 bytes to the head of each record and
 * change nothing else, so that only the distance of the records tells.
 */
export class PcapSource implements PacketSource, Framing {
  headSize: number = headSizes[0];
  readonly certain = false;
  readonly links: readonly Link[];
  readonly packet;
  readonly isLittleEndian: boolean;
  readonly records: RecordReader;
  readonly #window: Window;
  /** Nanoseconds per unit of the fraction. */
  readonly #unit: number;
  readonly #limit: number;
  #knowsHeadSize = false;
  /** The times of the first and the last packet. */
  #firstSeconds = -1;
  #lastSeconds = -1;

  constructor(window: Window) {
    const { bytes, start } = window;
    const magic = u32(bytes, start, true);
    this.#window = window;
    const little = magic === microMagic || magic === nanoMagic;
    this.isLittleEndian = little;
    this.#unit = u32(bytes, start, little) === nanoMagic ? 1 : 1000;
    const snapLength = u32(bytes, start + 16, little);
    this.#limit = packetLimit(snapLength);
    // The upper half describes checksums after the packets.
    const link = { number: 0, type: u32(bytes, start + 20, little) & 0xffff, snapLength };
    this.links = [link];
    this.packet = new CapturedPacket(link);
    window.start += pcapHeaderBytes;
    this.records = new RecordReader(window, this);
    // At first the header.
    this.records.start = start;
    this.records.end = window.start;
  }

  next(): 'packet' | 'diagnostic' | 'more' | 'done' {
    const { packet, records } = this;
    this.#knowsHeadSize ||= this.#findHeadSize();
    const step = this.#knowsHeadSize ? records.next() : 'more';
    if (step !== 'record') return step;
    const { bytes } = this.#window;
    const { start, end } = records;
    const little = this.isLittleEndian;
    packet.number = ++records.packets;
    packet.offset = this.#window.offset(start);
    packet.seconds = u32(bytes, start, little);
    packet.nanoseconds = u32(bytes, start + 4, little) * this.#unit;
    if (packet.nanoseconds >= 1e9) {
      packet.seconds += Math.floor(packet.nanoseconds / 1e9);
      packet.nanoseconds %= 1e9;
    }
    this.#lastSeconds = packet.seconds;
    if (this.#firstSeconds < 0) this.#firstSeconds = packet.seconds;
    packet.start = start + this.headSize;
    packet.end = end;
    packet.originalLength = u32(bytes, start + 12, little);
    return 'packet';
  }

  /** Takes the size with which records follow each other, or else the usual one. False if more bytes are needed. */
  #findHeadSize(): boolean {
    for (const size of headSizes) {
      this.headSize = size;
      const answer = this.#areFollowed();
      if (answer !== 'no') return answer === 'yes';
    }
    this.headSize = headSizes[0];
    return true;
  }

  /**
   * Three records; of the usual size also fewer, if the last one is whole: what captures now is shown packet by packet.
   */
  #areFollowed(): Answer {
    const { bytes, start, end, ended } = this.#window;
    let at = start;
    for (let i = 0; i < 3; i++) {
      if (i > 0 && at === end && this.headSize === headSizes[0]) return 'yes';
      if (at + this.headSize > end) return ended ? 'no' : 'more';
      const size = this.sizeAt(bytes, at, true);
      if (size < 0) return 'no';
      at += size;
    }
    return 'yes';
  }

  sizeAt(bytes: Uint8Array, at: number, likely: boolean): number {
    const recorded = u32(bytes, at + 8, this.isLittleEndian);
    const original = u32(bytes, at + 12, this.isLittleEndian);
    // An empty record is invalid: the unwritten tail of a file contains zeros.
    if (recorded > this.#limit || (recorded === 0 && original === 0)) return -1;
    const fraction = u32(bytes, at + 4, this.isLittleEndian);
    if (fraction >= 1e9) return -1;
    if (likely) {
      if (recorded === 0 || original < recorded || original > this.#limit || fraction * this.#unit >= 1e9) return -1;
      if (!this.#isCloseBy(u32(bytes, at, this.isLittleEndian))) return -1;
    }
    return this.headSize + recorded;
  }

  #isCloseBy(seconds: number): boolean {
    return (
      this.#firstSeconds < 0 ||
      Math.abs(seconds - this.#firstSeconds) <= closeBy ||
      Math.abs(seconds - this.#lastSeconds) <= closeBy
    );
  }
}
