import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, type Opened, PageOpener } from '../support/browser.ts';
import { corpusFile, hasCorpus } from '../support/corpus.ts';
import { report } from '../support/report.ts';
import { read } from '../support/samples.ts';
import { violations } from './axe.ts';

const opener = new PageOpener();
afterAll(() => opener.close());

const texts = ({ page }: Opened, selector: string) => page.locator(selector).allTextContents();
const tickOf = async ({ page }: Opened) => Number(await page.locator('.transport .tick input').inputValue());

const pages: [name: string, page: () => Promise<string>][] = [
  ['a demo', async () => (await report(read('vanilla-dm1.demo'))).page],
  ['a capture', async () => (await report(read('ddnet-ipv6.pcap'))).page],
];
if (hasCorpus)
  pages.push([
    '34 players',
    async () => (await report(corpusFile('06-ddnet-dm1-34players-client-BENCH.demo'), '--ticks 518..3000')).page,
  ]);

describe.skipIf(!hasBrowser).each(pages)('the page of %s (needs Chromium)', (name, page) => {
  let html: string;
  let opened: Opened;

  beforeAll(async () => {
    html = await page();
    opened = await opener.open(html, '', { viewport: { width: 1280, height: 800 } });
  });

  it('the picture has at least 55 % of the width of the window, from 1280 pixels on', async () => {
    for (const width of [1280, 1366, 1440, 1680, 1700, 1920, 2200]) {
      await opened.page.setViewportSize({ width, height: 900 });
      const box = (await opened.page.locator('.plane-box > canvas').boundingBox())!;
      expect(box.width / width).toBeGreaterThanOrEqual(0.55);
    }
  });

  it('has at most 25 stops of the Tab key before the bytes, and each list is one', async () => {
    await opened.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await opened.page.evaluate(() => scrollTo(0, 0));
    const stops: string[] = [];
    const focused = () => opened.page.evaluate(() => document.activeElement?.className ?? '');
    for (let i = 0; i < 60; i++) {
      await opened.page.keyboard.press('Tab');
      if ((await focused()).includes('bytes')) break;
      stops.push(await focused());
    }
    expect(stops.length).toBeLessThanOrEqual(25);
    for (const list of ['players', 'event-lines', 'items'])
      expect(stops.filter((stop) => stop.split(' ').includes(list)).length).toBeLessThanOrEqual(
        name === 'a capture' ? 2 : 1,
      );
  });

  it('has picture, records, items and bytes in one window of 1280 × 800 when i is pressed', async () => {
    const one = await opener.open(html, '', { viewport: { width: 1280, height: 800 } });
    const { page: shown } = one;
    await shown.keyboard.press('i');
    for (const part of ['.plane-box > canvas', '.record-rows', '.items', '.bytes']) {
      const { x, y, width, height } = (await shown.locator(part).boundingBox())!;
      expect([part, x >= 0, y >= 0, x + width <= 1280, y + height <= 800]).toEqual([part, true, true, true, true]);
      expect([part, width >= 250, height >= 150]).toEqual([part, true, true]);
    }
    // What is below on the screen is read later.
    const parts = await shown.locator('.stage > *').evaluateAll((all) => all.map(({ classList: [first] }) => first));
    expect(parts).toEqual(['plane', 'inspector', 'records', 'story', 'lanes']);
    // The bytes of the chosen item are seen beside it.
    await shown.locator('.items .item button').first().click();
    await expect.poll(() => shown.locator('.items [aria-current], .bytes .lit').count()).toBeGreaterThan(1);
    await expect.poll(() => shown.evaluate(() => location.hash)).toContain('view=inspect');
    expect(await violations(one)).toEqual([]);
    await shown.keyboard.press('w');
    await expect.poll(() => shown.evaluate(() => location.hash)).not.toContain('view=');
    expect(one.complaints).toEqual([]);
    await shown.close();
  });

  it('skips to the bytes with the first keys', async () => {
    const fresh = await opener.open(html);
    for (let i = 0; i < 2; i++) await fresh.page.keyboard.press('Tab');
    expect(await fresh.page.evaluate(() => document.activeElement!.textContent)).toBe('skip to the bytes');
    await fresh.page.keyboard.press('Enter');
    expect(await fresh.page.evaluate(() => document.activeElement!.className)).toBe('bytes');
    await fresh.page.close();
  });

  it('of a phone is the picture, a bar and sheets, whose targets are 40 pixels high', async () => {
    const phone = await opener.open(html, '', { viewport: { width: 390, height: 844 }, isMobile: true });
    const canvas = (await phone.page.locator('.plane-box > canvas').boundingBox())!;
    expect(canvas.width).toBe(390);
    const bar = (await phone.page.locator('.transport').boundingBox())!;
    expect([canvas.y + canvas.height <= bar.y + 1, bar.height < 60, bar.y + bar.height <= 844]).toEqual([
      true,
      true,
      true,
    ]);
    for (const what of ['.play', '.transport .time', '.slider', '.copy-menu summary'])
      expect(await phone.page.locator(what).isVisible()).toBe(true);
    const tabs = phone.page.locator('.sheets button:visible');
    for (const name of await tabs.allTextContents()) {
      await phone.page.locator('.sheets').getByRole('button', { name }).click();
      const sheet = phone.page.locator('.sheet.is-open');
      expect(await sheet.count()).toBe(1);
      const box = (await sheet.boundingBox())!;
      expect([box.x, box.width, box.y + box.height <= bar.y + 1]).toEqual([0, 390, true]);
      const small = await phone.page.evaluate(() =>
        [...document.querySelectorAll('button, summary, select, input:not([type=checkbox])')].flatMap((one) => {
          const { width, height } = one.getBoundingClientRect();
          const isTarget = width > 0 && one.checkVisibility() && !one.matches('.skip *, [type=range]');
          return isTarget && height < 40 ? [`${one.className} ${one.textContent} ${height}`] : [];
        }),
      );
      expect(small).toEqual([]);
      expect(await violations(phone)).toEqual([]);
    }
    await phone.page.close();
  });

  it('printed has the legend and its colours', async () => {
    const fresh = await opener.open(html);
    await fresh.page.emulateMedia({ media: 'print' });
    const legend = fresh.page.locator('.legend li');
    for (const one of await legend.all()) expect(await one.isVisible()).toBe(true);
    const adjust = await fresh.page.evaluate(() =>
      [...document.querySelectorAll('.swatch, .fill, canvas')].map((one) => getComputedStyle(one).printColorAdjust),
    );
    expect([adjust.length > 0, new Set(adjust)]).toEqual([true, new Set(['exact'])]);
    await fresh.page.close();
  });
});

describe.skipIf(!hasBrowser)('an event of the list (needs Chromium)', () => {
  let html: string;

  beforeAll(async () => {
    html = (await report(read('vanilla-dm1.demo'))).page;
  });

  const kill = (one: Opened) => one.page.locator('.event-lines .deaths button').first();
  /** `sv_killmsg` of this recording: stress3, client 2, kills himself at tick 9322. */
  const [tick, victim] = [9322, 'stress3'];

  it('of a death is shown from two seconds before, with the player, and plays on', async () => {
    const one = await opener.open(html);
    expect(await kill(one).textContent()).toContain(`${tick}`);
    await kill(one).click();
    const begin = await tickOf(one);
    expect([begin >= tick - 100, begin < tick]).toEqual([true, true]);
    const show = one.page.getByLabel('what the picture shows');
    expect(await show.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]!.text)).toBe(victim);
    expect(await one.page.locator('.play').getAttribute('aria-label')).toBe('pause');
    expect(await one.page.getByLabel('speed').inputValue()).toBe('1');
    // The event that is watched is the current one before it happens, and later ones follow.
    expect(await texts(one, '.event-lines [aria-current] .tick')).toEqual([String(tick)]);
    await expect.poll(() => tickOf(one)).toBeGreaterThan(tick);
    expect(one.complaints).toEqual([]);
    await one.page.close();
  });

  it('is shown slowly by Enter', async () => {
    const one = await opener.open(html);
    await kill(one).focus();
    await one.page.keyboard.press('Enter');
    expect(await one.page.getByLabel('speed').inputValue()).toBe('0.5');
    expect(await one.page.locator('.play').getAttribute('aria-label')).toBe('pause');
    await one.page.close();
  });

  it('is reached by the keys up and down, from the current one on', async () => {
    const one = await opener.open(html, `#tick=${tick}`);
    await one.page.locator('.event-lines').focus();
    const focused = () => one.page.evaluate(() => document.activeElement!.querySelector('.tick')?.textContent);
    await one.page.keyboard.press('ArrowDown');
    expect(Number(await focused())).toBe(tick);
    await one.page.keyboard.press('ArrowDown');
    expect(Number(await focused())).toBeGreaterThan(tick);
    await one.page.keyboard.press('ArrowUp');
    await one.page.keyboard.press('ArrowUp');
    expect(Number(await focused())).toBeLessThan(tick);
    // They are not keys of the page.
    expect(await tickOf(one)).toBe(tick);
    await one.page.close();
  });

  it('of chat only goes to its tick', async () => {
    const one = await opener.open(html);
    const line = one.page.locator('.event-lines .chat button').nth(5);
    const asked = Number(await line.locator('.tick').textContent());
    await line.click();
    expect(await tickOf(one)).toBe(asked);
    expect(await one.page.locator('.play').getAttribute('aria-label')).toBe('play');
    await one.page.close();
  });
});

describe.skipIf(!hasBrowser || !hasCorpus)('the current event (needs Chromium and ../shared)', () => {
  it('stays in view when the scoreboard grows, and while the recording is played', async () => {
    const html = (await report(corpusFile('06-ddnet-dm1-34players-client-BENCH.demo'))).page;
    const { page } = await opener.open(html, '', { viewport: { width: 1400, height: 900 } });
    const isInView = () =>
      page.evaluate(() => {
        const list = document.querySelector('.event-lines')!;
        const row = list.querySelector('[aria-current=true]')?.getBoundingClientRect();
        const { top, bottom } = list.getBoundingClientRect();
        return row !== undefined && row.top >= top - 2 && row.bottom <= bottom + 2;
      });
    for (const tick of [11_700, 5000, 9000, 600, 11_000]) {
      await page.locator('.tick input').fill(String(tick));
      await page.keyboard.press('Enter');
      await expect.poll(isInView).toBe(true);
    }
    await page.locator('.event-lines [aria-current] button').click();
    await page.getByLabel('speed').selectOption('8');
    if ((await page.locator('.play').getAttribute('aria-label')) === 'play') await page.locator('.play').click();
    for (let i = 0; i < 5; i++) {
      await page.waitForTimeout(400);
      await expect.poll(isInView).toBe(true);
    }
    await page.close();
  });
});
