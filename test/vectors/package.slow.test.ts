import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, describe, expect, it } from 'vitest';
import { hasTool, spawnSync, type Tool, tool } from '../support/host.ts';

const root = join(import.meta.dirname, '../..');
const vectors = join(root, 'vectors');
const folder = mkdtempSync(join(tmpdir(), 'tw-snap-package-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (program: Tool | string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: vectors, encoding: 'utf8' });
  return { status, stdout, stderr };
};

describe('the package', () => {
  const own = JSON.parse(readFileSync(join(vectors, 'package.json'), 'utf8'));

  it('has the version of tw-snap, and no dependency', () => {
    expect(own.version).toBe(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version);
    expect(Object.keys(own).filter((key) => /dependencies/i.test(key))).toEqual([]);
  });

  it('is all that is needed: installed in an empty folder, it asks', () => {
    expect(run('npm', 'pack', vectors, '--ignore-scripts', '--pack-destination', folder).status).toBe(0);
    const archive = join(folder, `${own.name}-${own.version}.tgz`);
    expect(run('npm', 'install', archive, '--offline', '--no-audit', '--no-fund', '--prefix', folder).status).toBe(0);
    const installed = join(folder, 'node_modules', own.name);
    const answerer = join(installed, 'reference.mjs');
    const { status, stdout } = run('npm', 'exec', '--prefix', folder, own.name, '--', '--', process.execPath, answerer);
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^play +not answered$/m)]);
    // A link of a page leads to what is there.
    for (const page of ['README.md', 'GUIDE.md', 'AGREE.md']) {
      const links = [...readFileSync(join(installed, page), 'utf8').matchAll(/\]\(([^)#]+)[^)]*\)/g)];
      for (const [, link] of links) if (!link!.includes(':')) readFileSync(join(installed, link!));
    }
  });
});

describe('an adapter of the examples', () => {
  const examples: Readonly<
    Record<string, { readonly build?: string[]; readonly with: string; readonly sums: string[] }>
  > = {
    'adapter.c': { build: ['cc', '-o'], with: 'cc', sums: ['chunk', 'varint'] },
    'adapter.rs': { build: ['rustc', '--edition', '2021', '-o'], with: 'rustc', sums: ['chunk', 'string', 'varint'] },
    'adapter.py': { with: 'python3', sums: ['chunk', 'string', 'varint'] },
    'adapter.rb': { with: 'ruby', sums: ['chunk', 'string', 'varint'] },
    'adapter.mjs': { with: 'node', sums: ['chunk', 'string', 'varint'] },
  };
  const most = 50;

  it('is short, and there are no others', () => {
    expect(readdirSync(join(vectors, 'examples')).sort()).toEqual(Object.keys(examples).sort());
    for (const name of Object.keys(examples))
      expect(readFileSync(join(vectors, 'examples', name), 'utf8').split('\n').length - 1).toBeLessThanOrEqual(most);
  });

  for (const [name, { build, with: needs, sums }] of Object.entries(examples))
    it.skipIf(!hasTool(needs))(`answers as DDNet does: ${name} (needs ${needs})`, () => {
      const source = join('examples', name);
      const program = join(folder, 'adapter');
      if (build) {
        const [compiler, ...options] = build;
        expect(run(tool(compiler!), ...options, program, source).status).toBe(0);
      }
      const command = build ? ['--tsv', '--', program] : ['--', tool(needs).path!, source];
      const { status, stdout } = run(process.execPath, 'check.mjs', '--like', 'ddnet', ...command);
      const answered = [...stdout.matchAll(/^(\w+) +(\d+) of (\d+)$/gm)];
      expect([status, answered.map(([, layer]) => layer)]).toEqual([0, sums]);
      expect(answered.every(([, , right, asked]) => right === asked)).toBe(true);
    });
});

it('the guide shows a failure as it is', () => {
  const text = readFileSync(join(vectors, 'GUIDE.md'), 'utf8');
  const [shown] = /^delta-\d+ [^`]+/m.exec(text)!;
  const options = ['--layer', 'delta', '--show', '1'];
  const decoder = [process.execPath, 'reference.mjs', 'delta-negative-updates-refused'];
  expect(run(process.execPath, 'check.mjs', ...options, '--', ...decoder).stdout).toContain(shown.trim());
});
