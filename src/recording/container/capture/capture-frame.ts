import { noBytes } from '../../../wire/bytes/buffers.ts';
import type { Diagnostic } from '../../../wire/bytes/diagnostic.ts';
import type { RecordReader } from './record-reader.ts';

export interface Link {
  /** The number within the file or section, from 0. */
  readonly number: number;
  /** The registered link type: the header with which packets begin. */
  readonly type: number;
  /** The maximum number of bytes recorded per packet; 0 for no limit. */
  readonly snapLength: number;
}

/** The link type of an interface that packets refer to but the file does not describe. */
export const undescribed = -1;

/** A packet of a capture file. The object is reused for every packet. */
export class CapturedPacket {
  link: Link;
  /** The absolute offset of the packet's record, and its number from 1. */
  offset = 0;
  number = 0;
  /** The time since 1970 as two whole numbers; NaN if the file has no time for the packet. */
  seconds = Number.NaN;
  nanoseconds = Number.NaN;
  /** The recorded bytes as a range of the window, and the packet's original length. */
  start = 0;
  end = 0;
  originalLength = 0;

  constructor(link: Link) {
    this.link = link;
  }
}

/**
 * A part of a capture file as it is in the file: the header or the record of a packet of a pcap, or a block of a
 * pcapng. The bytes are valid until the next piece of the file is read.
 */
export interface CaptureBlock {
  readonly format: CaptureFormat;
  readonly bytes: Uint8Array;
  readonly isLittleEndian: boolean;
  /** The packet in it, with indexes into other bytes; undefined if there is none. */
  readonly packet: CapturedPacket | undefined;
}

export type CaptureFormat = 'pcap' | 'pcapng';

export interface PacketSource {
  /** The interfaces so far; for a pcapng, those of the current section. */
  readonly links: readonly Link[];
  readonly packet: CapturedPacket;
  readonly isLittleEndian: boolean;
  /** What `next` read last: a packet with its head, or a block without a packet; and the diagnostic about it. */
  readonly records: RecordReader;
  /** `block`: one without a packet, only from a source that is asked for them. */
  next(): 'packet' | 'block' | 'diagnostic' | 'more' | 'done';
}

/** A larger record is treated as damage unless the file announces a higher limit, up to the second number. */
const usualLimit = 1 << 18;
const highestLimit = 1 << 20;

/** The largest accepted packet in bytes, given the announced limit of the recording. */
export function packetLimit(snapLength: number): number {
  return Math.min(Math.max(snapLength, usualLimit), highestLimit);
}

/**
 * A packet of a capture, or a diagnostic; diagnostics about a packet follow it. The object is reused, so it is valid
 * only until the next frame is read.
 */
export class CaptureFrame {
  /**
   * `other` is a packet without UDP or a fragment that does not complete its datagram; `block` is a part of the file
   * without a packet, for which only `offset` is set.
   */
  kind: 'datagram' | 'other' | 'diagnostic' | 'block' = 'other';
  /**
   * The absolute offset of the packet's record and its number from 1. For a fragmented datagram: those of the record
   * that completed it.
   */
  offset = 0;
  number = 0;
  /** The time since 1970: in seconds with microsecond precision, and as whole numbers. NaN if the file has no time. */
  time = Number.NaN;
  seconds = Number.NaN;
  nanoseconds = Number.NaN;
  source = '';
  sourcePort = 0;
  destination = '';
  destinationPort = 0;
  /** The payload of a datagram or the whole of another packet: `bytes[start]` up to `bytes[end]`. */
  bytes: Uint8Array = noBytes;
  start = 0;
  end = 0;
  /** The absolute offset of `bytes[start]`; -1 if the datagram was reassembled from fragments. */
  dataOffset = 0;
  missing = 0;
  /** The numbers of the packets whose fragments are this datagram, the last one included. */
  fragments: readonly number[] | undefined;
  diagnostic: Diagnostic | undefined;
}
