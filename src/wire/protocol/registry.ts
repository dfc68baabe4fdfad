import { expects } from '../bytes/expects.ts';
import { getOr } from '../bytes/get-or.ts';
import { firstSizedType, type ItemType } from './item.ts';
import { extendedItems, items05, items06, items07 } from './items.ts';
import type { Names } from './meaning.ts';
import type { MessageType } from './message-type.ts';

/** `0.6` includes DDNet. DDNet also serves clients of `0.7`, with extended items among those of 0.7. */
export type Version = '0.5' | '0.6' | '0.7';
/** All protocol versions, oldest first. */
export const versions: readonly Version[] = ['0.5', '0.6', '0.7'];

/**
 * The items and messages of a mod. One with the number or UUID of one of the games takes its place, in all versions.
 */
export interface Schema {
  readonly items: readonly ItemType[];
  readonly messages: readonly MessageType[];
  /**
   * The version whose table it is. Numbers mean something in this version only, and a name that has moved to another
   * number has left its old one.
   */
  readonly version?: Version;
  /** The names of the enumerations and flags of its sources, `EMOTE`. */
  readonly lists?: Readonly<Record<string, Names>>;
}

/** Which bounds of a value are not known. */
export interface OpenBounds {
  readonly min: boolean;
  readonly max: boolean;
}

/** The ranges of a schema of which a bound is a constant of other files: `NUM_WEAPONS-1`. */
export const openBounds = new WeakMap<object, OpenBounds>();

export const noSchema: Schema = { items: [], messages: [] };

/** A program in JavaScript can pass anything. */
function checkVersion(version: unknown): void {
  if (typeof version === 'string' && Object.hasOwn(tables, version)) return;
  throw new TypeError(
    `a protocol is one of ${versions.join(', ')}, not ${typeof version === 'string' ? version : typeof version}`,
  );
}

/** Makes something for a version and a schema once, and keeps it as long as the schema. */
export function perSchema<Made extends object>(make: (version: Version, schema: Schema) => Made) {
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
export function withOwn<Type extends { readonly uuid?: string; readonly name: string }>(
  types: readonly Type[],
  all: readonly Type[],
  isSameNumber: (a: Type, b: Type) => boolean,
  isOfThis: boolean | undefined,
): readonly Type[] {
  const own = isOfThis === false ? all.filter(({ uuid }) => uuid !== undefined) : all;
  const isReplaced = (type: Type) =>
    own.some(
      (known) =>
        (known.uuid === undefined ? isSameNumber(known, type) : known.uuid === type.uuid) ||
        (isOfThis !== undefined && known.name === type.name),
    );
  return own.length === 0 ? types : [...types.filter((type) => !isReplaced(type)), ...own];
}

/** Whether a schema is the whole table of a version; undefined for one that adds to all. */
export const isOf = (schema: Schema, version: Version) =>
  schema.version === undefined ? undefined : schema.version === version;

const tables: Readonly<Record<Version, readonly ItemType[]>> = {
  '0.5': items05,
  '0.6': [...items06, ...extendedItems],
  '0.7': [...items07, ...extendedItems],
};

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
    this.items = withOwn<ItemType>(tables[version], schema.items, (a, b) => a.type === b.type, isOf(schema, version));
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

  /** Whether it is that of {@link protocol07WithSizesOf06}. */
  get hasSizesOf06(): boolean {
    return this.#carriesSize === hasNoSizeIn06;
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
  if (schema && !Array.isArray(schema.items)) expects('protocolOf', 'a Schema, which readSchema returns', schema);
  return perVersion(version, schema);
}

const hasNoSizeIn06 = (type: number): boolean => protocolOf('0.6').sizeOf(type) === 0;

/**
 * The items of 0.7 with the sizes of 0.6: so DDNet writes deltas of its 0.7 clients in player demos, replays and cuts
 * (`docs/FORMATS.md`).
 */
export function protocol07WithSizesOf06(schema?: Schema): Protocol {
  return new Protocol('0.7', schema, hasNoSizeIn06);
}
