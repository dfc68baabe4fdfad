import type { Diagnostic } from '../../bytes/diagnostic.ts';

/** A network interface of a capture. */
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
export interface CapturedPacket {
  link: Link;
  /** The absolute offset of the packet's record, and its number from 1. */
  offset: number;
  number: number;
  /** The time since 1970 as two whole numbers; NaN if the file has no time for the packet. */
  seconds: number;
  nanoseconds: number;
  /** The recorded bytes as a range of the window, and the packet's original length. */
  start: number;
  end: number;
  originalLength: number;
}

/** Reads the packets of a capture file one by one. */
export interface PacketSource {
  /** The interfaces so far; for a pcapng, those of the current section. */
  readonly links: readonly Link[];
  readonly packet: CapturedPacket;
  /** The diagnostic that `next` reported last. */
  readonly diagnostic: Diagnostic;
  next(): 'packet' | 'diagnostic' | 'more' | 'done';
}

/** A larger record is treated as damage unless the file announces a higher limit, up to the second number. */
const [usualLimit, highestLimit] = [1 << 18, 1 << 20];

/** The largest accepted packet in bytes, given the announced limit of the recording. */
export function packetLimit(snapLength: number): number {
  return Math.min(Math.max(snapLength, usualLimit), highestLimit);
}

export function newPacket(link: Link): CapturedPacket {
  return {
    link,
    offset: 0,
    number: 0,
    seconds: Number.NaN,
    nanoseconds: Number.NaN,
    start: 0,
    end: 0,
    originalLength: 0,
  };
}
