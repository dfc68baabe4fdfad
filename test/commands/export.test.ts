import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { main } from '../../commands/index.ts';
import { fixedTables } from '../../src/output/tables/recording-tables.ts';
import { corpusFolder, hasCorpus } from '../support/corpus.ts';
import { type FakeIo, fakeIo } from '../support/fake-io.ts';
import { linesOf, recordsOf, runWriting as run } from '../support/run.ts';
import { shortDemo } from '../support/samples.ts';

type Row = Record<string, unknown>;

const samples = resolve(import.meta.dirname, '../../samples');
const sample = (name: string) => new Uint8Array(readFileSync(join(samples, name)));

/** Larger recordings have nothing else, and take longer than all others together. */
const recordings = [
  [samples, 48_000] as const,
  ...(hasCorpus ? [corpusFolder, join(corpusFolder, 'ddnet20')].map((folder) => [folder, 20_000] as const) : []),
]
  .flatMap(([folder, most]) =>
    readdirSync(folder)
      .map((name) => join(folder, name))
      .filter((path) => statSync(path).size <= most),
  )
  .filter((path) => /\.(demo|pcap|pcapng|netlog)$/.test(path))
  .map((path) => [basename(path), path] as const);

/** The rows of a table in the folder `out`. */
async function rowsOf({ files }: Pick<FakeIo, 'files'>, table: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [path, bytes] of files) {
    if (!path.startsWith(`out/${table}/`)) continue;
    rows.push(...((await parquetReadObjects({ file: bytes.slice().buffer as ArrayBuffer })) as Row[]));
  }
  return rows;
}

/** Columns that are not fields of an item. */
const envelope = new Set(['file', 'client', 'seconds', 'time', 'frame', 'snap_tick', 'item_id']);

function sumOf(value: unknown): bigint {
  if (typeof value === 'number') return BigInt(value);
  return typeof value === 'object' && value !== null
    ? Object.values(value).reduce<bigint>((sum, value) => sum + sumOf(value), 0n)
    : 0n;
}

/** Adds to the sum of a field; the columns of a list's elements begin with the name of the list. */
function add(sums: Record<string, bigint>, field: string, value: unknown): void {
  sums[field] = (sums[field] ?? 0n) + sumOf(value);
}

/** The records of a recording as printed by `dump -t ndjson`. */
async function dumped(bytes: Uint8Array) {
  const io = await run('dump a -t ndjson', { a: bytes });
  const items: Record<string, number> = {};
  const sums: Record<string, Record<string, bigint>> = {};
  const counts = { snapshots: 0, messages: 0, finishes: 0 };
  for (const line of io.stdout.split('\n').filter((text) => text !== '')) {
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
    const io = await run('export a -o out --summary json', { a: bytes });
    const rows: Record<string, number> = JSON.parse(io.stdout).rows;
    expect(rows.snapshots ?? 0).toBe(truth.counts.snapshots);
    for (const [name, count] of Object.entries(truth.items)) expect([name, rows[name]]).toEqual([name, count]);
    for (const [name, expected] of Object.entries(truth.sums)) {
      const fields = Object.keys(expected);
      const sums: Record<string, bigint> = {};
      for (const row of await rowsOf(io, name)) {
        for (const [column, value] of Object.entries(row)) {
          const field =
            fields.find((field) => column === field) ?? fields.find((field) => column.startsWith(`${field}_`));
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

const demo = { 'a.demo': sample('vanilla-dm1.demo') };

describe('the options of export', () => {
  it('--tables and --type choose tables and items', async () => {
    const io = await run('export a.demo -o out --summary json --tables kills,obj_character,snapshots', demo);
    expect(Object.keys(JSON.parse(io.stdout).rows)).toEqual(['kills', 'obj_character', 'snapshots']);
    const typed = await run('export a.demo -o out --summary json --type character', demo);
    const { rows } = JSON.parse(typed.stdout);
    expect(Object.keys(rows).filter((name) => name.startsWith('obj_'))).toEqual(['obj_character']);
    expect(rows.kills).toBe(3);
  });

  it('one table goes to standard output', async () => {
    const { status, ...io } = await run('export a.demo --tables kills -t ndjson', demo);
    const kills = recordsOf(io.stdout);
    expect(kills.map(({ tick, weapon_name }) => [tick, weapon_name])).toEqual([
      [9322, 'grenade'],
      [10260, 'self'],
      [11122, 'game'],
    ]);
    expect(status).toBe(0);
    const named = await run('export a.demo --tables kills -t ndjson -o -', demo);
    expect(named.stdout).toBe(io.stdout);
    expect([...named.files.keys()].filter((path) => path !== 'a.demo')).toEqual([]);
  });

  it('--every exports snapshots at least this many ticks apart', async () => {
    const io = await run('export a.demo -o out --every 50 --tables obj_de_game_info', demo);
    const ticks = (await rowsOf(io, 'obj_de_game_info')).map(({ snap_tick }) => snap_tick as number);
    expect(ticks.length).toBeGreaterThan(20);
    for (const [i, tick] of ticks.entries()) expect(tick - (ticks[i - 1] ?? -50)).toBeGreaterThanOrEqual(50);
  });

  it('--changes leaves out the rows of an item that equal its row before', async () => {
    const all = await run('export a.demo -o out --tables obj_pickup', demo);
    const some = await run('export a.demo -o out --tables obj_pickup --changes', demo);
    const [rows, changed] = [await rowsOf(all, 'obj_pickup'), await rowsOf(some, 'obj_pickup')];
    // An item has a row again if the previous snapshot lacks it.
    const last = new Map<unknown, { tick: number; text: string }>();
    const ticks = [...new Set((await snapshotTicks()) as number[])];
    const expected = rows.filter(({ snap_tick, seconds, ...item }) => {
      const before = last.get(item.item_id);
      const text = JSON.stringify(item);
      last.set(item.item_id, { tick: snap_tick as number, text });
      return before?.text !== text || ticks[ticks.indexOf(snap_tick as number) - 1] !== before.tick;
    });
    expect(changed).toEqual(expected);
    expect(changed.length).toBeLessThan(rows.length / 10);
  });

  it('--shard and --files-from divide a list: each file is in one shard', async () => {
    const files = Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`${i}.demo`, sample('vanilla-dm1.demo')]));
    const list = { ...files, list: new TextEncoder().encode(`${Object.keys(files).join('\n')}\n`) };
    const seen: unknown[] = [];
    for (const shard of ['0/2', '1/2']) {
      const io = await run(`export --files-from list --shard ${shard} -o out --tables demos`, list);
      seen.push(...(await rowsOf(io, 'demos')).map(({ file }) => file));
      expect([...io.files.keys()].filter((path) => path.startsWith('out/'))[0]).toContain(`part-${shard[0]}of2-`);
    }
    expect(seen.sort()).toEqual(Object.keys(files));
  });

  it('a run with the same files replaces the parts of the run before', async () => {
    const io = fakeIo({ files: demo });
    await main(['export', 'a.demo', '-o', 'out', '--tables', 'kills,chat'], io);
    const before = [...io.files.keys()];
    await main(['export', 'a.demo', '-o', 'out', '--tables', 'kills,chat'], io);
    expect([...io.files.keys()]).toEqual(before);
    await main(['export', 'a.demo', '-o', 'out', '--tables', 'kills'], io);
    expect([...io.files.keys()].filter((path) => path.startsWith('out/chat'))).toEqual([]);
  });

  it('names versions, units and meanings in the metadata of Parquet, and lets only some columns be null', async () => {
    const io = await run('export a.demo -o out --tables obj_character', demo);
    const [, bytes] = [...io.files].find(([path]) => path.startsWith('out/'))!;
    const { key_value_metadata, schema } = parquetMetadata(bytes.slice().buffer as ArrayBuffer);
    const metadata = Object.fromEntries((key_value_metadata ?? []).map(({ key, value }) => [key, value]));
    expect(metadata['tw_snap.schema_version']).toBe('2');
    expect(metadata['tw_snap.column.x']).toBe('position, 32 units are a tile');
    const kinds = Object.fromEntries(
      schema.map(({ name, type, repetition_type }) => [name, `${type} ${repetition_type}`]),
    );
    expect(kinds.x).toBe('INT32 REQUIRED');
    expect(kinds.time).toBe('DOUBLE OPTIONAL');
  });

  it('states in Parquet the least and greatest value of each column, and how many are null', async () => {
    const io = await run('export a.pcap -o out', { 'a.pcap': sample('vanilla-ctf-timeout.pcap') });
    let compared = 0;
    for (const [path, bytes] of io.files) {
      if (!path.endsWith('.parquet')) continue;
      const file = bytes.slice().buffer as ArrayBuffer;
      const rows = (await parquetReadObjects({ file })) as Row[];
      const groups = parquetMetadata(file).row_groups;
      expect(groups.length).toBe(Math.min(rows.length, 1));
      for (const { meta_data } of groups.flatMap(({ columns }) => columns)) {
        const { path_in_schema, statistics } = meta_data!;
        const values = rows.map((row) => row[path_in_schema[0]!]);
        const sent = values.filter((value) => value !== null && value !== undefined) as (number | string)[];
        if (path_in_schema.length > 1) continue;
        expect(Number(statistics!.null_count)).toBe(values.length - sent.length);
        // Long texts are cut in statistics.
        if (sent.some((value) => typeof value === 'string' && value.length > 15)) continue;
        const ordered = sent.sort((a, b) =>
          typeof a === 'string' ? Buffer.compare(Buffer.from(a), Buffer.from(`${b}`)) : a - Number(b),
        );
        expect([statistics!.min_value, statistics!.max_value], `${path} ${path_in_schema}`).toEqual([
          ordered[0],
          ordered.at(-1),
        ]);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(100);
  });
});

async function snapshotTicks() {
  const io = await run('export a.demo -o out --tables snapshots', demo);
  return (await rowsOf(io, 'snapshots')).map(({ tick }) => tick);
}

describe('refused options, and tables of damaged files', () => {
  it.each([
    ['no folder and no single table', ['a.demo'], /name a folder with -o, or one table/],
    ['two tables', ['a.demo', '--tables', 'kills,chat'], /one table with --tables.*names kills, chat/],
    ['an unknown table', ['a.demo', '-o', 'out', '--tables', 'kils'], /no table or item 'kils'/],
    ['one like no other', ['a.demo', '-o', 'out', '--tables', 'xyz'], /; 'tw-snap export --help' lists the tables,/],
    ['a shard that does not exist', ['a.demo', '-o', 'out', '--shard', '2/2'], /K from 0 to N - 1/],
    ['no files', ['-o', 'out'], /no files/],
  ])('%s', async (_, argv, message) => {
    const { status, ...io } = await run(`export ${argv.join(' ')}`, demo);
    expect(io.stderr).toMatch(message);
    expect(status).toBe(2);
  });

  it('exports the readable part, and reports the rest: exit 3', async () => {
    const cut = sample('vanilla-dm1.demo').subarray(0, 40_000);
    const { status, ...io } = await run('export a.demo b.txt c -o out --summary json', {
      'a.demo': cut,
      'b.txt': new Uint8Array(100),
    });
    const result = JSON.parse(io.stdout);
    expect(result).toMatchObject({ files: 3, failed: 2, status: 3 });
    expect(result.rows.snapshots).toBeGreaterThan(500);
    expect(status).toBe(3);
    expect(await rowsOf(io, 'demos')).toMatchObject([
      { file: 'a.demo', health: 'damaged', error: 'truncated_chunk' },
      {
        file: 'b.txt',
        health: 'unread',
        sha256: null,
        snapshots: null,
        error: expect.stringMatching('undecided'),
      },
      { file: 'c', health: 'unread', error: "can't be read: no such file" },
    ]);
  });

  it('a compressed demo that ends early has one row, with the counts of its readable part', async () => {
    const packed = gzipSync(sample('vanilla-dm1.demo'));
    const { status, ...io } = await run('export a.demo.gz -o out', { 'a.demo.gz': packed.subarray(0, 40_000) });
    const [row, ...rest] = await rowsOf(io, 'demos');
    expect(row).toMatchObject({ file: 'a.demo.gz', map: 'dm1', health: 'damaged' });
    expect(row!.snapshots).toBeGreaterThan(100);
    expect(rest).toEqual([]);
    expect(status).toBe(3);
  });

  it('a single table without rows has its columns', async () => {
    const { status, ...io } = await run('export a.demo --tables votes -t csv', demo);
    expect(io.stdout).toBe(
      'file,stream,session,client,seconds,time,frame,tick,receivers,state,player_id,player_name,kind,description,reason\n',
    );
    expect(status).toBe(0);
  });

  it('texts with quotes, line breaks and control characters are one cell of one row', async () => {
    const name = '../a "b", c\nd\u001b[2J.demo';
    const io = await run(['export', name, '--tables', 'kills', '-t', 'csv'], { [name]: sample('vanilla-dm1.demo') });
    const lines = linesOf(io.stdout);
    expect(lines.length).toBe(4);
    for (const line of lines.slice(1))
      expect(line).toMatch(/^"\.\.\/a ""b"", c\\nd\\u\{1b\}\[2J\.demo",1,0,,[\d.]+,,,\d+,1,/);
  });
});

it('its help names all tables', async () => {
  const { stdout } = await run('export --help');
  for (const { name } of fixedTables) expect(stdout).toMatch(new RegExp(`\\b${name}\\b`));
});

describe('export --ticks', () => {
  const files = { 'm.demo': sample('vanilla-dm1.demo'), 'i.pcap': sample('ddnet-ipv6.pcap') };
  const table = async (line: string) => linesOf((await run(`export ${line} -t csv`, files)).stdout).slice(1);

  it.each([
    ['m.demo', 'obj_character', 7],
    ['m.demo', 'chat', 7],
    ['m.demo', 'snapshots', 7],
    ['i.pcap', 'obj_character', 7],
    ['i.pcap', 'messages', 7],
  ])('of %s limits the rows of %s', async (file, name, column) => {
    const [from, to] = file === 'm.demo' ? [9000, 9402] : [33900, 34000];
    const all = await table(`${file} --tables ${name}`);
    const some = await table(`${file} --tables ${name} --ticks ${from}..${to}`);
    const tickOf = (row: string) => Number(row.split(',')[column]);
    expect(some.length).toBeGreaterThan(0);
    expect(some).toEqual(all.filter((row) => tickOf(row) >= from && tickOf(row) <= to));
  });

  it('leaves tables about the whole recording as they are', async () => {
    for (const name of ['players', 'sessions', 'demos'])
      expect(await table(`m.demo --tables ${name} --ticks 9000..9100`)).toEqual(await table(`m.demo --tables ${name}`));
  });
});

describe('rows about a player', () => {
  const files = { 'a.demo': sample('vanilla-dm1.demo'), 'b.demo': sample('ddnet-race-player.demo') };
  const short = { ...files, 'a.demo': shortDemo() };
  const exported = async (table: string, options = '', of: Record<string, Uint8Array> = files) =>
    recordsOf((await run(`export a.demo b.demo -t ndjson --tables ${table} ${options}`, of)).stdout) as Row[];

  it.each([
    ['kills', ({ killer_name, victim_name }: Row) => [killer_name, victim_name]],
    ['chat', ({ from_name, target_name }: Row) => [from_name, target_name]],
    ['players', ({ name }: Row) => [name]],
  ])('%s', async (table, namesOf) => {
    const all = await exported(table);
    for (const name of ['corpus', 'stress2']) {
      const own = all.filter((row) => namesOf(row).includes(name));
      expect(own.length).toBeLessThan(all.length);
      if (own.length > 0) expect(await exported(table, `--player ${name}`)).toEqual(own);
    }
  });

  it('items of the client who has the name', async () => {
    const all = await exported('obj_character', '', short);
    const own = all.filter(({ file, item_id }) => file === 'a.demo' && item_id === 2);
    expect(own.length).toBeGreaterThan(100);
    expect(await exported('obj_character', '--player stress3', short)).toEqual(own);
    const numbered = all.filter(({ item_id }) => item_id === 0);
    expect(new Set(numbered.map(({ file }) => file)).size).toBe(2);
    expect(await exported('obj_character', '--player 0', short)).toEqual(numbered);
    expect(await exported('obj_character', '--id 0', short)).toEqual(numbered);
  });

  it('is the same in several threads, and one recording is written by one thread', async () => {
    const rows = async (jobs: number) => {
      const io = await run(`export a.demo -o out --player stress3 --jobs ${jobs}`, short);
      expect(io.status).toBe(0);
      expect([...io.files.keys()].filter((path) => path.startsWith('out/obj_character/'))).toHaveLength(1);
      return rowsOf(io, 'obj_character');
    };
    const single = await rows(1);
    expect(single.length).toBeGreaterThan(100);
    expect(await rows(2)).toEqual(single);
  });

  it('tables without players have all rows', async () => {
    expect(await exported('snapshots', '--player stress3')).toEqual(
      (await exported('snapshots')).filter(({ file }) => file === 'a.demo'),
    );
  });
});
