import { u16be, u32 } from '../../../wire/bytes/fixed-int.ts';
import { Newest } from '../../../wire/bytes/newest.ts';
import { crc32 } from '../../../wire/codec/crc32.ts';
import { LinkType } from '../net/link-layer.ts';
import type { CapturedPacket, CaptureFrame, Link } from './capture-frame.ts';

/**
 * The seconds within which two interfaces record a packet. The games say the same again after 20 ms at the earliest,
 * and at both interfaces.
 */
const apart = 0.01;
/** Memory. Programs write the packets of each interface in turn, some hundreds at a time. */
const maxSeen = 4096;

/**
 * The datagrams of a capture of several interfaces, which has a packet once for each interface that it passes: those of
 * a bridge, or `lo` beside `any`. The games got it once.
 */
export class Copies {
  readonly #seen = new Newest<string, { readonly place: number; readonly time: number }>(maxSeen);

  /** Whether another interface has recorded the same datagram before. */
  has({ time, source, sourcePort, destination, destinationPort, bytes, start, end }: CaptureFrame, place: number) {
    const sum = crc32(bytes.subarray(start, end));
    const key = `${source} ${sourcePort} ${destination} ${destinationPort} ${end - start} ${sum}`;
    const seen = this.#seen.get(key);
    const isCopy = seen !== undefined && seen.place !== place && Math.abs(time - seen.time) < apart;
    if (!isCopy) this.#seen.set(key, { place, time });
    return isCopy;
  }
}

/** Whether the packets of a link are those of several interfaces. */
export const isOfMany = ({ type }: Link): boolean => type === LinkType.linuxCooked || type === LinkType.linuxCooked2;

/**
 * Where a packet was recorded. Linux's `any` has the number of the interface in each packet since version 2. In version 1
 * it has only what the packet is to the host: one that is received by an interface and sent by another is forwarded.
 * Of what is sent over loopback, libpcap has only what is received.
 */
export function placeOf(bytes: Uint8Array, { link, start, end }: CapturedPacket): number {
  if (link.type === LinkType.linuxCooked && end - start >= 2) return 0x10000 * link.number + u16be(bytes, start);
  if (link.type === LinkType.linuxCooked2 && end - start >= 8) return u32(bytes, start + 4, false);
  return link.number;
}
