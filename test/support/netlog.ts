import { file, u32 } from './capture-builder.ts';

/** A log of the network that holds these packets. */
export function netlogOf(packets: readonly Uint8Array[]): Uint8Array {
  return file(...packets.map((packet) => [...u32(0, true), ...u32(packet.length, true), ...packet]));
}
