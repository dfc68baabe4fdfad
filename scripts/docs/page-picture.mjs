// Makes a picture of the page that `report` writes, for README and guide, after a build:
//   node scripts/docs/page-picture.mjs FILE PICTURE.png light|dark LINK
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const [file, picture, colorScheme, link] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'page-picture-'));
const path = join(folder, 'page.html');
execFileSync(process.execPath, ['bin/tw-snap.cjs', 'report', file, '-o', path]);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme });
await page.goto(pathToFileURL(path).href + link);
await page.waitForSelector('html[data-state=complete]');
// A link with an item scrolls to it.
await page.evaluate(() => scrollTo(0, 0));
await page.waitForTimeout(1000);
await page.screenshot({ path: picture });
await browser.close();
rmSync(folder, { recursive: true });
