import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { main } from '../../../../commands/index.ts';
import { processIo } from '../../../../commands/lib/platform/io.ts';
import { fakeIo } from '../../../support/fake-io.ts';
import { execFileSync, hasTool, tool } from '../../../support/host.ts';
import { linesOf, recordsOf, runOn } from '../../../support/run.ts';
import { read, shortCapture, shortDemo } from '../../../support/samples.ts';

const demo = shortDemo();
const files = {
  'all/b/second.demo': read('ddnet-race-player.demo'),
  'all/a.demo': demo,
  'all/b/cut.demo': demo.slice(0, 20_000),
  'all/b/server.pcap': shortCapture(),
  'all/notes.txt': 'nothing',
  'all/bad.demo': 'no demo at all',
  'none/notes.txt': 'nothing',
};

const run = runOn(files);

/** The files that `info` has rows for. */
const chosen = async (args = '') => recordsOf((await run(`info all -t ndjson ${args}`)).stdout).map(({ file }) => file);

const recordings = ['all/a.demo', 'all/b/cut.demo', 'all/b/second.demo', 'all/b/server.pcap', 'all/bad.demo'];

describe('a folder', () => {
  it('is read as its recordings and those of its subfolders, in the order of their names', async () => {
    expect(await chosen()).toEqual(recordings);
  });

  it('is read as the files that --include names', async () => {
    expect(await chosen('--include *.pcap')).toEqual(['all/b/server.pcap']);
    expect(await chosen('--include b/*.demo')).toEqual(['all/b/cut.demo', 'all/b/second.demo']);
    expect(await chosen('--include {a,cut}.demo')).toEqual(['all/a.demo', 'all/b/cut.demo']);
    expect(await chosen('--include **/s* --include a.*')).toEqual([
      'all/a.demo',
      'all/b/second.demo',
      'all/b/server.pcap',
    ]);
  });

  it.each(['info', 'stats', 'dump', 'checksum', 'export'])('is read by %s as its files are', async (command) => {
    const args = command === 'export' ? '--tables kills -t ndjson' : '-t ndjson';
    const whole = await run(`${command} all ${args}`);
    expect(whole).toEqual(await run(`${command} ${recordings.join(' ')} ${args}`));
    expect(whole.status).toBe(3);
    expect(whole.stderr).toContain('all/bad.demo');
  });

  it('without recordings is an error', async () => {
    expect(await run('info none')).toMatchObject({ status: 3, stderr: expect.stringContaining('no files *.demo') });
    expect((await run('info all/a.demo --include *')).status).toBe(2);
  });
});

describe('a pattern that the shell did not expand, as those of Windows', () => {
  it.each([
    ['all/*.demo', ['all/a.demo', 'all/bad.demo']],
    ['all\\*.demo', ['all/a.demo', 'all/bad.demo']],
    ['all/?.demo', ['all/a.demo']],
    ['all/**/{cut,second}.demo', ['all/b/cut.demo', 'all/b/second.demo']],
    ['*/b/s*', ['all/b/second.demo', 'all/b/server.pcap']],
    ['all/b/*.{demo,pcap}', ['all/b/cut.demo', 'all/b/second.demo', 'all/b/server.pcap']],
  ])('%s names the files that it matches', async (pattern, expected) => {
    const { stdout } = await run(`info ${pattern} -t ndjson`);
    expect(recordsOf(stdout).map(({ file }) => file)).toEqual(expected);
  });

  it.each(['all/*.nix', 'all/{a.demo', 'none/a?.demo'])('%s without a match is a missing file', async (pattern) => {
    expect(await run(`info ${pattern}`)).toMatchObject({
      status: 3,
      stderr: `tw-snap: ${pattern}: can't be read: no such file\n`,
    });
  });

  it('is not looked for where a file has such a name', async () => {
    const { stdout } = await runOn({ 'a*.demo': demo, 'ab.demo': demo })('info a*.demo -t ndjson');
    expect(recordsOf(stdout).map(({ file }) => file)).toEqual(['a*.demo']);
  });
});

it('has / in its names on Windows, too: the same in a table, in JSON and in a command to copy', async () => {
  const runOnWindows = runOn({ 'all/a.demo': demo, 'all/b/second.demo': demo });
  const namesOf = async (typed: string) => {
    const { stdout } = await runOnWindows(['info', typed, '-t', 'ndjson'], { separator: '\\' });
    return recordsOf(stdout).map(({ file }) => file);
  };
  expect(await namesOf('all\\')).toEqual(['all/a.demo', 'all/b/second.demo']);
  expect(await namesOf('all\\b\\second.demo')).toEqual(['all/b/second.demo']);
  expect(await namesOf('all\\**')).toEqual(['all/a.demo', 'all/b/second.demo']);
});

describe('info of many files', () => {
  it('has a row for each file as a table, CSV and JSON, also for unreadable files', async () => {
    const table = linesOf((await run('info all --width 160')).stdout);
    expect(table.map((row) => row.trim().split(/ {2,}/).slice(0, 2))).toEqual([
      ['file', 'health'],
      ['all/a.demo', 'healthy'],
      ['all/b/cut.demo', 'damaged'],
      ['all/b/second.demo', 'healthy'],
      ['all/b/server.pcap', 'healthy'],
      ['all/bad.demo', 'unread'],
    ]);
    const csv = linesOf((await run('info all -t csv')).stdout);
    expect(csv.map((row) => row.split(',')[0])).toEqual(['file', ...recordings]);
    expect(JSON.parse((await run('info all -t json')).stdout)).toHaveLength(recordings.length);
  });

  it('names the players in the table and in CSV, and the ticks of markers', async () => {
    expect((await run('info all --width 200')).stdout).toMatch(/a\.demo .*brownbear|a\.demo .*corpus/);
    const [head, row] = (await run('info all/a.demo -t csv')).stdout.split('\n');
    expect(head).toContain('player_names');
    expect(head).toContain('marker_ticks');
    expect(row).toContain('""corpus""');
  });

  it('prints a row before the next file is read', async () => {
    const io = fakeIo({ files });
    const seen: string[] = [];
    const open: typeof io.open = (path, start) => {
      seen.push(io.stdout.text);
      return io.open(path, start);
    };
    await main(['info', 'all'], { ...io, open });
    expect(seen.at(-1)).toContain('all/b/second.demo');
  });
});

describe('files are chosen', () => {
  it('by map, player, health and finish', async () => {
    expect(await chosen('--map dm1')).toEqual(['all/a.demo', 'all/b/cut.demo']);
    expect(await chosen('--map LearnToPlay')).toEqual(['all/b/server.pcap']);
    expect(await chosen('--player six')).toEqual(['all/b/server.pcap']);
    expect(await chosen('--player /^rac/')).toEqual(['all/b/second.demo']);
    expect(await chosen('--health damaged')).toEqual(['all/b/cut.demo']);
    expect(await chosen('--health unread')).toEqual(['all/bad.demo']);
    expect(await chosen('--health healthy --map dm1')).toEqual(['all/a.demo']);
    expect(await chosen('--finish')).toEqual(['all/b/second.demo']);
  });

  it('reports that no file was chosen', async () => {
    expect(await run('info all --player nobody')).toEqual({
      status: 1,
      stdout: '',
      stderr: 'tw-snap: no recording matches these options\n',
    });
    expect((await run('info all --player /(/')).status).toBe(2);
  });

  it('are chosen for export, too', async () => {
    const args = '--tables demos -t ndjson';
    const rows = linesOf((await run(`export all --player /^rac/ ${args}`)).stdout);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toContain('second.demo');
  });
});

describe('a folder with many files', () => {
  const many = Object.fromEntries(
    Array.from({ length: 30 }, (_, i) => [`many/${i}.demo`, i < 27 ? demo : new Uint8Array()]),
  );

  it('ends in info with the number of files in each state', async () => {
    const io = fakeIo({ files: many });
    expect(await main(['info', 'many'], io)).toBe(3);
    expect(io.stderr.text).toContain('tw-snap: many/27.demo: the input is empty\n');
    expect(io.stderr.text).toMatch(/tw-snap: 30 files: 27 healthy, 3 unread\n$/);
  });

  it.skipIf(!hasTool('mkfifo'))('is read without its pipes (needs mkfifo)', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tw-snap-pipes-'));
    execFileSync(tool('mkfifo'), [join(folder, 'pipe.demo')]);
    writeFileSync(join(folder, 'a.demo'), demo);
    symlinkSync('a.demo', join(folder, 'b.demo'));
    symlinkSync('pipe.demo', join(folder, 'c.demo'));
    symlinkSync('nothing', join(folder, 'd.demo'));
    symlinkSync('e.demo', join(folder, 'e.demo'));
    expect([...(await processIo().filesIn(folder))].sort()).toEqual(['a.demo', 'b.demo', 'd.demo', 'e.demo']);
    expect(processIo().isFolder(join(folder, 'e.demo'))).toBe(false);
    rmSync(folder, { recursive: true });
  });
});

it.each([
  ['none.demo', 'no such file'],
  ['none/', 'no such folder'],
  ['none/a.demo', 'no such folder: none'],
])('what is missing is called a file or a folder: %s', async (path, reason) => {
  for (const isGrowing of [false, true]) {
    const first = processIo().open(path, 0, isGrowing)[Symbol.asyncIterator]().next();
    await expect(first).rejects.toThrow(reason);
    await expect(first).rejects.not.toThrow(`${reason}:`);
  }
});
