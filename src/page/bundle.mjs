import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const at = (name) => fileURLToPath(new URL(name, import.meta.url));

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
    define,
    outdir: 'page',
    write: false,
  });
  const textOf = (ending) => outputFiles.find(({ path }) => path.endsWith(ending)).text.trim();
  return { script: textOf('.js'), style: textOf('.css'), metafile };
}
