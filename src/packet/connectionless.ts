import type { MessageValue } from './message.ts';
import type { Packet, PacketVersion } from './packet.ts';
import { bytesType, PacketValues, textType, tokenBytes } from './packet-values.ts';

/**
 * The version in which a datagram is a packet without a connection, as its first bytes say; undefined where it is none.
 * ```
 * 0.6   ff ff ff ff ff ff   or, of DDNet, "xe" extra[4]       0.7   0x21  token[4]  response_token[4]
 * then  ff ff ff ff  name[4]  data
 * ```
 */
export function connlessVersion(packet: Uint8Array): PacketVersion | undefined {
  switch (packet[0]) {
    case 0x21:
      return packet.length >= connlessHeadSize('0.7') ? '0.7' : undefined;
    case extended[0]:
      return packet.length >= connlessHeadSize('0.6') && packet[1] === extended[1] ? '0.6' : undefined;
    case 0xff:
      return packet.length >= connlessHeadSize('0.6') && packet.subarray(0, 6).every((byte) => byte === 0xff)
        ? '0.6'
        : undefined;
    default:
      return undefined;
  }
}

/** Bytes before the payload. */
export const connlessHeadSize = (version: PacketVersion): number => (version === '0.7' ? 9 : 6);

/** The bytes at the beginning that mark the packet as connectionless. */
export function connlessMarkSize(packet: Uint8Array, version: PacketVersion): number {
  if (version === '0.7') return 1;
  return packet[0] === extended[0] ? extended.length : 6;
}

/** What a packet without a connection says, after its mark. */
export function readConnless(packet: Uint8Array, { version }: Packet): MessageValue[] {
  const values = new PacketValues(packet, connlessMarkSize(packet, version));
  if (version === '0.7') for (const name of ['token', 'response_token']) values.take(name, bytesType, tokenBytes);
  else if (packet[0] === extended[0]) values.take('extra', bytesType, 4);
  if (values.begins(marker)) values.take('marker', bytesType, marker.length);
  if (values.beginsWithText(nameBytes)) values.take('name', textType, nameBytes);
  values.takeRest();
  return values.read;
}

/** "xe" of DDNet. */
const extended = [0x78, 0x65] as const;
/** What the payload begins with. */
const marker = [0xff, 0xff, 0xff, 0xff];
const nameBytes = 4;
