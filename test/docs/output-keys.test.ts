import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { fixedTables } from '../../src/output/tables/recording-tables.ts';
import { healthStates } from '../../src/recording/health/health.ts';

const docs = join(import.meta.dirname, '../../docs');
const goldens = join(import.meta.dirname, '../goldens');

const rowsOf = (rows: readonly (readonly string[])[]) => rows.map((row) => `| ${row.join(' | ')} |\n`).join('');

/** The rows below a table's head. */
const tables: readonly (readonly [page: string, head: string, rows: string])[] = [
  [
    'output.md',
    '| state | meaning |\n|---|---|\n',
    rowsOf(Object.entries(healthStates).map(([name, meaning]) => [`\`${name}\``, meaning])),
  ],
];

/** `UPDATE_TABLES=1 npx vitest run test/docs` writes the rows anew: read what changed. */
it.each(tables)('docs/%s has the rows that it describes', (page, head, rows) => {
  const path = join(docs, page);
  const written = readFileSync(path, 'utf8');
  const [before, after] = written.split(head);
  expect(after).toBeDefined();
  const now = before + head + after!.replace(/^(?:\|.*\|\n)*/, () => rows);
  if (process.env.UPDATE_TABLES) writeFileSync(path, now);
  else expect(now).toBe(written);
});

/** The keys above which names of data stand: fields, messages, tables, and values. */
const named = new Set(['fields', 'messages', 'rows', 'names', 'old', 'new']);

/** The keys of a path such as `connections[].to_client.messages.sv_chat`, without the names of data. */
function keysOf(path: string): string[] {
  const keys = path
    .replaceAll('[]', '')
    .split('.')
    .filter((key) => key !== '');
  const end = keys.findIndex((key, i) => i < keys.length - 1 && named.has(key));
  return end < 0 ? keys : keys.slice(0, end + 1);
}

/** The keys that the outputs of a golden have. Columns of items have the names of their fields. */
function pinnedKeys(golden: string): Set<string> {
  const keys = new Set<string>();
  let isJson = false;
  let isOfItems = false;
  for (const line of golden.split('\n')) {
    if (line.startsWith('$ ')) isOfItems = false;
    const [, table] = /^file \S+\/(\w+)\/[^/]*$/.exec(line) ?? [];
    if (table !== undefined) isOfItems = !fixedTables.some(({ name }) => name === table);
    // The columns of CSV are not keys of JSON.
    if (/^\d+ (records|rows|lines)/.test(line)) isJson = line.endsWith(' records');
    if (!line.startsWith('  ') || !isJson || isOfItems) continue;
    for (const part of line.trim().split('; '))
      for (const key of keysOf(part.replace(/ \d+( sum .*)?( .*)?$/, ''))) keys.add(key);
  }
  return keys;
}

/** All properties in a schema, by name; those of one name may stand in several objects. */
function propertiesOf(schema: unknown): [name: string, property: object][] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'properties' in schema ? Object.entries(schema.properties as Record<string, object>) : [];
  return [...own, ...Object.values(schema).flatMap(propertiesOf)];
}

describe('every key of the pinned outputs is described', () => {
  const text = readFileSync(join(docs, 'output.md'), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
  const schemas = readdirSync(join(docs, 'schemas')).map((name) => ({
    name,
    properties: propertiesOf(JSON.parse(readFileSync(join(docs, 'schemas', name), 'utf8'))),
  }));
  const inSchemas = schemas.flatMap(({ properties }) => properties.filter(([, about]) => 'description' in about));
  const described = new Set([
    ...(text.match(/`[^`]+`/g) ?? []).flatMap((code) => code.match(/\w+/g) ?? []),
    ...inSchemas.map(([key]) => key),
    // dictionary.csv has the meaning of each.
    ...fixedTables.flatMap(({ name, columns }) => [
      name,
      ...columns.flatMap((column) => (column.meaning ? [column.name] : [])),
    ]),
  ]);

  it.each(schemas)('of the schema $name', ({ properties }) => {
    const undescribed = properties.filter(([key, about]) => !('description' in about) && !described.has(key));
    expect(undescribed.map(([key]) => key)).toEqual([]);
  });

  it.each(readdirSync(goldens).filter((name) => name.endsWith('.txt')))('of %s', (name) => {
    const keys = [...pinnedKeys(readFileSync(join(goldens, name), 'utf8'))];
    expect(keys.length).toBeGreaterThan(5);
    expect(keys.filter((key) => !described.has(key))).toEqual([]);
  });
});
