import { ignore } from '../bytes/diagnostic.ts';
import { endOfInt, unpackInt } from '../codec/varint.ts';
import { Diagnostics } from '../decode/diagnostics.ts';
import type { MessageType } from '../protocol/message.ts';
import { type Messages, messagesOf, type Protocol, type Version } from '../protocol/registry.ts';
import { MessageReader, type MessageValue, maxPadding } from './message-reader.ts';

/** One message as far as it could be read: `head`, `values` and `padding` cover its bytes. */
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

/** Which message it is, as its first bytes say. */
export type MessageHead = Pick<Message, 'system' | 'id' | 'uuid' | 'version' | 'type'>;

/** A version, or a protocol with the messages of a mod. */
export type MessageProtocol = Version | Pick<Protocol, 'version' | 'schema'>;

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
  }
  if (!type) return;
  message.type = type;
  reader.message = type.name;
}

/**
 * Optional values are read from the NULs at the end, as in the games. If known senders end before them, they are padding instead.
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
