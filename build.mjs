// Bundles the command line and the library, dependencies included.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { join, relative } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';
import { bundlePage } from './src/page/bundle.mjs';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
rmSync('dist', { recursive: true, force: true });

const common = {
  bundle: true,
  format: 'esm',
  target: 'node20',
  minify: true,
  metafile: true,
  define: { VERSION: JSON.stringify(version) },
  outdir: 'dist',
};

// A CommonJS file for the start, one for each command, and one for each large package: Node starts these soonest, and reads
// no more than is called.
const commands = readdirSync('commands', { recursive: true })
  .filter(
    (file) => file.endsWith('.ts') && readFileSync(`commands/${file}`, 'utf8').includes('export function define('),
  )
  .map((file) => file.replace('.ts', ''));
/** The bundles by the files that they begin with. */
const bundles = new Map([
  ...commands.map((file) => [file, file.replace('/index', '')]),
  ['lib/parallel/thread-pool', 'thread-pool'],
  ['worker', 'worker'],
]);
const packages = ['commander', 'chalk', 'supports-hyperlinks'];
const apart = {
  name: 'apart',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\/.*\.ts$/ }, ({ path, kind, resolveDir }) => {
      const file = relative('commands', join(resolveDir, path)).replace('.ts', '');
      return kind === 'dynamic-import' && bundles.has(file)
        ? { path: `./${bundles.get(file)}.cjs`, external: true }
        : undefined;
    });
    onResolve({ filter: new RegExp(`^(${packages.join('|')})$`) }, ({ kind, path }) =>
      kind === 'entry-point' ? undefined : { path: `./${path}.cjs`, external: true },
    );
    // Commander could start subcommands that are programs of their own; ours are none, and loading this takes time.
    onResolve({ filter: /^node:child_process$/ }, ({ path }) => ({ path, namespace: 'nothing' }));
    onLoad({ filter: /.*/, namespace: 'nothing' }, () => ({ contents: '' }));
    // Tinypool looks for its threads' side beside itself; only modules are told their URL.
    onLoad({ filter: /[\\/]tinypool[\\/]dist[\\/]index\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(
        'import.meta.url',
        'require("node:url").pathToFileURL(__filename)',
      ),
    }));
  },
};
const cli = await build({
  ...common,
  entryPoints: [
    { in: 'commands/cli.ts', out: 'cli' },
    ...packages.map((name) => ({ in: name, out: name })),
    ...[...bundles].map(([file, out]) => ({ in: `commands/${file}.ts`, out })),
  ],
  outdir: 'dist/cli',
  outExtension: { '.js': '.cjs' },
  platform: 'node',
  format: 'cjs',
  // Its build for Node loads node:crypto, which takes longer than the rest of a small decode.
  alias: { uuid: './node_modules/uuid/dist/index.js' },
  // By require: what import() does with CommonJS takes longer than all the rest.
  supported: { 'dynamic-import': false },
  plugins: [apart],
});

// That side.
const pool = await build({
  ...common,
  entryPoints: { worker: 'node_modules/tinypool/dist/entry/worker.js' },
  outdir: 'dist/cli/entry',
  platform: 'node',
});

// The library knows no Node.
const library = await build({
  ...common,
  entryPoints: { index: 'src/index.ts' },
  platform: 'neutral',
  mainFields: ['module', 'main'],
  conditions: ['browser'],
});

// The page knows nothing but a browser.
const page = await bundlePage(common.define);
mkdirSync('dist/page');
writeFileSync('dist/page/page.js', page.script);
writeFileSync('dist/page/page.css', page.style);

writeFileSync(
  'dist/THIRD-PARTY-LICENSES.txt',
  licences([cli.metafile, pool.metafile, library.metafile, page.metafile]),
);

/** The licences of the packages whose code is in the bundles. */
function licences(metafiles) {
  const files = metafiles.flatMap(({ inputs }) => Object.keys(inputs));
  const packages = new Set(files.map((file) => /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[0]));
  packages.delete(undefined);
  return [...packages]
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
      const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
      return `${name} ${version} (${license})\n\n${file ? readFileSync(`${folder}/${file}`, 'utf8').trim() : ''}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}

// For Node 20 (bin/code-cache.cjs): each bundle has run once, so that V8 keeps the functions that a start needs.
const firstRuns = [
  ['decode', 'samples/first.huff'],
  ['apply', 'samples/ddnet-dm1-tick2786.snapshot.huff', 'samples/ddnet-dm1-tick2788.delta.huff'],
  ['diff', 'samples/ddnet-dm1-tick2786.snapshot.huff', 'samples/ddnet-race-tick956.snapshot.huff'],
  ...['checksum', 'info', 'dump', 'stats'].map((command) => [command, 'samples/ddnet-race-player.demo']),
  ['schema'],
];
const keepCache = `
  const { scripts } = require('./bin/code-cache.cjs');
  const { writeFileSync } = require('node:fs');
  process.on('exit', () => scripts.forEach((script, file) => writeFileSync(file + '.cache', script.createCachedData())));
  require('./dist/cli/cli.cjs');
`;
if (!module.enableCompileCache && existsSync('samples')) {
  for (const run of firstRuns) {
    const { status, stderr } = spawnSync(process.execPath, ['-e', keepCache, 'tw-snap', ...run], {
      env: { ...process.env, FORCE_COLOR: '1' },
      encoding: 'utf8',
    });
    // Of diff, 1: they differ.
    if (status !== (run[0] === 'diff' ? 1 : 0)) throw new Error(`${run.join(' ')}: status ${status}: ${stderr}`);
  }
}

// In a checkout `npx tw-snap` is this one, at once; npm would install a copy of it elsewhere first.
if (existsSync('node_modules/.bin') && process.platform !== 'win32') {
  rmSync('node_modules/.bin/tw-snap', { force: true });
  symlinkSync('../../bin/tw-snap.cjs', 'node_modules/.bin/tw-snap');
}
