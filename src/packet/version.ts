import { DecodeError } from '../bytes/diagnostic.ts';
import { controlsOf, type Packet, type PacketVersion, readPacket } from './packet.ts';

/** A packet read as the version that fits it better, and how badly it fits: 0 is in order. */
export interface Fit {
  readonly packet: Packet | undefined;
  readonly version: PacketVersion;
  readonly odd: number;
}

/** Reads a packet whose version is not known by its handshake: as the one whose rules it keeps. */
export function fitPacket(bytes: Uint8Array): readonly [Fit, Fit] {
  const six = fitOf(bytes, '0.6');
  const seven = fitOf(bytes, '0.7');
  return seven.odd < six.odd ? [seven, six] : [six, seven];
}

function fitOf(bytes: Uint8Array, version: PacketVersion): Fit {
  let odd = 0;
  let packet: Packet | undefined;
  try {
    packet = readPacket(bytes, version, (code) => {
      odd += code === 'packet_padding' ? 2 : 3;
    });
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return { packet, version, odd: 10 };
  }
  if (packet.kind === 'control') {
    if (controlsOf(version)[packet.control ?? -1] === undefined) odd += 4;
    if (packet.numChunks > 0) odd += 3;
  } else if (packet.kind === 'chunks') {
    if (packet.chunks.some(({ start, end }) => start === end)) odd += 2;
    if (packet.numChunks === 0 && !packet.resend) odd += 2;
    // A message begins with its number, below 64 and shifted by one: larger ones are no message's.
    for (const { start } of packet.chunks)
      if ((packet.payload[start] ?? 0xff) >= 0x80 && packet.payload[start + 1] !== 1) odd += 1;
  }
  return { packet, version, odd };
}
