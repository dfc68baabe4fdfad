import type { MessageType } from './message.ts';
import { messages06 } from './messages-0.6.ts';
import { messages07 } from './messages-0.7.ts';
import { extendedMessages } from './messages-extended.ts';
import { perSchema, type Schema, withOwn } from './schema.ts';
import type { Version } from './version.ts';

/** The messages of one protocol version, found by number and UUID. */
export class Messages {
  readonly all: readonly MessageType[];
  readonly #game: (MessageType | undefined)[] = [];
  readonly #system: (MessageType | undefined)[] = [];
  readonly #byUuid = new Map<string, MessageType>();

  constructor(all: readonly MessageType[]) {
    this.all = all;
    for (const type of all) {
      if (type.uuid !== undefined) this.#byUuid.set(type.uuid, type);
      if (type.id !== undefined) (type.system ? this.#system : this.#game)[type.id] = type;
    }
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

// There is no table of 0.5: all its messages are unknown.
const tables: Readonly<Record<Version, readonly MessageType[]>> = {
  '0.5': [],
  '0.6': [...messages06, ...extendedMessages],
  '0.7': [...messages07, ...extendedMessages],
};

/** The messages as the games have them, or with those of a mod. */
export const messagesOf: (version: Version, schema?: Schema) => Messages = perSchema((version, { messages }) => {
  const isSameNumber = (a: MessageType, b: MessageType) => a.system === b.system && a.id === b.id;
  return new Messages(withOwn(tables[version], messages, isSameNumber));
});

/** Ints from 0 up to here are packed in one byte. */
const oneByteInts = 0x40;

/**
 * Whether a message carries a snapshot or timing. Its first int fits in one byte, `id << 1 | 1`; server demos contain a great many.
 */
export function isSnapshotOrTiming([first = 0]: Uint8Array, version: Version): boolean {
  if (first >= oneByteInts || !(first & 1)) return false;
  return /^(snap|input)/.test(messagesOf(version).byId(true, first >> 1)?.name ?? '');
}
