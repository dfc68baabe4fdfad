import { afterAll, expect, it } from 'vitest';
import { hasBrowser, PageOpener } from '../support/browser.ts';
import { corpusFile, hasCorpus } from '../support/corpus.ts';
import { report } from '../support/report.ts';
import { read } from '../support/samples.ts';

const opener = new PageOpener();
afterAll(() => opener.close());

it('a page without its recording has less than 400 kB', async () => {
  expect((await report(read('first.huff'))).page.length).toBeLessThan(400_000);
});

it.skipIf(!hasBrowser || !hasCorpus)(
  'the demo of 34 players is seen within 2 s, and plays in frames (needs Chromium, ../shared/corpus)',
  async () => {
    const { page: html } = await report(corpusFile('06-ddnet-dm1-34players-client-BENCH.demo'));
    const { page } = await opener.open(html);
    const firstView = await page.evaluate(() => performance.getEntriesByName('first view')[0]!.startTime);
    expect(firstView).toBeLessThan(2000);
    await page.keyboard.press('Space');
    const frames = await page.evaluate(
      () =>
        new Promise<number>((done) => {
          const end = performance.now() + 2000;
          let count = 0;
          const next = (now: number) => {
            count++;
            if (now < end) requestAnimationFrame(next);
            else done(count);
          };
          requestAnimationFrame(next);
        }),
    );
    // 60 frames a second on a quiet machine; a busy one draws fewer.
    expect(frames).toBeGreaterThan(30);
  },
);
