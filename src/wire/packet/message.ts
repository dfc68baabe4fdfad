import { type Args, type Code, DecodeError, ignore, type Warn } from '../bytes/diagnostic.ts';
import { hexText } from '../bytes/to-hex.ts';
import { endOfInt, unpackInt } from '../codec/varint.ts';
import { Diagnostics } from '../payload/diagnostics.ts';
import { isOfManyClients, isOutside, messageBoundsOf } from '../protocol/bounds.ts';
import type { Meaning } from '../protocol/meaning.ts';
import { type Messages, messagesOf } from '../protocol/message-registry.ts';
import type { MessageField, MessageFieldType, MessageType } from '../protocol/message-type.ts';
import type { Protocol, Version } from '../protocol/registry.ts';
import { uuidOfInts } from '../protocol/texts.ts';

/*
 * A message is a number, then values one after the other; nothing says where one ends. Only the tables of src/wire/protocol
 * know the fields.
 *
 *   17      │ 05       │ 6e 61 6d 65 00 │ 8a 01         one byte or more, ESDD DDDD EDDD DDDD …
 *   id << 1 │ an int   │ a text to NUL  │ an int
 *   | system
 *
 * An `id` of 0 means that 16 bytes of UUID follow, which are the real name. A field of kind `data` has its size in the
 * int before it, a list its count: hence `MessageReader.int`, the last int read.
 *
 * Every value keeps where it began and ended. The hexdump, the page and Wireshark show these places; nobody reads a
 * message twice to find them. Reading ends at the first value that cannot be, with what there is of it and an error.
 * Values that are left over are `rest`, a warning: newer games add fields at the end, and old ones ignore them.
 *
 * Messages in demos are padded with NULs to whole ints. A NUL may be a value too, so `removeOptionalPadding` asks how
 * many values the known senders write.
 *
 * Source: `CUnpacker` in `src/engine/shared/packer.cpp` of the games.
 */

/** One message as far as it could be read: `head`, `values` and `padding` cover its bytes. */
export interface Message {
  readonly system: boolean;
  /** 0 with a UUID; undefined if the message ends inside it. */
  readonly id: number | undefined;
  readonly uuid?: string;
  /** The version that it was read in, where that is another than the stream's. */
  readonly version?: Version;
  readonly type?: MessageType;
  /**
   * In place of `type`: the message that has this UUID, but is one of the game and is sent as a system message, or the
   * other way round. What follows the UUID may be anything.
   */
  readonly misflagged?: MessageType;
  readonly start: number;
  readonly end: number;
  /** The int `id << 1 | system`, and the UUID. */
  readonly head: readonly MessageValue[];
  readonly values: readonly MessageValue[];
  /** NULs before `end` that belong to no value. */
  readonly padding: number;
  /** Their offsets are in bytes of the input. */
  readonly diagnostics: Diagnostics;
}

/** Which message it is, as its first bytes say. */
export type MessageHead = Pick<Message, 'system' | 'id' | 'uuid' | 'version' | 'type' | 'misflagged'>;

/**
 * The name of a message: `unknown system message 20` for one that no table has, with its UUID or its number, and
 * `sv_killmsgteam as a system message`.
 */
export function messageName({ type, misflagged, system, uuid, id }: MessageHead): string {
  if (type) return type.name;
  if (misflagged) return `${misflagged.name} as a ${system ? 'system' : 'game'} message`;
  return `unknown ${system ? 'system ' : ''}message ${uuid ?? id ?? ''}`.trimEnd();
}

/** A version, or a protocol with the messages of a mod. */
export type MessageProtocol = Version | Pick<Protocol, 'version' | 'schema'>;

const versionOf = (protocol: MessageProtocol): Version => (typeof protocol === 'string' ? protocol : protocol.version);

const messagesIn = (protocol: MessageProtocol) =>
  typeof protocol === 'string' ? messagesOf(protocol) : messagesOf(protocol.version, protocol.schema);

/**
 * Reads the message in `bytes[start, end)`. Warnings and errors are in `diagnostics`.
 * @param options.padded for demos: up to three NULs follow, an unknown number
 */
export function readMessage(
  bytes: Uint8Array,
  start: number,
  end: number,
  protocol: MessageProtocol,
  options: { readonly padded?: boolean } = {},
): Message {
  const message = unreadMessage(start, end);
  message.diagnostics.run(place, (warn) => {
    const reader = new MessageReader(bytes, start, end, options.padded ?? false, message.head, warn);
    readHead(reader, message, messagesIn(protocol));
    reader.into = message.values;
    const { type } = message;
    if (!type) {
      reader.value('data', ['data'], { kind: 'rest' });
      return;
    }
    reader.fields(type.fields);
    if (!type.system) checkBounds(message, versionOf(protocol), warn);
    if (options.padded) removeOptionalPadding(reader, type.valueCounts);
    const left = end - reader.pos;
    if (left === 0) return;
    if (reader.inPadding) {
      message.padding = left;
    } else {
      warn('excess_bytes', reader.pos, { bytes: left });
      reader.value('rest', ['rest'], { kind: 'rest' });
    }
  });
  return message;
}

/** Warns of values for which the games drop the message. */
function checkBounds({ type, values }: PartialMessage, version: Version, warn: Warn): void {
  for (const { name: field, type: meaning, value, start } of values) {
    if (typeof value !== 'number') continue;
    const bounds = messageBoundsOf(type!, field, meaning as Meaning, version);
    if (bounds && isOutside(bounds, value) && !isOfManyClients(bounds, value))
      warn('out_of_bounds', start, { message: type!.name, field, found: value, ...bounds });
  }
}

/** Which message `all[start, end)` is; its values are not read. */
export function readMessageHead(
  all: Uint8Array,
  protocol: MessageProtocol,
  start = 0,
  end: number = all.length,
): MessageHead {
  const known = start < end ? messagesIn(protocol).byFirstByte(all[start]) : undefined;
  return known ?? readNumberAndUuid(all.subarray(start, end), messagesIn(protocol));
}

function readNumberAndUuid(bytes: Uint8Array, messages: Messages): MessageHead {
  const message = unreadMessage(0, bytes.length);
  message.diagnostics.run(place, (warn) => {
    readHead(new MessageReader(bytes, 0, bytes.length, false, message.head, warn), message, messages);
  });
  return message;
}

/** The number of the message in `bytes[start, end)`; undefined if these end inside it. */
export function messageNumber(
  bytes: Uint8Array,
  start: number,
  end: number,
): { readonly system: boolean; readonly id: number } | undefined {
  const next = endOfInt(bytes, start, end);
  if (next < 0) return undefined;
  const int = unpackInt(bytes, start, next, ignore);
  return { system: (int & 1) === 1, id: int >> 1 };
}

type PartialMessage = { -readonly [Key in keyof Message]: Message[Key] } & {
  head: MessageValue[];
  values: MessageValue[];
};

const unreadMessage = (start: number, end: number): PartialMessage => ({
  system: false,
  id: undefined,
  start,
  end,
  head: [],
  values: [],
  padding: 0,
  diagnostics: new Diagnostics(),
});

const place = (offset: number) => ({ offset });

function readHead(reader: MessageReader, message: PartialMessage, messages: Messages): void {
  reader.value('id', ['id'], { kind: 'int' });
  message.id = reader.int >> 1;
  message.system = (reader.int & 1) === 1;
  let type = messages.byId(message.system, message.id);
  if (message.id === 0) {
    reader.value('uuid', ['uuid'], { kind: 'raw_uuid' });
    message.uuid = reader.into.at(-1)!.value as string;
    type = messages.byUuid(message.system, message.uuid);
    const misflagged = type ? undefined : messages.byUuid(!message.system, message.uuid);
    if (misflagged) {
      const name = misflagged.name;
      const system = Number(message.system);
      message.misflagged = misflagged;
      reader.message = name;
      reader.warn('wrong_flag', message.start, { message: name, system });
    }
  }
  if (!type) return;
  message.type = type;
  reader.message = type.name;
}

/**
 * Optional values are read from the NULs at the end, as in the games. If known senders end before them, they are
 * padding instead.
 */
function removeOptionalPadding(reader: MessageReader, valueCounts: readonly number[]): void {
  if (reader.pos < reader.end) return;
  const values = reader.into;
  for (let count = values.length; count >= values.length - maxPadding; count--) {
    if (valueCounts.includes(count)) {
      reader.pos -= values.length - count;
      values.length = count;
      return;
    }
    const last = values[count - 1];
    if (last?.value !== 0 || last.end - last.start > 1) return;
  }
}

export function valueNamed(values: readonly MessageValue[], name: string): MessageValue['value'] {
  for (const value of values) if (value.name === name) return value.value;
  return undefined;
}

/** The ints of a message that has a snapshot, or a part of one. */
export interface SnapshotNumbers {
  readonly tick: number;
  /** The tick of its base, -1 for the empty snapshot; NaN if the message ends before it. */
  readonly base: number;
  readonly part: number;
  readonly parts: number;
  readonly crc: number | undefined;
}

/** What a message says that has a snapshot, or a part of one. */
export interface SnapshotMessage extends SnapshotNumbers {
  /** The delta or its part, as far as it is there; `snap_empty` has none. */
  readonly data: MessageValue | undefined;
}

export const isSnapshotMessage = ({ system, type }: MessageHead): boolean =>
  system && type !== undefined && ofSnapshots.has(type.name);

const ofSnapshots: ReadonlySet<string> = new Set(['snap', 'snap_single', 'snap_empty']);

/** Undefined for any other message, and for one that ends before its tick. */
export function snapshotMessage(message: Message): SnapshotMessage | undefined {
  if (!isSnapshotMessage(message)) return undefined;
  const { values } = message;
  const int = (name: string) => valueNamed(values, name) as number | undefined;
  const tick = int('tick');
  if (tick === undefined) return undefined;
  const { part = 0, num_parts: parts = 1 } =
    message.type!.name === 'snap' ? { part: int('part'), num_parts: int('num_parts') } : {};
  const data = values.find(({ name }) => name === 'bytes');
  return { tick, base: baseOf(tick, int('delta') ?? Number.NaN), part, parts, crc: int('crc'), data };
}

/** Any tick below 0 is that of the empty snapshot: `if(DeltaTick >= 0)` in `CClient::ProcessServerPacket`. */
const baseOf = (tick: number, distance: number) => Math.max(-1, tick - distance);

/**
 * The ints before the delta of each message with a snapshot: tick, distance of the base, [number of parts, part],
 * checksum, size.
 */
const snapshotInts: Readonly<Record<string, number>> = { snap: 6, snap_single: 4, snap_empty: 2 };
const intsBefore = new Int32Array(6);

/**
 * What {@link snapshotMessage} finds in `bytes[start, last)`, if they are such a message from the first byte to the
 * last; undefined for one with any flaw. It makes no message of values with places, which takes as long as reading a
 * small snapshot: with that, captures took 1.1 times as long, and `checksum` of a player's demo 1.2 times.
 * @param padding the bytes that may follow
 */
export function wholeSnapshotMessage(
  bytes: Uint8Array,
  name: string,
  padding = 0,
  start = 0,
  last: number = bytes.length,
): (SnapshotNumbers & { readonly bytes: Uint8Array | undefined }) | undefined {
  const count = snapshotInts[name]!;
  const ints = intsBefore;
  let at = start + 1;
  for (let i = 0; i < count; i++) {
    const end = endOfInt(bytes, at, last);
    if (end < 0) return undefined;
    ints[i] = unpackInt(bytes, at, end, ignore);
    at = end;
  }
  const size = count === 2 ? 0 : ints[count - 1]!;
  const rest = last - at - size;
  if (size < 0 || rest < 0 || rest > padding) return undefined;
  return {
    tick: ints[0]!,
    base: baseOf(ints[0]!, ints[1]!),
    part: count === 6 ? ints[3]! : 0,
    parts: count === 6 ? ints[2]! : 1,
    crc: count === 2 ? undefined : ints[count - 2]!,
    bytes: count === 2 ? undefined : bytes.subarray(at, at + size),
  };
}

/** The values of a message by name, in the order of the message. */
export class MessageFields {
  readonly numbers = new Map<string, number>();
  readonly texts = new Map<string, string>();

  constructor({ values }: Pick<Message, 'values'>) {
    for (const { name, value } of values) {
      if (typeof value === 'number') this.numbers.set(name, value);
      else if (typeof value === 'string') this.texts.set(name, value);
    }
  }

  /** The value of a field; 0 if the message ends before it. */
  int(name: string): number {
    return this.numbers.get(name) ?? 0;
  }

  text(name: string): string {
    return this.texts.get(name) ?? '';
  }
}

/** A value of a message and the bytes from which it was read. Each element of a list is a value of its own. */
export interface MessageValue {
  /**
   * `client_id`, `skin_part_names[body]`, `projectile[0].x`; `data` of an unknown message, `rest` after the known
   * fields.
   */
  readonly name: string;
  /** The same as keys: `['projectile', 0, 'x']`. */
  readonly path: readonly (string | number)[];
  readonly type: MessageFieldType;
  readonly start: number;
  readonly end: number;
  /**
   * Bytes are a view of the input. If the message ends inside the value: the existing part of a text or of data,
   * otherwise undefined.
   */
  readonly value: number | string | Uint8Array | undefined;
}

/** Demos pad messages to whole ints. */
export const maxPadding = 3;

export class MessageReader {
  readonly bytes: Uint8Array;
  pos: number;
  readonly end: number;
  readonly padded: boolean;
  into: MessageValue[];
  readonly warn: Warn;
  /** The last int: the size or count for the next field. */
  int = 0;
  message = 'the message';

  constructor(bytes: Uint8Array, start: number, end: number, padded: boolean, into: MessageValue[], warn: Warn) {
    this.bytes = bytes;
    this.pos = start;
    this.end = end;
    this.padded = padded;
    this.into = into;
    this.warn = warn;
  }

  get inPadding(): boolean {
    const { bytes, pos, end } = this;
    return this.padded && end - pos <= maxPadding && bytes.subarray(pos, end).every((byte) => byte === 0);
  }

  fields(fields: readonly MessageField[], prefix = '', path: MessageValue['path'] = []): void {
    for (const { name, type, optional } of fields) {
      if (optional && this.pos >= this.end) return;
      this.value(prefix + name, path.length === 0 ? [name] : [...path, name], type);
    }
  }

  value(name: string, path: MessageValue['path'], type: MessageFieldType): void {
    if (type.kind === 'record') this.fields(type.fields, `${name}.`, path);
    else if (type.kind === 'repeat') this.#repeat(name, path, type);
    else this.#single(name, path, type);
  }

  #single(name: string, path: MessageValue['path'], type: MessageFieldType): void {
    const start = this.pos;
    if (type.kind === 'data' && this.int < 0) this.#stop('negative_count', { name, path, type }, { found: this.int });
    const end = endOf(type, this.bytes, start, this.end, this.int);
    if (end > this.end) {
      const code = type.kind === 'string' && start < this.end ? 'unterminated_string' : 'truncated_message';
      this.#stop(code, { name, path, type });
    }
    const value = contentOf(type, this.bytes, start, end, this.warn);
    if (typeof value === 'number') this.int = value;
    else if (typeof value === 'string' && value.includes('\ufffd') && !isSent(value, this.bytes, start, end - 1))
      this.warn('not_utf8', start, { message: this.message, field: name });
    this.into.push({ name, path, type, start, end, value });
    this.pos = end;
  }

  #repeat(name: string, path: MessageValue['path'], type: MessageFieldType & { kind: 'repeat' }): void {
    const { of, times, labels } = type;
    const before = this.int;
    const counted = times === 'counted' || times === 'counted_or_more';
    // The games read none.
    if (counted && before < 0) this.warn('negative_count', this.pos, { found: before });
    let stated = 0;
    if (typeof times === 'number') stated = times;
    else if (counted) stated = before;
    else if (times !== 'to_end') stated = times[before] ?? 0;
    const mayHaveMore = times === 'to_end' || times === 'counted_or_more';
    // The padding of a demo is no further element.
    const hasMore = () => mayHaveMore && this.pos < this.end && (times === 'to_end' || !this.inPadding);
    for (let i = 0; i < stated || hasMore(); i++) this.value(`${name}[${labels?.[i] ?? i}]`, [...path, i], of);
  }

  /** Ends the reading at an unreadable value: keeps its bytes, and the existing part of a text or of data. */
  #stop(code: Code, at: Pick<MessageValue, 'name' | 'path' | 'type'>, args: Args = {}): never {
    const { bytes, pos: start, end } = this;
    const left = bytes.subarray(start, end);
    const value = at.type.kind === 'data' ? left : undefined;
    const text = at.type.kind === 'string' ? utf8.decode(left) : undefined;
    if (start < end) this.into.push({ ...at, start, end, value: text ?? value });
    throw new DecodeError(code, start, { message: this.message, field: at.name, ...args });
  }
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * The offset after a value that begins at `start`; larger than `end` if the bytes end first. `size` is the int before
 * it.
 */
function endOf(type: MessageFieldType, bytes: Uint8Array, start: number, end: number, size: number): number {
  switch (type.kind) {
    case 'rest':
      return end;
    case 'data':
      return start + size;
    case 'sha256':
      return start + 32;
    case 'raw_uuid':
      return start + 16;
    case 'string': {
      const last = bytes.indexOf(0, start);
      return last < 0 || last >= end ? end + 1 : last + 1;
    }
    default: {
      const next = endOfInt(bytes, start, end);
      return next < 0 ? end + 1 : next;
    }
  }
}

/** Whether a text is in the bytes as it is: U+FFFD also stands for what is not UTF-8. */
const isSent = (text: string, bytes: Uint8Array, start: number, end: number) =>
  hexText(new TextEncoder().encode(text)) === hexText(bytes, start, end);

function contentOf(
  type: MessageFieldType,
  bytes: Uint8Array,
  start: number,
  end: number,
  warn: Warn,
): number | string | Uint8Array {
  switch (type.kind) {
    case 'rest':
    case 'data':
    case 'sha256':
      return bytes.subarray(start, end);
    case 'raw_uuid': {
      const view = new DataView(bytes.buffer, bytes.byteOffset + start);
      return uuidOfInts([0, 4, 8, 12].map((at) => view.getInt32(at)));
    }
    case 'string':
      return utf8.decode(bytes.subarray(start, end - 1));
    default:
      return unpackInt(bytes, start, end, warn);
  }
}

type FieldTree<Bytes> = number | string | Bytes | FieldTree<Bytes>[] | { [key: string]: FieldTree<Bytes> };

/** Whether a text has no control characters other than line ends and tabs, and was UTF-8. */
export const isText = (text: string): boolean => !/[^\P{Cc}\n\t]|\ufffd/u.test(text);

/** The characters that {@link isText} excludes. */
export const noText = /[^\P{Cc}\n\t]|\ufffd/gu;

/**
 * How sure it is that a message is of the version in which it was read:
 * - `certain`: the other version does not have it, or cannot read it to its end, or reads the same.
 * - `likely`: the other version reads it to its end, but with values that no server sends.
 * - `ambiguous`: it makes sense in both versions.
 * - `neither`: it makes sense in no version.
 */
export type VersionCertainty = 'certain' | 'likely' | 'ambiguous' | 'neither';

/**
 * A message for scripts: `{"name","system","id","uuid"?,"protocol"?,"certainty"?,"fields"}`; bytes as hex, of unknown
 * messages all of them in `data`.
 * @param certainty how sure the version is, if it is of the other version or the stream has messages of both
 */
export function messageJson(message: Message, certainty?: VersionCertainty) {
  const { type, system, id, uuid, version } = message;
  const fields = messageFields(message, hexText);
  const head = { name: type?.name ?? null, system, id: id ?? null, ...(uuid === undefined ? {} : { uuid }) };
  if (version === undefined && (certainty === undefined || certainty === 'certain')) return { ...head, fields };
  return { ...head, ...(version && { protocol: version }), ...(certainty && { certainty }), fields };
}

/** The values of a message by name, as objects and lists. */
export function messageFields<Bytes>(
  { type, values, diagnostics }: Message,
  ofBytes: (bytes: Uint8Array) => Bytes,
): Record<string, FieldTree<Bytes>> {
  const fields: Record<string, FieldTree<Bytes>> = {};
  for (const { path, value } of values) {
    if (value !== undefined) put(fields, path, typeof value === 'object' ? ofBytes(value) : value);
  }
  for (const { name, type: fieldType } of type?.fields ?? []) {
    if (fieldType.kind === 'repeat' && !diagnostics.error) fields[name] ??= [];
  }
  return fields;
}

/** Puts a value where its path says; a number in it is an index of a list. */
function put<Bytes>(into: Record<string, FieldTree<Bytes>>, path: MessageValue['path'], value: FieldTree<Bytes>): void {
  let at = into;
  const last = path.length - 1;
  for (let i = 0; i < last; i++) {
    at[path[i]!] ??= typeof path[i + 1] === 'number' ? [] : {};
    at = at[path[i]!] as Record<string, FieldTree<Bytes>>;
  }
  at[path[last]!] = value;
}
