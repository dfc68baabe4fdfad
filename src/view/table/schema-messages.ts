import type { MessageField, MessageFieldType, MessageType, Repetition } from '../../protocol/message.ts';
import type { Version } from '../../protocol/registry.ts';
import { wrap } from '../hexdump/wrap.ts';
import { columns } from '../text/columns.ts';
import { count } from '../text/number.ts';
import type { Theme } from '../text/theme.ts';
import type { SchemaStyle } from './schema.ts';
import { meaningText } from './schema-meaning.ts';

/** All or only the requested messages of a version. */
export interface VersionMessages {
  readonly version: Version;
  readonly messages: readonly MessageType[];
}

/** A message by name, with its definition in each version. */
interface Row {
  readonly name: string;
  readonly types: (MessageType | undefined)[];
}

/** The minimum width of a column of names. In less room the column is cut, or the names are printed below. */
const leastCut = 16;
const leastWrapped = 40;
const indent = '      ';

/** Renders all messages as a table: the number in each version or a mark for a UUID, and the names of the fields. */
export function renderMessageList(
  versions: readonly VersionMessages[],
  { theme, width, verbose }: SchemaStyle,
): string {
  const shown = versions.filter(({ messages }) => messages.length > 0);
  const rows = sideBySide(shown);
  const numbers = shown.length > 1 ? shown.map(({ version }) => version) : ['number'];
  const cells = rows.map(({ name, types }) => {
    const { system } = newest(types);
    return [name, system ? 'system' : 'game', ...types.map(numberOf)];
  });
  const head = ['message', 'kind', ...numbers];
  const used = head.reduce((sum, cell, i) => sum + 3 + Math.max(cell.length, ...cells.map((row) => row[i]!.length)), 2);
  const room = width - used;
  const names = ({ types }: Row, columns: number) => {
    const { fields } = newest(types);
    return fieldNames(
      fields.map(({ name }) => name),
      columns,
      theme,
      verbose,
    );
  };
  const title = `${theme.strong(shown.map(({ version }) => version).join(', '))}   ${theme.dim(count(rows.length, 'message'))}`;
  const align = ['left', 'left', ...numbers.map(() => 'right' as const), 'left'] as const;
  const heads = head.map((cell) => theme.dim(cell));
  // In a narrow terminal, the names of all fields are printed below their message.
  if (verbose && room < leastWrapped) {
    const [first = '', ...lines] = columns([heads, ...cells], align);
    const below = (row: Row) =>
      names(row, width - indent.length)
        .split('\n')
        .filter((line) => line !== '');
    const list = lines.flatMap((line, i) => [line, ...below(rows[i]!).map((text) => indent + text)]);
    return `${[title, '', first, ...list].join('\n')}\n`;
  }
  const least = Math.max(leastCut, room);
  const table = columns(
    [[...heads, theme.dim('fields')], ...rows.map((row, i) => [...cells[i]!, names(row, least)])],
    align,
  );
  return `${[title, '', ...table].join('\n')}\n`;
}

/** Renders messages with all their fields; a message that is the same in several versions is shown once. */
export function renderMessages(versions: readonly VersionMessages[], style: SchemaStyle): string {
  const groups = new Map<
    string,
    { readonly message: MessageType; readonly byNumber: Map<number | undefined, Version[]> }
  >();
  for (const { version, messages } of versions) {
    for (const message of messages) {
      const { id, ...rest } = message;
      const key = JSON.stringify(rest);
      const group = groups.get(key) ?? { message, byNumber: new Map() };
      group.byNumber.set(id, [...(group.byNumber.get(id) ?? []), version]);
      groups.set(key, group);
    }
  }
  const parts = [...groups.values()].map(({ message, byNumber }) => {
    const numbers = Array.from(byNumber, ([id, same]) => `${id === undefined ? '' : `${id} in `}${same.join(', ')}`);
    return renderMessage(message, numbers, style).join('\n');
  });
  return `${parts.join('\n\n\n')}\n`;
}

function renderMessage(message: MessageType, numbers: readonly string[], { theme, width }: SchemaStyle): string[] {
  const { name, system, id, uuid, uuidName, fields } = message;
  const kind = `${system ? 'system' : 'game'} message ${id === undefined ? 'by UUID in ' : ''}${numbers.join(', ')}`;
  const lines = [`${theme.strong(name)}   ${kind}   ${theme.dim(count(fields.length, 'field'))}`];
  if (uuid !== undefined) lines.push(theme.dim([uuidName, uuid].filter(Boolean).join('   ')));
  if (fields.length === 0) return lines;
  const rows = fields.flatMap((field) => fieldRows(field, '', theme, width));
  return [
    ...lines,
    '',
    ...columns([['field', 'type', ''].map((cell) => theme.dim(cell)), ...rows], ['left', 'left', 'left']),
  ];
}

/** Returns a row for a field, and a row for each field of its records. */
function fieldRows({ name, type, optional }: MessageField, indent: string, theme: Theme, width: number): string[][] {
  const { kind, about, fields } = typeText(type);
  const label = indent + name;
  const room = Math.max(24, width - 40);
  const text = [optional ? 'optional' : '', about].filter(Boolean).join('; ');
  const wrapped = wrap(
    text.split(' ').map((word) => ({ text: word, style: (same: string) => same })),
    room,
  ).join('\n');
  const inner = fields.flatMap((field) => fieldRows(field, `${indent}  `, theme, width));
  return [[label, kind, wrapped], ...inner];
}

interface TypeText {
  readonly kind: string;
  readonly about: string;
  /** The fields of a record; empty for other types. */
  readonly fields: readonly MessageField[];
}

function typeText(type: MessageFieldType): TypeText {
  switch (type.kind) {
    case 'string':
      return { kind: 'text', about: 'up to a NUL', fields: [] };
    case 'data':
      return { kind: 'bytes', about: 'as many as the field before says', fields: [] };
    case 'rest':
      return { kind: 'bytes', about: 'to the end', fields: [] };
    case 'sha256':
      return { kind: 'sha256', about: '32 bytes', fields: [] };
    case 'raw_uuid':
      return { kind: 'uuid', about: '16 bytes', fields: [] };
    case 'record':
      return { kind: 'record', about: '', fields: type.fields };
    case 'repeat': {
      const of = typeText(type.of);
      const about = [timesText(type.times), of.about, type.labels ? type.labels.join(', ') : '']
        .filter(Boolean)
        .join('; ');
      return {
        kind: typeof type.times === 'number' ? `${type.times} × ${of.kind}` : `${of.kind} …`,
        about,
        fields: of.fields,
      };
    }
    default: {
      const { kind, about, hint, names } = meaningText(type);
      const named = names.map(({ value, name }) => `${value} ${name}`).join(', ');
      return { kind, about: [about, hint, named].filter(Boolean).join('; '), fields: [] };
    }
  }
}

function timesText(times: Repetition): string {
  switch (times) {
    case 'counted':
    case 'counted_or_more':
      return 'as many as the field before says';
    case 'to_end':
      return 'to the end';
    default:
      return typeof times === 'number' ? '' : 'by the field before';
  }
}

/** Returns the messages of all versions by name. Numbered messages come before messages with a UUID. */
function sideBySide(versions: readonly VersionMessages[]): Row[] {
  const rows = new Map<string, Row>();
  for (const [column, { messages }] of versions.entries()) {
    for (const message of messages) {
      const row = rows.get(message.name) ?? { name: message.name, types: versions.map(() => undefined) };
      row.types[column] = message;
      rows.set(message.name, row);
    }
  }
  return [...rows.values()];
}

const numberOf = (type: MessageType | undefined) => (type ? (type.id === undefined ? 'UUID' : String(type.id)) : '');

const newest = (types: Row['types']): MessageType => types.findLast((type) => type !== undefined)!;

/** Returns all names if `isWhole` is set, otherwise as many as fit on one line. */
function fieldNames(names: readonly string[], room: number, theme: Theme, isWhole: boolean): string {
  const lines = wrap(
    names.map((name, i) => ({ text: i < names.length - 1 ? `${name},` : name, style: theme.dim })),
    isWhole ? room : room - 2,
  );
  if (isWhole) return lines.join('\n');
  return lines.length > 1 ? `${lines[0]} ${theme.dim('…')}` : (lines[0] ?? '');
}
