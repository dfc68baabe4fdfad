import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const at = (name) => fileURLToPath(new URL(name, import.meta.url));

/** A page goes where its reader has no other file of ours: it names whose work is in it. */
function notice(name) {
  const { version, license, author } = JSON.parse(readFileSync(at(`../../node_modules/${name}/package.json`), 'utf8'));
  return `/* ${name} ${version}: ${license} licence, ${author.name ?? author} */`;
}

/** The page's program as one script, and its style; `metafile` tells what is in them. */
export async function bundlePage(define) {
  const { outputFiles, metafile } = await build({
    entryPoints: { page: at('main.ts'), style: at('page.css') },
    bundle: true,
    format: 'iife',
    target: ['chrome109', 'firefox115', 'safari16.4'],
    platform: 'browser',
    minify: true,
    charset: 'utf8',
    metafile: true,
    legalComments: 'none',
    banner: { js: notice('uplot') },
    define,
    outdir: 'page',
    write: false,
  });
  const textOf = (ending) => outputFiles.find(({ path }) => path.endsWith(ending)).text.trim();
  return { script: textOf('.js'), style: textOf('.css'), metafile };
}
