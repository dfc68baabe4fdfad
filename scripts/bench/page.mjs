// Measures a report's page: its size, its loading time, the frames per second and layouts per frame while the recording is
// played, and the memory after that: `node scripts/bench/page.mjs FILE...` (the build, and a Chromium).
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const runs = 7;
const playedMilliseconds = 8000;
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
  return `${file}: ${statSync(page).size} bytes; painted after ${paint} ms, first view ${median('first view')} ms, all read ${median('complete')} ms; ${await played(page)}`;
}

/** Plays the recording for some seconds. */
async function played(path) {
  const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
  await page.goto(pathToFileURL(path).href);
  await page.waitForSelector('html[data-state=complete]', { timeout: 120_000 });
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const layouts = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'LayoutCount').value;
  };
  await page.keyboard.press('Space');
  const before = await layouts();
  const gaps = await page.evaluate(async (milliseconds) => {
    const frames = [await new Promise(requestAnimationFrame)];
    while (frames.at(-1) - frames[0] < milliseconds) frames.push(await new Promise(requestAnimationFrame));
    return frames.slice(1).map((now, i) => now - frames[i]);
  }, playedMilliseconds);
  const perFrame = ((await layouts()) - before) / gaps.length;
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await page.close();
  gaps.sort((a, b) => a - b);
  const total = gaps.reduce((sum, gap) => sum + gap);
  const at = (share) => gaps[Math.min(gaps.length - 1, Math.floor(share * gaps.length))].toFixed(1);
  return `${((gaps.length / total) * 1000).toFixed(1)} frames per second (median ${at(0.5)} ms, 95% ${at(0.95)} ms, longest ${at(1)} ms), ${perFrame.toFixed(2)} layouts per frame, ${(usedSize / 1e6).toFixed(1)} MB of JavaScript heap`;
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
