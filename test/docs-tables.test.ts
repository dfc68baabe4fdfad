import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { main } from '../commands/index.ts';
import { fakeIo } from './support/fake-io.ts';
import { writeFiles } from './support/write-files.ts';

const root = resolve(import.meta.dirname, '..');
const text = readFileSync(join(root, 'docs/tables.md'), 'utf8');
const queries = [...text.matchAll(/\n([^\n]+):\n\n```sql\n([\s\S]*?)```/g)].map(
  ([, title, sql]) => [title!, sql!] as const,
);

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tw-snap-tables-'));
  const names = readdirSync(join(root, 'samples')).filter((name) => /\.(demo|pcap)$/.test(name));
  const files = Object.fromEntries(
    names.map((name) => [name, new Uint8Array(readFileSync(join(root, 'samples', name)))]),
  );
  const io = fakeIo({ files });
  await main(['export', ...names, '-o', 'tables'], io);
  writeFiles(folder, io.files, 'tables/');
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('the queries of docs/tables.md, run by DuckDB on the tables of the samples', () => {
  it('are eight', () => {
    expect(queries.length).toBe(8);
  });

  it.each(queries)('%s', async (_, sql) => {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const reader = await connection.runAndReadAll(sql.replaceAll("'tables/", `'${folder}/tables/`));
    expect(reader.getRows().length).toBeGreaterThan(0);
    connection.closeSync();
  });

  it('kills by weapon are those of the dump', async () => {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const sql = `SELECT count(*)::INT AS n, sum(weapon)::INT AS weapons FROM '${folder}/tables/kills/*.parquet'`;
    const [[count, weapons]] = (await connection.runAndReadAll(sql)).getRows() as [[number, number]];
    const io = fakeIo({
      files: Object.fromEntries(
        readdirSync(join(root, 'samples'))
          .filter((name) => /\.(demo|pcap)$/.test(name))
          .map((name) => [name, new Uint8Array(readFileSync(join(root, 'samples', name)))]),
      ),
    });
    let [expectedCount, expectedWeapons] = [0, 0];
    for (const name of [...io.files.keys()]) {
      const one = fakeIo({ files: io.files });
      await main(['dump', name, '-t', 'ndjson', '--type', 'sv_killmsg'], one);
      for (const line of one.stdout.text.split('\n')) {
        if (!line.includes('"sv_killmsg"')) continue;
        expectedCount++;
        expectedWeapons += JSON.parse(line).fields.weapon;
      }
    }
    expect([count, weapons]).toEqual([expectedCount, expectedWeapons]);
    connection.closeSync();
  });
});
