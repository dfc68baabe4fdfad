import { readMessage } from '../wire/packet/message.ts';
import { copyOf } from '../wire/snapshot/builder.ts';
import type * as record from './records.ts';

declare const kept: unique symbol;

/** Only a type: tells what may be kept from what is {@link Borrowed}. */
export interface Kept {
  readonly [kept]: true;
}

/** One entry of a recording, in the recording's order; `record` says which. */
export type RecordingEntry = record.RecordingEntry & Kept;

/** A snapshot as it was recorded or sent, and as it was rebuilt; its `verdict` says whether it could be. */
export type SnapshotEntry = record.SnapshotEntry & Kept;

/** A message; in a demo, one that the server sent to the recorded player. */
export type MessageEntry = record.MessageEntry & Kept;

/**
 * A record whose buffers the reader fills again: it, and what is in it, is valid until the next one. {@link keep}
 * copies it. A copy `{ ...entry }` lacks what is read on demand, such as `payload` and `message`.
 */
export type Borrowed<Entry extends RecordingEntry> = Extract<record.RecordingEntry, Pick<Entry, 'record'>>;

/**
 * A copy of a record that stays valid when the reader fills its buffers again. Its stream is shared, and goes on
 * counting.
 *
 * @example
 * ```ts
 * import { keep, type RecordingEntry, readDemo } from 'tw-snap';
 *
 * const chat: RecordingEntry[] = [];
 * readDemo(bytes, { reuse: true }).each((entry) => {
 *   if (entry.record === 'message' && entry.head.type?.name === 'sv_chat') chat.push(keep(entry));
 * });
 * ```
 */
export const keep = <Entry extends record.RecordingEntry>(entry: Entry) => keptRecord(entry) as Entry & Kept;

function keptRecord(entry: record.RecordingEntry): record.RecordingEntry {
  switch (entry.record) {
    case 'snapshot':
      return keepSnapshot(entry);
    case 'copy':
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
    case 'block': {
      const { block, datagram } = entry;
      const { bytes, packet } = block;
      const own = { ...block, bytes: bytes.slice(), packet: packet && { ...packet } };
      return { ...entry, block: own, datagram: datagram?.slice() };
    }
    // They have no bytes of a buffer that is used again.
    case 'header':
    case 'ghost':
    case 'tick':
    case 'connection':
    case 'close':
    case 'drop':
    case 'diagnostic':
    case 'server_info':
    case 'info_exchange':
    case 'handshake':
      return entry;
    default:
      return entry satisfies never;
  }
}

/** Without what keeping a message needs. */
export function keepSnapshot(entry: record.SnapshotEntry): SnapshotEntry {
  const { snapshot, before, delta, payload } = entry;
  return {
    ...entry,
    // The bases of a connection go on changing.
    stored: undefined,
    payload: payload?.slice(),
    snapshot: snapshot && copyOf(snapshot),
    before: before && copyOf(before),
    delta: delta?.copy(),
  } as SnapshotEntry;
}

/**
 * The message is read again in the version in which it was read, since its values may be views of the bytes. Only in
 * demos messages are padded.
 */
function keepMessage<Entry extends record.MessageEntry | record.CopyEntry>(entry: Entry): Entry {
  const { stream, head, certainty, payload } = entry;
  const bytes = entry.bytes.slice();
  const protocol = { ...stream.protocol, version: head.version ?? stream.protocol.version };
  const read = readMessage(bytes, 0, bytes.length, protocol, { padded: entry.tick !== undefined });
  const message = head.version === undefined ? read : { ...read, version: head.version };
  return { ...entry, bytes, message, head: message, certainty, ...(payload ? { payload: payload.slice() } : {}) };
}
