// Measures a report's page: its size, its loading time and that of the layers of the map, the frames per second,
// computing time and layouts while the recording is played, the memory after that, and a step in Inspect:
// `node scripts/bench/page.mjs [--data DIR] FILE...` (the build, and a Chromium). Computing time is that of the page's
// main thread, which does not depend on what else the machine does. Without a graphics card, as here, it has the pixels
// of the picture in it: `Commit`.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';

const runs = 7;
const playedMilliseconds = 8000;
const steps = 60;
const { values, positionals: files } = parseArgs({ options: { data: { type: 'string' } }, allowPositionals: true });
const withData = values.data ? ['--data', values.data] : [];
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
  execFileSync(process.execPath, ['bin/tw-snap.cjs', 'report', file, ...withData, '-o', page]);
  const times = [];
  for (let i = 0; i < runs; i++) times.push(await opened(page));
  const median = (name) => Math.round(times.map((time) => time[name]).sort((a, b) => a - b)[runs >> 1]);
  const views = ['first view', 'map', 'complete']
    .filter((name) => name in times[0])
    .map((name) => `${name} ${median(name)} ms (computing ${median(`${name} cpu`)} ms)`);
  return `${file}: ${statSync(page).size} bytes; ${views.join(', ')}; ${await played(page)}; ${await stepped(page)}`;
}

/** Steps in Inspect with the bytes open, each from its key to the second frame after it. */
async function stepped(path) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(`${pathToFileURL(path).href}#view=inspect`);
  await page.waitForSelector('html[data-state=complete]', { timeout: 120_000 });
  // Paths and plots are read meanwhile.
  await page.waitForTimeout(4000);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spent = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * metrics.find(({ name }) => name === 'TaskDuration').value;
  };
  const times = [];
  for (let i = 0; i < steps; i++) {
    const before = await spent();
    await page.keyboard.press('.');
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    times.push((await spent()) - before);
  }
  await page.close();
  return `a step ${times.sort((a, b) => a - b)[steps >> 1].toFixed(1)} ms of thread time`;
}

/** Plays the recording for some seconds. */
async function played(path) {
  const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
  await page.goto(pathToFileURL(path).href);
  await page.waitForSelector('html[data-state=complete]', { timeout: 120_000 });
  const session = await page.context().newCDPSession(page);
  let gaps = [];
  const tasks = await traced(session, async () => {
    await page.keyboard.press('Space');
    gaps = await page.evaluate(async (milliseconds) => {
      const frames = [await new Promise(requestAnimationFrame)];
      while (frames.at(-1) - frames[0] < milliseconds) frames.push(await new Promise(requestAnimationFrame));
      return frames.slice(1).map((now, i) => now - frames[i]);
    }, playedMilliseconds);
  });
  const layouts = tasks.filter(({ name }) => name === 'Layout');
  const pixels = computingTime(tasks.filter(({ name }) => name === 'Commit'));
  // A layout that a script forces has the script's stack.
  const forced = layouts.filter(({ args }) => args.beginData?.stackTrace).length;
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await page.close();
  gaps.sort((a, b) => a - b);
  const total = gaps.reduce((sum, gap) => sum + gap);
  const at = (share) => gaps[Math.min(gaps.length - 1, Math.floor(share * gaps.length))].toFixed(1);
  return `${((gaps.length / total) * 1000).toFixed(1)} frames per second (median ${at(0.5)} ms, 95% ${at(0.95)} ms, longest ${at(1)} ms), computing ${(computingTime(tasks) / gaps.length).toFixed(1)} ms (pixels ${(pixels / gaps.length).toFixed(1)} ms) and ${(layouts.length / gaps.length).toFixed(2)} layouts per frame, ${forced} forced, ${(usedSize / 1e6).toFixed(1)} MB of JavaScript heap`;
}

/** Milliseconds from the start of the navigation, and those of them in which the main thread computed. */
async function opened(path) {
  const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
  const session = await page.context().newCDPSession(page);
  const tasks = await traced(session, async () => {
    await page.goto(pathToFileURL(path).href);
    await page.waitForSelector('html[data-state=complete]', { timeout: 120_000 });
    // The layers of the map come a little later, if there are any.
    await page
      .waitForFunction(() => performance.getEntriesByName('map').length > 0, undefined, { timeout: 3000 })
      .catch(() => {});
  });
  await page.close();
  const start = Math.min(...tasks.filter(({ name }) => name === 'CommitLoad').map(({ ts }) => ts));
  const marks = tasks.filter(({ name }) => ['first view', 'map', 'complete'].includes(name));
  return Object.fromEntries(
    marks.flatMap(({ name, ts }) => [
      [name, (ts - start) / 1000],
      [`${name} cpu`, computingTime(tasks.filter((task) => task.ts >= start && task.ts < ts))],
    ]),
  );
}

/** What Chromium traces on the page's main thread meanwhile, in order. */
async function traced(session, run) {
  const events = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  const includedCategories = [
    'blink.user_timing',
    'devtools.timeline',
    'disabled-by-default-devtools.timeline',
    'disabled-by-default-devtools.timeline.stack',
  ];
  await session.send('Tracing.start', { traceConfig: { includedCategories } });
  await run();
  const isComplete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await isComplete;
  const { pid, tid } = events.find(({ name }) => name === 'first view' || name === 'FireAnimationFrame');
  return events.filter((event) => event.pid === pid && event.tid === tid).sort((a, b) => a.ts - b.ts || b.dur - a.dur);
}

/** The milliseconds of tasks; those inside others are not counted again. */
function computingTime(tasks) {
  let [sum, end] = [0, 0];
  for (const { ph, ts, dur, tdur = 0 } of tasks) {
    if (ph !== 'X' || ts < end) continue;
    sum += tdur / 1000;
    end = ts + dur;
  }
  return sum;
}
