import type { PacketEntry, SnapshotEntry } from '../../recording/replay/record.ts';
import type { Direction, Stream } from '../../recording/replay/stream.ts';
import { ByteBuffer } from '../../wire/bytes/buffers.ts';
import { join } from '../../wire/bytes/copy.ts';
import { DecodeError } from '../../wire/bytes/diagnostic.ts';
import { u32 } from '../../wire/bytes/fixed-int.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import { Newest } from '../../wire/bytes/newest.ts';
import { packInts } from '../../wire/codec/varint.ts';
import {
  isSnapshotMessage,
  type Message,
  messageName,
  readMessage,
  snapshotMessage,
} from '../../wire/packet/message.ts';
import { mayBeMixed, readMixedMessage } from '../../wire/packet/mixed-message.ts';
import { controlCode, type Packet, tokenBytes } from '../../wire/packet/packet.ts';
import { readControl } from '../../wire/packet/packet-values.ts';
import { messageBytes, type SentChunk, textBytes, writePacket } from '../../wire/packet/write.ts';
import type { Field } from '../../wire/protocol/item.ts';
import type { Protocol } from '../../wire/protocol/registry.ts';
import { apply } from '../../wire/snapshot/apply.ts';
import { createDelta } from '../../wire/snapshot/create-delta.ts';
import type { Delta } from '../../wire/snapshot/delta.ts';
import { ItemTypes } from '../../wire/snapshot/item-types.ts';
import { partBytes } from '../../wire/snapshot/key.ts';
import { Snapshot } from '../../wire/snapshot/snapshot.ts';
import type { Tokens } from './addresses.ts';

/*
 * A packet is written again: its acknowledgement, the flag that asks for vital chunks, the numbers of these and the
 * order stay. A chunk becomes
 *
 *   its message with other texts     all but those below
 *   a part of a delta made anew      of a snapshot, once it is known: its packet waits for it
 *   a message that does nothing      a vital one that is left out, so that the numbers have no gap
 *   nothing                          any other that is left out
 */

/** A place in a packet for what a part of a snapshot becomes. */
interface SnapshotPlace {
  readonly stream: Stream;
  readonly tick: number;
  readonly part: number;
  readonly captured: Uint8Array;
  /** What stands there; undefined while the snapshot is not known. */
  messages: readonly Uint8Array[] | undefined;
  isCopied: boolean;
  /** What of it was not captured, for people. */
  note: string | undefined;
}

type ChunkPlace = { readonly chunk: SentChunk } | { readonly snapshot: SnapshotPlace };

/** A packet of a connection that is written again once all of its snapshots are known. */
export interface ChangedPacket {
  readonly packet: Packet;
  readonly places: readonly ChunkPlace[];
  readonly leftOut: readonly string[];
}

/** A part may be repeated this many snapshots later. */
const maxKnown = 64;

/** Packets that their receiver dropped, although they can be read. */
const readable: ReadonlySet<string | undefined> = new Set([undefined, 'wrong_token', 'wrong_ack']);

const headerTokenFlag = 0x08;

/** Why the games close a connection, in their own words. Another reason is a text of somebody. */
const ownReasons: ReadonlySet<string> = new Set([
  '',
  'Timeout',
  'Server shutdown',
  'This server is full',
  'Wrong password',
  'Wrong password!',
  'Server stopped',
  'Too many connections in a short time',
  'Too weak connection (out of buffer)',
  'Too weak connection (not acked for 10 seconds)',
]);

/** What becomes of the messages of packets. */
interface Messages {
  /** Undefined for one that is left out. */
  message(message: Message, bytes: Uint8Array): Uint8Array | undefined;
  /** A message without an effect. */
  idle(protocol: Protocol): Uint8Array;
  /** Changes a snapshot in place. */
  snapshot(snapshot: Snapshot, entry: SnapshotEntry): void;
  text(text: string): string;
}

/** `changed`: its delta with other texts; `copied`: as it is; `whole`: a delta on the empty snapshot. */
type SnapshotFate = 'changed' | 'copied' | 'whole';

/** The messages in place of each part of a snapshot; `undefined` for one that is left out. */
type NewParts = readonly (readonly Uint8Array[])[] | 'copied' | undefined;

export class PacketRewriter {
  /** What was left out, and how often. */
  readonly leftOut = new Map<string, number>();
  readonly #messages: Messages;
  readonly #tokens: Pick<Tokens, 'token'>;
  readonly #fateOf: (entry: SnapshotEntry) => SnapshotFate;
  /** Whether snapshots may stay as they are: also one without a delta then waits for its base to be known. */
  readonly #mayCopy: boolean;
  /** The messages of the last snapshots of each connection by tick; undefined for one that is left out. */
  readonly #known = new WeakMap<Stream, Newest<number, NewParts>>();
  readonly #open: SnapshotPlace[] = [];
  /** The ticks that were written as whole snapshots. */
  readonly #wholeTicks = new WeakMap<Stream, Set<number>>();
  readonly #packed = new ByteBuffer();
  readonly #nothing = new Snapshot();
  readonly #before = new Snapshot();
  readonly #now = new Snapshot();

  constructor(messages: Messages, tokens: Pick<Tokens, 'token'>, fateOf?: (entry: SnapshotEntry) => SnapshotFate) {
    this.#messages = messages;
    this.#tokens = tokens;
    this.#fateOf = fateOf ?? (() => 'changed');
    this.#mayCopy = fateOf !== undefined;
  }

  /** Whether a packet has a snapshot, or a part of one. */
  hasSnapshot({ packet, stream, direction }: PacketEntry): boolean {
    if (!packet || !stream || direction !== 'to_client') return false;
    return packet.chunks.some(({ start, end }) =>
      isSnapshotMessage(messageIn(packet.payload.subarray(start, end), stream, direction)),
    );
  }

  /** @returns undefined for one that can't be read to its end */
  add({ packet, code, stream, direction, bytes }: PacketEntry): ChangedPacket | Uint8Array | undefined {
    if (!stream || !direction || !packet || !readable.has(code) || packet.cut) {
      this.count('packets that can not be read');
      return undefined;
    }
    if (packet.kind === 'control') return this.#control(packet, bytes);
    if (packet.kind !== 'chunks' || packet.chunks.length !== packet.numChunks) {
      this.count('packets that can not be read');
      return undefined;
    }
    const leftOut: string[] = [];
    const places = packet.chunks.flatMap(({ start, end, vital, resend, sequence }): ChunkPlace[] => {
      const head = { vital, resend, sequence };
      const chunk = packet.payload.subarray(start, end);
      const message = messageIn(chunk, stream, direction);
      // Ticks begin again.
      if (message.type?.name === 'map_change') this.#known.delete(stream);
      if (isSnapshotMessage(message)) return this.#snapshotPlace(message, chunk, stream);
      const now = this.#messages.message(message, chunk);
      if (now) return [{ chunk: { ...head, message: now } }];
      leftOut.push(messageName(message));
      this.count(messageName(message));
      return vital ? [{ chunk: { ...head, message: this.#messages.idle(stream.protocol) } }] : [];
    });
    return { packet, places, leftOut };
  }

  /** What a snapshot says of the places of its parts. */
  snapshot(entry: SnapshotEntry): void {
    const { stream, tick } = entry;
    const known = getOr(this.#known, stream, () => new Newest(maxKnown));
    if (known.get(tick)) return;
    const parts = this.#mayCopy && !this.#hasAllParts(entry) ? undefined : this.#partsOf(entry);
    known.set(tick, parts);
    for (let i = 0; i < this.#open.length; ) {
      const place = this.#open[i]!;
      if (place.stream !== stream || place.tick !== tick) i++;
      else {
        this.#fill(place, parts);
        this.#open.splice(i, 1);
      }
    }
  }

  /** Gives up what is not known by now. */
  giveUp({ places }: Pick<ChangedPacket, 'places'>): void {
    for (const place of places) {
      if (!('snapshot' in place) || place.snapshot.messages) continue;
      this.#fill(place.snapshot, undefined);
      const at = this.#open.indexOf(place.snapshot);
      if (at >= 0) this.#open.splice(at, 1);
    }
  }

  /** Whether all of its snapshots are known. */
  isKnown({ places }: ChangedPacket): boolean {
    return places.every((place) => 'chunk' in place || place.snapshot.messages !== undefined);
  }

  /**
   * The packet again. Pseudonyms may be longer than names: what has no room in one packet becomes several, in the same
   * order, with the same acknowledgement.
   */
  write({ packet, places }: ChangedPacket): Uint8Array[] {
    const chunks = places.flatMap((place): readonly SentChunk[] =>
      'chunk' in place ? [place.chunk] : (place.snapshot.messages ?? []).map((message) => ({ message })),
    );
    return this.#writeChunks(packet, chunks);
  }

  #writeChunks(packet: Packet, chunks: readonly SentChunk[]): Uint8Array[] {
    const { version, ack, resend, token } = packet;
    const hasHeaderToken = version === '0.6' && packet.headSize === 7;
    const newToken = token === undefined ? undefined : this.#tokens.token(token);
    try {
      const written = writePacket(version, { ack, resend, chunks, token: hasHeaderToken ? undefined : newToken });
      return [hasHeaderToken ? withHeaderToken(written, newToken!) : written];
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
    if (chunks.length < 2) {
      this.count('messages that would be too large');
      return [];
    }
    const half = chunks.length >> 1;
    return [chunks.slice(0, half), chunks.slice(half)].flatMap((part) => this.#writeChunks(packet, part));
  }

  count(what: string): void {
    this.leftOut.set(what, (this.leftOut.get(what) ?? 0) + 1);
  }

  #snapshotPlace(message: Message, chunk: Uint8Array, stream: Stream): ChunkPlace[] {
    const read = snapshotMessage(message);
    if (!read || message.diagnostics.error) {
      this.count('snapshots that can not be rebuilt');
      return [];
    }
    const { tick, part, base } = read;
    if (message.type!.name === 'snap_empty' && !this.#mayCopy) {
      const numbers = { tick, delta: tick - base };
      return [{ chunk: { message: messageBytes(stream.protocol, 'snap_empty', numbers) } }];
    }
    const captured = chunk.slice();
    const place: SnapshotPlace = {
      stream,
      tick,
      part,
      captured,
      messages: undefined,
      isCopied: false,
      note: undefined,
    };
    const known = this.#known.get(stream);
    if (known?.has(tick)) this.#fill(place, known.get(tick));
    else this.#open.push(place);
    return [{ snapshot: place }];
  }

  #fill(place: SnapshotPlace, parts: NewParts): void {
    if (parts === 'copied') {
      place.messages = [place.captured];
      place.isCopied = true;
      return;
    }
    if (!parts && place.part === 0) this.count('snapshots that can not be rebuilt');
    place.messages = parts?.[place.part] ?? [];
    if (this.#wholeTicks.get(place.stream)?.has(place.tick))
      place.note = `not captured so: tick ${place.tick} is written whole, since its base is before the cut`;
  }

  /** A cut may begin between the parts of a snapshot. */
  #hasAllParts({ stream, tick, parts }: SnapshotEntry): boolean {
    const own = this.#open.filter((place) => place.stream === stream && place.tick === tick);
    return new Set(own.map(({ part }) => part)).size >= parts;
  }

  /** The messages in place of each captured part. */
  #partsOf(entry: SnapshotEntry): NewParts {
    const { stream, tick, snapshot, before, announced, parts: captured, kind } = entry;
    const fate = this.#fateOf(entry);
    if (fate === 'copied') return 'copied';
    const base = fate === 'whole' ? -1 : entry.base;
    if (!snapshot) return undefined;
    const { protocol } = stream;
    if (kind === 'empty' && fate !== 'whole') return undefined;
    if (fate === 'whole') getOr(this.#wholeTicks, stream, () => new Set<number>()).add(tick);
    this.#now.copyFrom(snapshot);
    this.#before.copyFrom(base === -1 || !before ? this.#nothing : before);
    this.#messages.snapshot(this.#now, entry);
    this.#messages.snapshot(this.#before, entry);
    const pieces = fate === 'whole' || hasTexts(entry) ? this.#newParts(protocol) : capturedParts(entry);
    if (!pieces) return undefined;
    // A sum that is wrong stays wrong by as much.
    const wrongBy = announced === undefined ? 0 : announced - snapshot.checksum();
    const head = { tick, delta: tick - base, crc: (this.#now.checksum() + wrongBy) | 0 };
    const messages = pieces.map((bytes, part) => {
      const content = { ...head, size: bytes.length, bytes };
      return pieces.length === 1
        ? messageBytes(protocol, 'snap_single', content)
        : messageBytes(protocol, 'snap', { ...content, num_parts: pieces.length, part });
    });
    // One part for each that was captured; the last has all that is left.
    return Array.from({ length: captured }, (_, i) => messages.slice(i, i === captured - 1 ? undefined : i + 1));
  }

  /** The parts of the delta from `#before` to `#now`; undefined for what no delta can express. */
  #newParts({ sizeOf }: Protocol): Uint8Array[] | undefined {
    let delta: Delta;
    try {
      delta = createDelta(this.#before, this.#now, sizeOf);
      if (apply(this.#before, delta).checksum() !== this.#now.checksum()) return undefined;
    } catch (error) {
      if (error instanceof DecodeError) return undefined;
      throw error;
    }
    packInts(delta.ints, 0, delta.length, this.#packed);
    const { bytes, length } = this.#packed;
    const count = Math.max(1, Math.ceil(length / partBytes));
    return Array.from({ length: count }, (_, part) =>
      bytes.slice(part * partBytes, Math.min(length, (part + 1) * partBytes)),
    );
  }

  #control(packet: Packet, bytes: Uint8Array): Uint8Array {
    const now = bytes.slice();
    const parts: Uint8Array[] = [];
    const replaceToken = (at: number) =>
      new DataView(now.buffer).setUint32(at, this.#tokens.token(u32(bytes, at, false)));
    if (packet.headSize === 7) replaceToken(3);
    parts.push(now.subarray(0, packet.headSize));
    for (const { name, start, end, value } of readControl(packet)) {
      if (name === 'data') {
        // Of what is left over, the games take the end as the token.
        if (packet.version === '0.6' && end - start > tokenBytes) {
          replaceToken(end - tokenBytes);
          parts.push(now.subarray(end - tokenBytes, end));
        }
        break;
      }
      if (name === 'token' || name === 'response_token') replaceToken(start);
      if (name === 'reason' && packet.control === controlCode.close) {
        const reason = ownReasons.has(String(value)) ? String(value) : this.#messages.text(String(value));
        parts.push(textBytes(reason));
      } else parts.push(now.subarray(start, end));
    }
    return join(parts);
  }
}

/** Whether a delta has items with texts, or something that has no meaning: all others can stay as they are. */
function hasTexts({ delta, payload, stream, snapshot }: SnapshotEntry): boolean {
  if (!delta || !payload || !snapshot || delta.end !== delta.length) return true;
  const types = new ItemTypes(stream.protocol).onSnapshot(snapshot);
  const isPlain = (type: number) => type === 0 || types.of(type)?.fields.every(({ meaning }) => !isText(meaning));
  return !Array.from(delta.types.subarray(0, delta.typeCount)).every(isPlain);
}

const isText = ({ kind, ...more }: Field['meaning']): boolean =>
  kind === 'text' || (kind === 'list' && 'of' in more && isText(more.of as Field['meaning']));

/** The bytes of a delta in the parts in which they were captured. */
function capturedParts({ payload, partEnds }: SnapshotEntry): Uint8Array[] {
  return (partEnds ?? [payload!.length]).map((end, i) => payload!.slice(partEnds?.[i - 1] ?? 0, end));
}

/** The message in a chunk, which may be of another version than its connection. */
export const messageIn = (chunk: Uint8Array, { protocol }: Stream, direction: Direction): Message =>
  mayBeMixed(protocol.version, direction === 'to_client', chunk[0])
    ? readMixedMessage(chunk, protocol, {})
    : readMessage(chunk, 0, chunk.length, protocol);

/** In 0.6.5 the token follows the header, outside of what is compressed. */
function withHeaderToken(packet: Uint8Array, token: number): Uint8Array {
  const now = new Uint8Array(packet.length + 4);
  now.set(packet.subarray(0, 3));
  now[0]! |= headerTokenFlag;
  new DataView(now.buffer).setUint32(3, token);
  now.set(packet.subarray(3), 7);
  return now;
}
