import type { SnapshotEntry } from '../../recording/replay/record.ts';
import { join } from '../../wire/bytes/copy.ts';
import type { Message, MessageValue } from '../../wire/packet/message.ts';
import type { PacketVersion } from '../../wire/packet/packet.ts';
import { readConnless } from '../../wire/packet/packet-values.ts';
import { messageBytes, textBytes } from '../../wire/packet/write.ts';
import type { Protocol } from '../../wire/protocol/registry.ts';
import { ItemTypes } from '../../wire/snapshot/item-types.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import { type Anonymise, nameFields } from '../rename-players.ts';
import type { Tokens } from './addresses.ts';

/*
 * What becomes of the values of a message. A text is masked unless this says otherwise, so that the text of a message
 * that a later game adds is, too:
 *
 *   ints, hashes               stay
 *   names, clans               the pseudonym; of a name that nobody is known to have, x's
 *   maps, skins, kinds         stay, with pseudonyms of the names in them
 *   all other texts            pseudonyms of the names in them; other letters and digits are x's
 *   other bytes                zeros, as many; those that no field is known of are left out
 */

/** Texts that games, maps and servers' settings are called by: by message, or in any message by name. */
const words: Readonly<Record<string, ReadonlySet<string>>> = {
  info: new Set(['version']),
  client_version: new Set(['ddnet_version_string']),
  map_change: new Set(['name']),
  map_details: new Set(['name']),
  server_info: new Set(['version', 'map', 'game_type']),
};
const wordFields = /^(?:skin|skin_part_names(?:\[.*\])?)$/;
/** A vote is called by one of these; another word is somebody's. */
const voteTypes: ReadonlySet<string> = new Set(['option', 'kick', 'spectate']);

/** UUIDs that say what a message is, not who sent it. */
const ofMessages: ReadonlySet<string> = new Set(['what_is', 'it_is', 'i_dont_know']);

/** What a server says of players who come and go, with their pseudonyms. */
const announcements =
  /^'(?:player|clan) \d+' (?:(?:entered and )?joined the (?:game|spectators|(?:red|blue) team)|has left the game(?: \(Timeout\))?|changed name to '(?:player|clan) \d+')$/;

/** Connectionless packets that are read to their end: a request, and the answers. */
const infoAnswers: ReadonlySet<string> = new Set(['inf3', 'dtsf', 'iext', 'iex+']);
const infoRequests: ReadonlySet<string> = new Set(['gie3', 'fstd']);

export class MessageRewriter {
  readonly #names: Anonymise;
  readonly #tokens: Tokens;
  readonly #stripped: ReadonlySet<string>;

  /** @param stripped the names of messages that are left out */
  constructor(names: Anonymise, tokens: Tokens, stripped: ReadonlySet<string>) {
    this.#names = names;
    this.#tokens = tokens;
    this.#stripped = stripped;
  }

  /** The message again; undefined for one that is left out: it is not known, not whole, or unwanted. */
  message(message: Message, bytes: Uint8Array): Uint8Array | undefined {
    const { type, head, values, start, diagnostics } = message;
    if (!type || this.#stripped.has(type.name) || diagnostics.error) return undefined;
    // A copy: its memory is used for the next packet.
    const parts: Uint8Array[] = [bytes.slice(start, head.at(-1)!.end)];
    for (const value of values) {
      const part = this.#value(type.name, value, bytes, values);
      if (!part) return undefined;
      parts.push(part);
    }
    return join(parts);
  }

  /** A message that has no effect: the answer to a question that nobody asked. */
  idle({ version }: Pick<Protocol, 'version'>): Uint8Array {
    return messageBytes(version, 'ping_reply', {});
  }

  /** Replaces the texts in the items of a snapshot, and the ints of unknown items that have a name. */
  snapshot(snapshot: Snapshot, entry: SnapshotEntry): void {
    this.#names.snapshot(snapshot, entry);
    const types = new ItemTypes(entry.stream.protocol).onSnapshot(snapshot);
    for (let i = 0; i < snapshot.count; i++) {
      const number = snapshot.type(i);
      if (number === 0 || types.of(number)) continue;
      const ints = snapshot.data.subarray(snapshot.offsets[i]!, snapshot.offsets[i]! + snapshot.size(i));
      if (this.#names.isIn(bytesOfTexts(ints)) || this.#names.isIn(bytesOf(ints))) ints.fill(0);
    }
  }

  text(text: string): string {
    return this.#names.masked(text);
  }

  /** A connectionless packet again; undefined for one that is left out. */
  connless(packet: Uint8Array, version: PacketVersion): Uint8Array | undefined {
    const values = readConnless(packet, { version });
    const kind = String(values.find(({ name }) => name === 'name')?.value);
    const isRequest = infoRequests.has(kind);
    if (!isRequest && !infoAnswers.has(kind)) return undefined;
    const parts: Uint8Array[] = [packet.slice(0, values[0]!.start)];
    for (const { name, value, start, end } of values) {
      // Its bytes are zeros.
      if (name === 'padding') parts.push(packet.subarray(start, end));
      else if (name === 'data') return undefined;
      else if (name === 'token' || name === 'response_token') parts.push(this.#token(packet, start));
      // A number of 0.6 is a text, in which more may be written than the games read.
      else if (typeof value === 'number' && version === '0.6' && !isRequest && name !== 'offset')
        parts.push(textBytes(String(value)));
      else if (name === 'marker' || name === 'name' || name === 'extra' || typeof value !== 'string')
        parts.push(packet.subarray(start, end));
      else parts.push(textBytes(this.#infoText(name.replace(/.*\./, ''), value, name)));
    }
    return join(parts);
  }

  #token(packet: Uint8Array, at: number): Uint8Array {
    const now = new Uint8Array(4);
    const view = new DataView(packet.buffer, packet.byteOffset + at, 4);
    new DataView(now.buffer).setUint32(0, this.#tokens.token(view.getUint32(0)));
    return now;
  }

  #infoText(field: string, value: string, name: string): string {
    if (name.startsWith('players[') && (field === 'name' || field === 'clan')) return this.#name(value);
    return words.server_info!.has(field) ? this.#names.skin(value) : this.#names.masked(value);
  }

  #name(text: string): string {
    return this.#names.name(text) ?? this.#names.masked(text);
  }

  #value(
    message: string,
    { name, type, value, start, end }: MessageValue,
    bytes: Uint8Array,
    all: readonly MessageValue[],
  ): Uint8Array | undefined {
    const own = bytes.subarray(start, end);
    if (typeof value === 'number' || type.kind === 'sha256') return own;
    if (type.kind === 'raw_uuid') return ofMessages.has(message) ? own : this.#tokens.uuid(String(value));
    if (type.kind === 'string' && typeof value === 'string') {
      const text = this.#messageText(message, name, value, all);
      // What was no UTF-8 has no name that is known.
      return textBytes(text);
    }
    if (message === 'map_data') return new Uint8Array(own.length);
    // Those of an input are ints that the game does not name.
    return type.kind === 'rest' ? new Uint8Array(0) : undefined;
  }

  #messageText(message: string, field: string, value: string, all: readonly MessageValue[]): string {
    const fields = Object.hasOwn(nameFields, message) ? nameFields[message]! : {};
    if (Object.hasOwn(fields, field)) return this.#name(value);
    if (words[message]?.has(field) || wordFields.test(field)) return this.#names.skin(value);
    if (message === 'cl_callvote' && field === 'type' && voteTypes.has(value)) return value;
    const isServer = message === 'sv_chat' && all.some(({ name, value }) => name === 'client_id' && value === -1);
    const named = isServer ? this.#names.skin(value) : '';
    return announcements.test(named) ? named : this.#names.masked(value);
  }
}

/** The bytes of ints as texts are packed in them, without those that end one. */
function bytesOfTexts(ints: Int32Array): Uint8Array {
  return bytesOf(ints).map((byte) => byte ^ 0x80);
}

function bytesOf(ints: Int32Array): Uint8Array {
  const bytes = new Uint8Array(4 * ints.length);
  const view = new DataView(bytes.buffer);
  for (const [i, int] of ints.entries()) view.setInt32(4 * i, int);
  return bytes;
}
