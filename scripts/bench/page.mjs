// Measures the size of a report's page and its loading time: `node scripts/bench/page.mjs FILE...` (the build, and a
// Chromium).
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const runs = 7;
const files = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'tw-snap-bench-'));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  for (const file of files) console.log(await measured(file));
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}

async function measured(file) {
  const page = join(folder, 'page.html');
  execFileSync(process.execPath, ['bin/tw-snap.cjs', 'report', file, '-o', page]);
  const times = [];
  for (let i = 0; i < runs; i++) times.push(await opened(page));
  const median = (name) => Math.round(times.map((one) => one[name]).sort((a, b) => a - b)[runs >> 1]);
  const paint = median('first-contentful-paint');
  return `${file}: ${statSync(page).size} bytes; painted after ${paint} ms, first view ${median('first view')} ms, all read ${median('complete')} ms`;
}

/** Milliseconds from the start of the navigation. */
async function opened(path) {
  const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
  await page.goto(pathToFileURL(path).href);
  await page.waitForSelector('html[data-state=complete]', { timeout: 120_000 });
  const entries = await page.evaluate(() =>
    [...performance.getEntriesByType('mark'), ...performance.getEntriesByType('paint')].map((one) => [
      one.name,
      one.startTime,
    ]),
  );
  await page.close();
  return Object.fromEntries(entries);
}
