import type { Protocol } from '../protocol/registry.ts';
import { intsOfUuid } from '../protocol/uuid.ts';
import { firstLocalType } from '../snapshot/key.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** The parts of a kind of item that do not depend on snapshots. */
interface Layout {
  readonly type: number;
  readonly uuid: Int32Array | undefined;
  readonly at: ReadonlyMap<string, number>;
}

/** A capture may have thousands of connections, each with its own detectors: they share the layouts of a protocol. */
const layouts = new WeakMap<Protocol, Map<string, Layout>>();

function layoutOf(protocol: Protocol, name: string): Layout {
  const known = layouts.get(protocol) ?? new Map<string, Layout>();
  layouts.set(protocol, known);
  const found = known.get(name);
  if (found) return found;
  const { type = -1, uuid, fields = [] } = protocol.byName(name) ?? {};
  const at = new Map(fields.map((field) => [field.name, field.at]));
  const layout = { type, uuid: uuid === undefined ? undefined : intsOfUuid(uuid), at };
  known.set(name, layout);
  return layout;
}

/** The positions of the fields of one kind of item, looked up once for many snapshots. */
export class ItemFields<Field extends string> {
  /** The type number; -1 if there is none. For a UUID item, it is the number in the snapshot that was registered last. */
  type: number;
  readonly #uuid: Int32Array | undefined;
  readonly #at: ReadonlyMap<string, number>;

  /** @param _fields the fields that will be read */
  constructor(protocol: Protocol, name: string, _fields: readonly Field[]) {
    const { type, uuid, at } = layoutOf(protocol, name);
    this.type = type;
    this.#uuid = uuid;
    this.#at = at;
  }

  /** Finds the type number under which a snapshot registers a UUID item. */
  register(snapshot: Snapshot): void {
    const uuid = this.#uuid;
    if (!uuid) return;
    const is = (i: number) => i >= 0 && snapshot.item(i).every((int, k) => k >= uuid.length || int === uuid[k]);
    if (this.type >= 0 && is(snapshot.find(0, this.type))) return;
    this.type = -1;
    for (let i = 0; i < snapshot.count; i++) {
      if (snapshot.type(i) === 0 && snapshot.id(i) >= firstLocalType && is(i)) this.type = snapshot.id(i);
    }
  }

  /** A field of item `i`; 0 if the item is too short or the field is unknown. */
  get(snapshot: Snapshot, i: number, field: Field): number {
    const at = this.#at.get(field);
    return at === undefined || at >= snapshot.size(i) ? 0 : snapshot.data[snapshot.offsets[i]! + at]!;
  }

  /** The index of the item with this id; -1 if there is none. */
  find(snapshot: Snapshot, id: number): number {
    return this.type < 0 ? -1 : snapshot.find(this.type, id);
  }

  /** The indices of all items of this kind. */
  all(snapshot: Snapshot): number[] {
    const indices: number[] = [];
    if (this.type < 0) return indices;
    for (let i = 0; i < snapshot.count; i++) if (snapshot.type(i) === this.type) indices.push(i);
    return indices;
  }
}
