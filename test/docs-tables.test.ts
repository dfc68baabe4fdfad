import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { main } from '../commands/index.ts';
import type { Bytes } from './support/bytes.ts';
import { fakeIo } from './support/fake-io.ts';
import {
  mapChange,
  playerItems,
  type ServerMessage,
  serverCapture,
  serverMessage,
  snapshotMessage,
} from './support/made-capture.ts';
import { writeFiles } from './support/write-files.ts';

const root = resolve(import.meta.dirname, '..');
const text = readFileSync(join(root, 'docs/tables.md'), 'utf8');
const queries = [...text.matchAll(/\n([^\n]+):\n\n```sql\n([\s\S]*?)```/g)].map(
  ([, title, sql]) => [title!, sql!] as const,
);

let folder: string;

/** A player with the name of the first query, on two maps with the same ticks, as two clients see it. */
function twoClients(): Uint8Array {
  const toBoth = (message: Bytes): ServerMessage[] => [50001, 50002].map((port) => [port, message]);
  const finish = (time: string) => serverMessage('sv_chat', 0, -1, `corpus finished in: 0 minute(s) ${time} second(s)`);
  const first = [...playerItems(0, 'other', 650), ...playerItems(1, 'corpus', 704)];
  return serverCapture([
    ...toBoth(mapChange('dm1')),
    ...toBoth(snapshotMessage(100, ...playerItems(0, 'corpus', 320), ['ddnet_character', 0, { freeze_end: -1 }])),
    [50001, snapshotMessage(110, ...playerItems(0, 'corpus', 352))],
    [50001, snapshotMessage(116, ...playerItems(0, 'corpus', 352))],
    ...toBoth(finish('12.34')),
    ...toBoth(mapChange('dm2')),
    ...toBoth(snapshotMessage(100, ...first, ['event_death', 0, { x: 140, y: 32 }])),
    ...toBoth(finish(' 5.67')),
  ]);
}

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
  it('are seven', () => {
    expect(queries.length).toBe(7);
  });

  it.each(queries)('%s', async (_, sql) => {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const reader = await connection.runAndReadAll(sql.replaceAll("'tables/", `'${folder}/tables/`));
    expect(reader.getRows().length).toBeGreaterThan(0);
    connection.closeSync();
  });

  it('are right for a capture of two clients with a map change', async () => {
    const inside = mkdtempSync(join(tmpdir(), 'tw-snap-tables-'));
    const io = fakeIo({ files: { 'a.pcap': twoClients() } });
    await main(['export', 'a.pcap', '-o', 'tables'], io);
    writeFiles(inside, io.files, 'tables/');
    const rowsOf = async (title: RegExp) => {
      const [, sql] = queries.find(([text]) => title.test(text))!;
      const connection = await (await DuckDBInstance.create(':memory:')).connect();
      const rows = await connection.runAndReadAll(sql.replaceAll("'tables/", `'${inside}/tables/`));
      connection.closeSync();
      return rows
        .getRowsJson()
        .map((row) => row.map((value) => (/^[\d.]+$/.test(String(value)) ? Number(value) : value)));
    };
    // The player is client 0 on the first map and client 1 on the second, where another one is client 0.
    expect(await rowsOf(/path/)).toEqual([
      // A packet each millisecond.
      ['a.pcap', 1, 0.002, 10, 1],
      ['a.pcap', 1, 0.004, 11, 1],
      ['a.pcap', 1, 0.01, 22, 1],
      ['a.pcap', 2, 0.003, 10, 1],
      ['a.pcap', 2, 0.011, 22, 1],
    ]);
    expect(await rowsOf(/Fastest/)).toEqual([
      ['dm1', 'corpus', 12.34],
      ['dm2', 'corpus', 5.67],
    ]);
    expect(await rowsOf(/frozen/)).toEqual([
      ['a.pcap', 1, 'corpus', 0.2],
      ['a.pcap', 2, 'corpus', null],
    ]);
    expect(await rowsOf(/met/)).toEqual([
      ['a.pcap', 1, 2, 0, 1, 1],
      ['a.pcap', 2, 2, 0, 1, 1],
    ]);
    expect(await rowsOf(/heat map/)).toEqual([['dm2', 1, 0, 1]]);
    const seconds = (await rowsOf(/Bandwidth/)).map(([, stream, session, , second]) => [stream, session, second]);
    expect(seconds).toEqual([
      [1, 1, 2],
      [1, 2, 2],
      [2, 1, 2],
      [2, 2, 2],
    ]);
    rmSync(inside, { recursive: true });
  });
});
