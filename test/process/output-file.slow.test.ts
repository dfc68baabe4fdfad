import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { execFileSync, hasTool, tool } from '../support/host.ts';
import { program, run, samplePath, shell, start, until, withProgram } from '../support/program.ts';

const hasBash = hasTool('bash');
const place = withProgram();
const demo = samplePath('vanilla-dm1.demo');
let cwd: string;
const at = (name: string) => join(cwd, name);
const printed = (name: string) => readFileSync(at(name), 'utf8');

beforeEach(({ task }) => {
  cwd = join(place.folder, task.id);
  mkdirSync(cwd);
});

describe('-o', () => {
  it('replaces the old file as a whole, and keeps its permissions', async () => {
    writeFileSync(at('out'), 'old');
    chmodSync(at('out'), 0o640);
    expect(await run(['dump', demo, '-t', 'ndjson', '-o', 'out'], { cwd })).toMatchObject({ status: 0, stdout: '' });
    const { stdout } = await run(['dump', demo, '-t', 'ndjson']);
    expect(printed('out')).toBe(stdout);
    expect(statSync(at('out')).mode & 0o777).toBe(0o640);
    expect(readdirSync(cwd)).toEqual(['out']);
  });

  it('writes the target of a link, and keeps the link', async () => {
    writeFileSync(at('real'), 'old');
    symlinkSync('real', at('link'));
    expect((await run(['info', demo, '-o', 'link'], { cwd })).status).toBe(0);
    expect(lstatSync(at('link')).isSymbolicLink()).toBe(true);
    expect(printed('real')).toContain('healthy');
  });

  it('brings a budget up to date, with the tolerance that it has', async () => {
    expect((await run(['stats', demo, '--save', 'budget.json'], { cwd })).status).toBe(0);
    const budget = JSON.parse(printed('budget.json'));
    writeFileSync(at('budget.json'), JSON.stringify({ ...budget, tolerance: { ...budget.tolerance, percent: 3 } }));
    expect((await run(['stats', demo, '--save', 'budget.json'], { cwd })).stderr).toBe('');
    expect(JSON.parse(printed('budget.json')).tolerance.percent).toBe(3);
  });

  it.skipIf(!hasBash)('refuses every name of an input (needs bash)', async () => {
    const bytes = readFileSync(demo);
    writeFileSync(at('in.demo'), bytes);
    mkdirSync(at('sub'));
    symlinkSync('in.demo', at('symbolic'));
    linkSync(at('in.demo'), at('hard'));
    const why = async (out: string, ...args: string[]) => {
      const { status, stderr } = await run([...args, '-o', out], { cwd });
      expect([status, stderr]).toEqual([2, `tw-snap: ${out}: can't be written: it is an input of this command\n`]);
    };
    for (const out of ['in.demo', './sub/../in.demo', 'symbolic', 'hard', at('in.demo')])
      await why(out, 'dump', 'in.demo');
    await why('in.demo', 'info', demo, 'in.demo');
    await why('in.demo', 'decode', 'in.demo@first');
    await why('in.demo', 'diff', 'in.demo@first', 'empty');
    await why('in.demo', 'extract', 'in.demo', '--map');
    await why('in.demo', 'checksum', demo, 'in.demo');
    const { status } = await shell('tw-snap info - -o in.demo < in.demo', { cwd });
    expect(status).toBe(2);
    expect(readFileSync(at('in.demo')).equals(bytes)).toBe(true);
    expect(readdirSync(cwd).sort()).toEqual(['hard', 'in.demo', 'sub', 'symbolic']);
  });

  it('names the file that cannot be written', async () => {
    symlinkSync('nowhere', at('link'));
    mkdirSync(at('folder'));
    const why = async (out: string) => {
      const { status, stderr } = await run(['info', demo, '-o', out], { cwd });
      return [status, stderr];
    };
    expect(await why('folder')).toEqual([2, "tw-snap: folder: can't be written: is a directory\n"]);
    expect(await why('missing/out')).toEqual([2, "tw-snap: missing/out: can't be written: no such folder: missing\n"]);
    expect(await why('link')).toEqual([2, "tw-snap: link: can't be written: it is a link to nothing\n"]);
    expect(await why('x'.repeat(300))).toEqual([
      2,
      `tw-snap: ${'x'.repeat(300)}: can't be written: the name is too long\n`,
    ]);
  });

  it.skipIf(!hasBash)('writes into a named pipe without replacing the pipe (needs bash)', async () => {
    const { status, stdout } = await shell(
      'mkfifo pipe; wc -c < pipe & tw-snap info "$DEMO" -o pipe; wait; tw-snap info "$DEMO" -o /dev/stdout | wc -c',
      { cwd, env: { ...process.env, DEMO: demo } },
    );
    expect(status).toBe(0);
    const [first, second] = stdout.trim().split('\n').map(Number);
    expect(first).toBeGreaterThan(400);
    expect(second).toBe(first);
  });

  describe.skipIf(!hasBash || process.platform !== 'linux')('with a path to standard output (needs bash)', () => {
    const env = {
      ...process.env,
      DEMO: demo,
      CAPTURE: samplePath('ddnet-ipv6.pcap'),
      BASE: samplePath('ddnet-race-tick956.snapshot.huff'),
      DELTA: samplePath('ddnet-race-tick958.delta.packed'),
    };
    const writing = [
      'slice "$DEMO" --ticks 9072..9472',
      'edit "$DEMO" --strip chat',
      'repair "$DEMO"',
      'concat "$DEMO" "$DEMO"',
      'extract "$DEMO"@9938 -t hex',
      'annotate "$CAPTURE"',
      'report "$DEMO"',
      'apply "$BASE" "$DELTA" -t huffman',
      'schema obj_character',
      'decode "$BASE"',
      'diff "$DEMO"@first "$DEMO"@last',
      'info "$DEMO"',
      'checksum "$DEMO"',
      'dump "$DEMO" --ticks first..first+50 -t ndjson',
      'stats "$DEMO"',
    ];

    it.each(writing)('is as -o -: %s', async (words) => {
      const { stdout, status, stderr } = await shell(
        `tw-snap ${words} -o - 2> expected.txt > expected; ln -s /dev/stdout link
        { echo HEAD; cat expected; echo TAIL; } > around
        for path in /dev/stdout /proc/self/fd/1 /dev/fd/1 link; do
          tw-snap ${words} -o $path 2> stderr.txt | cat > pipe; cmp expected pipe; cmp expected.txt stderr.txt
          { echo HEAD; tw-snap ${words} -o $path 2> stderr.txt; echo TAIL; } > group; cmp around group
          echo HEAD > log; tw-snap ${words} -o $path >> log 2> stderr.txt; echo TAIL >> log; cmp around log
        done`,
        { cwd, env },
      );
      expect([status, stdout, stderr]).toEqual([0, '', '']);
      expect(printed('around').length).toBeGreaterThan(100);
    });

    it('does not replace it by a database', async () => {
      const { status, stderr } = await shell(
        'echo keep > log; tw-snap export "$DEMO" -t sqlite -o /dev/stdout >> log',
        {
          cwd,
          env,
        },
      );
      expect([status, printed('log')]).toEqual([2, 'keep\n']);
      expect(stderr).toMatch(/standard output; -t sqlite writes a file|needs Node/i);
    });
  });

  it.skipIf(!hasBash)('says why it cannot be written: too large, no reader (needs bash)', async () => {
    const env = { ...process.env, DEMO: demo };
    const large = await shell('ulimit -f 0; tw-snap dump "$DEMO" -t ndjson -o out', { cwd, env });
    const why = "tw-snap: out: can't be written: the file would be larger than the system allows\n";
    expect([large.status, large.stderr]).toEqual([2, why]);
    const closed = await shell('mkfifo pipe; head -c 1 pipe > head & tw-snap dump "$DEMO" -t ndjson -o pipe', {
      cwd,
      env,
    });
    expect([closed.status, closed.stderr]).toEqual([2, "tw-snap: pipe: can't be written: its reader has closed it\n"]);
    expect(readdirSync(cwd).sort()).toEqual(['head', 'pipe']);
  });

  it('is not read in a folder before it is complete, and is deleted if its process was killed', async () => {
    writeFileSync(at('whole.demo'), readFileSync(demo));
    const args = ['dump', '-', '-t', 'ndjson', '-o', 'cut.demo'];
    const { child, ended } = start(process.execPath, [program, ...args], { cwd, stdio: ['pipe', 'pipe', 'pipe'] });
    // The input does not end.
    child.stdin!.write(readFileSync(demo));
    await until(() => readdirSync(cwd).length === 2);
    const unfinished = readdirSync(cwd).find((name) => name.startsWith('.tw-snap.'))!;
    const named = async (...words: string[]) => {
      const { stdout } = await run([...words, '-t', 'ndjson'], { cwd });
      return [...new Set(stdout.match(/"file":"[^"]*"/g))];
    };
    const expectOne = async () => {
      expect(await named('info', '.')).toEqual(['"file":"./whole.demo"']);
      expect(await named('checksum', '.', '--include', '*.demo')).toEqual(['"file":"./whole.demo"']);
    };
    await expectOne();
    // Another process leaves it while it is written.
    await run(['slice', 'whole.demo', '--ticks', '9072..9472', '-o', 'other'], { cwd });
    expect(readdirSync(cwd).sort()).toEqual([unfinished, 'other', 'whole.demo'].sort());
    child.kill('SIGKILL');
    await ended;
    await expectOne();
    await run(['slice', 'whole.demo', '--ticks', '9072..9472', '-o', 'other'], { cwd });
    expect(readdirSync(cwd).sort()).toEqual(['other', 'whole.demo']);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'leaves the old file and nothing beside it after %s',
    async (signal) => {
      writeFileSync(at('out'), 'old');
      const { child, ended } = start(process.execPath, [program, 'dump', '-', '-t', 'ndjson', '-o', 'out'], {
        cwd,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      // The input does not end.
      child.stdin!.write(readFileSync(demo));
      await until(() => readdirSync(cwd).length === 2);
      child.kill(signal);
      expect(await ended).toMatchObject({ status: null, signal, stderr: '' });
      expect(readdirSync(cwd)).toEqual(['out']);
      expect(printed('out')).toBe('old');
    },
  );

  it('keeps the old file where the rest of the input cannot be read', async () => {
    writeFileSync(at('out'), 'old');
    const { status } = await run(['dump', samplePath('ddnet-ipv6.pcap'), '--client', '[::1]:1', '-o', 'out'], { cwd });
    expect(status).toBe(2);
    expect(printed('out')).toBe('old');
    expect(readdirSync(cwd)).toEqual(['out']);
  });
});

describe('a full disk', () => {
  const disk = () => at('disk');
  const mounted = () => {
    mkdirSync(disk());
    try {
      execFileSync(tool('mount'), ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk()], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  };

  it('leaves the old file, and no part of the new one', async ({ skip }) => {
    if (!mounted()) skip('(needs root that may mount)');
    try {
      writeFileSync(at('disk/out'), 'old');
      const { status, stderr } = await run(['dump', demo, '-t', 'ndjson', '-o', 'out'], { cwd: disk() });
      expect([status, stderr]).toEqual([2, "tw-snap: out: can't be written: no space left\n"]);
      expect(printed('disk/out')).toBe('old');
      expect(readdirSync(disk())).toEqual(['out']);
    } finally {
      execFileSync(tool('umount'), [disk()]);
    }
  });

  it.skipIf(!hasBash)('is reported for standard output, too (needs bash)', async () => {
    const { status, stderr } = await shell('tw-snap dump "$DEMO" > /dev/full', { env: { ...process.env, DEMO: demo } });
    expect([status, stderr]).toEqual([2, "tw-snap: standard output: can't be written: no space left\n"]);
  });
});
