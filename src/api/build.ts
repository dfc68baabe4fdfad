import { intsOf, type Meaning } from '../wire/protocol/meaning.ts';
import { type ModProtocol, type Protocol, protocolOf, type Version } from '../wire/protocol/registry.ts';
import { intsOfText, intsOfUuid, uuidOfInts } from '../wire/protocol/texts.ts';
import type { WritableItemName, WritableItems } from '../wire/protocol/typed-names.ts';
import type { FieldValue } from '../wire/snapshot/item-fields.ts';
import {
  firstLocalType,
  idOf,
  keyOf,
  maxId,
  maxItems,
  maxSnapshotBytes,
  maxType,
  typeOf,
  uuidInts,
} from '../wire/snapshot/key.ts';
import { Snapshot } from '../wire/snapshot/snapshot.ts';

/**
 * A snapshot that is made item by item, with values by name. Items with a UUID are registered as DDNet does: by an item
 * of type 0 before the first of them.
 *
 * Source: `CSnapshotBuilder` in `src/engine/shared/snapshot.cpp` of DDNet.
 */
export interface Building<V extends Version> {
  /**
   * Adds an item at the end. Fields that are left out are 0, texts empty; yes and no may be `true` and `false`.
   * @throws TypeError for a name that no item or field has, or a value of another kind
   * @throws RangeError for a value, id or number of items that does not fit, or an item that is there
   */
  add<Name extends WritableItemName<V>>(name: Name, id: number, fields?: WritableItems<V>[Name]): this;
  /** Changes fields of an item, which is added if it is not there. */
  set<Name extends WritableItemName<V>>(name: Name, id: number, fields: WritableItems<V>[Name]): this;
  /** Removes an item; nothing happens if it is not there. */
  remove(name: WritableItemName<V>, id: number): this;
  build(): Snapshot;
}

/** The same with the items of a mod, whose names are known only when a program runs. */
export interface ModBuilding {
  add(name: string, id: number, fields?: Readonly<Record<string, FieldValue | boolean>>): this;
  set(name: string, id: number, fields: Readonly<Record<string, FieldValue | boolean>>): this;
  remove(name: string, id: number): this;
  build(): Snapshot;
}

/**
 * Begins a snapshot: an empty one, or with the items of another one, to be changed.
 *
 * @example
 * ```ts
 * import { build, item } from 'tw-snap';
 *
 * const snapshot = build('0.7').add('obj_character', 3, { x: 320, y: 64, weapon: 1 }).build();
 * console.log(item(snapshot, '0.7', 'obj_character', 3)?.fields.x); // 320
 * const moved = build('0.7', snapshot).set('obj_character', 3, { x: 352 }).build();
 * ```
 */
export function build(protocol: ModProtocol, from?: Snapshot): ModBuilding;
export function build<V extends Version>(protocol: V | Protocol<V>, from?: Snapshot): Building<V>;
export function build(protocol: Version | Protocol, from?: Snapshot): ModBuilding {
  return new ItemBuilder(typeof protocol === 'object' && protocol ? protocol : protocolOf(protocol), from);
}

class ItemBuilder implements ModBuilding {
  readonly #protocol: Protocol;
  readonly #items = new Map<number, Int32Array>();
  /** The numbers of items with a UUID, by name. */
  readonly #local = new Map<string, number>();
  #bytes = 8;

  constructor(protocol: Protocol, from?: Snapshot) {
    if (from !== undefined && !(from instanceof Snapshot)) throw new TypeError('build begins with a Snapshot');
    this.#protocol = protocol;
    for (let i = 0; i < (from?.count ?? 0); i++) this.#put(from!.keys[i]!, from!.item(i).slice());
  }

  add(name: string, id: number, fields: Readonly<Record<string, FieldValue | boolean>> = {}): this {
    const key = this.#keyOf(name, id, true)!;
    if (this.#items.has(key)) throw new RangeError(`${name} ${id} is there already: set() changes it`);
    const ints = new Int32Array(this.#known(name).size);
    // An empty text is not 0.
    for (const { meaning, at } of this.#known(name).fields)
      if (meaning.kind === 'text') write(ints, at, meaning, '', name);
    this.#write(ints, name, fields);
    this.#put(key, ints);
    return this;
  }

  set(name: string, id: number, fields: Readonly<Record<string, FieldValue | boolean>>): this {
    const key = this.#keyOf(name, id, false);
    const was = key === undefined ? undefined : this.#items.get(key);
    if (!was) return this.add(name, id, fields);
    const ints = new Int32Array(Math.max(was.length, this.#known(name).size));
    ints.set(was);
    this.#write(ints, name, fields);
    this.#bytes -= 8 + 4 * was.length;
    this.#put(key!, ints);
    return this;
  }

  remove(name: string, id: number): this {
    const key = this.#keyOf(name, id, false);
    const was = key === undefined ? undefined : this.#items.get(key);
    if (!was) return this;
    this.#items.delete(key!);
    this.#bytes -= 8 + 4 * was.length;
    return this;
  }

  build(): Snapshot {
    const ints = (this.#bytes - 8 - 8 * this.#items.size) / 4;
    const snapshot = Snapshot.withRoom(this.#items.size, ints);
    for (const [key, data] of this.#items) {
      snapshot.data.set(data, snapshot.offsets[snapshot.append(key, data.length)]!);
    }
    return snapshot;
  }

  #known(name: string) {
    const known = this.#protocol.byName(name);
    if (!known) throw new TypeError(`${this.#protocol.version} has no item ${JSON.stringify(name)}`);
    return known;
  }

  /** Undefined for an item with a UUID that is not registered and must not be. */
  #keyOf(name: string, id: number, registers: boolean): number | undefined {
    const known = this.#known(name);
    if (!Number.isInteger(id) || id < 0 || id > maxId) {
      throw new RangeError(`the id of ${name} is ${id}; it takes an int from 0 to ${maxId}`);
    }
    const type = known.type ?? this.#local.get(name) ?? (registers ? this.#register(known.uuid!) : undefined);
    return type === undefined ? undefined : keyOf(type, id);
  }

  /** DDNet counts down from the highest type number. */
  #register(uuid: string): number {
    let type = maxType;
    while (this.#items.has(keyOf(0, type)) || this.#hasType(type)) type--;
    this.#put(keyOf(0, type), intsOfUuid(uuid));
    return type;
  }

  #hasType(type: number): boolean {
    for (const key of this.#items.keys()) if (typeOf(key) === type) return true;
    return false;
  }

  #put(key: number, ints: Int32Array): void {
    const count = this.#items.size + (this.#items.has(key) ? 0 : 1);
    const bytes = this.#bytes + 8 + 4 * ints.length;
    if (count > maxItems) throw new RangeError(`a snapshot has at most ${maxItems} items`);
    if (bytes > maxSnapshotBytes) {
      throw new RangeError(`a snapshot has at most ${maxSnapshotBytes} bytes; this one would have ${bytes}`);
    }
    this.#items.set(key, ints);
    this.#bytes = bytes;
    if (typeOf(key) !== 0 || idOf(key) < firstLocalType || ints.length < uuidInts) return;
    const registered = this.#protocol.byUuid(uuidOfInts(ints));
    if (registered) this.#local.set(registered.name, idOf(key));
  }

  #write(ints: Int32Array, name: string, values: Readonly<Record<string, FieldValue | boolean>>): void {
    const { fields } = this.#known(name);
    if (typeof values !== 'object' || values === null) throw new TypeError(`${name} takes an object with its fields`);
    for (const [field, value] of Object.entries(values)) {
      if (value === undefined) continue;
      const known = fields.find((candidate) => candidate.name === field);
      if (!known) {
        const names = fields.map((field) => field.name).join(', ');
        throw new TypeError(`${name} has no field ${JSON.stringify(field)}; it has ${names}`);
      }
      write(ints, known.at, known.meaning, value, `${name}.${field}`);
    }
  }
}

function write(ints: Int32Array, at: number, meaning: Meaning, value: unknown, path: string): void {
  if (meaning.kind === 'text') {
    if (typeof value !== 'string') throw new TypeError(`${path} is a ${typeof value}; it takes a text`);
    const text = intsOfText(value, meaning.ints);
    if (!text) throw new RangeError(`${path} takes at most ${4 * meaning.ints - 1} bytes without a NUL`);
    ints.set(text, at);
  } else if (meaning.kind === 'uuid') {
    if (typeof value !== 'string' || !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value)) {
      throw new TypeError(`${path} takes a UUID`);
    }
    ints.set(intsOfUuid(value), at);
  } else if (meaning.kind === 'list') {
    if (!Array.isArray(value)) throw new TypeError(`${path} is a ${typeof value}; it takes a list`);
    if (value.length > meaning.count) {
      throw new RangeError(`${path} has ${value.length} values; it takes at most ${meaning.count}`);
    }
    const each = intsOf(meaning.of);
    for (const [i, element] of value.entries()) write(ints, at + i * each, meaning.of, element, `${path}[${i}]`);
  } else {
    const int = meaning.kind === 'boolean' && typeof value === 'boolean' ? Number(value) : value;
    if (typeof int !== 'number') throw new TypeError(`${path} is a ${typeof value}; it takes an int`);
    if (int !== (int | 0)) throw new RangeError(`${path} is ${value}; it takes an int from -2147483648 to 2147483647`);
    ints[at] = int;
  }
}
