import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasTool } from '../support/host.ts';
import { run, samplePath, shell, withProgram } from '../support/program.ts';
import { recordsOf } from '../support/run.ts';

const place = withProgram();
const hasSqlite = isBuiltin('node:sqlite');
const demo = samplePath('vanilla-dm1.demo');
const capture = samplePath('ddnet-ipv6.pcap');

/** The rows of a query; its file is read by another connection than the one that wrote it. */
async function rowsOf(file: string, query: string): Promise<Record<string, unknown>[]> {
  const name: string = 'node:sqlite';
  const { DatabaseSync } = await import(name);
  const database = new DatabaseSync(file, { readOnly: true });
  const rows = database.prepare(query).all();
  database.close();
  return rows;
}

describe.skipIf(!hasSqlite)('export -t sqlite (needs Node 22.13)', () => {
  it.each(['kills', 'players', 'snapshots', 'obj_character', 'chat', 'connections', 'positions'])(
    'has the rows of %s that -t ndjson has, in their order',
    async (table) => {
      const file = join(place.folder, `${table}.sqlite`);
      const { status, stderr } = await run(['export', demo, capture, '-t', 'sqlite', '-o', file]);
      expect([status, stderr]).toEqual([0, '']);
      const { stdout } = await run(['export', demo, capture, '-t', 'ndjson', '--tables', table]);
      const stored = (value: unknown) => (typeof value === 'boolean' ? Number(value) : value);
      const expected = recordsOf(stdout).map((row) =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [name, stored(value)])),
      );
      const rows = await rowsOf(file, `SELECT * FROM ${table}`);
      expect(rows.map((row) => ({ ...row }))).toEqual(expected);
      expect(await rowsOf(file, 'PRAGMA integrity_check')).toMatchObject([{ integrity_check: 'ok' }]);
    },
  );

  it('has views of the documented queries, and tables without rows', async () => {
    const file = join(place.folder, 'views.sqlite');
    await run(['export', demo, '-t', 'sqlite', '-o', file]);
    // The kills of the demo are by a grenade, a player itself and the game: only the first is by a weapon.
    expect(await rowsOf(file, 'SELECT * FROM kills_by_weapon')).toMatchObject([{ weapon_name: 'grenade', kills: 1 }]);
    expect(await rowsOf(file, 'SELECT * FROM fastest_finishes')).toEqual([]);
    const [kills] = await rowsOf(file, 'SELECT meaning FROM dictionary WHERE "table" = \'kills\' AND "column" IS NULL');
    expect(kills).toMatchObject({ meaning: expect.stringMatching(/^a row for each death/) });
  });

  it('writes only the tables that are named', async () => {
    const file = join(place.folder, 'few.sqlite');
    await run(['export', demo, '-t', 'sqlite', '--tables', 'kills', '-o', file]);
    expect(await rowsOf(file, "SELECT name FROM sqlite_master WHERE type = 'table'")).toMatchObject([
      { name: 'kills' },
      { name: 'dictionary' },
    ]);
  });

  it('replaces the database of an earlier run, but no input', async () => {
    const folder = join(place.folder, 'again');
    mkdirSync(folder);
    const file = join(folder, 'a.sqlite');
    for (const args of [[demo], [demo]]) await run(['export', ...args, '-t', 'sqlite', '-o', file]);
    expect(readdirSync(folder)).toEqual(['a.sqlite']);
    const copy = join(folder, 'a.demo');
    copyFileSync(demo, copy);
    const { status, stderr } = await run(['export', copy, '-t', 'sqlite', '-o', copy]);
    expect([status, stderr]).toEqual([2, `tw-snap: ${copy}: can't be written: it is an input of this command\n`]);
    expect(readFileSync(copy)).toEqual(readFileSync(demo));
  });

  it('is refused without a file, and for a folder', async () => {
    expect(await run(['export', demo, '-t', 'sqlite'])).toMatchObject({ status: 2, stdout: '' });
    expect(await run(['export', demo, '-t', 'sqlite', '-o', place.folder])).toMatchObject({ status: 2, stdout: '' });
  });
});

it.skipIf(!hasSqlite || !hasTool('bash'))(
  'a database that cannot be written leaves no journal (needs Node 22.13 and bash)',
  async () => {
    const cwd = join(place.folder, 'full');
    mkdirSync(cwd);
    const env = { ...process.env, DEMO: demo };
    // As a full disk: the system allows no file of more than 64 KiB.
    const { status, stderr } = await shell('ulimit -f 64; tw-snap export "$DEMO" -t sqlite -o out.sqlite', {
      cwd,
      env,
    });
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^tw-snap: out\.sqlite: can't be written: /)]);
    expect(readdirSync(cwd)).toEqual([]);
  },
);

describe.skipIf(hasSqlite)('export -t sqlite where Node has no SQLite (needs Node before 22.13)', () => {
  it('is refused, and leaves the file', async () => {
    const file = join(place.folder, 'x.sqlite');
    writeFileSync(file, 'mine');
    expect(await run(['export', demo, '-t', 'sqlite', '-o', file])).toEqual({
      status: 2,
      signal: null,
      stdout: '',
      stderr: 'tw-snap: -t sqlite needs Node 22.5 or newer (22.13 without a flag); -t parquet does not\n',
    });
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });
});
