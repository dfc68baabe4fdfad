import { execFileSync, spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const at = (path: string) => join(root, path);
const manifest = JSON.parse(readFileSync(at('package.json'), 'utf8'));

function run(command: string, args: readonly string[], cwd = root): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 26 });
}

/** Without scripts: packing would build, under the feet of other tests. */
function pack(...args: string[]): { filename: string; files: { path: string; mode: number }[] } {
  return JSON.parse(run('npm', ['pack', '--ignore-scripts', '--json', ...args]))[0];
}

beforeAll(() => {
  if (!existsSync(at('dist/cli/cli.cjs')) || !existsSync(at(manifest.types))) run('npm', ['run', 'build']);
}, 120_000);

describe('package.json', () => {
  it('asks for nothing at run time', () => {
    for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies', 'bundleDependencies']) {
      expect(manifest[kind], kind).toBeUndefined();
    }
  });

  it('pins each tool to one version', () => {
    for (const [name, version] of Object.entries(manifest.devDependencies)) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
    }
  });

  it('runs nothing when it is installed', () => {
    const scripts = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'postprepare'];
    expect(Object.keys(manifest.scripts).filter((name) => scripts.includes(name))).toEqual([]);
  });

  it('is built with few tools, of which one has an install script: esbuild checks its own binary', () => {
    const lock = JSON.parse(readFileSync(at('package-lock.json'), 'utf8'));
    const scripted = Object.entries<{ hasInstallScript?: boolean; optional?: boolean }>(lock.packages)
      .filter(([, { hasInstallScript, optional }]) => hasInstallScript && !optional)
      .map(([path]) => path);
    expect(scripted).toEqual(['node_modules/esbuild']);
    expect(Object.keys(manifest.devDependencies).length).toBeLessThanOrEqual(20);
  });

  it('bundles few packages, whose licences allow it', () => {
    const licences = readFileSync(at('dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
    const bundled = [...licences.matchAll(/^(\S+) \d+\.\d+\.\d+ \((.+)\)$/gm)].map(([, name, licence]) => [
      name,
      licence,
    ]);
    for (const [name, licence] of bundled) {
      expect(['MIT', 'ISC', 'BSD-3-Clause', 'Apache-2.0'], name).toContain(licence);
    }
    // A few more than package.json names: what those need.
    expect(bundled.length).toBeGreaterThan(5);
    expect(bundled.length).toBeLessThan(18);
  });

  it('runs on Node 20 and later, as modules', () => {
    expect(manifest.engines).toEqual({ node: '>=20' });
    expect(manifest.type).toBe('module');
    expect(manifest.license).toBe('MIT');
  });

  it('has a launcher that the system can start', () => {
    expect(manifest.bin).toEqual({ 'tw-snap': 'bin/tw-snap.cjs' });
    const launcher = at(manifest.bin['tw-snap']);
    accessSync(launcher, constants.X_OK);
    expect(readFileSync(launcher, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  it('gives types before code', () => {
    expect(Object.keys(manifest.exports['.'])).toEqual(['types', 'default']);
    expect(manifest.types).toBe(manifest.exports['.'].types);
  });
});

describe('what is published', () => {
  let files: string[];
  let modes: Map<string, number>;

  beforeAll(() => {
    const packed = pack('--dry-run');
    files = packed.files.map(({ path }) => path);
    modes = new Map(packed.files.map(({ path, mode }) => [path, mode]));
  }, 60_000);

  it('has every file that package.json points at', () => {
    const targets = Object.values(manifest.exports).flatMap((to) =>
      typeof to === 'string' ? [to] : Object.values(to!),
    );
    for (const target of [manifest.types, manifest.bin['tw-snap'], ...targets]) {
      expect(files).toContain(target.replace(/^\.\//, ''));
    }
    expect(modes.get(manifest.bin['tw-snap'])! & 0o111).toBe(0o111);
  });

  it('has every entry of its list of files', () => {
    const missing = manifest.files.filter(
      (entry: string) =>
        !entry.startsWith('!') && !files.some((path) => path === entry || path.startsWith(`${entry}/`)),
    );
    expect(missing).toEqual([]);
  });

  it('tells what it is, and under which licence', () => {
    expect(['package.json', 'README.md', 'LICENSE'].filter((path) => !files.includes(path))).toEqual([]);
  });

  it('has no sources, tests, samples or recordings', () => {
    expect(files.filter((path) => !/^(bin|dist)\/|^[^/]+\.(md|json)$|^LICENSE$/.test(path))).toEqual([]);
    expect(files.filter((path) => /\.(demo|pcap|map|huff)$/.test(path))).toEqual([]);
  });

  it('has nothing that only the V8 here can read', () => {
    expect(files.filter((path) => path.endsWith('.cache'))).toEqual([]);
  });
});

describe('tracked files', () => {
  const tracked = (): string[] => run('git', ['ls-files', '-z']).split('\0').filter(Boolean);

  it.runIf(existsSync(at('.git')))('hold nothing that was installed or built', () => {
    expect(tracked().filter((path) => /(^|\/)(node_modules|dist|coverage)\//.test(path))).toEqual([]);
    expect(tracked().filter((path) => /\.(tgz|cpuprofile)$/.test(path))).toEqual([]);
  });

  it.runIf(existsSync(at('.git')))('know no path of the machine they were written on', () => {
    const home = new RegExp(`(?<![\\w.])/(${['home', 'root', 'Users', 'work'].join('|')})/\\w`);
    const telling = tracked().filter((path) => existsSync(at(path)) && home.test(readFileSync(at(path), 'latin1')));
    expect(telling).toEqual([]);
  });

  it('lock versions without an address of a registry', () => {
    const lock = JSON.parse(readFileSync(at('package-lock.json'), 'utf8'));
    const packages = Object.entries<{ version?: string; resolved?: string; integrity?: string }>(lock.packages);
    expect(packages.length).toBeGreaterThan(10);
    expect(packages.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
    expect(packages.filter(([path, { integrity }]) => path !== '' && integrity === undefined)).toEqual([]);
    expect(lock.packages[''].devDependencies).toEqual(manifest.devDependencies);
    expect(lock.version).toBe(manifest.version);
  });
});

describe('installed from its tarball', { timeout: 120_000 }, () => {
  let place: string;
  const node = (...args: string[]) => run(process.execPath, args, place);
  const write = (name: string, text: string) => writeFileSync(join(place, name), text);

  beforeAll(() => {
    place = mkdtempSync(join(tmpdir(), 'tw-snap-package-'));
    const { filename } = pack('--pack-destination', place);
    mkdirSync(join(place, 'node_modules'));
    write('package.json', '{ "name": "consumer", "private": true, "type": "module" }');
    run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(place, filename)], place);
  }, 120_000);

  afterAll(() => rmSync(place, { recursive: true, force: true }));

  it('brings nothing else along', () => {
    const { packages } = JSON.parse(readFileSync(join(place, 'package-lock.json'), 'utf8'));
    expect(Object.keys(packages).sort()).toEqual(['', 'node_modules/tw-snap']);
  });

  it('runs', () => {
    const bin = join(place, 'node_modules', '.bin', 'tw-snap');
    expect(run(bin, ['--version'], place).trim()).toBe(manifest.version);
    const json = JSON.parse(run(bin, ['decode', '-t', 'json', at('samples/first.huff')], place));
    expect(json).toEqual(JSON.parse(readFileSync(at('samples/first.huff.json'), 'utf8')));
  });

  it('works on several files in threads', () => {
    const bin = join(place, 'node_modules', '.bin', 'tw-snap');
    const demos = ['vanilla-dm1.demo', 'ddnet-race-player.demo', 'ddnet-ipv6.pcap'].map((name) =>
      at(`samples/${name}`),
    );
    for (const call of [['checksum'], ['info', '-t', 'json'], ['dump', '-t', 'ndjson']]) {
      const [alone, together] = ['1', '2'].map((jobs) => run(bin, [...call, '--jobs', jobs, ...demos], place));
      expect(together, call[0]).toBe(alone);
    }
    const missing = spawnSync(bin, ['checksum', '--jobs', '2', '--summary', 'nowhere', demos[0]!], {
      encoding: 'utf8',
    });
    expect(missing.status).toBe(3);
    expect(missing.stderr).toBe("tw-snap: nowhere: can't be read: no such file\n");
    expect(missing.stdout).toMatch(/1,369 snapshots/);
  });

  it('makes pages', () => {
    run(join(place, 'node_modules', '.bin', 'tw-snap'), ['report', at('samples/first.huff'), '-o', 'page.html'], place);
    expect(readFileSync(join(place, 'page.html'), 'utf8')).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
  });

  it('is a library', () => {
    write(
      'library.mjs',
      `import { readFileSync } from 'node:fs';
       import { protocolOf, recognise } from 'tw-snap';
       const { payload } = recognise(readFileSync(process.argv[2]), {}, (version) => protocolOf(version));
       const { kind, body, types } = payload;
       console.log(kind, types.protocol.version, types.of(body.type(1)).name, body.item(1).length);`,
    );
    expect(node('library.mjs', at('samples/first.huff'))).toBe('delta 0.7 obj_character 22\n');
  });

  it('has types that a strict consumer can check, without its own declarations skipped', () => {
    write(
      'consumer.ts',
      `import { DecodeError, type Payload, protocolOf, recognise } from 'tw-snap';
       const payload: Payload = recognise(new Uint8Array(43), {}, (version) => protocolOf(version)).payload;
       export const items: number = payload.body.count;
       export const failed = (error: unknown): string | undefined => (error instanceof DecodeError ? error.code : undefined);
       // @ts-expect-error a key is a number
       payload.body.type('first');`,
    );
    write(
      'tsconfig.json',
      JSON.stringify({
        compilerOptions: {
          target: 'es2022',
          module: 'nodenext',
          moduleResolution: 'nodenext',
          strict: true,
          skipLibCheck: false,
          types: [],
          noEmit: true,
        },
        include: ['consumer.ts'],
      }),
    );
    expect(node(at('node_modules/typescript/bin/tsc'), '--project', 'tsconfig.json')).toBe('');
  });
});
