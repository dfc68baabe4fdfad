// npm run site: makes the folder site: the page that opens files in a browser, and below guide the documents and the
// reference of the library.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const run = (file, args, options) => execFileSync(file, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });
rmSync('site', { recursive: true, force: true });
mkdirSync('site');
run(process.execPath, ['bin/tw-snap.cjs', 'report', '--empty', '-o', 'site/index.html']);
const page = readFileSync('site/index.html', 'utf8');
writeFileSync('site/index.html', page.replace('</title>', '</title>\n<link rel="help" href="guide/index.html">'));
const options = {
  '--readme': '../../scripts/release/start.md',
  '--projectDocuments': '../../docs/*.md',
  '--out': '../../site/guide',
  '--customCss': '../../scripts/release/site.css',
  '--titleLink': '../index.html',
};
// The reference alone is checked for links to what is not exported (npm run docs); here the documents come with it.
const args = ['typedoc', ...Object.entries(options).flat(), '--treatWarningsAsErrors', 'false', '--logLevel', 'Error'];
run('npx', args, { cwd: 'scripts/docs', shell: process.platform === 'win32' });

// TypeDoc's pages have no landmarks, and the corner of a table is no heading.
const roles = {
  'col-content': 'role="main"',
  'page-menu': 'role="complementary" aria-label="this page"',
  'site-menu': 'role="navigation" aria-label="all pages"',
};
for (const file of readdirSync('site/guide', { recursive: true })) {
  if (!file.endsWith('.html')) continue;
  const path = join('site/guide', file);
  const html = readFileSync(path, 'utf8')
    .replace(/<div class="(col-content|page-menu|site-menu)"/g, (start, name) => `${start} ${roles[name]}`)
    .replace(/<th[^>]*><\/th>/g, '<td></td>');
  writeFileSync(path, html);
}
