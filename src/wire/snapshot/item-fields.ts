import { getOr } from '../bytes/get-or.ts';
import type { Field, ItemType } from '../protocol/item.ts';
import { intsOf, type Meaning } from '../protocol/meaning.ts';
import type { Protocol } from '../protocol/registry.ts';
import { intsOfUuid, textOfInts, uuidOfInts } from '../protocol/texts.ts';
import { firstLocalType } from './key.ts';
import type { Snapshot } from './snapshot.ts';

/** Where the fields of an item begin, by name, and the ints of its UUID. */
interface Layout {
  readonly at: ReadonlyMap<string, number>;
  readonly uuid: Int32Array | undefined;
}

/** A capture may have thousands of connections, each with its own readers: they share the layouts. */
const layouts = new WeakMap<ItemType, Layout>();

const layoutOf = (type: ItemType): Layout =>
  getOr(layouts, type, () => ({
    at: new Map(type.fields.map(({ name, at }) => [name, at])),
    uuid: type.uuid === undefined ? undefined : intsOfUuid(type.uuid),
  }));

/** The index of a field's first int in the data of an item; undefined if the item has no such field. */
export function fieldAt(type: ItemType, name: string): number | undefined {
  return layoutOf(type).at.get(name);
}

/** The int at this index in the data of item `i`; 0 if the item is too short, or lacks the field. */
export function intAt(snapshot: Snapshot, i: number, at: number | undefined): number {
  return at === undefined || at >= snapshot.size(i) ? 0 : snapshot.data[snapshot.offsets[i]! + at]!;
}

/** A number, a text, a UUID, or a list of these. The differences of a text are the list of their ints. */
export type FieldValue = number | string | readonly FieldValue[];

/** The values of the fields that an item has completely. Of a delta (`differences`) texts may be lists of ints. */
export function fieldValues(
  fields: readonly Field[],
  ints: ArrayLike<number>,
  start = 0,
  end: number = ints.length,
  differences = false,
): Record<string, FieldValue> {
  const values: Record<string, FieldValue> = {};
  for (let i = 0; i < fields.length; i++) {
    const field = fields[i]!;
    const at = start + field.at;
    if (at + field.ints > end) continue;
    // The kind of a meaning is looked up only for the few that are no number: meanings have many shapes.
    values[field.name] = field.isNumber ? ints[at]! : fieldValue(field.meaning, ints, at, differences);
  }
  return values;
}

/** Ints as numbers and packed text as a string; ints without valid text (differences of a delta) as a list. */
function fieldValue(meaning: Meaning, ints: ArrayLike<number>, at: number, differences: boolean): FieldValue {
  switch (meaning.kind) {
    case 'text':
      return (
        textOfInts(ints, at, meaning.ints, differences) ?? Array.from({ length: meaning.ints }, (_, i) => ints[at + i]!)
      );
    case 'uuid':
      return uuidOfInts(ints, at);
    case 'list': {
      const each = intsOf(meaning.of);
      const values: FieldValue[] = [];
      for (let i = 0; i < meaning.count; i++) values.push(fieldValue(meaning.of, ints, at + i * each, differences));
      return values;
    }
    default:
      return ints[at]!;
  }
}

/** The items of one kind, and their fields by name, in successive snapshots. */
export class ItemFields {
  /**
   * The type number; -1 if there is none. For a UUID item, it is the number in the snapshot that was registered last.
   */
  type: number;
  readonly #layout: Layout | undefined;

  constructor(protocol: Protocol, name: string) {
    const item = protocol.byName(name);
    this.type = item?.type ?? -1;
    this.#layout = item && layoutOf(item);
  }

  /** Finds the type number under which a snapshot registers a UUID item. */
  register(snapshot: Snapshot): void {
    const uuid = this.#layout?.uuid;
    if (!uuid) return;
    if (this.type >= 0 && registers(snapshot, this.type, uuid)) return;
    this.type = -1;
    for (let i = 0; i < snapshot.count; i++) {
      const id = snapshot.id(i);
      // Of registrations of one number, the first counts.
      if (snapshot.type(i) === 0 && id >= firstLocalType && registers(snapshot, id, uuid)) this.type = id;
    }
  }

  /** A field of item `i`; 0 if the item is too short or the field is unknown. */
  get(snapshot: Snapshot, i: number, field: string): number {
    return intAt(snapshot, i, this.#layout?.at.get(field));
  }

  /** The index of the item with this id; -1 if there is none. */
  find(snapshot: Snapshot, id: number): number {
    return this.type < 0 ? -1 : snapshot.find(this.type, id);
  }

  /** Whether item `i` is one of them. */
  is(snapshot: Snapshot, i: number): boolean {
    return snapshot.type(i) === this.type;
  }

  all(snapshot: Snapshot): number[] {
    const indices: number[] = [];
    if (this.type < 0) return indices;
    for (let i = 0; i < snapshot.count; i++) if (this.is(snapshot, i)) indices.push(i);
    return indices;
  }
}

/** Whether the registration of a type number in a snapshot has this UUID. */
function registers(snapshot: Snapshot, type: number, uuid: ArrayLike<number>): boolean {
  const i = snapshot.find(0, type);
  if (i < 0) return false;
  const ints = snapshot.item(i);
  const length = Math.min(ints.length, uuid.length);
  for (let k = 0; k < length; k++) if (ints[k] !== uuid[k]) return false;
  return true;
}
