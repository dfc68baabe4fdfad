import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasTool } from '../support/host.ts';
import { program, run, samplePath, shell, start, withProgram } from '../support/program.ts';

const hasBash = hasTool('bash');
const place = withProgram();
const demo = samplePath('vanilla-dm1.demo');
const small = samplePath('first.huff');
const env = { ...process.env, DEMO: demo, SMALL: small };
const inShell = (line: string) => shell(`set -o pipefail\n${line}`, { env, cwd: place.folder });

describe.skipIf(!hasBash)('a closed pipe (needs bash)', () => {
  it.each([
    'tw-snap dump -t ndjson "$DEMO" | head -n 1',
    'tw-snap dump -t ndjson "$DEMO" | true',
    'tw-snap decode "$SMALL" | true',
    'tw-snap --help | true',
  ])('%s ends quietly', async (line) => {
    const { status, stderr } = await inShell(`${line}\necho "\${PIPESTATUS[0]}" > status`);
    expect(status).toBe(0);
    expect(stderr.replace(/^tw-snap: .*: read as .*\n/, '')).toBe('');
    expect(readFileSync(join(place.folder, 'status'), 'utf8')).toBe('0\n');
  });

  it('on standard error does not stop the work', async () => {
    const { status, stdout } = await inShell(
      'tw-snap info "$DEMO" missing missing missing -o out 2> >(true); echo $?; wc -l < out',
    );
    expect(status).toBe(0);
    // A heading, and a row for each file.
    expect(stdout).toBe('3\n5\n');
  });
});

describe.skipIf(!hasBash)('closed standard streams (needs bash)', () => {
  it('do not cause a failure', async () => {
    expect(await inShell('tw-snap info "$DEMO" >&-')).toMatchObject({ status: 0, stderr: '' });
    expect((await inShell('tw-snap decode "$SMALL" 2>&- | wc -l')).stdout.trim()).toBe('16');
    expect(await inShell('tw-snap info "$DEMO" <&- | wc -l')).toMatchObject({ status: 0, stdout: '9\n' });
    const empty =
      'tw-snap: standard input: empty_input at 0x0000: the input is empty; expected a snapshot or a delta\n';
    expect(await inShell('tw-snap decode <&-')).toMatchObject({ status: 3, stderr: empty });
    expect(await inShell('tw-snap decode < /dev/null')).toMatchObject({ status: 3, stderr: empty });
    expect(await inShell('tw-snap decode < /')).toMatchObject({
      status: 3,
      stderr: "tw-snap: standard input: can't be read: is a directory\n",
    });
  });

  it('a missing terminal does not cause a failure', async () => {
    const { status, stdout } = await start(process.execPath, [program, 'info', demo], { detached: true, env: {} })
      .ended;
    expect(status).toBe(0);
    expect(stdout).toContain('healthy');
  });
});

describe('slow readers and inputs', () => {
  it.skipIf(!hasBash)('a slow reader receives all output (needs bash)', async () => {
    const whole = await run(['dump', '-t', 'ndjson', demo]);
    const { stdout } = await inShell('tw-snap dump -t ndjson "$DEMO" | (sleep 1; cat)');
    expect(stdout).toBe(whole.stdout);
  });

  it.each([['decode', '@first'], ['extract', '@first', '-o', '/dev/null'], ['info', demo], ['schema']])(
    'input that stays open is not waited for: %s %s',
    async (...args) => {
      const { child, ended } = start(process.execPath, [program, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
      child.stdin!.on('error', () => {});
      child.stdin!.write(readFileSync(demo));
      expect((await ended).status).toBe(0);
    },
  );

  it('slow input is shown as it arrives', async () => {
    const bytes = readFileSync(samplePath('ddnet-ipv6.pcap'));
    const { child, ended } = start(process.execPath, [program, 'dump', '-'], { stdio: ['pipe', 'pipe', 'pipe'] });
    const shown = new Promise<string>((done) => child.stdout!.once('data', (data: Buffer) => done(data.toString())));
    child.stdin!.write(bytes.subarray(0, bytes.length / 2));
    expect(await shown).toContain('connects to');
    child.stdin!.end(bytes.subarray(bytes.length / 2));
    expect((await ended).status).toBe(0);
  });

  it.skipIf(!hasBash)('a named pipe is read as its data arrives (needs bash)', async () => {
    const { status, stdout } = await inShell(
      'mkfifo fifo; (head -c 10 "$SMALL"; sleep 0.5; tail -c +11 "$SMALL") > fifo & tw-snap decode fifo',
    );
    expect(status).toBe(0);
    expect(stdout).toContain('25 bytes → 43 bytes');
  });
});

describe('signals', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('%s ends the program while the input stays open', async (signal) => {
    const { child, ended } = start(process.execPath, [program, 'dump', '-'], { stdio: ['pipe', 'pipe', 'pipe'] });
    child.stdin!.write(readFileSync(samplePath('ddnet-ipv6.pcap')));
    child.stdout!.once('data', () => child.kill(signal));
    expect(await ended).toMatchObject({ status: null, signal, stderr: '' });
  });
});

describe.skipIf(!hasBash)('many files (needs bash)', () => {
  const many = 10_000;

  beforeAll(() => {
    mkdirSync(join(place.folder, 'many'));
    for (let i = 0; i < many; i++) symlinkSync(small, join(place.folder, 'many', `${i}.huff`));
    symlinkSync('nowhere', join(place.folder, 'dangling'));
    writeFileSync(join(place.folder, 'damaged.demo'), readFileSync(demo).subarray(0, 40_000));
  });

  it('are closed one after the other', async () => {
    const { status, stdout } = await inShell(
      'ulimit -n 64; cd many; tw-snap checksum --base empty -- *.huff | sort -u -k1,1 | wc -l; ls | wc -l',
    );
    expect(status).toBe(0);
    expect(stdout).toBe(`1\n${many}\n`);
  });

  it('of which some cannot be read: the others are processed', async () => {
    const files = '"$DEMO" many dangling missing "$SMALL" damaged.demo "$DEMO"';
    for (const [command, count] of [
      // A heading, and a row for each file, including unreadable ones.
      ['info', 8],
      // Also of the single delta.
      ['checksum --summary', 4],
      // One heading, and a row for each demo.
      ['dump -t csv --type obj_game_data --ticks 8898', 4],
    ] as const) {
      const { status, stdout, stderr } = await inShell(`tw-snap ${command} ${files}`);
      expect([command, status, stdout.trimEnd().split('\n').length]).toEqual([command, 3, count]);
      expect(stderr).toContain("tw-snap: many: can't be read: is a directory\n");
      expect(stderr).toContain("tw-snap: dangling: can't be read: no such file\n");
      expect(stderr).toContain("tw-snap: missing: can't be read: no such file\n");
      expect(stderr).not.toMatch(/^ +at /m);
    }
  });

  it('may change while being read', async () => {
    const { status, stderr } = await inShell(
      'cp "$DEMO" growing; (for i in 1 2 3 4 5; do cat "$DEMO" >> growing; : > shrinking; cat "$DEMO" > shrinking; done) & for i in 1 2 3; do tw-snap dump growing growing@last shrinking > out; s=$?; [ $s = 0 ] || [ $s = 3 ] || exit 9; done; wait',
    );
    expect(status).toBe(0);
    expect(stderr).not.toMatch(/internal|^ +at /m);
  });
});
