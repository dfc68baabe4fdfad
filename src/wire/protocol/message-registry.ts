import type { MessageType } from './message-type.ts';
import { extendedMessages, introductions, messages05, messages06, messages07 } from './messages.ts';
import { isOf, perSchema, type Schema, type Version, withOwn } from './registry.ts';

/** The messages are made when they are first needed. */
const tables: Readonly<Record<Version, () => readonly MessageType[]>> = {
  '0.5': messages05,
  '0.6': () => [...messages06(), ...extendedMessages(), ...introductions()],
  '0.7': () => [...messages07(), ...extendedMessages(), ...introductions()],
};

/** Ints from 0 up to here are packed in one byte. */
const oneByteInts = 0x40;

/** Which message it is, by a number that is not the one before a UUID. */
interface NumberedMessage {
  readonly system: boolean;
  readonly id: number;
  readonly type?: MessageType;
}

/** The messages of one protocol version, found by number and UUID. */
export class Messages {
  readonly all: readonly MessageType[];
  readonly #game: (MessageType | undefined)[] = [];
  readonly #system: (MessageType | undefined)[] = [];
  readonly #byUuid = new Map<string, MessageType>();
  readonly #byFirstByte: (NumberedMessage | undefined)[] = [];

  constructor(all: readonly MessageType[]) {
    this.all = all;
    for (const type of all) {
      if (type.uuid !== undefined) this.#byUuid.set(type.uuid, type);
      if (type.id !== undefined) (type.system ? this.#system : this.#game)[type.id] = type;
    }
    for (let byte = 2; byte < oneByteInts; byte++) {
      const system = (byte & 1) === 1;
      const id = byte >> 1;
      const type = this.byId(system, id);
      this.#byFirstByte.push(type ? { system, id, type } : { system, id });
    }
  }

  /**
   * The message that begins with a byte, the same object each time; undefined if more bytes have to be read for that.
   */
  byFirstByte(byte: number | undefined): NumberedMessage | undefined {
    return byte === undefined ? undefined : this.#byFirstByte[byte - 2];
  }

  byId(system: boolean, id: number): MessageType | undefined {
    return (system ? this.#system : this.#game)[id];
  }

  /** Undefined also for a UUID sent with the other system flag: the games do not know it then. */
  byUuid(system: boolean, uuid: string): MessageType | undefined {
    const type = this.#byUuid.get(uuid);
    return type?.system === system ? type : undefined;
  }
}

/** The messages as the games have them, or with those of a mod. */
export const messagesOf: (version: Version, schema?: Schema) => Messages = perSchema((version, schema) => {
  const isSameNumber = (a: MessageType, b: MessageType) => a.system === b.system && a.id === b.id;
  return new Messages(withOwn<MessageType>(tables[version](), schema.messages, isSameNumber, isOf(schema, version)));
});

/** Whether a message carries a snapshot or timing; server demos contain a great many. */
export function isSnapshotOrTiming(bytes: Uint8Array, version: Version): boolean {
  const type = messagesOf(version).byFirstByte(bytes[0])?.type;
  return type?.system === true && /^(snap|input)/.test(type.name);
}
