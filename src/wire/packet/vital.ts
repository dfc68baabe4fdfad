import { hexText } from '../bytes/to-hex.ts';
import type { PacketVersion } from './packet.ts';

/**
 * The numbers of the messages that are old before they could be sent again: snapshots, inputs and their timing, pings
 * and their answers. A test compares them with the tables of messages, of which a program that only has a `Channel`
 * needs nothing else (39 kB).
 */
const passing: Readonly<Record<PacketVersion, ReadonlySet<number>>> = {
  '0.6': new Set([5, 6, 7, 8, 9, 16, 22, 23]),
  '0.7': new Set([6, 7, 8, 9, 10, 20, 26, 27]),
};
/** `ping_ex` and `pong_ex` of DDNet. */
const passingUuids = ['bcb43bf5427c36d8b5b87975c8c06aa1', 'd829553014a73a0ab02eb2cee08d2033'];

/**
 * Whether the games send a message again until it is acknowledged: all but snapshots, inputs, their timing and pings.
 *
 * Source: the flags of `SendMsg` in `client.cpp` and `server.cpp` of the games, and of `SendPackMsg` in `src/game`.
 */
export function isVital(bytes: Uint8Array, version: PacketVersion): boolean {
  const first = bytes[0] ?? 0;
  // A number above 31, or a message of the game rather than the system.
  if (first >= 64 || (first & 1) === 0) return true;
  if (first !== 1) return !passing[version].has(first >> 1);
  return !passingUuids.includes(hexText(bytes, 1, 17));
}
