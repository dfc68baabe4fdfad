import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import module from 'node:module';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { run, samplePath, withProgram } from '../support/program.ts';

const place = withProgram();
const isRoot = process.getuid?.() === 0;
const hasCache = 'enableCompileCache' in module;

/** Decodes a sample with this cache folder of the user, and returns all output. */
async function decodeWith(caches: string, env: NodeJS.ProcessEnv = {}) {
  return run(['decode', samplePath('first.huff')], { env: { ...process.env, XDG_CACHE_HOME: caches, ...env } });
}

/** An empty cache folder of the user. */
function makeCaches(name: string): string {
  const caches = resolve(place.folder, name);
  mkdirSync(caches, { mode: 0o700 });
  return caches;
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

const withoutCache = () => decodeWith(join(place.folder, 'none'), { NODE_DISABLE_COMPILE_CACHE: '1' });

describe('compiled code is kept for the next start only where nobody but the user can write', () => {
  it.skipIf(!hasCache)('in a folder of mode 700 (needs Node 22)', async () => {
    const caches = makeCaches('own');
    const expected = await withoutCache();
    expect(expected.status).toBe(0);
    expect(await decodeWith(caches)).toEqual(expected);
    expect(statSync(join(caches, 'tw-snap')).mode & 0o777).toBe(0o700);
    expect(filesIn(caches)).toHaveLength(1);
    expect(await decodeWith(caches)).toEqual(expected);
  });

  it.skipIf(!hasCache)('a damaged file in it is not used (needs Node 22)', async () => {
    const caches = makeCaches('damaged');
    const expected = await decodeWith(caches);
    const [file] = filesIn(caches);
    const flipped = readFileSync(file!);
    flipped[flipped.length >> 1]! ^= 1;
    for (const damage of [Buffer.alloc(0), Buffer.alloc(1000), Buffer.alloc(300_000, 'x'), flipped]) {
      writeFileSync(file!, damage);
      expect(await decodeWith(caches)).toEqual(expected);
    }
  });

  it('NODE_DISABLE_COMPILE_CACHE turns it off', async () => {
    const caches = makeCaches('off');
    await decodeWith(caches, { NODE_DISABLE_COMPILE_CACHE: '1' });
    expect(readdirSync(caches)).toEqual([]);
  });

  it.each<[string, (caches: string) => void]>([
    ['the folder is readable by others', (caches) => chmodSync(makeCaches(`${caches}/tw-snap`), 0o755)],
    ['others can write where the folder is', (caches) => chmodSync(caches, 0o777)],
    ['the folder is a link', (caches) => symlinkSync(makeCaches('aim'), join(caches, 'tw-snap'))],
    ['the folder is a file', (caches) => writeFileSync(join(caches, 'tw-snap'), '')],
  ])('not if %s: the output is the same', async (name, make) => {
    const caches = makeCaches(name);
    make(caches);
    const before = filesIn(place.folder);
    expect(await decodeWith(caches)).toEqual(await withoutCache());
    expect(filesIn(place.folder)).toEqual(before);
  });

  it('not if it cannot be made: the output is the same', async () => {
    const file = join(place.folder, 'file');
    writeFileSync(file, '');
    expect(await decodeWith(file)).toEqual(await withoutCache());
  });

  it('not if there is no home folder, which is not created', async () => {
    const HOME = join(place.folder, 'no-home');
    expect(await decodeWith('', { HOME })).toEqual(await withoutCache());
    expect(existsSync(HOME)).toBe(false);
    // Node 24 tries for ever to create all of a path below /proc.
    expect(await decodeWith('', { HOME: '/proc' })).toEqual(await withoutCache());
  });

  it.skipIf(!isRoot)('not if the folder belongs to another user (needs root)', async () => {
    const caches = makeCaches('foreign');
    mkdirSync(join(caches, 'tw-snap'), { mode: 0o700 });
    chownSync(join(caches, 'tw-snap'), 65534, 65534);
    expect(await decodeWith(caches)).toEqual(await withoutCache());
    expect(filesIn(caches)).toEqual([]);
  });

  it('not if the variable is no absolute path', async () => {
    const folder = makeCaches('relative');
    const env = { ...process.env, XDG_CACHE_HOME: 'caches', HOME: 'home' };
    expect(await run(['decode', samplePath('first.huff')], { env, cwd: folder })).toEqual(await withoutCache());
    expect(existsSync(join(folder, 'caches')) || existsSync(join(folder, 'home'))).toBe(false);
  });
});
