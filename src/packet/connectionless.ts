import type { MessageValue } from './message-reader.ts';
import type { Packet, PacketVersion } from './packet.ts';
import { bytesType, PacketValues, textType, tokenBytes } from './packet-values.ts';

/**
 * The version of a connectionless packet, by the flag and the version in its first byte, as DDNet reads them; undefined for any
 * other datagram and for one shorter than its header.
 * ```
 * 0.6   ..1. ....  any[5]      written as ff ff ff ff ff ff, or "xe" extra[4] by DDNet
 * 0.7   ..1. ..VV  token[4]  response_token[4]                  V version, 1
 * then  ff ff ff ff  name[4]  data
 * ```
 */
export function connlessVersion(packet: Uint8Array): PacketVersion | undefined {
  const first = packet[0] ?? 0;
  if ((first & connlessFlag) === 0) return undefined;
  const version = (first & versionBits) === 1 ? '0.7' : '0.6';
  return packet.length >= connlessHeadSize(version) ? version : undefined;
}

/**
 * Whether a packet is connectionless and begins as the games write it. A datagram of another program may have the flag by chance.
 */
export function isWrittenByGames(packet: Uint8Array): boolean {
  if (connlessVersion(packet) === undefined) return false;
  if (packet[0] === 0x21 || isExtended(packet)) return true;
  return packet.subarray(0, 6).every((byte) => byte === 0xff);
}

/** Whether the flag marks a packet as connectionless. The flag is the same bit in both versions. */
export const isConnless = (packet: Uint8Array): boolean => ((packet[0] ?? 0) & connlessFlag) !== 0;

/** The version number of a connectionless packet; the games of 0.7 refuse any other than 1. */
export const connlessVersionNumber = (packet: Uint8Array): number => (packet[0] ?? 0) & versionBits;

const connlessFlag = 0x20;
const versionBits = 3;

/** Bytes before the payload. */
export const connlessHeadSize = (version: PacketVersion): number => (version === '0.7' ? 9 : 6);

/** The bytes at the beginning that mark the packet as connectionless. */
export function connlessMarkSize(packet: Uint8Array, version: PacketVersion): number {
  if (version === '0.7') return 1;
  return isExtended(packet) ? extended.length : 6;
}

const isExtended = (packet: Uint8Array) => packet[0] === extended[0] && packet[1] === extended[1];

/** The values of a connectionless packet, after its mark. */
export function readConnless(packet: Uint8Array, { version }: Pick<Packet, 'version'>): MessageValue[] {
  const values = new PacketValues(packet, connlessMarkSize(packet, version));
  if (version === '0.7') for (const name of ['token', 'response_token']) values.add(name, bytesType, tokenBytes);
  else if (isExtended(packet)) values.add('extra', bytesType, 4);
  if (values.begins(marker)) values.add('marker', bytesType, marker.length);
  if (values.beginsWithText(nameBytes)) values.add('name', textType, nameBytes);
  values.addRest();
  return values.read;
}

/** DDNet's extended mark, "xe". */
const extended = [0x78, 0x65] as const;
/** The first bytes of the payload. */
const marker = [0xff, 0xff, 0xff, 0xff];
const nameBytes = 4;
