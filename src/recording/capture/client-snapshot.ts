import type { Protocol } from '../../wire/protocol/registry.ts';
import { ItemTypes } from '../../wire/snapshot/item-types.ts';
import { firstLocalType, maxItems, maxSnapshotBytes, partBytes, uuidInts } from '../../wire/snapshot/key.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import type { SnapshotEntry } from '../replay/record.ts';

/*
 * What a client of the games does with a snapshot besides rebuilding it.
 *
 * Source: `NETMSG_SNAP` in `CClient::ProcessServerPacket`, `CClient::UnpackAndValidateSnapshot`, client.cpp.
 */

/** `CSnapshot::MAX_PARTS` */
export const maxParts = 64;

/**
 * The memory for the parts of one tick. Each part has its place, and only the last one says how long the whole is: what
 * a shorter part before it leaves free holds the bytes of older snapshots.
 */
export class ClientParts {
  readonly #bytes = new Uint8Array(maxParts * partBytes);
  readonly #known = new Set<number>();
  #size = 0;

  clear(): void {
    this.#known.clear();
    this.#size = 0;
  }

  /** @returns the whole, if no part of it is missing; it is valid until the next part */
  add(part: number, parts: number, bytes: Uint8Array): Uint8Array | undefined {
    this.#bytes.set(bytes, part * partBytes);
    this.#known.add(part);
    if (part === parts - 1) this.#size = part * partBytes + bytes.length;
    // Of a tick with other parts before, there are too many.
    if (this.#known.size !== parts || [...this.#known].some((known) => known >= parts)) return undefined;
    this.#known.clear();
    return this.#bytes.subarray(0, this.#size);
  }
}

/** Of a snapshot, and of each item with its offset, in bytes. */
const headBytes = 8;
const itemBytes = 8;

/**
 * Why there is no room for the copy that DDNet's client makes of a snapshot of 0.6: without the items that it does not
 * know, and with all fields of the others, also those that an older server leaves out. Then it does not take it.
 */
export function copyFault(snapshot: Snapshot, protocol: Protocol): SnapshotEntry['cause'] {
  const types = new ItemTypes(protocol).onSnapshot(snapshot);
  const extended = new Set<number>();
  let items = 0;
  let bytes = headBytes;
  for (let i = 0; i < snapshot.count; i++) {
    const type = snapshot.type(i);
    const item = type === 0 ? undefined : types.of(type);
    if (!item || item.fields.some(({ at, defaultValue }) => at >= snapshot.size(i) && defaultValue === undefined))
      continue;
    if (type >= firstLocalType) extended.add(type);
    items++;
    bytes += itemBytes + 4 * item.size;
  }
  items += extended.size;
  bytes += extended.size * (itemBytes + 4 * uuidInts);
  if (items > maxItems) return { code: 'too_many_items', args: { found: items, limit: maxItems } };
  if (bytes <= maxSnapshotBytes) return undefined;
  return { code: 'snapshot_too_large', args: { found: bytes, limit: maxSnapshotBytes } };
}
