import { getOr } from '../bytes/get-or.ts';
import { firstSizedType, type ItemType } from './item.ts';
import { extendedItems, items05, items06, items07 } from './items.ts';
import type { Names } from './meaning.ts';
import type { MessageType } from './message.ts';
import { extendedMessages, introductions, messages06, messages07 } from './messages.ts';

/** `0.6` includes DDNet. DDNet also serves clients of `0.7`, with extended items among those of 0.7. */
export type Version = '0.5' | '0.6' | '0.7';
/** All protocol versions, oldest first. */
export const versions: readonly Version[] = ['0.5', '0.6', '0.7'];

/** The items and messages of a mod. One with the number or UUID of one of the games takes its place, in all versions. */
export interface Schema {
  readonly items: readonly ItemType[];
  readonly messages: readonly MessageType[];
  /**
   * Of `network.py`: the version whose table it is. Numbers mean something in this version only, and a name that has moved to another
   * number has left its old one.
   */
  readonly version?: Version;
  /** Of `network.py`: the names of its enumerations and flags, `EMOTE`. */
  readonly lists?: Readonly<Record<string, Names>>;
  /** Of `network.py`: the meanings whose bounds are constants of another file. */
  readonly open?: ReadonlyMap<object, OpenBounds>;
  /** Of `network.py`: what was not understood, by lines. */
  readonly leftOut?: readonly { readonly line: number; readonly text: string }[];
}

/** Which bounds of a value are not known. */
export interface OpenBounds {
  readonly min: boolean;
  readonly max: boolean;
}

export const noSchema: Schema = { items: [], messages: [] };

/** A program in JavaScript can pass anything. */
function checkVersion(version: unknown): void {
  if (typeof version === 'string' && Object.hasOwn(tables, version)) return;
  throw new TypeError(
    `a protocol is one of ${versions.join(', ')}, not ${typeof version === 'string' ? version : typeof version}`,
  );
}

/** Makes something for a version and a schema once, and keeps it as long as the schema. */
function perSchema<Made extends object>(make: (version: Version, schema: Schema) => Made) {
  const made = new WeakMap<Schema, Partial<Record<Version, Made>>>();
  const none = (): Partial<Record<Version, Made>> => ({});
  return (version: Version, schema: Schema = noSchema): Made => {
    checkVersion(version);
    const ofSchema = getOr(made, schema, none);
    ofSchema[version] ??= make(version, schema);
    return ofSchema[version];
  };
}

/** The types of a version without those that a mod replaces, and the mod's. @param isOfThis see {@link isOf} */
function withOwn<Type extends { readonly uuid?: string; readonly name: string }>(
  types: readonly Type[],
  all: readonly Type[],
  isSameNumber: (a: Type, b: Type) => boolean,
  isOfThis: boolean | undefined,
): readonly Type[] {
  const own = isOfThis === false ? all.filter(({ uuid }) => uuid !== undefined) : all;
  const isReplaced = (type: Type) =>
    own.some(
      (one) =>
        (one.uuid === undefined ? isSameNumber(one, type) : one.uuid === type.uuid) ||
        (isOfThis !== undefined && one.name === type.name),
    );
  return own.length === 0 ? types : [...types.filter((type) => !isReplaced(type)), ...own];
}

/** Whether a schema is the whole table of a version; undefined for one that adds to all. */
const isOf = (schema: Schema, version: Version) =>
  schema.version === undefined ? undefined : schema.version === version;

/** Messages are made when they are first needed: a snapshot is decoded without them. */
const tables = {
  // There is no table of its messages: all are unknown.
  '0.5': { items: items05, messages: () => [] },
  '0.6': {
    items: [...items06, ...extendedItems],
    messages: () => [...messages06(), ...extendedMessages(), ...introductions()],
  },
  '0.7': {
    items: [...items07, ...extendedItems],
    messages: () => [...messages07(), ...extendedMessages(), ...introductions()],
  },
} satisfies Record<Version, object>;

/**
 * The agreed size in ints of an item type; 0 where a delta carries the size.
 *
 * Source: `CSnapshotDelta::SetStaticsize` in `src/engine/shared/snapshot.h` of the games.
 */
export type SizeOf = (type: number) => number;

/**
 * The items of one protocol version, found by number, UUID and name.
 *
 * Source: `datasrc/network.py` of the games.
 */
export class Protocol<V extends Version = Version> {
  readonly version: V;
  /** The items and messages of a mod that it was made with. */
  readonly schema: Schema;
  readonly items: readonly ItemType[];
  readonly sizeOf: SizeOf;
  /** The bytes of the largest snapshot; undefined for that of the games. */
  readonly maxSnapshotBytes: number | undefined;
  readonly #carriesSize: (type: number) => boolean;
  readonly #byType: (ItemType | undefined)[] = [];
  readonly #byUuid = new Map<string, ItemType>();
  readonly #byName = new Map<string, ItemType>();

  /** @param carriesSize further types whose size is in a delta */
  constructor(
    version: V,
    schema = noSchema,
    carriesSize: (type: number) => boolean = () => false,
    maxSnapshotBytes?: number,
  ) {
    this.version = version;
    this.schema = schema;
    checkVersion(version);
    this.items = withOwn<ItemType>(
      tables[version].items,
      schema.items,
      (a, b) => a.type === b.type,
      isOf(schema, version),
    );
    this.maxSnapshotBytes = maxSnapshotBytes;
    this.#carriesSize = carriesSize;
    const sizes = new Uint16Array(firstSizedType);
    for (const item of this.items) {
      this.#byName.set(item.name, item);
      if (item.uuid !== undefined) this.#byUuid.set(item.uuid, item);
      if (item.type === undefined) continue;
      this.#byType[item.type] = item;
      if (item.type < firstSizedType) sizes[item.type] = item.sized || carriesSize(item.type) ? 0 : item.size;
    }
    this.sizeOf = (type) => (type < firstSizedType ? sizes[type]! : 0);
  }

  /** The same protocol with another limit of snapshots. */
  withMaxSnapshotBytes(bytes: number): Protocol<V> {
    return new Protocol(this.version, this.schema, this.#carriesSize, bytes);
  }

  byType(type: number): ItemType | undefined {
    // Damaged bytes have any number, and V8 looks for a negative index by its name.
    return type >= 0 && type < this.#byType.length ? this.#byType[type] : undefined;
  }

  byUuid(uuid: string): ItemType | undefined {
    return this.#byUuid.get(uuid);
  }

  byName(name: string): ItemType | undefined {
    return this.#byName.get(name);
  }
}

/** A protocol with the items and messages of a mod, whose names are known only when a program runs. */
export interface ModProtocol extends Protocol {
  /** Only a type: tells it from the protocols whose names are types. */
  readonly isMod: true;
}

const perVersion = perSchema((version, schema) => new Protocol(version, schema));

/** The protocol as the games have it, or with the items and messages of a mod. */
export function protocolOf<V extends Version>(version: V): Protocol<V>;
export function protocolOf(version: Version, schema: Schema): ModProtocol;
export function protocolOf(version: Version, schema: Schema | undefined): Protocol;
export function protocolOf(version: Version, schema?: Schema): Protocol {
  return perVersion(version, schema);
}

/** The items of 0.7 with the sizes of 0.6: so DDNet writes deltas of its 0.7 clients in player demos, replays and cuts (`docs/FORMATS.md`). */
export function protocol07WithSizesOf06(schema?: Schema): Protocol {
  const { sizeOf } = protocolOf('0.6');
  return new Protocol('0.7', schema, (type) => sizeOf(type) === 0);
}

/** Ints from 0 up to here are packed in one byte. */
const oneByteInts = 0x40;

/** Which message it is, by a number that is not the one before a UUID. */
export interface NumberedMessage {
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
      const [system, id] = [(byte & 1) === 1, byte >> 1];
      const type = this.byId(system, id);
      this.#byFirstByte.push(type ? { system, id, type } : { system, id });
    }
  }

  /** The message that begins with a byte, the same object each time; undefined if more bytes have to be read for that. */
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
  return new Messages(
    withOwn<MessageType>(tables[version].messages(), schema.messages, isSameNumber, isOf(schema, version)),
  );
});

/** Whether a message carries a snapshot or timing; server demos contain a great many. */
export function isSnapshotOrTiming(bytes: Uint8Array, version: Version): boolean {
  const type = messagesOf(version).byFirstByte(bytes[0])?.type;
  return type?.system === true && /^(snap|input)/.test(type.name);
}
