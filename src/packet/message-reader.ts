import { type Args, type Code, DecodeError, type Warn } from '../bytes/diagnostic.ts';
import { endOfInt, unpackInt } from '../codec/varint.ts';
import type { MessageField, MessageFieldType } from '../protocol/message.ts';
import { uuidOfInts } from '../protocol/texts.ts';

/** A value of a message and the bytes from which it was read. Each element of a list is a value of its own. */
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

/** Demos pad messages to whole ints. */
export const maxPadding = 3;

/** Reads the fields of a message, and appends their values to a list. */
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
