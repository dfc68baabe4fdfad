import { valuesOf } from '../../wire/annotate/field-values.ts';
import { noInts } from '../../wire/bytes/buffers.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import { clientsOf, fewClients, isOpen, isOutside, itemBoundsOf } from '../../wire/protocol/bounds.ts';
import { type ItemType, isOnlyInDemos, neverSent, rulesOf } from '../../wire/protocol/item.ts';
import { maxClient, type ValueBounds, valueBoundsOf } from '../../wire/protocol/meaning.ts';
import type { MessageType } from '../../wire/protocol/message-type.ts';
import type { Protocol } from '../../wire/protocol/registry.ts';
import type { Delta } from '../../wire/snapshot/delta.ts';
import { ItemTypes } from '../../wire/snapshot/item-types.ts';
import { firstLocalType, maxType, typeOf } from '../../wire/snapshot/key.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import type { MessageEntry, SnapshotEntry } from '../replay/record.ts';
import type { Stream } from '../replay/stream.ts';
import { type Finding, finding } from './findings.ts';

/**
 * What the tables say of one int of an item: the bits with names, the largest number of an enumeration, and the bounds
 * of the games.
 */
interface Known {
  readonly at: number;
  readonly name: string;
  readonly bits: number | undefined;
  /** Larger numbers are newer than the tables. */
  readonly max: number;
  readonly bounds: ValueBounds | undefined;
  /** Whether it is the number of a client, of which the games have not always had as many. */
  readonly isClient: boolean;
}

/** A type of item and what is looked at in it. */
interface Watched {
  readonly type: ItemType | undefined;
  readonly rules: string;
  /** The ints that the tables have; Infinity if more of them mean nothing. */
  readonly size: number;
  readonly known: readonly Known[];
  /** Of each of them four ints: {@link limitsOf} */
  readonly limits: Int32Array;
}

/** The values of one field that clients do not take, or the items of one type that are in no snapshot of the games. */
export interface OddValues {
  readonly item: string;
  /** Undefined if the item itself is odd. */
  readonly field: string | undefined;
  /** The first value, and the tick with it. */
  readonly value: number;
  readonly tick: number;
  readonly bounds: ValueBounds | undefined;
  /** Whose bounds: `ddnet` for an extended item, otherwise the version. */
  readonly rules: string;
  /** How often an item got such a value. */
  count: number;
}

/**
 * The items or messages of one type with a client whom only DDNet from 19.0 on knows: older versions take the bound in
 * items and drop messages, Teeworlds drops both. For a receiver whose version is known they are odd, or nothing is to be
 * said.
 */
export interface HighClients {
  readonly item: string;
  readonly field: string;
  readonly isMessage: boolean;
  value: number;
  /** How often an item got such a number, or a message has it. */
  count: number;
}

/**
 * A local type whose registration came after its first item, or never: DDNet's servers send it two ticks later now and
 * then.
 */
interface LateName {
  readonly number: number;
  /** The tick of the first snapshot with it. */
  readonly tick: number;
  /** When and as what it was named; a UUID that no table has is its name. */
  named: { readonly tick: number; readonly name: string } | undefined;
}

/** More kinds than this are not counted: damaged data may have any values. */
const maxKinds = 100;

/**
 * The values in a recording that the tables do not have: numbers above an enumeration, bits without a name, and ints
 * after the last field of a known item. A newer version of the games sends them, or a mod. And the values that clients
 * do not take.
 */
export class ItemValues {
  /** `game_info_ex.flags2 0x1000`, `obj_pickup.type 9`, `ddnet_player[4]` */
  readonly newer = new Set<string>();
  /** The items of local types, by name, or by UUID if no table has it. */
  readonly extended = new Set<string>();
  readonly #odd = new Map<string, OddValues>();
  readonly #high = new Map<string, HighClients>();
  readonly #late = new Map<number, LateName>();
  #types: ItemTypes | undefined;
  /** By number of a type; of a local one for the current registrations. */
  readonly #plain: Watched[] = [];
  readonly #local: Watched[] = [];
  #tick = -1;
  #isDemo = true;
  #ddnetVersion: number | undefined;

  get odd(): readonly OddValues[] {
    return [...this.#odd.values()];
  }

  get high(): readonly HighClients[] {
    return [...this.#high.values()];
  }

  get late(): readonly LateName[] {
    return [...this.#late.values()];
  }

  /** Looks at the items of a full snapshot, or at the values that a delta changes. */
  onSnapshot(snapshot: Snapshot, delta: Delta | undefined, tick: number, stream: Stream): void {
    if (this.newer.size >= maxKinds) return;
    const { protocol, client } = stream;
    this.#ddnetVersion = stream.ddnetVersion;
    this.#tick = tick;
    this.#isDemo = client === '';
    if (!delta || this.#types?.protocol !== protocol) this.#checkAll(snapshot, protocol);
    else this.#checkChanged(snapshot, delta);
  }

  #checkAll(snapshot: Snapshot, protocol: Protocol): void {
    if (this.#types?.protocol !== protocol) this.#plain.length = 0;
    this.#types = new ItemTypes(protocol);
    this.#register(snapshot);
    for (let i = 0; i < snapshot.count; i++) this.#check(this.#watchedOf(snapshot.type(i)), snapshot, i);
  }

  #checkChanged(snapshot: Snapshot, delta: Delta): void {
    if (delta.hasType(0)) this.#register(snapshot);
    const { ints, keys, starts, sizes, items, count } = delta;
    const { keys: own, data, offsets } = snapshot;
    for (let i = 0; i < count; i++) {
      const watched = this.#watchedOf(typeOf(keys[i]!));
      // A delta that was not applied does not know its items.
      const item = own[items[i]!] === keys[i] ? items[i]! : snapshot.findKey(keys[i]!);
      if (sizes[i]! > watched.size || isOdd(watched.limits, ints, starts[i]!, sizes[i]!, data, offsets[item]!))
        this.#check(watched, snapshot, item, ints, starts[i]!);
    }
  }

  /** Looks at the clients in a message to a receiver of unknown version. */
  onMessage({ head: { type }, message, stream }: MessageEntry): void {
    for (const { name, type: field, value } of message.values) {
      if (field.kind === 'client' && Number(value) >= fewClients && stream.ddnetVersion === undefined)
        this.#noteHigh(type!.name, name, Number(value), true);
    }
  }

  #register(snapshot: Snapshot): void {
    this.#types!.onSnapshot(snapshot);
    for (const late of this.#late.values()) late.named ??= this.#nameOf(late.number);
    if (this.#local.length > 0) this.#local.length = 0;
  }

  #nameOf(number: number): LateName['named'] {
    const uuid = this.#types!.uuidOf(number);
    return uuid === undefined ? undefined : { tick: this.#tick, name: this.#types!.of(number)?.name ?? uuid };
  }

  #watchedOf(number: number): Watched {
    const watched = number < firstLocalType ? this.#plain[number] : this.#local[maxType - number];
    if (watched) return watched;
    return this.#watch(number);
  }

  #watch(number: number): Watched {
    const { protocol } = this.#types!;
    const type = this.#types!.of(number);
    const rules = type ? rulesOf(type, protocol.version) : '';
    const judged = type
      ? getOr(
          getOr(knownIn, protocol, () => new Map()),
          type,
          () => judgedOf(type, rules),
        )
      : nothing;
    const made = { type, rules, size: type?.sized ? type.size : Infinity, ...judged };
    if (number < firstLocalType) this.#plain[number] = made;
    else {
      this.#local[maxType - number] = made;
      const named = this.#nameOf(number);
      if (named && this.extended.size < maxKinds) this.extended.add(named.name);
      const isUnnamed = named === undefined && !this.#late.has(number);
      if (isUnnamed && this.#late.size < maxKinds)
        this.#late.set(number, { number, tick: this.#tick, named: undefined });
    }
    if (type && (neverSent.has(type.name) || (isOnlyInDemos(type.name) && !this.#isDemo)))
      this.#note(made, undefined, 0);
    return made;
  }

  /** @param changes the ints of the update, from a position on; without it all values are looked at */
  #check(watched: Watched, { data, offsets }: Snapshot, item: number, changes?: Int32Array, from = 0): void {
    const { type, size, known } = watched;
    const start = offsets[item]!;
    const end = offsets[item + 1]!;
    for (let k = 0; k < known.length; k++) {
      const { at, name, bits, max, bounds, isClient } = known[k]!;
      if (start + at >= end) break;
      if (changes && changes[from + at] === 0) continue;
      const value = data[start + at]!;
      if (bits !== undefined) {
        for (let rest = value & ~bits; rest !== 0; rest &= rest - 1)
          this.newer.add(`${type!.name}.${name} 0x${((rest & -rest) >>> 0).toString(16)}`);
      } else if (value > max) this.newer.add(`${type!.name}.${name} ${value}`);
      else if (bounds && isOutside(bounds, value)) this.#note(watched, known[k]!, value);
      else if (isClient && value >= fewClients) this.#onHigh(watched, known[k]!, value);
    }
    for (let at = size; start + at < end; at++) this.newer.add(`${type!.name}[${at}]`);
  }

  #onHigh(watched: Watched, known: Known, value: number): void {
    const clients = this.#ddnetVersion === undefined ? undefined : clientsOf(this.#ddnetVersion);
    if (clients === undefined) this.#noteHigh(watched.type!.name, known.name, value, false);
    else if (value >= clients) this.#note(watched, { ...known, bounds: { ...known.bounds!, max: clients - 1 } }, value);
  }

  #noteHigh(item: string, field: string, value: number, isMessage: boolean): void {
    if (value > maxClient) return;
    const known = getOr(this.#high, item, () => ({ item, field, isMessage, value, count: 0 }));
    known.count++;
    known.value = Math.max(known.value, value);
  }

  #note({ type, rules }: Watched, known: Known | undefined, value: number): void {
    const item = type!.name;
    const field = known?.name;
    const make = () => ({ item, field, value, tick: this.#tick, bounds: known?.bounds, rules, count: 0 });
    if (this.#odd.size < maxKinds) getOr(this.#odd, `${item}.${field}`, make).count++;
  }
}

/** Whether a message to a client of 0.6 has the numbers of clients. */
export const namesClients = (type: MessageType): boolean =>
  getOr(withClients, type, () => !type.system && type.fields.some((field) => field.type.kind === 'client'));

const withClients = new WeakMap<MessageType, boolean>();

export const oddValueFindings = (odd: readonly OddValues[], { client }: Stream): Finding[] =>
  odd.map(({ item, field, value, tick, bounds, rules, count }) => {
    const place = { tick, ...(client !== '' && { client }) };
    if (field === undefined) return finding('never_sent', 'warning', { place, args: { name: item } });
    const args = { name: item, field, found: value, ...bounds!, rules };
    return finding('out_of_bounds', 'warning', { place, count, args });
  });

/** The same for the snapshots of a recording, for commands without a summary. */
export class ItemCheck {
  readonly #byStream = new Map<Stream, ItemValues>();

  add({ stream, snapshot, delta, tick, uncertain, verdict }: SnapshotEntry): void {
    if (!snapshot || uncertain || verdict === 'mismatch') return;
    getOr(this.#byStream, stream, () => new ItemValues()).onSnapshot(snapshot, delta, tick, stream);
  }

  get findings(): Finding[] {
    return [...this.#byStream].flatMap(([stream, { odd }]) => oddValueFindings(odd, stream));
  }
}

/** Whether an update gives an item a value beyond its limits. */
function isOdd(
  limits: Int32Array,
  ints: Int32Array,
  start: number,
  size: number,
  data: Int32Array,
  first: number,
): boolean {
  for (let k = 0; k < limits.length; k += 4) {
    const at = limits[k]!;
    if (at >= size) return false;
    if (ints[start + at] === 0) continue;
    const value = data[first + at]!;
    if (value < limits[k + 1]! || value > limits[k + 2]! || (value & limits[k + 3]!) !== 0) return true;
  }
  return false;
}

/**
 * Shared by the connections of a capture, each of which has its own types, whose numbers change with every
 * registration.
 */
const knownIn = new WeakMap<Protocol, Map<ItemType, Pick<Watched, 'known' | 'limits'>>>();

const nothing: Pick<Watched, 'known' | 'limits'> = { known: [], limits: noInts };

function judgedOf(type: ItemType, rules: string): Pick<Watched, 'known' | 'limits'> {
  const known = knownOf(type, rules);
  return { known, limits: Int32Array.from(known.flatMap(limitsOf)) };
}

/** The place of a value, the least and the most of what nothing is to be said, and the bits that it does not have. */
function limitsOf({ at, bits, max, bounds, isClient }: Known): number[] {
  if (bits !== undefined) return [at, -(2 ** 31), 2 ** 31 - 1, ~bits];
  return [at, bounds!.min, Math.min(max, bounds!.max, isClient ? fewClients - 1 : Infinity), 0];
}

function knownOf(type: ItemType, rules: string): Known[] {
  return valuesOf(type).flatMap(({ label: name, at, ints, meaning }): Known[] => {
    const bounds = ints === 1 ? itemBoundsOf(meaning, rules === '0.7') : undefined;
    const max = isOpen(meaning) ? valueBoundsOf(meaning)!.max : Infinity;
    const isClient = meaning.kind === 'client' && rules !== '0.7';
    if (meaning.kind !== 'flags') return bounds ? [{ at, name, bits: undefined, max, bounds, isClient }] : [];
    const bits = Object.keys(meaning.names).reduce((all, bit) => all | Number(bit), 0);
    return [{ at, name, bits, max: 0, bounds: undefined, isClient: false }];
  });
}
