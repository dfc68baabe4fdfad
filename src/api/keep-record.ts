import { readMessage } from '../packet/message.ts';
import type { MessageEntry, RecordingEntry, SnapshotEntry } from '../recording/record.ts';
import { copyOf } from '../snapshot/builder.ts';

/** A copy of a record that stays valid when the reader fills its buffers again. Its stream is shared, and goes on counting. */
export function keepRecord(entry: RecordingEntry): RecordingEntry {
  switch (entry.record) {
    case 'snapshot':
      return keepSnapshot(entry);
    case 'message':
      return keepMessage(entry);
    case 'map':
      return { ...entry, piece: entry.piece.slice() };
    case 'chunk': {
      const { bytes, start, end } = entry.chunk;
      return { ...entry, chunk: { ...entry.chunk, bytes: bytes.slice(start, end), start: 0, end: end - start } };
    }
    case 'packet': {
      const { bytes, packet } = entry;
      return { ...entry, bytes: bytes.slice(), packet: packet && { ...packet, payload: packet.payload.slice() } };
    }
    default:
      return entry;
  }
}

function keepSnapshot(entry: SnapshotEntry): SnapshotEntry {
  const { snapshot, before, delta, payload } = entry;
  return {
    ...entry,
    payload: payload?.slice(),
    snapshot: snapshot && copyOf(snapshot),
    before: before && copyOf(before),
    delta: delta?.copy(),
  };
}

/**
 * The message is read again in the version in which it was read, since its values may be views of the bytes. Only in
 * demos messages are padded.
 */
function keepMessage(entry: MessageEntry): MessageEntry {
  const { stream, head, certainty, payload } = entry;
  const bytes = entry.bytes.slice();
  const protocol = { ...stream.protocol, version: head.version ?? stream.protocol.version };
  const read = readMessage(bytes, 0, bytes.length, protocol, { padded: entry.tick !== undefined });
  const message = head.version === undefined ? read : { ...read, version: head.version };
  return { ...entry, bytes, message, head: message, certainty, ...(payload ? { payload: payload.slice() } : {}) };
}
