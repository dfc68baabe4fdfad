import { PlayerChoice } from '../recording/events/player-choice.ts';
import { RecordingClock } from '../recording/replay/clock.ts';
import type { RecordingEntry, SnapshotEntry } from '../recording/replay/record.ts';
import { checkOptions } from '../wire/bytes/expects.ts';
import type { Field, ItemType } from '../wire/protocol/item.ts';
import { type ModProtocol, type Protocol, protocolOf, type Version, versions } from '../wire/protocol/registry.ts';
import type { TickRange } from '../wire/protocol/ticks.ts';
import type { ItemFieldsOf, ItemName } from '../wire/protocol/typed-names.ts';
import { ChosenItems } from '../wire/snapshot/chosen-items.ts';
import { type FieldValue, fieldValues } from '../wire/snapshot/item-fields.ts';
import { ItemTypes } from '../wire/snapshot/item-types.ts';
import { idOf, typeOf } from '../wire/snapshot/key.ts';
import { asRecord, withOptions } from './read-recording.ts';
import type * as record from './records.ts';

/**
 * What says which item it is: the tick of its snapshot, the seconds of that since the beginning of the recording, its
 * time in seconds since 1970 (NaN in demos), the number of its stream (1 in demos), and its id.
 */
export type PlaceColumn = 'tick' | 'seconds' | 'time' | 'stream' | 'id';

/** The fields of an item in each version that has it. */
export type FieldsOfAll<Name> = {
  [V in Version]: Name extends ItemName<V> ? ItemFieldsOf<V, Name> : never;
}[Version];

/** The keys of all members of a union. */
export type KeysOf<Union> = Union extends unknown ? keyof Union & string : never;

/** The value of a key in those members of a union that have it. */
export type ValueIn<Union, Key> = Union extends unknown ? (Key extends keyof Union ? Union[Key] : never) : never;

/** The columns of an item: where it is, and its fields; `fields.tick` is a field that has the name of a place. */
export type ColumnName<Name> = PlaceColumn | KeysOf<FieldsOfAll<Name>> | `fields.${KeysOf<FieldsOfAll<Name>>}`;

/** A column: a typed array, or a list of texts. */
export type Column<Name, Key> = Key extends 'seconds' | 'time'
  ? Float64Array
  : Key extends 'tick' | 'stream' | 'id'
    ? Int32Array
    : ValueIn<FieldsOfAll<Name>, Key extends `fields.${infer Field}` ? Field : Key> extends infer Value
      ? [NonNullable<Value>] extends [number]
        ? Int32Array
        : NonNullable<Value>[]
      : never;

/** Which items are in the columns. */
export interface ColumnOptions extends Partial<TickRange> {
  /** The client number of a player, or the name: of an item that has neither as its id, those of a field count. */
  readonly player?: number | string;
}

/** The same of a mod, whose items are those of its protocol, in streams of that version. */
export interface ModColumnOptions extends ColumnOptions {
  readonly protocol: ModProtocol;
}

/** Columns, or a promise of them where the records arrive later. */
export type ColumnsFrom<Source, Columns> = Source extends AsyncIterable<unknown> ? Promise<Columns> : Columns;

/**
 * The values of one kind of item in all snapshots, by column: what `readDemo` returned is read as fast as with
 * `{ reuse: true }`.
 *
 * @param records what a reader returned, or a connection: then the columns come when it is closed
 * @param item the name of the item
 * @param names `tick`, `seconds`, `time`, `stream`, `id`, or fields of the item
 * @returns for each name a typed array, with an element for each item; a list of texts for a field that is one. A value
 *   that an older
 * sender leaves out is the default of the games, or 0
 * @throws TypeError if no version has the item, or the recording's version of it has no such field
 * @example
 * ```ts
 * import { columns, readDemo } from 'tw-snap';
 *
 * const { tick, x, y } = columns(readDemo(bytes), 'obj_character', ['tick', 'x', 'y'], { player: 0 });
 * console.log(tick.length, x.at(-1), y.at(-1));
 * ```
 */
export function columns<Source extends Iterable<record.RecordingEntry> | AsyncIterable<record.RecordingEntry>>(
  records: Source,
  item: string,
  names: readonly string[],
  options: ModColumnOptions,
): ColumnsFrom<Source, Record<string, Int32Array | Float64Array | FieldValue[]>>;
export function columns<
  Source extends Iterable<record.RecordingEntry> | AsyncIterable<record.RecordingEntry>,
  Name extends ItemName,
  const Key extends ColumnName<Name>,
>(
  records: Source,
  item: Name,
  names: readonly Key[],
  options?: ColumnOptions,
): ColumnsFrom<Source, { [One in Key]: Column<Name, One> }>;
export function columns(
  records: Iterable<record.RecordingEntry> | AsyncIterable<record.RecordingEntry>,
  item: string,
  names: readonly string[],
  options: ColumnOptions & Partial<ModColumnOptions> = {},
): unknown {
  checkOptions('columns', options, ['player', 'from', 'to', 'protocol']);
  const builder = new ColumnBuilder(item, names, options);
  withOptions(records, {
    borrows: true,
    messages: typeof options.player === 'string',
    ticks: names.includes('seconds'),
  });
  const given: unknown = records;
  if (typeof given !== 'object' || !given || given instanceof Uint8Array) return asRecord(given, ...expected);
  if (Symbol.asyncIterator in records) return columnsOfLater(records, builder);
  if (!(Symbol.iterator in records)) return asRecord(records, ...expected);
  for (const entry of records) if (!builder.add(asRecord(entry, ...expected))) break;
  return builder.finish();
}

async function columnsOfLater(records: AsyncIterable<RecordingEntry>, builder: ColumnBuilder) {
  for await (const entry of records) if (!builder.add(asRecord(entry, ...expected))) break;
  return builder.finish();
}

const expected = ['columns', 'records, as `read` returns them'] as const;

/** A column while it grows. Where its values come from depends on the protocol. */
interface Growing {
  readonly name: string;
  values: Int32Array | Float64Array | FieldValue[];
  readonly place: PlaceColumn | undefined;
  /** The index of the int in the item; -1 for a field of several, or one that this version lacks. */
  at: number;
  lacking: number;
  field: Field | undefined;
}

const places: ReadonlySet<string> = new Set(['tick', 'seconds', 'time', 'stream', 'id'] satisfies PlaceColumn[]);

class ColumnBuilder {
  readonly #item: string;
  readonly #columns: Growing[];
  readonly #from: number;
  readonly #to: number;
  readonly #player: PlayerChoice | undefined;
  readonly #mod: ModProtocol | undefined;
  #count = 0;
  #room = 1024;
  #protocol: Protocol | undefined;
  #known: ItemType | undefined;
  #hasStreams = false;
  readonly #chosen = new ChosenItems();
  readonly #clock = new RecordingClock();

  constructor(
    item: string,
    names: readonly string[],
    { player, from, to, protocol }: ColumnOptions & Partial<ModColumnOptions>,
  ) {
    if (!Array.isArray(names)) throw new TypeError(`columns takes a list of names, not a ${typeof names}`);
    if (typeof item !== 'string') throw new TypeError(`columns takes the name of an item, not a ${typeof item}`);
    this.#item = item;
    this.#mod = protocol;
    this.#from = from ?? Number.NEGATIVE_INFINITY;
    this.#to = to ?? Number.POSITIVE_INFINITY;
    if (typeof player === 'string') this.#player = new PlayerChoice(undefined, (name) => name === player);
    else if (player !== undefined) this.#player = new PlayerChoice(player, () => false);
    this.#columns = names.map((name) => {
      const place = places.has(name) ? (name as PlaceColumn) : undefined;
      const isTime = name === 'seconds' || name === 'time';
      const values = isTime ? new Float64Array(this.#room) : new Int32Array(this.#room);
      return { name, values, place, at: -1, lacking: 0, field: undefined };
    });
  }

  /** @returns whether more records can matter */
  add(entry: RecordingEntry): boolean {
    const { stream } = entry;
    if (stream?.client) this.#hasStreams = true;
    if (stream) this.#clock.at(entry);
    this.#player?.follow(entry);
    if (entry.record !== 'snapshot' || !entry.snapshot || entry.verdict === 'mismatch') return true;
    // Connections have their own ticks.
    if (entry.tick > this.#to) return this.#hasStreams;
    if (entry.tick >= this.#from) this.#addSnapshot(entry);
    return true;
  }

  finish() {
    // Whether the names are right shows even where nothing was read.
    if (!this.#protocol)
      this.#useProtocol(
        this.#mod ??
          versions.map((version) => protocolOf(version)).findLast((protocol) => protocol.byName(this.#item)) ??
          protocolOf('0.6'),
      );
    return Object.fromEntries(this.#columns.map(({ name, values }) => [name, values.slice(0, this.#count)]));
  }

  #addSnapshot({ snapshot, stream, tick, time = Number.NaN }: SnapshotEntry): void {
    const protocol = this.#mod ?? stream.protocol;
    if (this.#protocol !== protocol) this.#useProtocol(protocol);
    const known = this.#known;
    if (!known || protocol.version !== stream.protocol.version) return;
    let types: ItemTypes | undefined;
    if (known.type === undefined || this.#player) types = new ItemTypes(protocol).onSnapshot(snapshot!);
    const type = known.type ?? types!.numberOf(known.name);
    if (type === undefined) return;
    const { count, keys } = snapshot!;
    const chosen = this.#chosen;
    chosen.begin(snapshot!);
    for (let i = 0; i < count; i++) {
      const key = keys[i]!;
      if (typeOf(key) === type && (!this.#player || this.#player.item(types!, type, idOf(key)))) chosen.add(i);
    }
    while (this.#count + chosen.count > this.#room) this.#grow();
    const row = this.#count;
    const of = { tick, seconds: this.#clock.seconds, time, stream: stream.number };
    this.#count += chosen.count;
    for (const { values, place, at, field, lacking } of this.#columns) {
      if (Array.isArray(values)) {
        for (let k = 0; k < chosen.count; k++)
          values[row + k] = fieldValues([field!], chosen.data, chosen.start(k), chosen.end(k))[field!.name] ?? '';
      } else if (place === 'id') chosen.copyIds(values, row);
      else if (place === undefined) chosen.copyInts(at, values, row, lacking);
      else values.fill(of[place], row, row + chosen.count);
    }
  }

  #grow(): void {
    this.#room *= 2;
    for (const column of this.#columns) {
      const { values } = column;
      if (Array.isArray(values)) continue;
      const larger = values instanceof Float64Array ? new Float64Array(this.#room) : new Int32Array(this.#room);
      larger.set(values);
      column.values = larger;
    }
  }

  #useProtocol(protocol: Protocol): void {
    this.#protocol = protocol;
    const known = protocol.byName(this.#item);
    this.#known = known;
    if (!known) {
      if (versions.some((version) => protocolOf(version).byName(this.#item))) return;
      throw new TypeError(`no protocol has an item ${JSON.stringify(this.#item)}`);
    }
    for (const column of this.#columns) {
      if (column.place) continue;
      const name = column.name.replace(/^fields\./, '');
      const field = known.fields.find((field) => field.name === name);
      if (!field) {
        const names = known.fields.map((field) => field.name).join(', ');
        throw new TypeError(
          `${known.name} of ${protocol.version} has no field ${JSON.stringify(name)}; it has ${names}`,
        );
      }
      column.field = field;
      column.at = field.isNumber ? field.at : -1;
      column.lacking = field.defaultValue ?? 0;
      if (!field.isNumber && !Array.isArray(column.values)) column.values = [];
    }
  }
}
