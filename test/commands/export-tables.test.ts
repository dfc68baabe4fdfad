import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parquetMetadata } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { tablesBy } from '../../src/output/tables/recording-tables.ts';
import { corpusFolder, hasCorpus } from '../support/corpus.ts';
import { linesOf, recordsOf, run, runWriting } from '../support/run.ts';

/*
 * What every table has, and the tables that need no other. The truth is in other records of the same files: ticks are
 * 50 a second, event_death has the place where a player dies, obj_character those of the living.
 */
const samples = resolve(import.meta.dirname, '../../samples');
const small = /^(vanilla-dm1|ddnet-race-player)\.demo$|\.pcap$/;
const paths = [
  ...readdirSync(samples).map((name) => join(samples, name)),
  ...(hasCorpus ? ['06-ddnet-race.pcap'].map((name) => join(corpusFolder, name)) : []),
].filter((path) => small.test(basename(path)));
/** The beginning of the largest has all that a capture with races has. */
const maxBytes = 150_000;
const files = Object.fromEntries(
  paths.map((path) => [basename(path), new Uint8Array(readFileSync(path)).subarray(0, maxBytes)]),
);

type Row = Readonly<Record<string, unknown>>;

/** The rows of each table of a recording, and all of them as text. */
async function tablesOf(file: string, more: readonly string[] = []) {
  const { files: all } = await runWriting(['export', file, '-t', 'ndjson', '-o', 'out', ...more], files);
  const tables = new Map<string, Row[]>();
  let texts = '';
  for (const [path, bytes] of all) {
    const [, table] = /^out\/([^/]+)\/.*\.ndjson$/.exec(path) ?? [];
    if (!table) continue;
    const text = new TextDecoder().decode(bytes);
    texts += text;
    tables.set(table, text === '' ? [] : recordsOf(text));
  }
  return { rowsOf: (table: string): readonly Row[] => tables.get(table) ?? [], tables, texts };
}

const number = (value: unknown) => value as number;
const keyOf = (...parts: unknown[]) => parts.join();

describe.each(Object.keys(files))('the tables of %s', async (file) => {
  const { rowsOf, tables, texts } = await tablesOf(file);
  const isDemo = file.endsWith('.demo');

  it('have the seconds since the beginning: of ticks in demos, of times in captures', () => {
    const firstTick = number(rowsOf('snapshots')[0]!.tick);
    // A connection begins a capture.
    const start = number(rowsOf('connection_events')[0]?.time);
    const secondsOf = (tick: unknown) => (number(tick) < 0 ? null : (number(tick) - firstTick) / 50);
    const isRight = (row: Row) => {
      if (!('first_seconds' in row)) {
        const expected = isDemo ? secondsOf('snap_tick' in row ? row.snap_tick : row.tick) : number(row.time) - start;
        return row.seconds === expected || Math.abs(number(row.seconds) - number(expected)) <= 1e-6;
      }
      if (isDemo)
        return row.first_seconds === secondsOf(row.first_tick) && row.last_seconds === secondsOf(row.last_tick);
      return number(row.last_seconds) >= number(row.first_seconds);
    };
    const rows = [...tables].flatMap(([table, rows]) => (table === 'demos' ? [] : rows));
    expect(rows.length).toBeGreaterThan(1000);
    expect(rows.filter((row) => !isRight(row))).toEqual([]);
  });

  it('have numbers without the noise of doubles', () => {
    expect(texts).toMatch(/"seconds":\d+\.\d/);
    expect(texts.match(/:-?\d+\.\d{7,}[,}]/g)).toBeNull();
  });

  it('have positions as the characters and the players do', () => {
    const positions = rowsOf('positions');
    const expected = rowsOf('obj_character').map(({ stream, session, snap_tick, item_id, x, y, tick }) =>
      keyOf(stream, session, snap_tick, item_id, x, y, tick || snap_tick),
    );
    const found = positions.map(({ stream, session, tick, player_id, x, y, position_tick }) =>
      keyOf(stream, session, tick, player_id, x, y, position_tick),
    );
    expect(found).toEqual(expected);
    for (const { stream, session, id, name, team, first_tick, last_tick } of rowsOf('players')) {
      const own = positions.filter(
        (row) =>
          keyOf(row.stream, row.session, row.player_id) === keyOf(stream, session, id) &&
          number(row.tick) >= number(first_tick) &&
          number(row.tick) <= number(last_tick),
      );
      expect(own.filter((row) => row.player_name !== name || row.team !== team)).toEqual([]);
    }
  });

  it('are in the dictionary with all columns, and so in the metadata of Parquet', async () => {
    const { files: all } = await runWriting(['export', file, '-o', 'out'], files);
    const lines = linesOf(new TextDecoder().decode(all.get('out/dictionary.csv')));
    expect(lines[0]).toBe('table,column,type,meaning');
    const rows = new Set(lines.slice(1).map((line) => line.split(',').slice(0, 2).join()));
    const expected = new Set<string>();
    for (const [path, bytes] of all) {
      if (!path.endsWith('.parquet')) continue;
      const table = path.split('/')[1]!;
      const { schema, key_value_metadata: metadata } = parquetMetadata(bytes.slice().buffer as ArrayBuffer);
      const about = metadata!.find(({ key }) => key === 'tw_snap.about')!.value!;
      expect(lines.find((line) => line.startsWith(`${table},,`))).toContain(about);
      expected.add(`${table},`);
      for (const { name } of schema.slice(1))
        if (name !== 'list' && name !== 'element') expected.add(`${table},${name}`);
    }
    expect(rows).toEqual(expected);
  });
});

it('no meaning in a dictionary begins like a formula, which CSV would escape', () => {
  const columns = [...tablesBy().values()].flatMap((table) => table().columns);
  expect(columns.length).toBeGreaterThan(500);
  expect(columns.filter(({ meaning = '' }) => /^[=+\-@]/.test(meaning))).toEqual([]);
});

it('the dictionary of the tables that recordings have always says what a column means', async () => {
  const { files: all } = await runWriting(['export', 'vanilla-dm1.demo', '-o', 'out'], files);
  const lines = linesOf(new TextDecoder().decode(all.get('out/dictionary.csv')));
  const fixed = lines.filter((line) => !/^(obj|event|ddnet)_/.test(line));
  expect(fixed.length).toBeGreaterThan(150);
  expect(fixed.filter((line) => /,$/.test(line))).toEqual([]);
});

const withKills: readonly (readonly [name: string, kills: number])[] = [
  ['samples/vanilla-dm1.demo', 3],
  // Most of these players kill each other.
  ...(hasCorpus ? ([['corpus/07-vanilla-dm1-57clients-server-BENCH.demo', 22]] as const) : []),
];

it.each(withKills)(
  'the kills of %s have the place of the event of the death, and that of the killer before it',
  async (name, count) => {
    const [folder, file] = name.split('/') as [string, string];
    const path = join(folder === 'samples' ? samples : corpusFolder, file);
    const line = ['export', file, '--tables', 'kills,event_death,obj_character', '-t', 'ndjson', '-o', 'out'];
    const { files: all } = await runWriting(line, { [file]: new Uint8Array(readFileSync(path)) });
    const rowsOf = (table: string): Row[] =>
      [...all].flatMap(([path, bytes]) =>
        path.startsWith(`out/${table}/`) ? recordsOf(new TextDecoder().decode(bytes)) : [],
      );
    const [kills, deaths, characters] = [rowsOf('kills'), rowsOf('event_death'), rowsOf('obj_character')];
    const expected = kills.map((kill) => {
      const since = (row: Row) => number(kill.tick) - number(row.snap_tick);
      const death = deaths.find((row) => row.client_id === kill.victim_id && Math.abs(since(row)) <= 25)!;
      const killer = characters.findLast((row) => row.item_id === kill.killer_id && since(row) >= 0);
      return [death.x, death.y, killer?.x ?? null, killer?.y ?? null];
    });
    expect(kills.length).toBe(count);
    expect(kills.map(({ victim_x, victim_y, killer_x, killer_y }) => [victim_x, victim_y, killer_x, killer_y])).toEqual(
      expected,
    );
  },
);

describe('connection_events', () => {
  it('are what dump --events prints of connections', async () => {
    const file = 'vanilla-ctf-timeout.pcap';
    const { stdout } = await run(['dump', file, '--events', '--type', 'connection', '-t', 'ndjson'], files);
    const events = recordsOf(stdout).map(({ event, time, fields: { side = null, reason = null, seconds = null } }) => ({
      event,
      time,
      side,
      reason,
      length_s: seconds,
    }));
    const rows = (await tablesOf(file, ['--tables', 'connection_events'])).rowsOf('connection_events');
    expect(events.length).toBe(9);
    const times = events.map(({ time }) => Number(time));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    // A table has its rows in the order in which they are known.
    const inOrder = rows.toSorted((a, b) => Number(a.time) - Number(b.time));
    expect(inOrder.map(({ event, time, side, reason, length_s }) => ({ event, time, side, reason, length_s }))).toEqual(
      events,
    );
  });
});
