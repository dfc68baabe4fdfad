import { describe, expect, it } from 'vitest';
import { linesOf, run } from '../../support/run.ts';
import { read } from '../../support/samples.ts';

const files = {
  'demos/m.demo': read('vanilla-dm1.demo'),
  'demos/r.demo': read('ddnet-race-player.demo'),
  'w.pcap': read('duplicate-key.pcap'),
};
const dump = (line: string, world = {}) => run(`dump ${line}`, files, world);

describe('in a pipe', () => {
  it('each line is whole, and has its tick and time', async () => {
    const { stdout } = await dump('demos/m.demo --events --type chat');
    const lines = linesOf(stdout);
    // As many as `info` counts messages of the chat.
    expect(lines).toHaveLength(33);
    for (const line of lines) expect(line).toMatch(/^ *\d+ +\d+:\d\d\.\d\d +\S/);
  });

  it('COLUMNS states a width, as --width does', async () => {
    const wide = await dump('demos/m.demo --events', { env: { COLUMNS: '60' } });
    expect(wide).toEqual(await dump('demos/m.demo --events --width 60'));
    expect(Math.max(...linesOf(wide.stdout).map((line) => line.length))).toBeLessThanOrEqual(60);
  });

  it('lines stand in the order of time, also those that sum up a second', async () => {
    const { stdout } = await dump('w.pcap');
    const times = linesOf(stdout).flatMap((line) => {
      const [, minutes, seconds] = / (\d+):(\d\d\.\d\d) /.exec(line) ?? [];
      return minutes === undefined ? [] : [60 * Number(minutes) + Number(seconds)];
    });
    expect(times.length).toBeGreaterThan(20);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });
});

describe('a search', () => {
  it('prints nothing of findings that it does not select, nor counts them', async () => {
    expect((await dump('w.pcap')).status).toBe(1);
    expect(await dump('w.pcap --where chat')).toEqual({
      status: 1,
      stdout: '',
      stderr: 'tw-snap: w.pcap: nothing matches --where\n',
    });
    const found = await dump('w.pcap --type obj_character');
    expect([found.status, found.stderr]).toEqual([0, '']);
  });

  it('is silent about files without a hit', async () => {
    const { status, stdout, stderr } = await dump('demos --player corpus --events --type kill');
    expect([status, stderr]).toEqual([0, '']);
    expect(linesOf(stdout).every((line) => line.startsWith('demos/m.demo: '))).toBe(true);
    expect(await dump('demos --player nobody')).toEqual({ status: 1, stdout: '', stderr: '' });
  });

  it('refuses a query that is nested too deeply, however long it is', async () => {
    for (const query of [`${'not '.repeat(30_000)}x>1`, `${'('.repeat(50_000)}x>1${')'.repeat(50_000)}`]) {
      const { status, stderr } = await run(['dump', 'w.pcap', '--where', query], files);
      expect(status).toBe(2);
      expect(stderr).toMatch(
        /^tw-snap: --where: more than 100 brackets and nots inside each other, at character \d+\n$/,
      );
    }
  });
});

it('-q leaves findings to the status', async () => {
  const loud = await dump('w.pcap -t ndjson');
  const quiet = await dump('w.pcap -t ndjson -q');
  expect(loud.stderr).toContain('checksum');
  expect(quiet).toEqual({ ...loud, stderr: '' });
  expect((await dump('missing.demo -q')).stderr).toContain('missing.demo');
});
