import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { main } from '../../commands/index.ts';
import { corpusFolder, hasCorpus } from '../support/corpus.ts';
import { type FakeIo, fakeIo } from '../support/fake-io.ts';

type Row = Record<string, unknown>;
type Files = Readonly<Record<string, Uint8Array>>;

const samples = resolve(import.meta.dirname, '../../samples');
const sample = (name: string) => new Uint8Array(readFileSync(join(samples, name)));

/** Larger recordings would take minutes. */
const maxBytes = 400_000;
const recordings = [samples, ...(hasCorpus ? [corpusFolder, join(corpusFolder, 'ddnet20')] : [])]
  .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  .filter((path) => /\.(demo|pcap|pcapng|netlog)$/.test(path) && statSync(path).size <= maxBytes)
  .map((path) => [basename(path), path] as const);

async function run(files: Files, ...argv: string[]) {
  const io = fakeIo({ files });
  return { io, status: await main(argv, io) };
}

/** The rows of a table in the folder `out`. */
async function rowsOf({ files }: FakeIo, table: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [path, bytes] of files) {
    if (!path.startsWith(`out/${table}/`)) continue;
    rows.push(...((await parquetReadObjects({ file: bytes.slice().buffer as ArrayBuffer })) as Row[]));
  }
  return rows;
}

/** Columns that are no fields of an item. */
const envelope = new Set(['file', 'client', 'time', 'frame', 'snap_tick', 'item_id']);

/** The sum of all ints in a value. */
function sumOf(value: unknown): bigint {
  if (typeof value === 'number') return BigInt(value);
  return typeof value === 'object' && value !== null
    ? Object.values(value).reduce<bigint>((sum, one) => sum + sumOf(one), 0n)
    : 0n;
}

/** Adds to the sum of a field; the columns of a list's elements begin with the name of the list. */
function add(sums: Record<string, bigint>, field: string, value: unknown): void {
  sums[field] = (sums[field] ?? 0n) + sumOf(value);
}

/** What `dump -t ndjson` says of a recording. */
async function dumped(bytes: Uint8Array) {
  const { io } = await run({ a: bytes }, 'dump', 'a', '-t', 'ndjson');
  const items: Record<string, number> = {};
  const sums: Record<string, Record<string, bigint>> = {};
  const counts = { snapshots: 0, messages: 0, finishes: 0 };
  for (const line of io.stdout.text.split('\n').filter((text) => text !== '')) {
    const record = JSON.parse(line);
    if (record.record === 'message') counts.messages++;
    if (/^sv_racefinish$|^sv_ddracetime/.test(record.name ?? '') && record.fields.finish !== 0) counts.finishes++;
    if (record.record !== 'snapshot') continue;
    counts.snapshots++;
    for (const { name, fields } of record.items ?? []) {
      if (!name) continue;
      items[name] = (items[name] ?? 0) + 1;
      sums[name] ??= {};
      for (const [field, value] of Object.entries(fields)) add(sums[name], field, value);
    }
  }
  return { items, sums, counts };
}

describe.each(recordings)('the tables of %s', (_, path) => {
  const bytes = new Uint8Array(readFileSync(path));

  it('have the rows and the sums of dump -t ndjson; messages are each counted once', async () => {
    const truth = await dumped(bytes);
    const { io } = await run({ a: bytes }, 'export', 'a', '-o', 'out');
    const rows: Record<string, number> = JSON.parse(io.stdout.text).rows;
    expect(rows.snapshots ?? 0).toBe(truth.counts.snapshots);
    for (const [name, count] of Object.entries(truth.items)) expect([name, rows[name]]).toEqual([name, count]);
    for (const [name, expected] of Object.entries(truth.sums)) {
      const fields = Object.keys(expected);
      const sums: Record<string, bigint> = {};
      for (const row of await rowsOf(io, name)) {
        for (const [column, value] of Object.entries(row)) {
          const field = fields.find((one) => column === one) ?? fields.find((one) => column.startsWith(`${one}_`));
          if (field && !envelope.has(column)) add(sums, field, value);
        }
      }
      expect([name, sums]).toEqual([name, expected]);
    }
    let receivers = 0;
    for (const table of ['chat', 'kills', 'votes', 'messages']) {
      for (const row of await rowsOf(io, table)) receivers += row.receivers as number;
    }
    expect(receivers + truth.counts.finishes).toBe(truth.counts.messages);
  });
});
