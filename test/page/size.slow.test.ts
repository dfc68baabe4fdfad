import { afterAll, expect, it } from 'vitest';
import { hasBrowser, PageOpener } from '../support/browser.ts';
import { corpusFile, hasCorpus } from '../support/corpus.ts';
import { emptyPage, report } from '../support/report.ts';
import { read } from '../support/samples.ts';

const opener = new PageOpener();
afterAll(() => opener.close());

it('the page of a payload has less than 150 kB, of a minute 250 kB, and the one that opens files 430 kB', async () => {
  expect((await report(read('first.huff'))).page.length).toBeLessThan(150_000);
  expect((await report(read('vanilla-dm1-tick9892.packet'))).page.length).toBeLessThan(150_000);
  expect((await report(read('vanilla-dm1.demo'))).page.length).toBeLessThan(250_000);
  expect((await emptyPage()).length).toBeLessThan(430_000);
});

it.skipIf(!hasBrowser || !hasCorpus)(
  'the demo of 34 players is seen before all of it is read, and plays (needs Chromium, ../shared)',
  async () => {
    const { page: html } = await report(corpusFile('06-ddnet-dm1-34players-client-BENCH.demo'));
    const { page } = await opener.open(html);
    const [firstView, complete] = await page.evaluate(() =>
      ['first view', 'complete'].map((name) => performance.getEntriesByName(name)[0]!.startTime),
    );
    // scripts/bench/page.mjs measures the times and the frames per second: tests do not depend on the speed of a
    // machine.
    expect(firstView).toBeLessThan(complete!);
    const tick = page.locator('.transport .tick input');
    const first = Number(await tick.inputValue());
    await page.keyboard.press('Space');
    await expect.poll(async () => Number(await tick.inputValue())).toBeGreaterThan(first + 50);
  },
);
