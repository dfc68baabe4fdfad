// Makes .github/action.png, after a build: what the action shows on a run at GitHub for samples of which one is wrong.
// The texts are the annotation and the summary that it really writes; the frame around them is drawn here.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { chromium } from 'playwright-core';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'action-picture-'));
const summary = join(folder, 'summary.md');
const { stderr } = spawnSync(join(root, 'scripts/action/check.sh'), {
  cwd: root,
  encoding: 'utf8',
  env: {
    PATH: process.env.PATH,
    GITHUB_ACTIONS: 'true',
    GITHUB_STEP_SUMMARY: summary,
    VERSION: 'checkout',
    FILES: 'samples/*.pcap\nsamples/*.demo',
  },
});
const [, properties, error] = /^::error (.*?)::(.*)$/m.exec(stderr);
const title = /title=([^,]*)/.exec(properties)[1];

const html = (text) =>
  text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/`([^`]+)`/g, '<code>$1</code>');
const cells = (line) => line.slice(2, -2).split(' | ').map(html);

/** The Markdown that a summary has: a heading, a table, lists and paragraphs. */
function markdown(text) {
  const rows = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('### ')) rows.push(`<h3>${html(line.slice(4))}</h3>`);
    else if (/^\| -/.test(line)) rows.push('');
    else if (line.startsWith('| ')) rows.push(`<tr><td>${cells(line).join('</td><td>')}</td></tr>`);
    else if (line.startsWith('- ')) rows.push(`<li>${html(line.slice(2))}</li>`);
    else rows.push(line === '' ? '' : `<p>${html(line)}</p>`);
  }
  return (
    rows
      .join('\n')
      // A system without emoji has no sign for these.
      .replaceAll('✅', '<b class="fine">✓</b>')
      .replaceAll('❌', '<b class="sign">✕</b>')
      .replace(/(<tr>.*<\/tr>\n*)+/g, '<table>$&</table>')
      .replace(/(<li>.*<\/li>\n*)+/g, '<ul>$&</ul>')
  );
}

const page = `<!doctype html><meta charset="utf-8"><style>
body { margin: 0; padding: 20px; background: #fff; color: #1f2328; font: 14px/1.5 system-ui, sans-serif; width: 1000px }
section { border: 1px solid #d1d9e0; border-radius: 6px; margin-bottom: 16px }
header { background: #f6f8fa; border-bottom: 1px solid #d1d9e0; border-radius: 6px 6px 0 0; padding: 8px 16px; font-weight: 600 }
.inside { padding: 8px 16px }
.sign { color: #d1242f; font-weight: 600; margin-right: 6px }
.fine { color: #1a7f37; margin-right: 6px }
.small { color: #59636e }
h3 { font-size: 18px; margin: 8px 0 }
p, ul { margin: 8px 0 }
table { border-collapse: collapse } td { border: 1px solid #d1d9e0; padding: 5px 12px }
code { background: #eff1f3; border-radius: 4px; padding: 1px 5px; font-size: 12.5px }
</style>
<section><header>Annotations</header><div class="inside"><div><span class="sign">✕</span><b>${html(title)}</b>
<span class="small">${html(/file=([^,]*)/.exec(properties)[1])}</span></div><div>${html(error)}</div></div></section>
<section><header>Summary</header><div class="inside">${markdown(readFileSync(summary, 'utf8'))}</div></section>`;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const tab = await browser.newPage({ viewport: { width: 1040, height: 400 } });
await tab.setContent(page);
await tab.screenshot({ path: join(root, '.github/action.png'), fullPage: true });
await browser.close();
rmSync(folder, { recursive: true });
