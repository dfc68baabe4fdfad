import type { MessageField, MessageFieldType, MessageType, Repetition } from '../../protocol/message.ts';
import type { Version } from '../../protocol/registry.ts';
import { columns } from '../text/columns.ts';
import { wrap } from '../text/layout.ts';
import { count } from '../text/number.ts';
import type { Theme, ViewStyle } from '../text/theme.ts';
import { newest } from './schema.ts';
import { meaningText } from './schema-meaning.ts';
import { tableWithFields } from './with-fields.ts';

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

/** Renders all messages as a table: the number in each version or a mark for a UUID, and the names of the fields. */
export function renderMessageList(versions: readonly VersionMessages[], style: ViewStyle): string {
  const { theme } = style;
  const shown = versions.filter(({ messages }) => messages.length > 0);
  const numbers = shown.length > 1 ? shown.map(({ version }) => version) : ['number'];
  const rows = sideBySide(shown).map(({ name, types }) => {
    const { system, fields } = newest(types);
    return { cells: [name, system ? 'system' : 'game', ...types.map(numberOf)], fields };
  });
  const title = `${theme.strong(shown.map(({ version }) => version).join(', '))}   ${theme.dim(count(rows.length, 'message'))}`;
  const align = ['left', 'left', ...numbers.map(() => 'right' as const)] as const;
  return `${[title, '', ...tableWithFields(['message', 'kind', ...numbers], align, rows, style)].join('\n')}\n`;
}

/** Renders messages with all their fields; a message that is the same in several versions is shown once. */
export function renderMessages(versions: readonly VersionMessages[], style: ViewStyle): string {
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

function renderMessage(message: MessageType, numbers: readonly string[], { theme, width, limit }: ViewStyle): string[] {
  const { name, system, id, uuid, uuidName, fields } = message;
  const kind = `${system ? 'system' : 'game'} message ${id === undefined ? 'by UUID in ' : ''}${numbers.join(', ')}`;
  const lines = [`${theme.strong(name)}   ${kind}   ${theme.dim(count(fields.length, 'field'))}`];
  if (uuid !== undefined) lines.push(theme.dim([uuidName, uuid].filter(Boolean).join('   ')));
  if (fields.length === 0) return lines;
  const rows = fields.flatMap((field) => fieldRows(field, '', theme, width));
  return [
    ...lines,
    '',
    ...columns([['field', 'type', ''].map((cell) => theme.dim(cell)), ...rows], ['left', 'left', 'left'], { limit }),
  ];
}

/** Returns a row for a field, and a row for each field of its records. */
function fieldRows({ name, type, optional }: MessageField, indent: string, theme: Theme, width: number): string[][] {
  const { kind, about, fields } = typeText(type);
  const label = indent + name;
  const room = Math.max(24, width - 40);
  const text = [optional ? 'optional' : '', about].filter(Boolean).join('; ');
  const wrapped = wrap(text.split(' '), room).join('\n');
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
