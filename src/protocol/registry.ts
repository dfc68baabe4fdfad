import type { ItemType } from './item.ts';
import { items05 } from './items-0.5.ts';
import { items06 } from './items-0.6.ts';
import { items07 } from './items-0.7.ts';
import { extendedItems } from './items-extended.ts';
import { noSchema, perSchema, type Schema, withOwn } from './schema.ts';
import type { Version } from './version.ts';

export { type Version, versions } from './version.ts';

/**
 * The agreed size in ints of an item type; 0 where a delta carries the size.
 *
 * Source: `CSnapshotDelta::SetStaticsize` in `src/engine/shared/snapshot.h` of the games.
 */
export type SizeOf = (type: number) => number;

/** Type numbers from here on have no agreed size, in any version. */
const firstSizedType = 64;

/**
 * The items of one protocol version, found by number, UUID and name.
 *
 * Source: `datasrc/network.py` of the games.
 */
export class Protocol {
  readonly version: Version;
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
    version: Version,
    schema = noSchema,
    carriesSize: (type: number) => boolean = () => false,
    maxSnapshotBytes?: number,
  ) {
    this.version = version;
    this.schema = schema;
    this.items = withOwn(tables[version], schema.items, (a, b) => a.type === b.type);
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
  withMaxSnapshotBytes(bytes: number): Protocol {
    return new Protocol(this.version, this.schema, this.#carriesSize, bytes);
  }

  byType(type: number): ItemType | undefined {
    return this.#byType[type];
  }

  byUuid(uuid: string): ItemType | undefined {
    return this.#byUuid.get(uuid);
  }

  byName(name: string): ItemType | undefined {
    return this.#byName.get(name);
  }
}

const tables: Readonly<Record<Version, readonly ItemType[]>> = {
  '0.5': items05,
  '0.6': [...items06, ...extendedItems],
  '0.7': [...items07, ...extendedItems],
};

/** The protocol as the games have it, or with the items and messages of a mod. */
export const protocolOf: (version: Version, schema?: Schema) => Protocol = perSchema(
  (version, schema) => new Protocol(version, schema),
);

/**
 * The items of 0.7 in deltas that carry a size where the table of 0.6 has none. DDNet writes these for its 0.7 clients: in the
 * server's player demos, and since 2026-03 in replays and cuts (`docs/FORMATS.md`).
 */
export function protocol07WithSizesOf06(schema?: Schema): Protocol {
  const { sizeOf } = protocolOf('0.6');
  return new Protocol('0.7', schema, (type) => sizeOf(type) === 0);
}
