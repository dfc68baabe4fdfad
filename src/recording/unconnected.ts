import type { PacketEntry } from './record.ts';

/** The record of a datagram outside any connection. */
export function unconnected(bytes: Uint8Array, time: number, frame: number): PacketEntry {
  const [stream, direction, packet, code] = [undefined, undefined, undefined, undefined];
  return { record: 'packet', stream, time, frame, direction, bytes, packet, code, repeated: [] };
}
