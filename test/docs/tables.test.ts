import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, it } from 'vitest';
import { type DemoHeader, readDemoHeader } from '../../src/recording/container/demo/header.ts';
import { lastDdnet } from '../../src/recording/games/demo-rules.ts';
import { DemoPlays } from '../../src/recording/playback/plays.ts';
import { type Code, ignore } from '../../src/wire/bytes/diagnostic.ts';
import type { Field, ItemType } from '../../src/wire/protocol/item.ts';
import { messagesOf } from '../../src/wire/protocol/message-registry.ts';
import type { MessageField, MessageFieldType, MessageType } from '../../src/wire/protocol/message-type.ts';
import { extendedMessages, introductions } from '../../src/wire/protocol/messages.ts';
import { protocolOf, type Version } from '../../src/wire/protocol/registry.ts';
import { withHeader } from '../support/damaged-demos.ts';
import { read } from '../support/samples.ts';
import { causeRules } from './cause-rules.ts';

const fieldText = ({ name, meaning, ints }: Field) =>
  meaning.kind === 'text' ? `${name} text[${ints}]` : ints > 1 ? `${name}[${ints}]` : name;

/** `client_id, *message*, target_id?`: ints are plain, strings in italics, and `?` follows what may be missing. */
const fieldsText = (fields: readonly MessageField[]) => fields.map(messageFieldText).join(', ');

function messageFieldText({ name, type, optional }: MessageField): string {
  const ofStrings = type.kind === 'string' || (type.kind === 'repeat' && type.of.kind === 'string');
  return `${ofStrings ? `*${name}*` : name}${optional ? '?' : ''}${typeText(type)}`;
}

/** The tuning of the other versions is that of 0.6, cut or without some: its fifty names stand once. */
function formText({ name, fields }: MessageType): string {
  const all = messagesOf('0.6').all.find((type) => type.name === name)?.fields ?? [];
  const missing = all.filter((field) => !fields.some((own) => own.name === field.name));
  if (fields.length < 30 || missing.length === 0) return fieldsText(fields);
  expect(fields.map((field) => field.name)).toEqual(
    all.filter((field) => !missing.includes(field)).map((field) => field.name),
  );
  const cut = all.slice(-missing.length).every((field) => missing.includes(field));
  return cut ? `the first ${fields.length} of 0.6` : `those of 0.6 without ${fieldsText(missing)}`;
}

function typeText(type: MessageFieldType): string {
  switch (type.kind) {
    case 'string':
      return '';
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

const versions: readonly Version[] = ['0.5', '0.6', '0.7'];

/** What several versions have alike is one row, with its number in each. Rows of one name stand together. */
function acrossVersions<T extends { readonly name: string }>(
  listOf: (version: Version) => readonly T[],
  numberOf: (type: T) => number | undefined,
  cellsOf: (type: T) => readonly string[],
): readonly (readonly string[])[] {
  const rows = new Map<string, { name: string; cells: readonly string[]; numbers: Partial<Record<Version, number>> }>();
  for (const version of versions) {
    for (const type of listOf(version)) {
      const number = numberOf(type);
      if (number === undefined) continue;
      const cells = cellsOf(type);
      const key = [type.name, ...cells].join('|');
      const row = rows.get(key) ?? { name: type.name, cells, numbers: {} };
      row.numbers[version] = number;
      rows.set(key, row);
    }
  }
  const place = ({ numbers }: { readonly numbers: Partial<Record<Version, number>> }) =>
    numbers['0.6'] ?? (numbers['0.7'] ?? numbers['0.5']! + 1000) + 1000;
  const all = [...rows.values()].sort((a, b) => place(a) - place(b));
  const first = (name: string) => all.findIndex((row) => row.name === name);
  return all
    .toSorted((a, b) => first(a.name) - first(b.name))
    .map(({ name, cells, numbers }) => [
      `\`${name}\``,
      ...versions.map((version) => String(numbers[version] ?? '')),
      ...cells,
    ]);
}

const itemTable = () =>
  table(
    ['name', ...versions, 'ints', 'fields'],
    acrossVersions<ItemType>(
      (version) => protocolOf(version).items,
      ({ type }) => type,
      ({ size, fields }) => [String(size), fields.map(fieldText).join(', ')],
    ),
    '---',
  );

const messageTable = (system: boolean) =>
  table(
    ['name', ...versions, 'fields'],
    acrossVersions<MessageType>(
      (version) => messagesOf(version).all.filter((type) => type.system === system),
      ({ id }) => id,
      (type) => [formText(type)],
    ),
    '---',
  );

const extendedTable = (types: readonly MessageType[]) =>
  table(
    ['name', 'name of the UUID', 'fields'],
    types.map(({ name, uuidName, fields }) => [`\`${name}\``, `\`${uuidName}\``, fieldsText(fields)]),
    '---',
  );

/** What is in a demo, and what the games look at. */
type DemoRow = readonly [readonly string[], Pick<DemoHeader, 'netVersion' | 'version'> & { readonly code?: Code }];

/** The rows of the table of games in demos.md. */
const demoRows: readonly DemoRow[] = [
  [
    ['begins with `0.6`, or with anything but `0.7`', '0.6', '3 to 6'],
    { netVersion: '0.6 626fce9a778df4d4', version: 6 },
  ],
  [
    ['the same', "0.7, as in a server's demo of a client of 0.7", '3 to 6'],
    { netVersion: '0.6 626fce9a778df4d4', version: 6, code: 'content_of_07' },
  ],
  [['begins with `0.7`', '0.7', '4'], { netVersion: '0.7 802f1be60a05665f', version: 4 }],
  [
    ['the same, with another hash than `802f1be60a05665f`', '0.7', '4'],
    { netVersion: '0.7 0123456789abcdef', version: 4, code: 'other_net_version' },
  ],
  [['the same, with any hash', '0.7', '5 and 6'], { netVersion: '0.7 802f1be60a05665f', version: 6 }],
  [
    ['the same', '0.7, with item sizes of 0.6 in the deltas', '6'],
    { netVersion: '0.7 802f1be60a05665f', version: 6, code: 'sizes_of_06' },
  ],
  [['the same', '0.6', '5 and 6'], { netVersion: '0.7 802f1be60a05665f', version: 6, code: 'content_of_06' }],
];

/** What the games do with the chunks of a sample after such a header, where a reader finds this of the items. */
function playsWith({ code, ...stated }: DemoRow[1]) {
  const file = read(stated.netVersion.startsWith('0.7') ? 'vanilla-dm1.demo' : 'ddnet-race-player.demo');
  const made = withHeader(file, { ...stated, sha256: '0'.repeat(64) });
  const header = readDemoHeader(made, ignore);
  const plays = new DemoPlays();
  plays.players.hasContentOf06 = code === 'content_of_06';
  plays.players.leave(undefined);
  plays.players.add(made);
  plays.players.finish(undefined);
  if (code) plays.add({ severity: 'warning', code, offset: 0, args: {} });
  plays.finish(header, { sums: { bytes: 1, sha256: header.sha256 ?? '' }, opens: () => true });
  return plays.rows;
}

function demoTable(): string {
  const words = {
    plays: 'plays',
    misread: 'misreads it',
    refused: 'refuses',
    stops: 'stops',
    crashes: 'crashes',
    unknown: 'unknown',
    needs_map: 'needs the map',
  };
  return table(
    ['net version', 'content', 'version', 'DDNet 16.4 to 18.4', `DDNet 18.5 to ${lastDdnet}`, 'Teeworlds 0.7.5'],
    demoRows.map(([texts, stated]) => {
      const all = playsWith(stated);
      const ddnet = all.filter(({ game }) => game === 'DDNet');
      const now = words[ddnet.at(-1)!.play];
      const teeworlds = all.find(({ game }) => game === 'Teeworlds');
      return [
        ...texts,
        ddnet[0]!.from === '18.5' ? 'does not play 0.7' : words[ddnet[0]!.play],
        now,
        words[teeworlds?.play ?? 'refused'],
      ];
    }),
    '---',
  );
}

const rules = Object.entries(causeRules);

const shownTable = () =>
  table(
    ['cause', 'the server', 'shown by', 'nothing rules out'],
    rules.flatMap(([cause, { does, bytes, rivals = [] }]) => {
      const others = rivals.flatMap(({ makes, apart }) => (apart === undefined ? [makes] : []));
      return bytes === undefined ? [] : [[`\`${cause}\``, does, bytes, others.join('; ')]];
    }),
    '---',
  );

const fitTable = () =>
  table(
    ['cause', 'the server'],
    rules.flatMap(([cause, { does, bytes }]) => (bytes === undefined ? [[`\`${cause}\``, does]] : [])),
    '---',
  );

/** The table below each heading of a page. */
const pages: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '../explain.md': { 'What the bytes can show': shownTable(), 'What only fits': fitTable() },
  'item-tables.md': { 'The items': itemTable() },
  'message-tables.md': {
    'System messages': messageTable(true),
    'Game messages': messageTable(false),
    'Game messages of DDNet with a UUID': extendedTable(extendedMessages().filter(({ system }) => !system)),
    'System messages of DDNet with a UUID': extendedTable(extendedMessages().filter(({ system }) => system)),
    'Messages of other clients, bots and servers': extendedTable(introductions()),
  },
  'demos.md': { 'Which games play it': demoTable() },
};

/** `UPDATE_TABLES=1 npx vitest run test/docs` writes the tables anew: read what changed. */
it.each(Object.entries(pages))(
  'docs/formats/%s has the tables of src/wire/protocol and src/recording/games',
  (name, tables) => {
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
  },
);
