import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';
import { exported } from './exported.mjs';

const folder = 'dist/library';

/** In `main` is what `import 'tw-snap'` and the small entries need; only `node` needs Node. */
const files = {
  'src/api/index.ts': 'main',
  'src/api/codec.ts': 'main',
  'src/api/data.ts': 'main',
  'src/api/live.ts': 'main',
  'src/api/node/connect.ts': 'node',
};
const fileOf = (entry) => files[entry] ?? 'more';

/**
 * Builds the library: ES modules in a few files, whatever loads them. Node takes 100 ms to find and link the modules of
 * the main entry one by one, and 35 ms for these. With a file for whatever some entries share, as the bundler would
 * divide them, there are fifty, which take 70 ms. A consumer's bundler keeps only what is imported: see
 * {@link droppable}.
 *
 * Packages are bundled into them. They run in Node and in browsers (but `tw-snap/node`), so the code of packages that
 * needs neither is used.
 * @returns the sources that are bundled
 */
export async function buildLibrary(define) {
  const settings = {
    outdir: folder,
    bundle: true,
    platform: 'neutral',
    // Of tw-snap/node; test/layers.test.ts keeps them out of the rest.
    external: ['node:*'],
    mainFields: ['module', 'main'],
    conditions: ['browser'],
    target: 'node20',
    format: 'esm',
    metafile: true,
    define,
  };
  const whole = await build({ ...settings, entryPoints: exported(), write: false });
  const names = new Map(Object.values(whole.metafile.outputs).map(({ entryPoint, exports }) => [entryPoint, exports]));
  const { metafile, outputFiles } = await build({
    ...settings,
    entryPoints: ['main', 'more', 'node'].map((file) => ({ in: `part:${file}`, out: file })),
    chunkNames: 'shared-[hash]',
    splitting: true,
    plugins: [parts((file) => exported().filter((entry) => fileOf(entry) === file))],
    write: false,
  });
  mkdirSync(folder, { recursive: true });
  for (const { path, text } of outputFiles) writeFileSync(path, droppable(text));
  for (const entry of exported()) {
    const { exports: all } = metafile.outputs[`${folder}/${fileOf(entry)}.js`];
    const lost = names.get(entry).filter((name) => !all.includes(name));
    // Of two different things with one name, a file would export neither.
    if (lost.length > 0) throw new Error(`${entry}: another entry exports something else as ${lost.join(', ')}`);
    const path = entry.replace(/^src\//, '').replace(/\.ts$/, '.js');
    mkdirSync(dirname(`${folder}/${path}`), { recursive: true });
    const up = relative(dirname(path), '.') || '.';
    writeFileSync(`${folder}/${path}`, `export { ${names.get(entry).join(', ')} } from '${up}/${fileOf(entry)}.js';\n`);
  }
  return Object.keys(metafile.inputs).filter((path) => !path.startsWith('parts:'));
}

/** Files that export what some entries export. */
const parts = (entriesOf) => ({
  name: 'parts',
  setup({ onResolve, onLoad }) {
    // What is loaded later would be in files of its own, and so would everything that it shares with others.
    onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
      let imports = '';
      const text = readFileSync(path, 'utf8').replace(/\bimport\(('[^']+')\)/g, (_, from) => {
        const name = `later${imports.length}`;
        imports += `import * as ${name} from ${from};`;
        return `Promise.resolve(${name})`;
      });
      return { contents: imports + text, loader: 'ts' };
    });
    onResolve({ filter: /^part:/ }, ({ path }) => ({ path: path.slice(5), namespace: 'parts' }));
    onLoad({ filter: /./, namespace: 'parts' }, ({ path }) => ({
      contents: entriesOf(path)
        .map((entry) => `export * from './${entry}';`)
        .join('\n'),
      resolveDir: process.cwd(),
    }));
  },
});

/**
 * Marks what a bundler may leave out. It leaves out a whole module without a question (`sideEffects` in package.json),
 * but of a file with many modules it keeps each variable whose value it can't see through, with all that this needs:
 * 299 kB of 1,250 for a program with nothing but `toHex`. Values that are calls of functions marked as pure go, in
 * esbuild, Rollup and terser alike; no module here does anything but give its variables their values.
 *
 * In what esbuild writes, only the first line of a statement begins at the margin.
 */
function droppable(text) {
  const pure = (value) => `/* @__PURE__ */ (() => (${value}))()`;
  let several = 0;
  const droppableStatement = (statement) => {
    // Two of uuid: functions that have constants as properties, too.
    if (/^\w+\.(\w+) = \1;\s*$/.test(statement)) return '';
    const [, names, value, end] = /^var (\w+|\{[^}]*\}|\[[^\]]*\]) = ([\s\S]*);(\s*)$/.exec(statement) ?? [];
    if (value === undefined || plain.test(value)) return statement;
    if (/^\w/.test(names)) return `var ${names} = ${pure(value)};${end}`;
    const all = `several${++several}`;
    const variables = names
      .slice(1, -1)
      .split(',')
      .map((one, i) => {
        const [name, as = name] = one.trim().split(': ');
        return `${as} = ${pure(names[0] === '[' ? `${all}[${i}]` : `${all}.${name}`)}`;
      });
    return `var ${all} = ${pure(value)}, ${variables.join(', ')};${end}`;
  };
  return text
    .replace(
      namespace,
      (_, name, list) => `var ${name} = {\n${list.replace(/(\w+): \(\) => (\w+)/g, 'get $1() { return $2; }')}};`,
    )
    .split(/\n(?=[^\s)\]}`])/)
    .map(droppableStatement)
    .join('\n');
}

/** What bundlers see through: functions, classes, numbers, texts, other variables. */
const plain = /^(?:(?:async )?(?:\([^()]*\)|\w+) => |(?:async )?function|class |-?[\d.]+$|"[^"]*"$|\w+$)/;
/** The exports of a module as an object. */
const namespace = /^var (\w+) = \{\};\n__export\(\1, \{\n((?: {2}\w+: \(\) => \w+,?\n)+)\}\);/gm;
