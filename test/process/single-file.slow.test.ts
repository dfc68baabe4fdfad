import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, describe, expect, it } from 'vitest';
import { commands } from '../../commands/index.ts';
import { corpusFolder, hasCorpus } from '../support/corpus.ts';
import { hasTool, spawnSync, tool } from '../support/host.ts';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'tw-snap-binary-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const binary = join(root, 'release/binary/tw-snap');

describe.skipIf(!existsSync(binary))('the single file (needs npm run binaries)', () => {
  /** Without Node on the path, and with nothing beside the program. */
  const options = { cwd: root, env: { HOME: folder }, encoding: 'latin1' } as const;
  const run = (...args: string[]) => spawnSync(binary, args, options);
  const program = (...args: string[]) => spawnSync(process.execPath, [join(root, 'bin/tw-snap.cjs'), ...args], options);

  it.each([
    ['decode', 'samples/first.huff'],
    ['decode', '-t', 'json', 'samples/first.hex'],
    ['info', 'samples/vanilla-dm1.demo'],
    ['checksum', 'samples/vanilla-dm1.demo', 'samples/ddnet-race-player.demo'],
    ['stats', 'samples/ddnet-ipv6.pcap'],
    ['explain', 'samples/duplicate-key.pcap'],
    ['schema', 'obj_character'],
    ['completion', 'zsh'],
    ['decode', 'no-such-file'],
    ['dump', '-t', 'ndjson', 'samples/vanilla-dm1.demo', '--ticks', 'first..first+1s'],
    ['diff', 'samples/vanilla-dm1.demo@9938', 'samples/vanilla-dm1.demo@10000'],
    ['apply', 'samples/ddnet-dm1-tick2786.snapshot.huff', 'samples/ddnet-dm1-tick2788.delta.huff', '-t', 'json'],
    ['annotate', 'samples/ddnet-ipv6.pcap', '-o', '-'],
    ['slice', 'samples/vanilla-dm1.demo', '--ticks', 'first..first+1s', '-o', '-'],
    ['edit', 'samples/vanilla-dm1.demo', '--map-name', 'other', '-o', '-'],
    ['repair', 'samples/vanilla-dm1.demo', '-o', '-'],
    ['concat', 'samples/vanilla-dm1.demo', 'samples/vanilla-dm1.demo', '-o', '-'],
    ['extract', 'samples/vanilla-dm1.demo@9938', '-o', '-'],
    ...commands.map(({ name }) => ['help', name]),
  ])('%s prints what the package prints', (...args) => {
    const expected = program(...args);
    const { status, stdout, stderr } = run(...args);
    expect({ status, stdout, stderr }).toEqual({
      status: expected.status,
      stdout: expected.stdout,
      stderr: expected.stderr,
    });
    expect(stdout + stderr).not.toBe('');
  });

  it.skipIf(!hasCorpus)('reads several demos with threads (needs ../shared)', () => {
    const demos = Array<string>(3).fill(join(corpusFolder, '07-vanilla-dm1-57clients-server-BENCH.demo'));
    const rows = run('checksum', '--jobs', '2', ...demos).stdout;
    expect(rows).toContain('BENCH.demo');
    expect(rows).toBe(program('checksum', ...demos).stdout);
  });

  it('writes pages and tables', () => {
    const page = (name: string) => readFileSync(join(folder, name));
    run('report', 'samples/vanilla-dm1.demo', '-o', join(folder, 'one.html'));
    program('report', 'samples/vanilla-dm1.demo', '-o', join(folder, 'two.html'));
    expect(page('one.html').length).toBeGreaterThan(100_000);
    expect(page('one.html').equals(page('two.html'))).toBe(true);
    expect(run('export', 'samples/vanilla-dm1.demo', '-o', join(folder, 'tables')).status).toBe(0);
  });
});

describe.skipIf(!existsSync(binary) || !hasTool('dpkg-deb'))('the Debian package (needs npm run binaries)', () => {
  it('has the program, man pages and completion', () => {
    for (const path of ['scripts', 'package.json', 'CHANGELOG.md', 'release/binary']) {
      cpSync(join(root, path), join(folder, path), { recursive: true, filter: (file) => file !== binary });
    }
    // Compressing the whole program takes half a minute.
    writeFileSync(join(folder, 'release/binary/tw-snap'), readFileSync(binary).subarray(0, 1000));
    const args = ['scripts/release/debian.mjs', '--owner', 'someone', '--dry-run'];
    expect(spawnSync(process.execPath, args, { cwd: folder }).status).toBe(0);
    const [deb] = readdirSync(join(folder, 'release/files'));
    const { stdout } = spawnSync(tool('dpkg-deb'), ['--contents', join(folder, 'release/files', deb!)], {
      encoding: 'utf8',
    });
    const files = stdout.split('\n').map((line) => line.split(' ').at(-1));
    for (const file of [
      'bin/tw-snap',
      'share/man/man1/tw-snap-decode.1.gz',
      'share/bash-completion/completions/tw-snap',
      'share/doc/tw-snap/copyright',
    ]) {
      expect(files).toContain(`./usr/${file}`);
    }
  }, 300_000);
});
