import { mkdirSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { licenceTexts } from './licences.mjs';

/**
 * The programs of the pages: of a recording or snapshot, of a packet, message or log, and of the page that opens files.
 */
const programs = { script: 'main', contentsScript: 'main-contents', emptyScript: 'app' };

/** @returns the bundled files */
export async function buildPage(define) {
  const { files, licences, ...scripts } = await bundlePage(define);
  mkdirSync('dist/page', { recursive: true });
  for (const [name, script] of Object.entries(scripts)) writeFileSync(`dist/page/${programs[name]}.js`, script);
  writeFileSync('dist/page/licences.txt', licences);
  return files;
}

/**
 * Bundles the programs of the pages that `report` writes, each with its style, and the licences of their packages: a
 * page is distributed alone, without the package's list of licences. Programs are compressed in a page, licences are
 * not.
 */
export async function bundlePage(define) {
  const entryPoints = Object.values(programs).map((name) => `src/page/${name}.ts`);
  const [{ outputFiles, metafile }, style] = await Promise.all([
    build({ ...options, entryPoints, format: 'iife', define }),
    build({ ...options, entryPoints: ['src/page/page.css'] }),
  ]);
  const files = [metafile, style.metafile].flatMap(({ inputs }) => Object.keys(inputs));
  // A style sheet that a script makes is compressed with it, and needs no place in the page's policy.
  const css = JSON.stringify(style.outputFiles[0].text.trim());
  const applied = `{const s=new CSSStyleSheet();s.replaceSync(${css});document.adoptedStyleSheets=[s]}`;
  const textOf = (name) => outputFiles.find(({ path }) => path.endsWith(`/${name}.js`)).text.trim();
  const scripts = Object.entries(programs).map(([key, name]) => [key, `${applied}\n${textOf(name)}`]);
  return { ...Object.fromEntries(scripts), licences: licenceTexts(files), files };
}

const options = {
  outdir: 'page',
  bundle: true,
  platform: 'browser',
  target: ['chrome123', 'firefox121', 'safari17.5'],
  minify: true,
  charset: 'utf8',
  metafile: true,
  legalComments: 'none',
  // The examples of the page that opens files.
  loader: { '.demo': 'binary', '.pcap': 'binary', '.huff': 'binary' },
  write: false,
};
