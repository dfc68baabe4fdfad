import { ghostProtocol } from '../../recording/container/ghost/ghost.ts';
import { type Value, valuesOf } from '../../wire/annotate/field-values.ts';
import { noInts } from '../../wire/bytes/buffers.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import type { ItemType } from '../../wire/protocol/item.ts';
import type { Meaning, Names } from '../../wire/protocol/meaning.ts';
import { protocolOf, type Schema, versions } from '../../wire/protocol/registry.ts';
import { textOfInts, uuidOfInts } from '../../wire/protocol/texts.ts';
import type { ChosenItems } from '../../wire/snapshot/chosen-items.ts';
import {
  type Batch,
  type CellValue,
  type Column,
  type ColumnValues,
  column,
  distinctNames,
  type IntSource,
  optional,
  type TableSchema,
} from './batch.ts';
import { originColumns } from './tables.ts';

/** The columns of an item before its fields. They are prefixed, since a field may have the name `tick`. */
export const itemColumns: readonly Column[] = [
  ...originColumns,
  column('snap_tick', 'int', 'tick of the snapshot, 50 a second'),
  column('item_id', 'int', 'id of the item: for players the client number'),
];

interface Source {
  readonly column: number;
  readonly value: Value;
}

interface Layout {
  /** Columns of ints, each with the place of its value in the item. */
  readonly ints: readonly IntSource[];
  /** The number of ints that contain all of them. */
  readonly wholeInts: number;
  readonly texts: readonly Source[];
  /** The number of ints that contain all texts. */
  readonly textInts: number;
  readonly missing: readonly number[];
  /** The number of ints that contain all columns that are not nullable. */
  readonly neededInts: number;
}

/**
 * The table of one item type: a row for each item of a snapshot, a column for each raw value. The columns are those of
 * all protocol versions, matched by name.
 */
export class ItemTable {
  readonly schema: TableSchema;
  readonly #labels: readonly string[];
  /** By item type, which differs between versions. */
  readonly #layouts = new WeakMap<ItemType, Layout>();
  #type: ItemType | undefined;
  /** That of the type before, which most items have. */
  #layout!: Layout;
  /** The ints of the items that were added last, their type, and the row after them. */
  #kept = noInts;
  #keptType: ItemType | undefined;
  #keptEnd = -1;

  constructor(item: string, schema: Schema | undefined, name = item) {
    const types: ItemType[] = versions.flatMap((version) => protocolOf(version, schema).byName(item) ?? []);
    const ofGhosts = ghostProtocol.schema.items.find(({ name }) => name === item);
    if (ofGhosts) types.push(ofGhosts);
    const columns = new Map<string, { readonly value: Value; count: number }>();
    for (const type of types) {
      for (const value of valuesOf(type)) {
        const known = columns.get(value.label);
        if (known) known.count += isAlwaysSent(type, value) ? 1 : 0;
        else columns.set(value.label, { value, count: isAlwaysSent(type, value) ? 1 : 0 });
      }
    }
    const distinct = distinctNames(itemColumns.map((column) => column.name));
    const fields = [...columns].map(([label, { value, count }]) =>
      (count === types.length && kindOf(value) === 'int' ? column : optional)(
        distinct(columnName(label)),
        kindOf(value),
        meaningText(value.meaning),
      ),
    );
    this.#labels = [...columns.keys()];
    this.schema = { name, about: `each ${item} of a snapshot`, columns: [...itemColumns, ...fields] };
  }

  /** The number of ints with which an item has all required values. */
  neededInts(type: ItemType): number {
    return this.#layoutOf(type).neededInts;
  }

  /** Adds a row for each of some accepted items of a type. `origin` ends with the tick of their snapshot. */
  add(batch: Batch, type: ItemType, origin: readonly CellValue[], items: ChosenItems): void {
    const { count } = items;
    const row = batch.addRows(count);
    const { columns } = batch;
    for (let i = 0; i < origin.length; i++) columns[i]!.fill(row, count, origin[i]);
    items.copyIds(columns[origin.length]!.numbers, row);
    const { ints, wholeInts, texts, textInts, missing } = this.#layoutOf(type);
    for (const i of missing) columns[i]!.fill(row, count, undefined);
    if (items.minInts >= wholeInts) batch.setInts(row, items, wholeInts, ints);
    else for (const source of ints) setInts(columns[source.column]!, row, source.at, items);
    if (texts.length === 0) return;
    const isRepeated = this.#repeats(type, row, items, textInts);
    for (const { column, value } of texts) {
      if (isRepeated) columns[column]!.repeat(row, count);
      else setTexts(columns[column]!, row, value, items);
    }
  }

  /**
   * Whether the items are those of the rows before: players keep their names, which need not be decoded for each
   * snapshot.
   */
  #repeats(type: ItemType, row: number, items: ChosenItems, ints: number): boolean {
    const length = items.count * ints;
    const isNext = row === this.#keptEnd && type === this.#keptType && length === this.#kept.length;
    // Shorter ones are not kept.
    const isWhole = items.minInts >= ints;
    this.#keptEnd = isWhole ? row + items.count : -1;
    if (!isWhole) return false;
    if (isNext && items.have(ints, this.#kept)) return true;
    if (!isNext) this.#kept = new Int32Array(length);
    items.copyAll(ints, this.#kept, 0);
    this.#keptType = type;
    return false;
  }

  #layoutOf(type: ItemType): Layout {
    if (type !== this.#type) {
      this.#type = type;
      this.#layout = getOr(this.#layouts, type, this.#makeLayout);
    }
    return this.#layout;
  }

  readonly #makeLayout = (type: ItemType): Layout => {
    const { columns } = this.schema;
    const sources = valuesOf(type).map((value) => ({
      column: itemColumns.length + this.#labels.indexOf(value.label),
      value,
    }));
    const missing = columns.flatMap((_, i) =>
      i < itemColumns.length || sources.some(({ column }) => column === i) ? [] : [i],
    );
    const isInt = ({ column }: Source) => columns[column]!.kind === 'int';
    const endOf = (all: readonly Source[]) => Math.max(0, ...all.map(({ value }) => value.at + value.ints));
    return {
      ints: sources.filter(isInt).map(({ column, value }) => ({ column, at: value.at })),
      wholeInts: endOf(sources.filter(isInt)),
      texts: sources.filter((source) => !isInt(source)),
      textInts: endOf(sources.filter((source) => !isInt(source))),
      missing,
      neededInts: endOf(sources.filter(({ column }) => !columns[column]!.isNullable)),
    };
  };
}

/** Sets a column of ints, some of whose items may be too short to have them. */
function setInts(values: ColumnValues, row: number, at: number, items: ChosenItems): void {
  for (let k = 0; k < items.count; k++) {
    const from = items.start(k) + at;
    if (from >= items.end(k)) values.setNull(row + k);
    else values.numbers[row + k] = items.data[from]!;
  }
}

function setTexts(values: ColumnValues, row: number, { at, ints, meaning }: Value, items: ChosenItems): void {
  const { data } = items;
  for (let k = 0; k < items.count; k++) {
    const from = items.start(k) + at;
    if (from + ints > items.end(k)) values.setNull(row + k);
    else values.set(row + k, meaning.kind === 'uuid' ? uuidOfInts(data, from) : textOfInts(data, from, ints));
  }
}

const kindOf = ({ meaning }: Value) => (meaning.kind === 'text' || meaning.kind === 'uuid' ? 'text' : 'int');

/** Items that carry their size have grown over time: an older sender omits the last fields. */
const isAlwaysSent = (type: ItemType, { at }: Value) =>
  type.fields.every((field) => field.at > at || field.defaultValue === undefined);

/** `skin_part_names[body]` becomes `skin_part_names_body`, a name that needs no quotes in queries. */
const columnName = (label: string) => label.replaceAll(/[[\].]+/g, '_').replace(/_$/, '');

function meaningText(meaning: Meaning): string | undefined {
  const { kind } = meaning;
  if (kind === 'boolean') return '0 or 1';
  if (kind === 'tick') return meaning.isDuration ? 'ticks, 50 a second' : 'tick, 50 a second';
  if (kind === 'amount') return meaning.unit;
  if (kind === 'client') return 'client number, -1 for none';
  if (kind === 'position')
    return `position${meaning.scale === 1 ? '' : ` times ${meaning.scale}`}, 32 units are a tile`;
  if (kind === 'fixed') return `times ${meaning.scale}${meaning.unit === '' ? '' : `, ${meaning.unit}`}`;
  if (kind === 'enum_by') return `depends on ${meaning.field}`;
  if (kind === 'flags') return `flags: ${named(meaning.names)}`;
  return (kind === 'int' || kind === 'enum') && meaning.names ? `values: ${named(meaning.names)}` : undefined;
}

const named = (names: Names) =>
  Object.entries(names)
    .map(([value, name]) => `${value} ${name}`)
    .join(', ');
