import { valuesOf } from '../../wire/annotate/field-values.ts';
import { type Role, roleOf } from '../../wire/annotate/span.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import type { Field, ItemType } from '../../wire/protocol/item.ts';
import type { Meaning, Names } from '../../wire/protocol/meaning.ts';
import {
  isInt,
  type MessageField,
  type MessageFieldType,
  type MessageType,
  type Repetition,
} from '../../wire/protocol/message-type.ts';
import { ticksPerSecond } from '../../wire/protocol/ticks.ts';
import { alike, type Found, type OfVersion } from '../json/schema-json.ts';
import { type Column, tableLines, widest } from '../text/columns.ts';
import { tableOf } from '../text/drawn-table.ts';
import { shortened, wrap } from '../text/layout.ts';
import { count } from '../text/number.ts';
import { commas } from '../text/rows.ts';
import { printSections, type Section } from '../text/sections.ts';
import type { Style, ViewStyle } from '../text/theme.ts';

/** A JSON Schema with a definition for each item and message: its fields, as JSON and NDJSON have them. */
export const fieldsJsonSchema = (version: string, types: readonly ItemOrMessage[]) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: `tw-snap/${version}`,
  $defs: Object.fromEntries(
    types.map((type) => [
      type.name,
      isItem(type)
        ? fieldsSchema(
            type.fields.map(({ name, meaning, defaultValue }) => [name, meaning, defaultValue === undefined] as const),
            type.fields,
          )
        : fieldsSchema(messageEntries(type.fields)),
    ]),
  ),
});

type FieldEntry = readonly [name: string, type: MessageFieldType, isRequired: boolean];

const messageEntries = (fields: readonly MessageField[]) =>
  fields.map(({ name, type, optional }): FieldEntry => [name, type, !optional]);

const fieldsSchema = (entries: readonly FieldEntry[], fields?: readonly Field[]): object => ({
  type: 'object',
  properties: Object.fromEntries(entries.map(([name, type]) => [name, valueSchema(type, fields)])),
  required: entries.filter(([, , isRequired]) => isRequired).map(([name]) => name),
  additionalProperties: false,
});

/** Bounds and names are in the description alone: the games send values outside of them, too. */
function valueSchema(type: MessageFieldType, fields?: readonly Field[]): object {
  if (type.kind === 'list' || type.kind === 'repeat') return { type: 'array', items: valueSchema(type.of, fields) };
  if (type.kind === 'record') return fieldsSchema(messageEntries(type.fields));
  const { kind, about, names } = typeText(type, fields);
  const description = [[kind, ...about].join(', '), names.join(', ')].filter(Boolean).join(': ');
  return { type: isInt(type) ? 'integer' : 'string', description };
}

type ItemOrMessage = ItemType | MessageType;

const isItem = (type: ItemOrMessage): type is ItemType => 'size' in type;
const numberOf = (type: ItemOrMessage) => (isItem(type) ? type.type : type.id);

/** A type by name, with its definition in each version; undefined in versions without it. */
interface Row {
  readonly name: string;
  readonly types: (ItemOrMessage | undefined)[];
  /** The definition in the newest version that has one. */
  readonly newest: ItemOrMessage;
}

/**
 * The types of all versions, in the order of the newest one. A type of an older version follows its predecessor there.
 */
function rowsOf(versions: readonly OfVersion<ItemOrMessage>[]): Row[] {
  const rows: Row[] = [];
  for (const [column, { types }] of [...versions.entries()].reverse()) {
    let next = 0;
    for (const type of types) {
      let at = rows.findIndex(({ name, types }) => name === type.name && types[column] === undefined);
      if (at < 0) rows.splice(next, 0, { name: type.name, types: versions.map(() => undefined), newest: type });
      if (at < 0) at = next;
      rows[at]!.types[column] = type;
      next = at + 1;
    }
  }
  return rows;
}

/** If there is less room, the names of the fields are left out. */
const minFieldRoom = 16;

/**
 * All items or messages as a table, with the names of their fields cut to one line; with `verbose` all names below each
 * row.
 */
export function renderSchema(versions: readonly OfVersion<ItemOrMessage>[], style: ViewStyle): string {
  const { theme, width, verbose, isMarkdown = false } = style;
  const rows = rowsOf(versions);
  const ofItems = isItem(rows[0]!.newest);
  const number = (head: string, i: number): Column<Row> => ({
    head,
    cell: ({ types }) => (types[i] ? String(numberOf(types[i]) ?? 'UUID') : ''),
  });
  const columns: readonly Column<Row>[] = [
    { head: ofItems ? 'item' : 'message', align: 'left', cell: ({ name }) => name },
    ...(versions.length > 1 ? versions.map(({ version }) => version) : ['number']).map(number),
    ofItems ? { head: 'ints ', cell: sizes } : { head: 'kind', align: 'left', cell: ({ newest }) => kindOf(newest) },
  ];
  const room = isMarkdown && verbose ? Infinity : width - widest(tableLines(columns, rows, theme)) - 3;
  const fields: Column<Row> = {
    head: 'fields',
    align: 'left',
    cell: ({ newest }) => theme.dim(shortened(newest.fields.map(({ name }) => name).join(', '), room)),
  };
  const hasRoom = (!verbose || isMarkdown) && room >= minFieldRoom;
  const names = ({ newest: { uuid, uuidName = uuid, fields } }: Row) => {
    const all = commas([...(uuidName === undefined ? [] : [uuidName]), ...fields.map(({ name }) => name)]);
    return wrap(all, width - 6).map((line) => theme.dim(`      ${line}`));
  };
  const title = [
    versions.map(({ version }) => version).join(', '),
    theme.dim(count(rows.length, ofItems ? 'item' : 'message')),
  ] as const;
  const table = tableOf(hasRoom ? [...columns, fields] : columns, rows, verbose ? { below: names } : {});
  const lines = rows.some(isSized) ? [theme.dim('  * a delta carries the size')] : [];
  return printSections([{ title }, { table }, { lines }], style);
}

const kindOf = (type: ItemOrMessage) => (isItem(type) ? 'type' : type.system ? 'system' : 'game');

const isSized = ({ types }: Row) => types.some((type) => type && isItem(type) && type.sized);

/** `10`, or `4, 3` if versions differ; a star means that deltas contain the size. */
function sizes(row: Row): string {
  const each = row.types.flatMap((type) => (type && isItem(type) ? [type.size] : []));
  return `${new Set(each).size === 1 ? each[0] : each.join(', ')}${isSized(row) ? '*' : ' '}`;
}

/** The fields of types that are shown: those that were asked for. */
export type ShownFields = ReadonlyMap<ItemOrMessage, readonly string[]>;

/**
 * Renders items or messages with all their fields, or those of `shown`; what is the same in several versions is shown
 * once.
 */
export function renderTypes(
  versions: readonly OfVersion<ItemOrMessage>[],
  style: ViewStyle,
  shown?: ShownFields,
): string {
  // Their numbers may differ, and fields that are not shown.
  const groups = alike(versions, (type) => ({
    ...type,
    type: undefined,
    id: undefined,
    fields: (type.fields as readonly { readonly name: string }[]).filter(({ name }) => isShown(shown, type, name)),
  }));
  return groups.map((found) => printSections(typeSections(found, style, shown), style)).join('\n\n');
}

const isShown = (shown: ShownFields | undefined, type: ItemOrMessage, field: string) =>
  shown === undefined || shown.get(type)!.includes(field);

function typeSections(found: readonly Found<ItemOrMessage>[], style: ViewStyle, shown?: ShownFields): Section[] {
  const { theme, verbose, isMarkdown = false } = style;
  const width = isMarkdown ? Infinity : style.width;
  const [{ type }] = found as [Found<ItemOrMessage>];
  const { name, uuid, uuidName } = type;
  const partly = shown ? `${shown.get(type)!.length} of ` : '';
  const fieldCount = partly + count(type.fields.length, 'field');
  const about = isItem(type)
    ? [
        count(type.size, 'int'),
        ...(shown ? [fieldCount] : []),
        ...(type.sized ? ['a delta carries the size'] : []),
        ...(type.event ? ['an event'] : []),
      ]
    : [fieldCount];
  const uuids = uuid === undefined ? [] : [theme.dim([uuidName, uuid].filter(Boolean).join('   '))];
  const kind = isItem(type) ? 'type' : `${kindOf(type)} message`;
  const head = { title: [name, `${kind} ${placesOf(found)}`, theme.dim(about.join(', '))], lines: uuids } as const;
  const isAsked = (name: string) => isShown(shown, type, name);
  const fields = isItem(type)
    ? itemFields(type, verbose, isAsked)
    : messageFields(type.fields.filter(({ name }) => isAsked(name)));
  if (fields.length === 0) return [head];
  const left = [atColumn, labelColumn, absentColumn].filter(({ cell }) => fields.some((field) => cell(field) !== ''));
  const kindColumn: Column<FieldRow> = {
    head: 'meaning',
    align: 'left',
    cell: ({ text, style }) => theme.role[style](text.kind),
  };
  const known = [...left, kindColumn];
  const room = width - widest(tableLines(known, fields, theme)) - 3;
  if (room < minWords) {
    const below = ({ text, style }: FieldRow) =>
      linesOf(text, theme.role[style], width - 6).map((line) => `      ${line}`);
    return [head, { table: tableOf(known, fields, { isOfWords: true, below }) }];
  }
  const words: Column<FieldRow> = {
    head: '',
    align: 'left',
    cell: ({ text, style }) => linesOf(text, theme.role[style], room).join('\n'),
  };
  return [head, { table: tableOf([...known, words], fields, { isOfWords: true }) }];
}

/** `2 in 0.5, 0.6, 0.7`, `12 in 0.5, 14 in 0.6`, or `by UUID in 0.6, 0.7`. */
function placesOf(found: readonly Found<ItemOrMessage>[]): string {
  const groups = new Map<number | undefined, string[]>();
  for (const { type, version } of found) getOr(groups, numberOf(type), () => []).push(version);
  return [...groups].map(([number, versions]) => `${number ?? 'by UUID'} in ${versions.join(', ')}`).join(', ');
}

/** A field of an item or message, or an element of a list. */
interface FieldRow {
  readonly label: string;
  /** Its first int in an item. */
  readonly at?: number;
  readonly absent?: number | undefined;
  readonly text: TypeText;
  readonly style: Role;
}

const atColumn: Column<FieldRow> = { head: 'int', cell: ({ at }) => String(at ?? '') };
const labelColumn: Column<FieldRow> = { head: 'field', align: 'left', cell: ({ label }) => label };
const absentColumn: Column<FieldRow> = { head: 'if absent', cell: ({ absent }) => String(absent ?? '') };

/** If less is left beside the other columns, meanings are below the fields. */
const minWords = 24;

const wholeField = ({ name, ...field }: Field) => ({ label: name, ...field });

/** The fields of an item that are asked for; if `verbose`, the elements of lists. */
const itemFields = (item: ItemType, verbose: boolean, isAsked: (field: string) => boolean): FieldRow[] =>
  (verbose ? valuesOf(item) : item.fields.map(wholeField)).flatMap(({ label, meaning, at }) => {
    const { name, defaultValue: absent } = item.fields.findLast((field) => field.at <= at)!;
    return isAsked(name) ? [{ label, at, absent, style: roleOf(meaning), text: typeText(meaning, item.fields) }] : [];
  });

/** The fields of a message, each followed by the fields of its records. */
const messageFields = (fields: readonly MessageField[], indent = ''): FieldRow[] =>
  fields.flatMap(({ name, type, optional }) => {
    const text = typeText(type);
    const about = optional ? ['optional', ...text.about] : text.about;
    const row = { label: indent + name, style: roleOf(type), text: { ...text, about } };
    return [row, ...messageFields(text.fields, `${indent}  `)];
  });

interface TypeText {
  readonly kind: string;
  readonly about: readonly string[];
  readonly names: readonly string[];
  readonly fields: readonly MessageField[];
}

/** More names of values than this have a line each. */
const maxNames = 12;

/** `×100, 32 units a tile`, `by type; -1 nobody, 0 idle`: lines do not break inside a value and its name. */
function linesOf({ about, names }: TypeText, style: Style, width: number): string[] {
  if (names.length > maxNames) return [...about, ...names.map(style)];
  const words = commas(about).join(' ').split(' ').filter(Boolean);
  if (words.length > 0 && names.length > 0) words.push(`${words.pop()};`);
  return wrap([...words, ...commas(names).map((text) => ({ text, style }))], width);
}

const textOf = (
  kind: string,
  about: readonly string[] = [],
  names: readonly string[] = [],
  fields: readonly MessageField[] = [],
): TypeText => ({ kind, about, names, fields });

/** @param fields the fields of the item, since one field may select the meaning of another */
function typeText(type: MessageFieldType, fields: readonly Field[] = []): TypeText {
  const { kind } = type;
  switch (kind) {
    case 'boolean':
      return textOf(kind);
    case 'int':
      return textOf(kind, range(type), named(type.names));
    case 'tick': {
      const negative = type.negative ? [`below zero: minus ${type.negative}`] : [];
      return textOf(kind, [...negative, ...range(type), `${ticksPerSecond} a second`]);
    }
    case 'amount':
      return textOf(kind, [type.unit, ...range(type)]);
    case 'client':
      return textOf(kind, [], named(type.names ?? { [-1]: 'nobody' }));
    case 'position':
      return textOf(kind, [...(type.scale === 1 ? [] : [`×${type.scale}`]), '32 units a tile']);
    case 'fixed':
      return textOf(kind, [`×${type.scale} ${type.unit}`.trim(), ...range(type)]);
    case 'enum':
      return textOf(kind, [], named(type.names));
    case 'enum_by':
      return textOf('enum', [`by ${type.field}`], selectedNames(type, fields));
    case 'flags':
      return textOf(kind, [], [...bits(type.names), ...oldBits(type)]);
    case 'text':
      return textOf(kind, [`at most ${count(4 * type.ints - 1, 'byte')}`, count(type.ints, 'int')]);
    case 'uuid':
      return textOf(kind, ['4 ints', 'big-endian']);
    case 'string':
      return textOf('text', ['up to a NUL', ...(type.sanitised ? [sanitisedTexts[type.sanitised]] : [])]);
    case 'data':
      return textOf('bytes', ['as many as the field before says']);
    case 'rest':
      return textOf('bytes', ['to the end']);
    case 'sha256':
      return textOf(kind, ['32 bytes']);
    case 'raw_uuid':
      return textOf('uuid', ['16 bytes']);
    case 'record':
      return textOf(kind, [], [], type.fields);
    case 'list':
    case 'repeat': {
      const times = type.kind === 'list' ? type.count : type.times;
      const each = typeText(type.of, fields);
      const names = type.labels?.map((name, i) => `[${i}] ${name}`) ?? each.names;
      if (typeof times === 'number') return { ...each, kind: `${times} × ${each.kind}`, names };
      return { ...each, kind: `${each.kind} …`, about: [timesText(times), ...each.about], names };
    }
  }
}

function timesText(times: Exclude<Repetition, number>): string {
  if (times === 'to_end') return 'to the end';
  return typeof times === 'string' ? 'as many as the field before says' : 'by the field before';
}

function range({ min, max }: { readonly min?: number; readonly max?: number }): string[] {
  if (min === undefined) return max === undefined ? [] : [`at most ${max}`];
  return [max === undefined ? `at least ${min}` : `${min} to ${max}`];
}

const valuesIn = (names: Names) => Object.keys(names).map(Number);

/** `-1 nobody` */
const named = (names: Names = {}): string[] =>
  valuesIn(names)
    .sort((a, b) => a - b)
    .map((value) => `${value} ${names[value]}`);

/** `dragger 0 weak`: each value follows the name of the value that selects it. */
function selectedNames({ field, names }: Meaning & { kind: 'enum_by' }, fields: readonly Field[]): string[] {
  const selector = fields.find(({ name }) => name === field)?.meaning;
  const selectors = selector?.kind === 'enum' ? selector.names : {};
  return Object.entries(names).flatMap(([key, values]) =>
    named(values).map((text) => `${selectors[Number(key)] ?? key} ${text}`),
  );
}

const sanitisedTexts = {
  controls: 'control characters are replaced',
  controls_and_spaces: 'control characters are replaced, leading spaces removed',
};

/** `0x800 supports_128_teams, with fewer than 6 ints` */
const oldBits = ({ renamed }: Meaning & { kind: 'flags' }) =>
  renamed ? bits(renamed.names).map((text) => `${text}, with fewer than ${renamed.ints} ints`) : [];

/** Many bits are easier to read in hexadecimal. */
function bits(names: Names): string[] {
  const isHex = valuesIn(names).some((value) => value > 0xff);
  return valuesIn(names).map((value) => `${isHex ? `0x${value.toString(16)}` : value} ${names[value]}`);
}
