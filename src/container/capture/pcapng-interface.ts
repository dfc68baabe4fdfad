import { u16, u32 } from '../../bytes/fixed-int.ts';
import type { Link } from './captured-packet.ts';
import { microseconds, type TimeUnit } from './timestamp.ts';

/** An interface of a pcapng section. */
export interface PcapngInterface extends Link {
  readonly time: TimeUnit;
}

const [endOfOptions, timeResolution, timeOffset] = [0, 9, 14];

/**
 * Reads the body of an interface description, `bytes[at]` up to `bytes[end]`, at least 8 bytes.
 * ```
 * link_type u16  .. ..  snap_length u32  { code u16  length u16  value[length]  padding to 4 }*
 * ```
 */
export function readInterface(
  bytes: Uint8Array,
  at: number,
  end: number,
  little: boolean,
  number: number,
): PcapngInterface {
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
      const [first, second] = [u32(bytes, value, little), u32(bytes, value + 4, little)];
      const [high, low] = little ? [second, first] : [first, second];
      offset = (high | 0) * 0x1_0000_0000 + low;
    }
  }
  return { ...link, time: { resolution, offset } };
}
