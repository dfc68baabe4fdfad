import { u32 } from '../../wire/bytes/fixed-int.ts';

/** How files with recordings begin: what tells their formats apart, without a reader of any of them. */

const demoMagic = 'TWDEMO\0';

/** Whether bytes are the beginning of a demo, as far as they go. */
export function mayBeDemo(bytes: Uint8Array): boolean {
  const size = Math.min(bytes.length, demoMagic.length);
  for (let i = 0; i < size; i++) if (bytes[i] !== demoMagic.charCodeAt(i)) return false;
  return true;
}

/**
 * Whether bytes begin as a demo does.
 *
 * Source: `src/engine/shared/demo.cpp` and `demo.h` of the games.
 */
export const isDemo = (bytes: Uint8Array): boolean => bytes.length >= demoMagic.length && mayBeDemo(bytes);

export const ghostMagic = 'TWGHOST\0';

/** Whether bytes begin as a ghost, one race run, does. Source: `src/engine/client/ghost.cpp` of DDNet. */
export const isGhost = (bytes: Uint8Array): boolean =>
  [...ghostMagic].every((char, at) => bytes[at] === char.charCodeAt(0));

/** The first ints of a libpcap file with fractions of seconds in microseconds, and in nanoseconds. */
export const microMagic = 0xa1b2c3d4;
export const nanoMagic = 0xa1b23c4d;

export function isPcap(bytes: Uint8Array): boolean {
  const isMagic = (int: number) => int === microMagic || int === nanoMagic;
  return bytes.length >= 4 && (isMagic(u32(bytes, 0, true)) || isMagic(u32(bytes, 0, false)));
}

/** The type of the block with which each section of a pcapng begins, and the int in it that shows the byte order. */
export const sectionType = 0x0a0d0d0a;
export const orderMagic = 0x1a2b3c4d;

export const isPcapng = (bytes: Uint8Array): boolean =>
  bytes.length >= 12 && u32(bytes, 0, false) === sectionType && orderAt(bytes, 8) !== undefined;

/** Whether the ints of a section are little-endian, by its magic; undefined if there is none. */
export function orderAt(bytes: Uint8Array, at: number): boolean | undefined {
  if (u32(bytes, at, true) === orderMagic) return true;
  return u32(bytes, at, false) === orderMagic ? false : undefined;
}

/**
 * Whether bytes begin as a capture does, in either format; 12 bytes are enough.
 *
 * Source: the Internet drafts `draft-ietf-opsawg-pcap` and `draft-ietf-opsawg-pcapng`.
 */
export const isCapture = (bytes: Uint8Array): boolean => isPcap(bytes) || isPcapng(bytes);

export const netlogHeadSize = 8;
/** A packet has at least a header; a payload can be empty. No game sends larger packets. */
const minPacketBytes = 3;
const maxPacketBytes = 1400;

/** The size of the record of a network log at an offset; -1 if there is none. */
export function netlogRecordSize(bytes: Uint8Array, at: number): number {
  const type = u32(bytes, at, true);
  const size = u32(bytes, at + 4, true);
  return type > 1 || size > maxPacketBytes || (type === 0 && size < minPacketBytes) ? -1 : netlogHeadSize + size;
}

/** The number of valid records after which a file is recognised as such a log. */
const checkedRecords = 8;

/**
 * Whether bytes, a whole file or the beginning of one, are a network log: two valid records, or one that is the whole
 * file.
 */
export function isNetlog(bytes: Uint8Array): boolean {
  let at = 0;
  for (let records = 0; records < checkedRecords; records++) {
    if (at === bytes.length) return records > 0;
    if (at + netlogHeadSize > bytes.length) return records > 1;
    const size = netlogRecordSize(bytes, at);
    if (size < 0) return false;
    at += size;
    if (at > bytes.length) return records > 1;
  }
  return true;
}

/** The bytes at the beginning of a file that decide whether it is such a log: room for the checked records. */
export const netlogDetectionBytes = checkedRecords * (netlogHeadSize + maxPacketBytes);

/**
 * Whether a file begins as a network log does, also if a record is damaged: two valid ones, and later as many as are
 * checked.
 * @param first the first {@link netlogDetectionBytes} of the file, or all of it
 */
export function beginsNetlog(first: Uint8Array): boolean {
  if (isNetlog(first)) return true;
  if (recordsAt(first, 0) < 2) return false;
  for (let at = 1; at + netlogHeadSize < first.length; at++) {
    if (recordsAt(first, at) === checkedRecords) return true;
  }
  return false;
}

/** The number of complete valid records from an offset on, up to those that are checked. */
function recordsAt(bytes: Uint8Array, at: number): number {
  for (let records = 0; records < checkedRecords; records++) {
    const size = at + netlogHeadSize > bytes.length ? -1 : netlogRecordSize(bytes, at);
    if (size < 0 || at + size > bytes.length) return records;
    at += size;
  }
  return checkedRecords;
}

/** Whether valid records begin anywhere in the bytes, the beginning of a damaged log. */
export function containsNetlog(bytes: Uint8Array): boolean {
  for (let at = 0; at + netlogHeadSize < bytes.length; at++) {
    if (netlogRecordSize(bytes, at) >= 0 && isNetlog(bytes.subarray(at))) return true;
  }
  return false;
}
