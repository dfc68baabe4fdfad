import type { Diagnostic } from '../../bytes/diagnostic.ts';

/** What packets were captured on. */
export interface Link {
  /** From 0, within its file or section. */
  readonly number: number;
  /** The registered number of what packets begin with there. */
  readonly type: number;
  /** Bytes of a packet that were recorded at most; 0: all. */
  readonly snapLength: number;
}

/** Link type of an interface that packets name, but the file does not describe. */
export const undescribed = -1;

/** A packet as a capture file has it. The same object is filled for each. */
export interface CapturedPacket {
  link: Link;
  /** Absolute offset of its record, and its number from 1. */
  offset: number;
  number: number;
  /** Since 1970, both whole numbers; not a number where the file has no time for it. */
  seconds: number;
  nanoseconds: number;
  /** What was recorded of it, indexes into the window's bytes, and how long it was. */
  start: number;
  end: number;
  originalLength: number;
}

/** Gives the packets of a capture file, one a step. */
export interface PacketSource {
  /** The interfaces seen last: of a pcapng, those of the section. */
  readonly links: readonly Link[];
  readonly packet: CapturedPacket;
  /** What `next` reported last. */
  readonly diagnostic: Diagnostic;
  next(): 'packet' | 'diagnostic' | 'more' | 'done';
}

/** A larger record is damage, unless the file says that it recorded more, up to the second number. */
const [usualLimit, highestLimit] = [1 << 18, 1 << 20];

/** Bytes of the largest packet, by the announced limit of the recording. */
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
