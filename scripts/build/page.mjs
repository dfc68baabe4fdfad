import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { licenceTexts } from './licences.mjs';

/**
 * The programs of the pages: of a recording, of a snapshot, packet, message or log, and of the page that opens files.
 */
const names = ['main', 'main-contents', 'app'];

/** @returns the bundled files */
export async function buildPage(define) {
  const programs = await bundlePage(define);
  mkdirSync('dist/page', { recursive: true });
  for (const [name, { script, licences }] of programs) {
    writeFileSync(`dist/page/${name}.js`, script);
    writeFileSync(`dist/page/${name}.licences.txt`, licences);
  }
  return [...programs.values()].flatMap(({ files }) => files);
}

/**
 * Bundles the programs of the pages that `report` writes, each with its style, and the licences of its packages: a
 * page is distributed alone, without the package's list of licences. Programs are compressed in a page, licences are
 * not.
 */
export async function bundlePage(define) {
  const entryPoints = names.map((name) => `src/page/${name}.ts`);
  const [{ outputFiles, metafile }, style] = await Promise.all([
    build({ ...options, entryPoints, format: 'iife', define }),
    build({ ...options, entryPoints: ['src/page/page.css'] }),
  ]);
  // A style sheet that a script makes is compressed with it, and needs no place in the page's policy. It is applied
  // first and stands last, since gzip makes 175 bytes less of that.
  const css = JSON.stringify(style.outputFiles[0].text.trim());
  const applied = `function applyStyle(){const s=new CSSStyleSheet();s.replaceSync(${css});document.adoptedStyleSheets=[s]}`;
  const programOf = (name) => {
    const [, { inputs }] = Object.entries(metafile.outputs).find(([path]) => path.endsWith(`/${name}.js`));
    const files = [...Object.keys(inputs), ...Object.keys(style.metafile.inputs)];
    const text = outputFiles.find(({ path }) => path.endsWith(`/${name}.js`)).text.trim();
    return { script: `applyStyle();\n${text}\n${applied}`, licences: licenceTexts(files), files };
  };
  return new Map(names.map((name) => [name, programOf(name)]));
}

/** Which case a fact about the games is of, and where it comes from, is for the documentation: pages do not carry it. */
const withoutSources = {
  name: 'without-sources',
  setup({ onLoad }) {
    onLoad({ filter: /recording[\\/]games[\\/]\w+\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const rows = text.replace(/^ +(?:source|unless|expected):\s*(?:'[^'\n]*'|nextMap),\n/gm, '');
      return { contents: rows.replace(/\bwhen: '[^'\n]*',?/g, ''), loader: 'ts' };
    });
  },
};

const options = {
  outdir: 'page',
  bundle: true,
  platform: 'browser',
  target: ['chrome123', 'firefox121', 'safari17.5'],
  minify: true,
  charset: 'utf8',
  metafile: true,
  legalComments: 'none',
  plugins: [withoutSources],
  // The examples of the page that opens files.
  loader: { '.demo': 'binary', '.pcap': 'binary', '.huff': 'binary' },
  write: false,
};
