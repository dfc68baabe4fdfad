import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { program, samplePath, start, withProgram } from '../support/program.ts';

const place = withProgram();
const hasOwn = 'enableCompileCache' in module;

/** A copy of the program, whose caches may be changed; what it says of a sample. */
function copied(change: (file: string) => void = () => {}) {
  const root = join(place.folder, `copy-${Math.random()}`);
  for (const part of ['bin', 'dist/cli']) cpSync(join(program, '../..', part), join(root, part), { recursive: true });
  const folder = join(root, 'dist/cli');
  for (const name of readdirSync(folder)) if (name.endsWith('.cache')) change(join(folder, name));
  return root;
}

const decode = ['decode', samplePath('first.huff')];
const decodedBy = (root: string) => start(process.execPath, [join(root, 'bin/tw-snap.cjs'), ...decode]).ended;

describe.skipIf(hasOwn)('what V8 made of the bundles', () => {
  it('is taken', async () => {
    const root = copied();
    const code = `
      const { scripts } = require('./bin/code-cache.cjs');
      process.on('exit', () => scripts.forEach(({ cachedDataRejected }, file) => console.log(cachedDataRejected, file)));
      require('./dist/cli/cli.cjs');`;
    const { stdout } = await start(process.execPath, ['-e', code, 'tw-snap', ...decode], { cwd: root }).ended;
    const taken = ['cli', 'commander', 'decode'].map((name) => `false ${join(root, `dist/cli/${name}.cjs`)}`);
    expect(stdout.trimEnd().split('\n').slice(-3)).toEqual(taken);
  });

  it.each([
    ['is missing', (file: string) => rmSync(file)],
    ['is empty', (file: string) => writeFileSync(file, '')],
    ['is of something else', (file: string) => writeFileSync(file, readFileSync(file).reverse())],
    ['is half there', (file: string) => writeFileSync(file, readFileSync(file).subarray(0, 5000))],
  ])('changes nothing when it %s', async (_, change) => {
    const usual = await decodedBy(copied());
    expect(usual.status).toBe(0);
    expect(usual.stdout).toContain('obj_character');
    expect(await decodedBy(copied(change))).toEqual(usual);
  });
});
