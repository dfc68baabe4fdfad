import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, it } from 'vitest';
import { type Conduct, detailOf, type GameCheck, type Subject } from '../../src/games/check.ts';
import { subjects } from '../../src/games/subjects.ts';
import type { Field, ItemType } from '../../src/protocol/item.ts';
import type { MessageField, MessageFieldType, MessageType } from '../../src/protocol/message.ts';
import { messagesOf } from '../../src/protocol/message-registry.ts';
import { extendedMessages, introductions } from '../../src/protocol/messages.ts';
import { protocolOf, type Version } from '../../src/protocol/registry.ts';

const fieldText = ({ name, meaning, ints }: Field) =>
  meaning.kind === 'text' ? `${name} text[${ints}]` : ints > 1 ? `${name}[${ints}]` : name;

/** `client_id, message string, target_id?`: ints have no type, and `?` follows a field that may be missing. */
const fieldsText = (fields: readonly MessageField[]) => fields.map(messageFieldText).join(', ');

function messageFieldText({ name, type, optional }: MessageField): string {
  return `${name}${optional ? '?' : ''}${typeText(type)}`;
}

function typeText(type: MessageFieldType): string {
  switch (type.kind) {
    case 'string':
    case 'data':
    case 'rest':
    case 'sha256':
      return ` ${type.kind}`;
    case 'raw_uuid':
      return ' uuid';
    case 'list':
      return `[${type.count}]`;
    case 'record':
      return ` {${fieldsText(type.fields)}}`;
    case 'repeat':
      return `[${timesText(type.times)}]${typeText(type.of)}`;
    default:
      return '';
  }
}

const timesText = (times: (MessageFieldType & { kind: 'repeat' })['times']) =>
  times === 'counted'
    ? 'by the int before'
    : times === 'counted_or_more'
      ? 'at least by the int before'
      : times === 'to_end'
        ? 'to the end'
        : typeof times === 'number'
          ? String(times)
          : 'by the id';

const table = (head: readonly string[], rows: readonly (readonly string[])[], first = '--:') =>
  [head, head.map((_, i) => (i === 0 ? first : '---')), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

const itemTable = (version: Version) =>
  table(
    ['type', 'name', 'ints', 'fields'],
    protocolOf(version)
      .items.filter((item): item is ItemType & { type: number } => item.type !== undefined)
      .sort((a, b) => a.type - b.type)
      .map(({ type, name, size, fields }) => [
        String(type),
        `\`${name}\``,
        String(size),
        fields.map(fieldText).join(', '),
      ]),
  );

const messageTable = (version: Version, system: boolean) =>
  table(
    ['id', 'name', 'fields'],
    messagesOf(version)
      .all.filter((type): type is MessageType & { id: number } => type.id !== undefined && type.system === system)
      .sort((a, b) => a.id - b.id)
      .map(({ id, name, fields }) => [String(id), `\`${name}\``, fieldsText(fields)]),
  );

const extendedTable = (types: readonly MessageType[]) =>
  table(
    ['', 'name', 'name of the UUID', 'fields'],
    types.map(({ system, name, uuidName, fields }) => [
      system ? 'system' : 'game',
      `\`${name}\``,
      `\`${uuidName}\``,
      fieldsText(fields),
    ]),
  );

const deedText = (conduct: Conduct) => {
  const { does, how = does, since, before = 'accepted' } = detailOf(conduct);
  return since === undefined ? how : `${how} from ${since}${before === 'accepted' ? '' : ` (before: ${before})`}`;
};

const severities = { error: 'e', warning: 'w' } as const;

const checkRow = (subject: Subject, { when, ddnet, teeworlds, code, severity, source }: GameCheck) => [
  when,
  deedText(ddnet),
  teeworlds ? deedText(teeworlds) : '',
  code ? `\`${code}\`` : '',
  severity ? severities[severity] : '',
  source ?? subject.source,
];

const checkTable = (subject: Subject) =>
  table(
    ['case', 'DDNet 20.1', 'Teeworlds 0.7.5', 'code', '', 'source'],
    subject.checks.map((check) => checkRow(subject, check)),
    '---',
  );

/** The table below each heading of a page. */
const pages: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'item-tables.md': { '0.5': itemTable('0.5'), '0.6 and DDNet': itemTable('0.6'), '0.7': itemTable('0.7') },
  'message-tables.md': {
    'System messages of 0.6 and DDNet': messageTable('0.6', true),
    'Game messages of 0.6 and DDNet': messageTable('0.6', false),
    'System messages of 0.7': messageTable('0.7', true),
    'Game messages of 0.7': messageTable('0.7', false),
    'Messages of DDNet with a UUID': extendedTable(extendedMessages()),
    'Messages of other clients, bots and servers': extendedTable(introductions()),
  },
  'tolerated.md': Object.fromEntries(subjects.map((subject) => [subject.title, checkTable(subject)])),
};

/** `UPDATE_TABLES=1 npx vitest run test/docs` writes the tables anew: read what changed. */
it.each(Object.entries(pages))('docs/formats/%s has the tables of src/protocol or src/games', (name, tables) => {
  const path = join(import.meta.dirname, '../../docs/formats', name);
  const written = readFileSync(path, 'utf8');
  let now = written;
  for (const [heading, rows] of Object.entries(tables)) {
    const [before = '', after] = now.split(`\n## ${heading}\n`);
    expect(after, heading).toBeDefined();
    now = `${before}\n## ${heading}\n${after!.replace(/^\|.*\|\n(?:\|.*\|\n)*/m, () => `${rows}\n`)}`;
  }
  if (process.env.UPDATE_TABLES) writeFileSync(path, now);
  else expect(now).toBe(written);
});
