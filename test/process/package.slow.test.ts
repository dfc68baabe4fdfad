import type { SpawnSyncReturns } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../../commands/index.ts';
import { bundledPackages } from '../../scripts/build/licences.mjs';
import { execFileSync, hasTool, spawnSync, type Tool, tool } from '../support/host.ts';

const root = resolve(import.meta.dirname, '../..');
const at = (path: string) => join(root, path);
const manifest = JSON.parse(readFileSync(at('package.json'), 'utf8'));

function run(command: Tool | string, args: readonly string[], cwd = root): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 26 });
}

/** npm with a separate cache, so that nothing from an earlier run is used. */
function npm(cwd: string, ...args: string[]): SpawnSyncReturns<string> {
  const cache = mkdtempSync(join(tmpdir(), 'tw-snap-npm-'));
  try {
    return spawnSync('npm', args, { cwd, encoding: 'utf8', env: { ...process.env, npm_config_cache: cache } });
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
}

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly mode: number; readonly size: number }[];
}

/** Packs without scripts, since the build would replace files that other tests use. */
function pack(...args: string[]): Packed {
  return JSON.parse(run('npm', ['pack', '--ignore-scripts', '--json', ...args]))[0];
}

beforeAll(() => {
  if (!existsSync(at('dist/cli/cli.cjs')) || !existsSync(at(manifest.types))) run('npm', ['run', 'build']);
});

describe('package.json', () => {
  it('has no dependencies at run time', () => {
    for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies', 'bundleDependencies']) {
      expect(manifest[kind], kind).toBeUndefined();
    }
  });

  it('pins each tool to one version', () => {
    const { devDependencies } = JSON.parse(readFileSync(at('scripts/docs/package.json'), 'utf8'));
    for (const [name, version] of [...Object.entries(manifest.devDependencies), ...Object.entries(devDependencies)]) {
      expect(version, name).toMatch(/^(npm:typescript@)?\d+\.\d+\.\d+(-[\w.]+)?$/);
    }
  });

  it('runs nothing when it is installed', () => {
    const scripts = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare'];
    expect(Object.keys(manifest.scripts).filter((name) => scripts.includes(name))).toEqual([]);
  });

  it('is built by npm ci in a checkout, and before it is packed', () => {
    // npm runs `dependencies` after it has installed the packages of a project, and never for one of these packages.
    expect(manifest.scripts).toMatchObject({ dependencies: 'npm run build', prepack: 'npm run build' });
  });

  it('is built with few tools, of which one has an install script: esbuild checks its own binary', () => {
    const lock = JSON.parse(readFileSync(at('package-lock.json'), 'utf8'));
    const scripted = Object.entries<{ hasInstallScript?: boolean; optional?: boolean }>(lock.packages)
      .filter(([, { hasInstallScript, optional }]) => hasInstallScript && !optional)
      .map(([path]) => path);
    expect(scripted).toEqual(['node_modules/esbuild']);
    expect(manifest.allowScripts).toEqual({ esbuild: true });
    expect(Object.keys(manifest.devDependencies).length).toBeLessThanOrEqual(26);
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
    // More packages than package.json names: their dependencies.
    expect(bundled.length).toBeGreaterThan(5);
    expect(bundled.length).toBeLessThan(20);
  });

  it('is not built with a package that has no licence text', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tw-snap-licence-'));
    try {
      const text = join(folder, 'node_modules/one');
      mkdirSync(text, { recursive: true });
      writeFileSync(join(text, 'package.json'), '{ "name": "one", "version": "1.2.3", "license": "MIT" }');
      const files = ['src/api/index.ts', join(text, 'index.js')];
      expect(() => bundledPackages(files)).toThrow(/^one 1\.2\.3 is in a bundle, but has no licence text in /);
      writeFileSync(join(text, 'LICENCE.md'), '\n');
      expect(() => bundledPackages(files)).toThrow('no licence text');
      writeFileSync(join(text, 'LICENCE.md'), 'Do as you like.\n');
      expect(bundledPackages(files)).toEqual([
        { name: 'one', version: '1.2.3', license: 'MIT', text: 'Do as you like.' },
      ]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('runs on Node 20 and later, as modules', () => {
    expect(manifest.engines).toEqual({ node: '>=20' });
    expect(manifest.type).toBe('module');
    // The map in a sample is the game's.
    expect(manifest.license).toBe('(MIT AND CC-BY-SA-3.0)');
  });

  it('has a launcher that the system can start', () => {
    expect(manifest.bin).toEqual({ 'tw-snap': 'bin/tw-snap.cjs' });
    const launcher = at(manifest.bin['tw-snap']);
    accessSync(launcher, constants.X_OK);
    expect(readFileSync(launcher, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  it('lists types before code', () => {
    const modules = Object.values(manifest.exports).filter((to) => typeof to !== 'string');
    expect(modules.length).toBe(9);
    for (const to of modules) expect(Object.keys(to as object)).toEqual(['types', 'default']);
    expect(manifest.types).toBe(manifest.exports['.'].types);
  });
});

describe('what is published', () => {
  let files: string[];
  let modes: Map<string, number>;
  let packed: Packed;

  beforeAll(() => {
    packed = pack('--dry-run');
    files = packed.files.map(({ path }) => path);
    modes = new Map(packed.files.map(({ path, mode }) => [path, mode]));
  });

  it('has every file that package.json points at', () => {
    const targets = Object.values<string | object>(manifest.exports).flatMap((to): string[] =>
      typeof to === 'string' ? [to] : Object.values(to),
    );
    for (const target of [manifest.types, manifest.bin['tw-snap'], ...manifest.man, ...targets]) {
      const [before, after] = target.replace(/^\.\//, '').split('*') as [string, string?];
      const matching = files.filter((path) => path.startsWith(before) && path.endsWith(after ?? before));
      expect(matching.length, target).toBeGreaterThan(0);
      if (after === undefined) expect(files).toContain(before);
    }
    expect(modes.get(manifest.bin['tw-snap'])! & 0o111).toBe(0o111);
  });

  it('has the sizes that docs/LIBRARY.md says', () => {
    const text = readFileSync(at('docs/LIBRARY.md'), 'utf8');
    const stated = /has ([\d.]+) MB unpacked \(([\d.]+) MB packed\): ([\d.]+) MB are the library and its types/.exec(
      text,
    )!;
    const library = packed.files.filter(({ path }) => path.startsWith('dist/library/'));
    const ofLibrary = library.reduce((all, { size }) => all + size, 0);
    const real = [packed.unpackedSize, packed.size, ofLibrary].map((bytes) => bytes / 1e6);
    for (const [i, size] of real.entries())
      expect(Math.abs(Number(stated[i + 1]) - size)).toBeLessThan(0.06 + size / 50);
  });

  it('has no source maps of the command line and the page, which are without their sources', () => {
    expect(files.filter((path) => /^dist\/(?!library\/).*\.map$/.test(path))).toEqual([]);
  });

  it('has every entry of its list of files', () => {
    const missing = manifest.files.filter(
      (entry: string) =>
        !entry.startsWith('!') && !files.some((path) => path === entry || path.startsWith(`${entry}/`)),
    );
    expect(missing).toEqual([]);
  });

  it('contains README, licence and package.json', () => {
    expect(['package.json', 'README.md', 'LICENSE'].filter((path) => !files.includes(path))).toEqual([]);
  });

  it('has no sources, tests or goldens', () => {
    expect(files.filter((path) => !/^(bin|dist|docs|samples)\/|^[^/]+\.(md|json)$|^LICENSE$/.test(path))).toEqual([]);
    // The tables have the names of versions: 0.6.json.
    expect(files.filter((path) => /\.\w+\.json$/.test(path) && !path.startsWith('dist/data/'))).toEqual([]);
  });

  it('has the samples that the README, the guide and the help name', () => {
    const help = manifest.bin['tw-snap'];
    const texts = [
      readFileSync(at('README.md'), 'utf8'),
      ...readdirSync(at('docs'))
        .filter((name) => name.endsWith('.md') && name !== 'FORMATS.md')
        .map((name) => readFileSync(at(`docs/${name}`), 'utf8')),
      ...commands.map(({ name }) => run(process.execPath, [at(help), name, '--help'])),
    ];
    const named = texts.flatMap((text) => text.match(/samples\/[\w.-]*\w/g) ?? []);
    expect(new Set(named).size).toBeGreaterThan(8);
    expect(named.filter((path) => !files.includes(path))).toEqual([]);
  });
});

const isCheckout = hasTool('git') && existsSync(at('.git'));

describe('tracked files', () => {
  const tracked = (): string[] => run(tool('git'), ['ls-files', '-z']).split('\0').filter(Boolean);

  it.skipIf(!isCheckout)('include nothing that was installed or built (needs git and a checkout)', () => {
    expect(tracked().filter((path) => /(^|\/)(node_modules|dist|coverage)\//.test(path))).toEqual([]);
    expect(tracked().filter((path) => /\.(tgz|cpuprofile)$/.test(path))).toEqual([]);
  });

  it.skipIf(!isCheckout)("contain no path of a developer's machine (needs git and a checkout)", () => {
    const home = new RegExp(`(?<![\\w.])/(${['home', 'root', 'Users', 'work'].join('|')})/\\w`);
    const withHomePath = tracked().filter(
      (path) => existsSync(at(path)) && home.test(readFileSync(at(path), 'latin1')),
    );
    expect(withHomePath).toEqual([]);
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

describe('installed from its tarball', () => {
  let place: string;
  let tarball: string;
  let installed: SpawnSyncReturns<string>;
  const node = (...args: string[]) => run(process.execPath, args, place);
  const write = (name: string, text: string) => writeFileSync(join(place, name), text);

  beforeAll(() => {
    place = mkdtempSync(join(tmpdir(), 'tw-snap-package-'));
    const { filename } = pack('--pack-destination', place);
    mkdirSync(join(place, 'node_modules'));
    write('package.json', '{ "name": "consumer", "private": true, "type": "module" }');
    tarball = join(place, filename);
    installed = npm(place, 'install', '--offline', '--no-audit', '--no-fund', tarball);
  });

  afterAll(() => rmSync(place, { recursive: true, force: true }));

  it('is installed without a warning', () => {
    expect(installed.status).toBe(0);
    expect(installed.stdout.trim()).toMatch(/^added 1 package in /);
    expect(installed.stderr.replaceAll(tmpdir(), '')).not.toMatch(/tw-snap|script|deprecated/);
  });

  it('has no fault that publint knows', async () => {
    const { buffer } = new Uint8Array(readFileSync(tarball));
    const { messages } = await publint({ pack: { tarball: buffer }, strict: true });
    expect(messages).toEqual([]);
  });

  it('has types that every way of finding modules finds, of those that find ES modules', async () => {
    const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(tarball))));
    const problems = analysis.types ? analysis.problems : ['no types'];
    // `require` of ES modules, which TypeScript does not know of Node 20, and Node before `exports`.
    const isOlder = (problem: object) =>
      'resolutionKind' in problem && ['node10', 'node16-cjs'].includes(String(problem.resolutionKind));
    expect(problems.filter((problem) => typeof problem === 'string' || !isOlder(problem))).toEqual([]);
    expect(Object.keys(analysis.types ? analysis.entrypoints : {})).toEqual(Object.keys(manifest.exports));
  });

  it('runs with npx in an empty folder, without network', () => {
    const empty = mkdtempSync(join(tmpdir(), 'tw-snap-npx-'));
    try {
      const sample = at('samples/first.huff');
      const call = [
        'exec',
        '--offline',
        '--yes',
        '--package',
        tarball,
        '--',
        'tw-snap',
        'decode',
        '-t',
        'json',
        sample,
      ];
      const { status, stdout, stderr } = npm(empty, ...call);
      // Messages may name the folders.
      const messages = [empty, place, at('.'), tmpdir()].reduce((text, path) => text.replaceAll(path, ''), stderr);
      expect([status, messages.match(/^.*(?:script|deprecated).*$/m)]).toEqual([0, null]);
      expect(JSON.parse(stdout)).toEqual(JSON.parse(readFileSync(at('samples/first.huff.json'), 'utf8')));
      expect(readdirSync(empty)).toEqual([]);
    } finally {
      rmSync(empty, { recursive: true, force: true });
    }
  });

  it('installs no other package', () => {
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

  it('makes pages that contain the whole licence of each bundled third-party package', () => {
    run(join(place, 'node_modules', '.bin', 'tw-snap'), ['report', '--empty', '-o', 'page.html'], place);
    const page = readFileSync(join(place, 'page.html'), 'utf8');
    expect(page).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
    // The words that packages share stand once, below the name and copyright of each.
    const [, copyright, words] = /(Copyright .*)\n+([\s\S]*)/.exec(
      readFileSync(at('node_modules/@noble/hashes/LICENSE'), 'utf8').trim(),
    )!;
    expect(page).toMatch(new RegExp(`@noble/hashes .*\\n *${copyright!.replace(/[().]/g, '\\$&')}`));
    expect(words!.length).toBeGreaterThan(900);
    expect(page).toContain(words);
  });

  it('can be imported as a library', () => {
    write(
      'library.mjs',
      `import { readFileSync } from 'node:fs';
       import { decode } from 'tw-snap';
       import { annotate } from 'tw-snap/unstable';
       import { toHex } from 'tw-snap/codec';
       import { protocolOf } from 'tw-snap/codec';
       import { formatOf, payloadJson } from 'tw-snap/unstable';
       const bytes = readFileSync(process.argv[2]);
       const { kind, protocol, types, delta, payload } = decode(bytes);
       console.log(kind, protocol.version, types.of(delta.type(1)).name, delta.item(1).length);
       console.log(annotate(payload).length > 9, toHex(bytes, 0, 2), protocolOf('0.7') === protocol, formatOf(bytes));
       console.log(payloadJson(payload).items.length);`,
    );
    expect(node('library.mjs', at('samples/first.huff'))).toBe(
      'delta 0.7 obj_character 22\ntrue 2d da true undefined\n3\n',
    );
  });

  // 5.7 is the oldest supported TypeScript; `npm ci --prefix scripts/docs` installs it.
  const compilers = ['node_modules/typescript', 'scripts/docs/node_modules/typescript-minimum'];
  for (const compiler of compilers) {
    const title = `has types that a strict consumer can check with ${compiler} (needs npm ci in scripts/docs)`;
    it.skipIf(!existsSync(at(compiler)))(title, () => {
      write(
        'consumer.ts',
        `import { DecodeError, type Decoded, decode, items, readDemo, type Snapshot } from 'tw-snap';
       import { Channel } from 'tw-snap/live';
       import { eventsOf } from 'tw-snap/match';
       import { type Protocol, protocolOf } from 'tw-snap/codec';
       const decoded: Decoded = decode(new Uint8Array(43), { kind: 'delta' });
       export const count: number | undefined = decoded.kind === 'delta' ? decoded.delta.count : undefined;
       export const protocol: Protocol = protocolOf('0.6');
       export function* ticks(file: Uint8Array): Generator<number> {
         for (const entry of readDemo([file])) if (entry.record === 'tick') yield entry.tick;
       }
       export async function last(file: AsyncIterable<Uint8Array>): Promise<string | undefined> {
         let record: string | undefined;
         for await (const entry of readDemo(file, { messages: false })) record = entry.record;
         return record;
       }
       export const failed = (error: unknown): string | undefined => (error instanceof DecodeError ? error.code : undefined);
       // @ts-expect-error a protocol has a version
       protocolOf('first');
       export const health = (snapshot: Snapshot): number[] =>
         Array.from(items(snapshot, '0.7', 'obj_character'), ({ fields }) => fields.health);
       // @ts-expect-error no such field
       export const nonsense = (snapshot: Snapshot) => Array.from(items(snapshot, '0.7', 'obj_character'), ({ fields }) => fields.nonsense);
       // @ts-expect-error no such item
       export const charakter = (snapshot: Snapshot) => items(snapshot, '0.7', 'obj_charakter');
       // @ts-expect-error records that expire
       export const expired = (file: Uint8Array) => [...readDemo(file, { reuse: true })];
       export function write(snapshot: Snapshot, channel: Channel): void {
         // @ts-expect-error read-only
         snapshot.count = 3;
         // @ts-expect-error read-only
         channel.state = 'closed';
         // @ts-expect-error of no use for others
         snapshot.append(3, 4);
       }
       export const events = (file: Uint8Array) => [...eventsOf(readDemo(file))].length;`,
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
      expect(node(at(`${compiler}/bin/tsc`), '--project', 'tsconfig.json')).toBe('');
    });
  }
});
