import { type Args, type Code, DecodeError, ignore, type Warn } from '../bytes/diagnostic.ts';
import { endOfInt, unpackInt } from '../codec/varint.ts';
import { Diagnostics } from '../decode/diagnostics.ts';
import type { MessageField, MessageFieldType, MessageType } from '../protocol/message.ts';
import { type Messages, messagesOf } from '../protocol/message-registry.ts';
import type { Protocol, Version } from '../protocol/registry.ts';
import { uuidOfInts } from '../protocol/uuid.ts';

/**
 * A value of a message and the bytes from which it was read. Each element of a list is a value of its own.
 *
 * @example
 * ```ts
 * import type { MessageValue } from 'tw-snap/protocol';
 *
 * const show = ({ name, value }: MessageValue) => `${name}=${value}`;
 * ```
 */
export interface MessageValue {
  /** `client_id`, `skin_part_names[body]`, `projectile[0].x`; `data` of an unknown message, `rest` after the known fields. */
  readonly name: string;
  /** The same as keys: `['projectile', 0, 'x']`. */
  readonly path: readonly (string | number)[];
  readonly type: MessageFieldType;
  readonly start: number;
  readonly end: number;
  /**
   * Bytes are a view of the input. If the message ends inside the value: the existing part of a text or of data, otherwise
   * undefined.
   */
  readonly value: number | string | Uint8Array | undefined;
}

/**
 * One message as far as it could be read: `head`, `values` and `padding` cover its bytes.
 *
 * @example
 * ```ts
 * import { decode } from 'tw-snap';
 * import type { Message } from 'tw-snap/protocol';
 *
 * const decoded = decode(bytes, { kind: 'message' });
 * if (decoded.kind === 'message') {
 *   const message: Message = decoded.messages[0]!.message;
 *   console.log(message.type?.name, message.values.map(({ name, value }) => [name, value]));
 * }
 * ```
 */
export interface Message {
  readonly system: boolean;
  /** 0 with a UUID; undefined if the message ends inside it. */
  readonly id: number | undefined;
  readonly uuid?: string;
  /** The version that it was read in, where that is another than the stream's. */
  readonly version?: Version;
  /** Undefined if no table has it. */
  readonly type?: MessageType;
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

/**
 * Which message it is, as its first bytes say.
 *
 * @example
 * ```ts
 * import type { MessageHead } from 'tw-snap/protocol';
 *
 * const name = ({ type, uuid, id }: MessageHead) => type?.name ?? uuid ?? id;
 * ```
 */
export type MessageHead = Pick<Message, 'system' | 'id' | 'uuid' | 'version' | 'type'>;

/** A version, or a protocol with the messages of a mod. */
export type MessageProtocol = Version | Pick<Protocol, 'version' | 'schema'>;

const messagesIn = (protocol: MessageProtocol) =>
  typeof protocol === 'string' ? messagesOf(protocol) : messagesOf(protocol.version, protocol.schema);

/** Demos pad messages to whole ints. */
export const maxPadding = 3;

/**
 * Reads the message in `bytes[start, end)`. Warnings and errors are in `diagnostics`.
 * @param options.padded for demos: up to three NULs follow, an unknown number
 * @example
 * ```ts
 * import { readMessage } from 'tw-snap/protocol';
 *
 * // NETMSG_ENTERGAME of 0.6: a system message, 15 << 1 | 1.
 * console.log(readMessage(Uint8Array.of(0x1f), 0, 1, '0.6').type?.name); // enter_game
 * ```
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
    const reader = new Reader(bytes, start, end, options.padded ?? false, message.head, warn);
    readHead(reader, message, messagesIn(protocol));
    reader.into = message.values;
    if (!message.type) {
      reader.value('data', ['data'], { kind: 'rest' });
      return;
    }
    reader.fields(message.type.fields);
    if (options.padded) removeOptionalPadding(reader, message.type.valueCounts);
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

/** Which message `bytes` contain; its values are not read. */
export function readMessageHead(bytes: Uint8Array, protocol: MessageProtocol): MessageHead {
  const messages = messagesIn(protocol);
  const known = messages.byFirstByte(bytes[0]);
  if (known) return known;
  const message = unreadMessage(0, bytes.length);
  message.diagnostics.run(place, (warn) => {
    readHead(new Reader(bytes, 0, bytes.length, false, message.head, warn), message, messages);
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

function readHead(reader: Reader, message: PartialMessage, messages: Messages): void {
  reader.value('id', ['id'], { kind: 'int' });
  message.id = reader.int >> 1;
  message.system = (reader.int & 1) === 1;
  let type = messages.byId(message.system, message.id);
  if (message.id === 0) {
    reader.value('uuid', ['uuid'], { kind: 'raw_uuid' });
    message.uuid = reader.into.at(-1)!.value as string;
    type = messages.byUuid(message.system, message.uuid);
  }
  if (!type) return;
  message.type = type;
  reader.message = type.name;
}

/**
 * Optional values are read from the NULs at the end, as in the games. If known senders end before them, they are padding instead.
 */
function removeOptionalPadding(reader: Reader, valueCounts: readonly number[]): void {
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

/** Reads the fields of a message, and appends their values to a list. */
class Reader {
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

  /** Whether all remaining bytes can be padding. */
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
    const size = this.int;
    if (type.kind === 'data' && size < 0) this.#stop('negative_count', { name, path, type }, { found: size });
    const end = endOf(type, this.bytes, start, this.end, size);
    if (end > this.end) {
      const code = type.kind === 'string' && start < this.end ? 'unterminated_string' : 'truncated_message';
      this.#stop(code, { name, path, type });
    }
    const value = contentOf(type, this.bytes, start, end, this.warn);
    if (typeof value === 'number') this.int = value;
    this.into.push({ name, path, type, start, end, value });
    this.pos = end;
  }

  #repeat(name: string, path: MessageValue['path'], type: MessageFieldType & { kind: 'repeat' }): void {
    const { of, times, labels } = type;
    const before = this.int;
    const counted = times === 'counted' || times === 'counted_or_more';
    if (counted && before < 0) this.#stop('negative_count', { name, path, type }, { found: before });
    const least = typeof times === 'number' ? times : counted ? before : times === 'to_end' ? 0 : (times[before] ?? 0);
    const more = () =>
      times === 'to_end' ? this.pos < this.end : times === 'counted_or_more' && this.pos < this.end && !this.inPadding;
    for (let i = 0; i < least || more(); i++) this.value(`${name}[${labels?.[i] ?? i}]`, [...path, i], of);
  }

  /** Ends the reading at an unreadable value: keeps its bytes, and the existing part of a text or of data. */
  #stop(code: Code, at: Pick<MessageValue, 'name' | 'path' | 'type'>, args: Args = {}): never {
    const { bytes, pos: start, end } = this;
    const left = bytes.subarray(start, end);
    const value = at.type.kind === 'string' ? utf8.decode(left) : at.type.kind === 'data' ? left : undefined;
    if (start < end) this.into.push({ ...at, start, end, value });
    throw new DecodeError(code, start, { message: this.message, field: at.name, ...args });
  }
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** The offset after a value that begins at `start`; larger than `end` if the bytes end first. `size` is the int before it. */
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
      const length = bytes.subarray(start, end).indexOf(0);
      return length < 0 ? end + 1 : start + length + 1;
    }
    default: {
      const next = endOfInt(bytes, start, end);
      return next < 0 ? end + 1 : next;
    }
  }
}

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
