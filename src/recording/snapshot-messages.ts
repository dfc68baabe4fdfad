import type { PacketVersion } from '../packet/packet.ts';
import { messagesOf } from '../protocol/message-registry.ts';

/** The messages needed to rebuild snapshots, by their first byte. */
export const snapshotMessages: Readonly<Record<PacketVersion, readonly (string | undefined)[]>> = {
  '0.6': firstBytes('0.6'),
  '0.7': firstBytes('0.7'),
};

function firstBytes(version: PacketVersion): (string | undefined)[] {
  const byByte: string[] = [];
  for (const { system, id, name } of messagesOf(version).all) {
    if (system && /^(snap|snap_single|snap_empty|map_change)$/.test(name)) byByte[(id! << 1) | 1] = name;
  }
  return byByte;
}
