import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { hasTool, spawn, spawnSync, tool } from '../support/host.ts';
import { program, run, samplePath, start, until, withProgram } from '../support/program.ts';

const place = withProgram();
const at = (name: string) => join(place.folder, name);
const example = (name: string) => resolve(import.meta.dirname, '../../docs/examples', name);

const shards = 8;
/** One run of this shard is killed. */
const killed = 3;

/** 24 demos and a list of them; a dataset of one process; and a `tw-snap` that kills itself once. */
beforeAll(async () => {
  mkdirSync(at('demos'));
  const paths = Array.from({ length: 24 }, (_, i) => at(`demos/${i}.demo`));
  for (const [i, path] of paths.entries()) {
    copyFileSync(samplePath(i % 2 === 0 ? 'vanilla-dm1.demo' : 'ddnet-race-player.demo'), path);
  }
  writeFileSync(at('list.txt'), `${paths.join('\n')}\n`);
  await run(['export', '--files-from', at('list.txt'), '--jobs', '1', '-o', at('whole')]);
  mkdirSync(at('bin'));
  // The process is killed after it has written some parts and before it has finished.
  writeFileSync(
    at('bin/tw-snap'),
    `#!/bin/sh
node="${process.execPath}"
case "$*" in
*"--shard ${killed}/"*) if mkdir "${at('killed')}-$RECIPE" 2>/dev/null; then
    "$node" "${program}" "$@" & sleep 0.25; kill -9 $!; wait $! ; exit 137
  fi ;;
esac
exec "$node" "${program}" "$@"
`,
  );
  chmodSync(at('bin/tw-snap'), 0o755);
});

const environment = (recipe: string) => ({
  ...process.env,
  RECIPE: recipe,
  PATH: `${at('bin')}:${process.env.PATH}`,
});

/** Whether two datasets have the same tables with the same rows, and no temporary file remains. */
async function expectSameRows(first: string, second: string): Promise<void> {
  const names = readdirSync(first).sort();
  expect(readdirSync(second).sort()).toEqual(names);
  expect(names).toContain('dictionary.csv');
  expect(readFileSync(join(second, 'dictionary.csv'), 'utf8')).toBe(
    readFileSync(join(first, 'dictionary.csv'), 'utf8'),
  );
  const tables = names.filter((name) => name !== 'dictionary.csv');
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  for (const table of tables) {
    const rows = (folder: string) => `SELECT * FROM '${folder}/${table}/*.parquet'`;
    for (const [a, b] of [
      [first, second],
      [second, first],
    ] as const) {
      const reader = await connection.runAndReadAll(`SELECT count(*)::INT FROM (${rows(a)} EXCEPT ALL ${rows(b)})`);
      expect([table, reader.getRows()]).toEqual([table, [[0]]]);
    }
  }
  connection.closeSync();
}

describe('a dataset has the rows of a single process', () => {
  it('with two threads', async () => {
    const { status } = await run(['export', '--files-from', at('list.txt'), '--jobs', '2', '-o', at('threads')]);
    expect(status).toBe(0);
    expect(readdirSync(at('threads/kills')).length).toBe(2);
    await expectSameRows(at('whole'), at('threads'));
  });

  it.skipIf(!hasTool('parallel'))(
    'with GNU parallel, two at a time, one killed in its middle (needs parallel)',
    async () => {
      const command = [
        'tw-snap',
        'export',
        '--files-from',
        at('list.txt'),
        '--shard',
        `{}/${shards}`,
        '-o',
        at('parallel'),
      ];
      const numbers = Array.from({ length: shards }, (_, k) => String(k));
      const args = ['--retries', '3', '-j2', '--joblog', at('log'), ...command, ':::', ...numbers];
      const { status, stderr } = await start(tool('parallel'), args, { env: environment('parallel') }).ended;
      expect([status, stderr.replace(/.*cite.*/gis, '')]).toEqual([0, '']);
      expect(existsSync(`${at('killed')}-parallel`)).toBe(true);
      await expectSameRows(at('whole'), at('parallel'));
    },
  );

  it.skipIf(!hasTool('dask-scheduler'))(
    'with Dask, two workers, one killed in its middle (needs dask-scheduler)',
    async () => {
      const port = String(await freePort());
      const address = `tcp://127.0.0.1:${port}`;
      const env = environment('dask');
      const quiet = { env, stdio: 'ignore', cwd: place.folder } as const;
      const processes = [
        spawn(tool('dask-scheduler'), ['--host', '127.0.0.1', '--port', port, '--no-dashboard'], quiet),
      ];
      const worker = () =>
        spawn(tool('dask-worker'), [address, '--nthreads', '1', '--nworkers', '1', '--no-dashboard'], {
          ...quiet,
          detached: true,
        });
      const workers = [worker(), worker()];
      try {
        const args = [example('export-dask.py'), address, at('list.txt'), at('dask'), String(shards)];
        const client = start(tool('python3'), args, { env, cwd: place.folder });
        await until(() => existsSync(`${at('killed')}-dask`));
        // A worker is killed with all its tasks; the other one repeats them.
        process.kill(-workers[0]!.pid!, 'SIGKILL');
        const { status, stdout } = await client.ended;
        expect([status, JSON.parse(stdout)]).toEqual([0, { files: 24, failed: 0 }]);
      } finally {
        for (const { pid } of workers) {
          try {
            process.kill(-pid!, 'SIGKILL');
          } catch {
            // It was killed above.
          }
        }
        for (const process of processes) process.kill('SIGKILL');
      }
      await expectSameRows(at('whole'), at('dask'));
    },
  );

  const hasPandas = hasTool('python3') && spawnSync(tool('python3'), ['-c', 'import pandas']).status === 0;
  it.skipIf(!hasPandas)('as CSV, read by pandas (needs python3-pandas)', async () => {
    await run(['export', '--files-from', at('list.txt'), '-t', 'csv', '-o', at('csv')]);
    const code = `import glob, json, pandas
tables = {t: pandas.concat(map(pandas.read_csv, glob.glob('csv/' + t + '/*.csv'))) for t in ['kills', 'obj_character', 'snapshots']}
print(json.dumps([len(tables['kills']), int(tables['obj_character'].x.sum()), len(tables['snapshots'])]))`;
    const { stdout, stderr } = await start(tool('python3'), ['-c', code], { cwd: place.folder }).ended;
    expect(stderr).toBe('');
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const whole = (table: string) => `'${at('whole')}/${table}/*.parquet'`;
    const sql = `SELECT (SELECT count(*) FROM ${whole('kills')})::INT, (SELECT sum(x) FROM ${whole('obj_character')})::DOUBLE, (SELECT count(*) FROM ${whole('snapshots')})::INT`;
    expect(JSON.parse(stdout)).toEqual((await connection.runAndReadAll(sql)).getRows()[0]);
    connection.closeSync();
  });

  it('with the tasks of a Slurm array, one killed in its middle', async () => {
    const env = { ...environment('slurm'), LIST: at('list.txt'), OUT: at('cluster'), SHARDS: String(shards) };
    for (let task = 0; task < shards; task++) {
      const own = { ...env, SLURM_ARRAY_TASK_ID: String(task) };
      expect((await start('sh', [example('export-slurm.sh')], { env: own }).ended).status).toBe(0);
    }
    expect(existsSync(`${at('killed')}-slurm`)).toBe(true);
    await expectSameRows(at('whole'), at('cluster'));
  });
});

describe('a run that ends early', () => {
  const temporaryFiles = (folder: string) =>
    existsSync(folder)
      ? readdirSync(folder, { recursive: true }).filter((name) => String(name).includes('.tw-snap.'))
      : [];

  it.each([
    ['1', 'SIGTERM'],
    ['2', 'SIGTERM'],
    ['2', 'SIGKILL'],
  ] as const)('with --jobs %s by %s leaves no temporary file, or only until it is repeated', async (jobs, signal) => {
    const folder = at(`killed-${jobs}-${signal}`);
    const args = ['export', '--files-from', at('list.txt'), '-o', folder, '--jobs', jobs];
    const { child, ended } = start(process.execPath, [program, ...args]);
    await until(() => temporaryFiles(folder).length > 0);
    child.kill(signal);
    await ended;
    if (signal !== 'SIGKILL') expect(temporaryFiles(folder)).toEqual([]);
    expect((await run(args)).status).toBe(0);
    expect(temporaryFiles(folder)).toEqual([]);
    await expectSameRows(at('whole'), folder);
  });

  it('does not disturb an equal run that goes on', async () => {
    const args = ['export', '--files-from', at('list.txt'), '-o', at('twice'), '--jobs', '1'];
    for (const { status, stderr } of await Promise.all([run(args), run(args)]))
      expect([status, stderr]).toEqual([0, '']);
    expect(temporaryFiles(at('twice'))).toEqual([]);
    await expectSameRows(at('whole'), at('twice'));
  });

  it('because the folder is a file reports the reason: exit 2', async () => {
    writeFileSync(at('file'), 'x');
    const { status, stderr } = await run(['export', samplePath('vanilla-dm1.demo'), '-o', at('file')]);
    expect([status, stderr]).toEqual([2, `tw-snap: ${at('file')}: can't be written: there is a file of this name\n`]);
  });
});
