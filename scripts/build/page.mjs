import { mkdirSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { licenceComment } from './licences.mjs';

/** @returns the bundled files */
export async function buildPage(define) {
  const { script, contentsScript, emptyScript, style, files } = await bundlePage(define);
  mkdirSync('dist/page', { recursive: true });
  writeFileSync('dist/page/page.js', script);
  writeFileSync('dist/page/contents.js', contentsScript);
  writeFileSync('dist/page/empty.js', emptyScript);
  writeFileSync('dist/page/page.css', style);
  return files;
}

/**
 * Bundles the programs of the pages that `report` writes: one shows a recording or snapshot, one a packet, message or log, without what
 * only recordings need, and one opens files; and their style, which begins with the licences of their packages.
 */
export async function bundlePage(define) {
  const { outputFiles, metafile } = await build({
    entryPoints: {
      page: 'src/page/main.ts',
      contents: 'src/page/main-contents.ts',
      empty: 'src/page/app.ts',
      style: 'src/page/page.css',
    },
    outdir: 'page',
    bundle: true,
    platform: 'browser',
    target: ['chrome123', 'firefox121', 'safari17.5'],
    format: 'iife',
    minify: true,
    charset: 'utf8',
    metafile: true,
    legalComments: 'none',
    define,
    write: false,
  });
  const textOf = (ending) => outputFiles.find(({ path }) => path.endsWith(ending)).text.trim();
  const files = Object.keys(metafile.inputs);
  return {
    script: textOf('page.js'),
    contentsScript: textOf('contents.js'),
    emptyScript: textOf('empty.js'),
    // A page is distributed alone, without the package's list of licences. Its scripts are compressed, its style is not.
    style: `${licenceComment(files)}\n${textOf('.css')}`,
    files,
  };
}
