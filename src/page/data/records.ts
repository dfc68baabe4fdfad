import { QueryMatcher } from '../../analysis/query/matcher.ts';
import { token } from '../../output/hexdump/hexdump.ts';
import { nameText } from '../../output/text/escape.ts';
import { count, thousands } from '../../output/text/number.ts';
import { annotateFields } from '../../wire/annotate/packet-spans.ts';
import { noBytes } from '../../wire/bytes/buffers.ts';
import { bitOffsets } from '../../wire/codec/huffman.ts';
import { type Message, messageName } from '../../wire/packet/message.ts';
import type { PacketContents } from '../../wire/packet/packet-contents.ts';
import { readMessageContents, readPacketContents } from '../../wire/packet/packet-contents.ts';
import { contentsWithoutSecrets } from '../../wire/packet/secrets.ts';
import { unwrap } from '../../wire/payload/encoding-layers.ts';
import { ticksPerSecond } from '../../wire/protocol/ticks.ts';
import { Delta } from '../../wire/snapshot/delta.ts';
import type { Search, SearchResult } from './search.ts';
import { messageBytes, type Recording } from './shown-recording.ts';

export const recordKinds = ['snapshot', 'message', 'packet'] as const;
export type RecordKind = (typeof recordKinds)[number];

/** A record of a track: snapshots that can be chosen, messages, and packets of a capture. */
export interface RecordRow {
  readonly kind: RecordKind;
  /** Its index among those of its kind: the position of a snapshot. */
  readonly number: number;
  /** Of a packet that of the last snapshot before it; -1 before the first. */
  readonly tick: number;
  /** In seconds since the first snapshot; NaN if it is not known. */
  readonly time: number;
  readonly bytes: number;
  /** The items of a snapshot, once they are known. */
  readonly items: number | undefined;
}

/** A message or packet that is shown instead of a snapshot. */
export interface ChosenRecord {
  readonly kind: Exclude<RecordKind, 'snapshot'>;
  readonly number: number;
}

/** All records of a track, in the order in which they were recorded. */
export function recordsOf(recording: Recording): RecordRow[] {
  const { track, shown, items, ticks } = recording;
  const rows: RecordRow[] = [];
  let message = 0;
  let packet = 0;
  let tick = -1;
  // A capture has its own clock: the first snapshot is in the packet before it.
  const first = track.packets.findLast(({ after }) => after <= shown[0]!)?.time ?? 0;
  const timeOf = (micros: number) => (micros < 0 ? Number.NaN : (micros - first) / 1e6);
  const upTo = (after: number) => {
    for (; packet < track.packets.length && track.packets[packet]!.after <= after; packet++) {
      const { time, size: bytes } = track.packets[packet]!;
      rows.push({ kind: 'packet', number: packet, tick, time: timeOf(time), bytes, items: undefined });
    }
    for (; message < track.messages.length && track.messages[message]!.after <= after; message++) {
      const { tick: messageTick, bytes } = track.messages[message]!;
      const time = Math.max(0, messageTick - ticks.from) / ticksPerSecond;
      const size = bytes.length;
      rows.push({ kind: 'message', number: message, tick: messageTick, time, bytes: size, items: undefined });
    }
  };
  for (const [position, index] of shown.entries()) {
    upTo(index);
    const { tick: own, payload } = track.snapshots[index]!;
    tick = own;
    const time = (tick - ticks.from) / ticksPerSecond;
    rows.push({ kind: 'snapshot', number: position, tick, time, bytes: payload.length, items: items[position] });
  }
  upTo(Number.POSITIVE_INFINITY);
  return rows;
}

/**
 * The content of a message or packet, its secrets hidden; undefined if it is not there, and for a packet with a
 * password.
 */
export function contentsOf(
  recording: Recording,
  { kind, number }: Pick<RecordRow, 'kind' | 'number'>,
): PacketContents | undefined {
  const { track, protocol } = recording;
  if (kind === 'packet') {
    const { bytes, size, after } = track.packets[number] ?? { bytes: noBytes, size: 1, after: 0 };
    if (bytes.length < size) return undefined;
    // Whether it completes a snapshot by itself. A part of one is read without its base, as `dump` and `decode` read
    // it.
    const isWhole = (track.packets[number + 1]?.after ?? track.snapshots.length) > after;
    const base = isWhole ? (tick: number) => baseBefore(recording, after, tick) : undefined;
    return contentsWithoutSecrets(readPacketContents(bytes, protocol, { base }));
  }
  const sent = track.messages[number];
  if (!sent) return undefined;
  const bytes = messageBytes(sent);
  // It may be of the other version, and a demo pads it with zeros.
  const read = readMessageContents(bytes, protocol, { message: recording.readMessage(sent, bytes).message });
  return contentsWithoutSecrets(sent.chunk === undefined ? read : { ...read, layers: demoLayers(sent.bytes, bytes) });
}

/**
 * Demos store the bytes of a message as ints, which are packed and compressed; so the bit of each byte is found by its
 * int.
 */
function demoLayers(file: Uint8Array, bytes: Uint8Array): PacketContents['layers'] {
  const { ints, bytes: packed } = unwrap(file, 'huffman');
  const offsets = bitOffsets(packed);
  return {
    file,
    bytes,
    bits: Uint32Array.from({ length: bytes.length + 1 }, (_, at) => offsets[ints.offsets![at >> 2]!]!),
  };
}

/** The snapshot of a tick that had been sent before the packet. */
function baseBefore({ track, reader }: Recording, after: number, tick: number) {
  for (let index = Math.min(after, track.snapshots.length) - 1; index >= 0; index--) {
    const sent = track.snapshots[index]!;
    if (sent.tick === tick) return reader.snapshot(index);
    if (sent.tick < tick) break;
  }
  return undefined;
}

/** The name by which records are sorted and recognised: `snapshot`, `delta`, `sv_chat`, or the messages of a packet. */
export function nameOfRecord(recording: Recording, row: Pick<RecordRow, 'kind' | 'number'>): string {
  if (row.kind === 'snapshot') return recording.snapshot(row.number).kind;
  if (row.kind === 'message') return messageName(recording.readMessage(recording.track.messages[row.number]!).message);
  return recording.track.packets[row.number]!.toServer ? '→ server' : '← server';
}

/** What a record says, in a line. */
export function sayingOf(recording: Recording, row: RecordRow): string {
  if (row.kind === 'snapshot') return snapshotSaying(recording, row.number);
  const contents = contentsOf(recording, row);
  if (!contents) return 'has a password, which is not in the page';
  if (contents.kind === 'packet') return packetSaying(contents);
  const [message] = contents.messages;
  return annotateFields(message!)
    .map((span) => token(span, false))
    .join(' ');
}

function snapshotSaying(recording: Recording, position: number): string {
  const { body, result } = recording.reader.payload(recording.shown[position]!);
  if (!(body instanceof Delta)) return `all of ${count(body.count, 'item')}`;
  const lost = result ? '' : '; its base is not here';
  return `${thousands(body.removedCount)} removed, ${thousands(body.count)} updated${lost}`;
}

function packetSaying({ packet, messages, values }: PacketContents & { kind: 'packet' }): string {
  const said = values.map(({ name, value }) => `${name}=${typeof value === 'string' ? nameText(value) : value}`);
  const names = messages.map(({ message }) => messageName(message));
  return [...(packet?.kind === 'chunks' ? [] : [packet?.kind ?? 'unreadable']), ...said, ...names].join(', ');
}

/** The checksum of a snapshot, and whether the server announced another one. */
export function checksumOf(recording: Recording, position: number): { sum: number | undefined; isWrong: boolean } {
  const sum = recording.rebuilt(position)?.checksum();
  const { announced } = recording.snapshot(position);
  return { sum, isWrong: sum !== undefined && announced !== undefined && announced !== sum };
}

const sortings = ['tick', 'kind', 'bytes', 'items', 'name'] as const;
export type Sorting = (typeof sortings)[number];

/** The rows in the order of a column; those that are equal in it stay in the order of the recording. */
export function sortedRecords(
  rows: readonly RecordRow[],
  by: Sorting,
  isDescending: boolean,
  nameOf: (row: RecordRow) => string,
): RecordRow[] {
  // The names are read once, since each takes a look into the message.
  const names = by === 'name' ? new Map(rows.map((row) => [row, nameOf(row)])) : undefined;
  const compare = (a: RecordRow, b: RecordRow): number => {
    if (by === 'name') return names!.get(a)! < names!.get(b)! ? -1 : names!.get(a)! > names!.get(b)! ? 1 : 0;
    if (by === 'kind') return recordKinds.indexOf(a.kind) - recordKinds.indexOf(b.kind);
    if (by === 'items') return (a.items ?? -1) - (b.items ?? -1);
    return by === 'tick' ? 0 : a.bytes - b.bytes;
  };
  const order = rows.map((row, i) => ({ row, i }));
  if (by === 'tick') return isDescending ? [...rows].reverse() : [...rows];
  return order
    .sort((a, b) => (isDescending ? compare(b.row, a.row) : compare(a.row, b.row)) || a.i - b.i)
    .map(({ row }) => row);
}

/**
 * Finds the records that a query selects: snapshots with a selected item, selected messages and packets with one. A
 * message at the tick of a selected event counts, too, because the event is what it says.
 */
export function* matchingRecords(
  recording: Recording,
  rows: readonly RecordRow[],
  { query }: Search,
  found: readonly SearchResult[],
): Generator<void, Set<RecordRow>> {
  const matcher = new QueryMatcher(query);
  const { protocol, track, reader, shown } = recording;
  const stream = { protocol };
  const matched = new Set<RecordRow>();
  const events = new Set(found.filter(({ item }) => item === undefined).map(({ tick }) => tick));
  const isMessage = (message: Message, direction: 'to_client' | 'to_server') => {
    matcher.follow({ record: 'message', stream, direction, message, head: message });
    return matcher.isMessage;
  };
  for (const row of rows) {
    yield;
    if (row.kind === 'snapshot') {
      const index = shown[row.number]!;
      const snapshot = reader.snapshot(index);
      matcher.follow({ record: 'snapshot', stream, snapshot, before: snapshot && reader.before(index) });
      if (matcher.found > 0) matched.add(row);
    } else if (row.kind === 'message') {
      const { message } = recording.readMessage(track.messages[row.number]!);
      if (isMessage(message, 'to_client') || events.has(row.tick)) matched.add(row);
    } else {
      const direction = track.packets[row.number]!.toServer ? 'to_server' : 'to_client';
      const messages = contentsOf(recording, row)?.messages ?? [];
      if (messages.some(({ message }) => isMessage(message, direction))) matched.add(row);
    }
  }
  return matched;
}
