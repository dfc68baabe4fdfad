import { roleOf } from '../../annotate/span.ts';
import { type Value, valuesOf } from '../../annotate/values.ts';
import { getOr } from '../../bytes/get-or.ts';
import type { Field, ItemType } from '../../protocol/item.ts';
import type { Meaning, Names } from '../../protocol/meaning.ts';
import type { MessageField, MessageFieldType, MessageType, Repetition } from '../../protocol/message.ts';
import { ticksPerSecond } from '../../protocol/ticks.ts';
import { type Align, columns, layOutColumns } from '../text/columns.ts';
import { type Segment, wrap } from '../text/layout.ts';
import { count } from '../text/number.ts';
import { asIs, type Style, type Theme, type ViewStyle } from '../text/theme.ts';
import { alike, type Found, type OfVersion, widthOfColumns } from './schema.ts';

/** Renders items with all their fields; an item that is the same in several versions is shown once. */
export function renderSchemaItems(versions: readonly OfVersion<ItemType>[], style: ViewStyle): string {
  // Their type numbers may differ.
  const groups = alike(versions, ({ type: _, ...rest }) => rest);
  return `${groups.map((found) => renderItem(found, style).join('\n')).join('\n\n\n')}\n`;
}

/** Renders messages with all their fields; a message that is the same in several versions is shown once. */
export function renderMessages(versions: readonly OfVersion<MessageType>[], style: ViewStyle): string {
  const groups = alike(versions, ({ id: _, ...rest }) => rest);
  return `${groups.map((found) => renderMessage(found, style).join('\n')).join('\n\n\n')}\n`;
}

function renderItem(found: readonly Found<ItemType>[], style: ViewStyle): string[] {
  const { type: item } = found[0]!;
  const { theme, width, verbose } = style;
  const { size, sized, event } = item;
  const about = [count(size, 'int'), ...(sized ? ['a delta carries the size'] : []), ...(event ? ['an event'] : [])];
  const lines = heading(item, typesOf(found), about.join(', '), theme);
  const fields = (verbose ? valuesOf(item) : item.fields.map(wholeField)).map((value) => fieldOf(value, item, theme));
  if (fields.length === 0) return lines;
  const { table, below } = fieldTable(fields, style);
  lines.push('', ...table);
  for (const { label, names, style: nameStyle } of below)
    lines.push('', `  ${theme.strong(label)}`, ...layOutColumns(names, width, nameStyle));
  return lines;
}

function renderMessage(found: readonly Found<MessageType>[], { theme, width }: ViewStyle): string[] {
  const { type: message } = found[0]!;
  const { system, id, fields } = message;
  const kind = `${system ? 'system' : 'game'} message ${id === undefined ? 'by UUID in ' : ''}${idsOf(found)}`;
  const lines = heading(message, kind, count(fields.length, 'field'), theme);
  if (fields.length === 0) return lines;
  const head = ['field', 'type', ''].map((cell) => theme.dim(cell));
  const rows = fields.flatMap((field) => messageRows(field, '', width));
  return [...lines, '', ...columns([head, ...rows], ['left', 'left', 'left'])];
}

/** `obj_character   type 10 in 0.7   22 ints`, and the UUID, if it has one. */
function heading({ name, uuid, uuidName }: ItemType | MessageType, kind: string, about: string, theme: Theme) {
  const uuids = uuid === undefined ? [] : [theme.dim([uuidName, uuid].filter(Boolean).join('   '))];
  return [`${theme.strong(name)}   ${kind}   ${theme.dim(about)}`, ...uuids];
}

/** `type 2 in 0.5, 0.6, 0.7`, or `type 12 in 0.5, 14 in 0.6, 17 in 0.7`. */
function typesOf(found: readonly Found<ItemType>[]): string {
  const [type, ...others] = new Set(found.map(({ type }) => type.type));
  if (others.length > 0) return `type ${found.map(({ type, version }) => `${type.type} in ${version}`).join(', ')}`;
  return `${type === undefined ? '' : `type ${type} `}in ${found.map(({ version }) => version).join(', ')}`;
}

/** `3 in 0.6, 0.7`, or only the versions. */
function idsOf(found: readonly Found<MessageType>[]): string {
  const groups = new Map<number | undefined, string[]>();
  for (const { type, version } of found) getOr(groups, type.id, () => []).push(version);
  return [...groups].map(([id, versions]) => `${id === undefined ? '' : `${id} in `}${versions.join(', ')}`).join(', ');
}

/** The description of a field of an item. */
interface FieldText extends TypeText {
  /** Its first int. */
  readonly at: number;
  readonly label: string;
  readonly defaultValue: number | undefined;
  readonly style: Style;
}

const wholeField = ({ name, ...field }: Field): Value => ({ label: name, known: true, ...field });

function fieldOf({ label, meaning, at }: Value, item: ItemType, theme: Theme): FieldText {
  const defaultValue = item.fields.findLast((field) => field.at <= at)?.defaultValue;
  return { label, at, defaultValue, style: theme.role[roleOf(meaning)], ...typeText(meaning, item.fields) };
}

/** The maximum number of lines for names of values beside a field. Longer lists of names are printed below the field. */
const maxLines = 3;
const leastRoom = 24;

/**
 * Returns a row for each field: its first int, name, default and meaning. The names of values in
 * `below` must be printed below the table.
 */
function fieldTable(fields: readonly FieldText[], { theme, width, limit }: ViewStyle) {
  const grows = fields.some(({ defaultValue }) => defaultValue !== undefined);
  const head = ['int', 'field', ...(grows ? ['if absent'] : []), 'meaning'];
  const left = fields.map(({ at, label, defaultValue, kind }) => {
    return [String(at), label, ...(grows ? [`${defaultValue ?? ''}`] : []), kind];
  });
  const room = Math.max(leastRoom, width - widthOfColumns(head, left));
  const below: FieldText[] = [];
  const rows = fields.map((field, i) => {
    const first = [...left[i]!.slice(0, -1), field.style(field.kind)];
    const lines = wrap([...aboutOf(field, theme), ...namesOf(field)], room);
    if (lines.length <= maxLines) return [...first, lines.join('\n')];
    below.push(field);
    const fold = words(`${field.names.length} names, below`, theme.dim);
    return [...first, wrap([...aboutOf(field, theme), ...fold], room).join('\n')];
  });
  const align: Align[] = ['right', 'left', ...(grows ? ['right' as const] : []), 'left', 'left'];
  return { table: columns([[...head.map((cell) => theme.dim(cell)), ''], ...rows], align, { limit }), below };
}

/** `×100, 32 units a tile`; ends with a semicolon if names follow. */
function aboutOf({ about, hint, names }: FieldText, theme: Theme): Segment[] {
  const last = names.length > 0 ? ';' : '';
  return [...words(about && about + (hint ? ',' : last), asIs), ...words(hint && hint + last, theme.dim)];
}

function words(text: string, style: Style): Segment[] {
  return text === '' ? [] : text.split(' ').map((word) => ({ text: word, style }));
}

/** `-1 nobody`, `0 idle, 1 open`: the names are coloured, and lines do not break inside a pair. */
function namesOf({ names, style }: FieldText): Segment[] {
  return names.map(({ value, name }, i) => {
    const comma = i < names.length - 1 ? ',' : '';
    return { text: `${value} ${name}${comma}`, style: () => `${value} ${style(name)}${comma}` };
  });
}

/** Returns a row for a field of a message, and a row for each field of its records. */
function messageRows({ name, type, optional }: MessageField, indent: string, width: number): string[][] {
  const text = typeText(type);
  const about = [optional ? 'optional' : '', wholeText(text)].filter(Boolean).join('; ');
  const wrapped = wrap(about.split(' '), Math.max(leastRoom, width - 40)).join('\n');
  const inner = text.fields.flatMap((field) => messageRows(field, `${indent}  `, width));
  return [[indent + name, text.kind, wrapped], ...inner];
}

/**
 * The text of a type: its kind (`kind`), its own properties (`about`), a note on all types of this kind (`hint`), the names
 * of its values, and the fields of a record.
 */
interface TypeText {
  readonly kind: string;
  readonly about: string;
  readonly hint: string;
  readonly names: readonly { readonly value: string; readonly name: string }[];
  readonly fields: readonly MessageField[];
}

const wholeText = ({ about, hint, names }: TypeText): string =>
  [about, hint, names.map(({ value, name }) => `${value} ${name}`).join(', ')].filter(Boolean).join('; ');

/** @param fields the fields of the item, since one field may select the meaning of another */
function typeText(type: MessageFieldType, fields: readonly Field[] = []): TypeText {
  const { kind } = type;
  const none: TypeText = { kind, about: '', hint: '', names: [], fields: [] };
  switch (kind) {
    case 'boolean':
      return none;
    case 'int':
      return { ...none, about: range(type), names: named(type.names) };
    case 'tick': {
      const about = type.negative ? `below zero: minus ${type.negative}` : '';
      return { ...none, about, hint: `${ticksPerSecond} a second` };
    }
    case 'amount':
      return { ...none, about: [type.unit, range(type)].filter(Boolean).join(', ') };
    case 'client':
      return { ...none, names: named(type.names ?? { [-1]: 'nobody' }) };
    case 'position':
      return { ...none, about: type.scale === 1 ? '' : `×${type.scale}`, hint: '32 units a tile' };
    case 'fixed':
      return { ...none, about: `×${type.scale} ${type.unit}`.trim() };
    case 'enum':
      return { ...none, names: named(type.names) };
    case 'enum_by':
      return { ...none, kind: 'enum', about: `by ${type.field}`, names: selectedNames(type, fields) };
    case 'flags':
      return { ...none, names: bits(type.names) };
    case 'text':
      return { ...none, about: `at most ${count(4 * type.ints - 1, 'byte')}`, hint: count(type.ints, 'int') };
    case 'uuid':
      return { ...none, hint: '4 ints, big-endian' };
    case 'list': {
      const each = typeText(type.of);
      const names = type.labels?.map((name, i) => ({ value: `[${i}]`, name })) ?? each.names;
      return { ...each, kind: `${type.count} × ${each.kind}`, names };
    }
    case 'string':
      return { ...none, kind: 'text', about: 'up to a NUL' };
    case 'data':
      return { ...none, kind: 'bytes', about: 'as many as the field before says' };
    case 'rest':
      return { ...none, kind: 'bytes', about: 'to the end' };
    case 'sha256':
      return { ...none, about: '32 bytes' };
    case 'raw_uuid':
      return { ...none, kind: 'uuid', about: '16 bytes' };
    case 'record':
      return { ...none, fields: type.fields };
    case 'repeat': {
      const each = typeText(type.of);
      const about = [timesText(type.times), wholeText(each), type.labels?.join(', ')].filter(Boolean).join('; ');
      const kind = typeof type.times === 'number' ? `${type.times} × ${each.kind}` : `${each.kind} …`;
      return { ...none, kind, about, fields: each.fields };
    }
  }
}

function timesText(times: Repetition): string {
  if (typeof times === 'number') return '';
  if (times === 'to_end') return 'to the end';
  return typeof times === 'string' ? 'as many as the field before says' : 'by the field before';
}

function range({ min, max }: { readonly min?: number; readonly max?: number }): string {
  if (min === undefined) return max === undefined ? '' : `at most ${max}`;
  return max === undefined ? `at least ${min}` : `${min} to ${max}`;
}

function named(names: Names = {}): TypeText['names'] {
  const values = Object.keys(names).map(Number);
  return values.sort((a, b) => a - b).map((value) => ({ value: String(value), name: names[value]! }));
}

/** `dragger 0 weak`: each value follows the name of the value that selects it. */
function selectedNames({ field, names }: Meaning & { kind: 'enum_by' }, fields: readonly Field[]): TypeText['names'] {
  const selector = fields.find(({ name }) => name === field)?.meaning;
  const selectors = selector?.kind === 'enum' ? selector.names : {};
  return Object.entries(names).flatMap(([key, values]) =>
    named(values).map(({ value, name }) => ({ value: `${selectors[Number(key)] ?? key} ${value}`, name })),
  );
}

/** Many bits are easier to read in hexadecimal. */
function bits(names: Names): TypeText['names'] {
  const values = Object.keys(names).map(Number);
  const hex = values.some((value) => value > 0xff);
  return values.map((value) => ({ value: hex ? `0x${value.toString(16)}` : String(value), name: names[value]! }));
}
