import { type Message, type MessageHead, readMessage, readMessageHead } from '../packet/message.ts';
import type { ConnectionStream, PacketEntry } from '../recording/record.ts';

/** A message of a packet: the whole message if its values are needed. */
export type ChunkMessage = Message | MessageHead;

/** The messages that contain the tick of a snapshot. */
const snapshotMessages = new Set(['snap', 'snap_single', 'snap_empty']);

/** The messages of a packet, one for each chunk. */
export function messagesIn({ packet }: PacketEntry, { protocol }: ConnectionStream): ChunkMessage[] {
  if (!packet) return [];
  const { payload, chunks } = packet;
  return chunks.map(({ start, end }) => {
    const head = readMessageHead(payload.subarray(start, end), protocol);
    const name = head.type?.name ?? '';
    const isRead = snapshotMessages.has(name) || name === 'sv_clientinfo';
    return isRead ? readMessage(payload, start, end, protocol) : head;
  });
}

/** The tick of a snapshot message. */
export function tickOf(message: ChunkMessage): number | undefined {
  const { type, system } = message;
  if (!system || !type || !snapshotMessages.has(type.name) || !('values' in message)) return undefined;
  const tick = message.values.find(({ name }) => name === 'tick')?.value;
  return typeof tick === 'number' ? tick : undefined;
}
