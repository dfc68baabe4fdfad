// Bundles the command line (split, so that a command is loaded when it is called) and the library, dependencies included.
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { build } from 'esbuild';

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

const cli = await build({
  ...common,
  entryPoints: { cli: 'commands/cli.ts' },
  platform: 'node',
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  // The dependencies that are CommonJS ask for Node's own modules by require.
  banner: { js: "import{createRequire as __require}from'node:module';const require=__require(import.meta.url);" },
});

// The library knows no Node.
const library = await build({
  ...common,
  entryPoints: { index: 'src/index.ts' },
  platform: 'neutral',
  mainFields: ['module', 'main'],
  conditions: ['browser'],
});

writeFileSync('dist/THIRD-PARTY-LICENSES.txt', licences([cli.metafile, library.metafile]));

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

// In a checkout `npx tw-snap` is this one, at once; npm would install a copy of it elsewhere first.
if (existsSync('node_modules/.bin') && process.platform !== 'win32') {
  rmSync('node_modules/.bin/tw-snap', { force: true });
  symlinkSync('../../bin/tw-snap.js', 'node_modules/.bin/tw-snap');
}
