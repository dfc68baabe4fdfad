import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { main } from '../../../commands/index.ts';
import { processIo } from '../../../commands/lib/platform/io.ts';
import { fakeIo } from '../../support/fake-io.ts';
import { samplePath } from '../../support/program.ts';
import { read, shortDemo } from '../../support/samples.ts';

const files = { 'a.demo': shortDemo(), 'first.huff': read('first.huff') };

async function printed(line: string, env: Record<string, string> = {}) {
  const io = fakeIo({ files, env });
  await main(line.split(' '), io);
  return { stdout: io.stdout.text, stderr: io.stderr.text };
}

const beyondAscii = /[^\n -~]/;

describe('texts for people are in ASCII', () => {
  const lines = ['decode first.huff', 'info a.demo', 'stats a.demo', 'dump a.demo', 'schema obj_character'];
  it.each(lines)('with LANG=C: %s', async (line) => {
    const { stdout, stderr } = await printed(line, { LANG: 'C' });
    expect(stdout.length).toBeGreaterThan(100);
    expect(stdout + stderr).not.toMatch(beyondAscii);
    expect(await printed(`${line} --ascii`)).toEqual({ stdout, stderr });
  });

  it('so that → is -> and · is -', async () => {
    const { stdout } = await printed('decode first.huff');
    expect(stdout).toContain('huffman · delta · 0.7   25 bytes → 43 bytes → 37 ints');
    expect((await printed('decode first.huff --ascii')).stdout).toContain(
      'huffman - delta - 0.7   25 bytes -> 43 bytes -> 37 ints',
    );
  });

  it('also in a file', async () => {
    const place = mkdtempSync(join(tmpdir(), 'tw-snap-ascii-'));
    const file = join(place, 'info.txt');
    expect(await main(['info', samplePath('vanilla-dm1.demo'), '--ascii', '-q', '-o', file], processIo())).toBe(0);
    const text = readFileSync(file, 'utf8');
    rmSync(place, { recursive: true });
    expect(text).toContain('players       corpus, stress2, stress3');
    expect(text).not.toMatch(beyondAscii);
  });

  it('not with another locale, and without one', async () => {
    const signs = await printed('info a.demo');
    expect(signs.stdout).toMatch(beyondAscii);
    for (const env of [{ LANG: 'C.UTF-8' }, { LANG: 'C', LC_ALL: 'en_GB.UTF-8' }]) {
      expect(await printed('info a.demo', env)).toEqual(signs);
    }
  });
});

describe('messages are in ASCII', () => {
  it('of commands that print a line about what they wrote', async () => {
    const env = { LANG: 'C' };
    expect((await printed('repair a.demo -o b.demo', env)).stdout).toContain('a.demo -> b.demo   386 snapshots');
    const { stdout, stderr } = await printed('slice a.demo --ticks first -o -', env);
    expect(stdout).toBe((await printed('slice a.demo --ticks first -o -')).stdout);
    expect(stderr).not.toMatch(beyondAscii);
  });

  it('also those of errors', async () => {
    const open = () => {
      throw new Error('a → b');
    };
    const io = { ...fakeIo({ env: { LC_ALL: 'C' } }), exists: () => true, isFolder: () => false, open };
    await main(['a.demo'], io as never);
    expect(io.stderr.text).toContain('a -> b');
  });
});

it('output for programs is the same in every locale', async () => {
  for (const line of ['dump a.demo -t ndjson', 'info a.demo -t json', 'info a.demo -t csv']) {
    expect((await printed(line, { LC_ALL: 'POSIX' })).stdout).toBe((await printed(line)).stdout);
  }
});
