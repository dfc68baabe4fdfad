import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { infoColumns } from '../../src/output/results/info.ts';
import { fixedTables } from '../../src/output/tables/recording-tables.ts';
import { healthStates } from '../../src/recording/health/health.ts';

const docs = join(import.meta.dirname, '../../docs');
const goldens = join(import.meta.dirname, '../goldens');

const rowsOf = (rows: readonly (readonly string[])[]) => rows.map((row) => `| ${row.join(' | ')} |\n`).join('');

/** The recipes, and the words of their commands. */
function recipeWords(): string[][] {
  const recipes = readFileSync(join(docs, 'recipes.md'), 'utf8').split(/^### /m).slice(1);
  return recipes.map((recipe) => {
    const [, block] = /^```(?:console.*|sh)\n([\s\S]*?)^```/m.exec(recipe)!;
    const lines = block!.trimEnd().split('\n');
    const typed = lines.filter((line) => line.startsWith('$ ')).map((line) => line.slice(2));
    // A word in quotes is one; of a pipe only tw-snap counts.
    const words = (typed.length > 0 ? typed : lines).map((line) => {
      const parts = line.replaceAll(/'[^']*'/g, 'word').split(' | ');
      return parts.find((part) => part.startsWith('tw-snap'))!.split(' ').length;
    });
    return [recipe.split('\n')[0]!, words.join(' + ')];
  });
}

/** The rows below a table's head. */
const tables: readonly (readonly [page: string, head: string, rows: string])[] = [
  [
    'output.md',
    '| state | meaning |\n|---|---|\n',
    rowsOf(Object.entries(healthStates).map(([name, meaning]) => [`\`${name}\``, meaning])),
  ],
  [
    'output.md',
    '| column | meaning |\n|---|---|\n',
    rowsOf(Object.entries(infoColumns).map(([name, { meaning }]) => [`\`${name}\``, meaning])),
  ],
  ['changes-2.0.md', '| job | words |\n|---|--:|\n', rowsOf(recipeWords())],
  [
    'tables.md',
    '| table | column | meaning |\n|---|---|---|\n',
    rowsOf(
      fixedTables.flatMap(({ name: table, columns }) =>
        columns.map(({ name, meaning }, i) => [i === 0 ? `\`${table}\`` : '', `\`${name}\``, meaning ?? '']),
      ),
    ),
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

/** The names of all properties in a schema. */
function propertiesOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'properties' in schema ? Object.keys(schema.properties as object) : [];
  return [...own, ...Object.values(schema).flatMap(propertiesOf)];
}

describe('every key of the pinned outputs is described', () => {
  const pages = ['output.md', 'tables.md'].map((page) => readFileSync(join(docs, page), 'utf8')).join('\n');
  const text = pages.replaceAll(/^```[\s\S]*?^```/gm, '');
  const described = new Set((text.match(/`[^`]+`/g) ?? []).flatMap((code) => code.match(/\w+/g) ?? []));

  it.each(readdirSync(join(docs, 'schemas')))('of the schema %s', (name) => {
    const keys = new Set(propertiesOf(JSON.parse(readFileSync(join(docs, 'schemas', name), 'utf8'))));
    expect([...keys].filter((key) => !described.has(key))).toEqual([]);
  });

  it.each(readdirSync(goldens).filter((name) => name.endsWith('.txt')))('of %s', (name) => {
    const keys = [...pinnedKeys(readFileSync(join(goldens, name), 'utf8'))];
    expect(keys.length).toBeGreaterThan(5);
    expect(keys.filter((key) => !described.has(key))).toEqual([]);
  });
});
