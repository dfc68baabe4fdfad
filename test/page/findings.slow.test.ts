import { afterAll, describe, expect, it } from 'vitest';
import { main } from '../../commands/index.ts';
import { hasBrowser, type Opened, PageOpener } from '../support/browser.ts';
import { fakeIo } from '../support/fake-io.ts';
import { report, reportDataOf } from '../support/report.ts';
import { read } from '../support/samples.ts';

const opener = new PageOpener();
afterAll(() => opener.close());

const text = ({ page }: Opened, selector: string) => page.locator(selector).textContent();
const tickOf = ({ page }: Opened) => page.locator('.transport .tick input').inputValue();

describe('the findings of a report', () => {
  it('have the tick, the connection and the suspects that checksum names', async () => {
    const { findings, tracks } = reportDataOf((await report(read('duplicate-key.pcap'))).page);
    expect(findings.length).toBeGreaterThan(0);
    for (const { track, tick, item, details } of findings) {
      expect(tracks.map(({ name }) => name)).toContain(track);
      expect(tick).toBeGreaterThan(0);
      expect(details[0]).toContain(item!.replace('/', ' '));
      expect(details[0]).toMatch(/once more than sent.*most likely$/);
    }
  });

  it('have the cause that explain names from the whole recording, and those of a demo', async () => {
    const demo = read('vanilla-dm1.demo').slice();
    demo.fill(0xff, 30_000, 30_200);
    for (const file of [read('duplicate-key.pcap'), demo]) {
      const io = fakeIo({ files: { file } });
      await main(['explain', 'file'], io);
      const expected = [...io.stdout.text.matchAll(/^(?:✗|!) (.*)$/gm)].map(([, title]) => title);
      const { causes = [] } = reportDataOf((await report(file)).page);
      expect(causes.map(({ text: title }) => title)).toEqual(expected);
    }
  });

  it.skipIf(!hasBrowser)('the page opens on the first one; each is a link (needs Chromium)', async () => {
    const { page: html } = await report(read('duplicate-key.pcap'));
    const { findings } = reportDataOf(html);
    const opened = await opener.open(html);
    expect(await tickOf(opened)).toBe(String(findings[0]!.tick));
    expect(await text(opened, '[aria-current] .name')).toBe(findings[0]!.item!.replace('/', ' '));
    expect(await text(opened, '.inspector > .bar [role=status]')).toContain('✗ announced');
    expect(await opened.page.locator('.causes > li > a').allTextContents()).toEqual([
      `obj_client_info 0 "racer" is sent twice, and counted twice`,
    ]);
    expect(await opened.page.locator('.causes .suspects').textContent()).toContain('in all 20; fits 13 of 13');
    await opened.page.locator('.heading details').evaluateAll((all: HTMLDetailsElement[]) => {
      for (const one of all) one.open = true;
    });
    expect(await opened.page.locator('.diagnostics summary').allTextContents()).toContain('19 more of this cause');
    await opened.page.locator('.heading details.diagnostics a').last().click();
    await expect.poll(() => tickOf(opened)).toBe(String(findings.at(-1)!.tick));
    expect(opened.complaints).toEqual([]);
  });

  it.skipIf(!hasBrowser)('a damaged demo opens where the damage is (needs Chromium)', async () => {
    const demo = read('vanilla-dm1.demo').slice();
    demo.fill(0xff, 30_000, 30_200);
    const { page: html } = await report(demo);
    const [first] = reportDataOf(html).findings;
    expect(first!.tick).toBeGreaterThan(8898);
    const opened = await opener.open(html);
    await expect.poll(() => tickOf(opened)).toBe(String(first!.tick));
  });
});

describe.skipIf(!hasBrowser)('links to targets that do not exist (needs Chromium)', () => {
  it.each([
    ['#tick=9327', 'There is no snapshot of tick 9327: this is tick 9326.'],
    ['#tick=99999999', 'There is no snapshot of tick 99999999: this is tick 11782.'],
    ['#tick=9326&item=obj_laser/77', 'There is no obj_laser 77 in this snapshot.'],
    ['#client=127.0.0.1:5&tick=9326', 'There is no connection "127.0.0.1:5" here: this is a demo.'],
    ['#tick=9326', ''],
  ])('%s', async (hash, notice) => {
    const opened = await opener.open((await report(read('vanilla-dm1.demo'))).page, hash);
    expect(await text(opened, '.notice')).toBe(notice);
    await opened.page.keyboard.press('ArrowRight');
    await expect.poll(() => text(opened, '.notice')).toBe('');
    await opened.page.close();
  });

  it('the page of a packet states that its values are differences', async () => {
    const opened = await opener.open((await report(read('vanilla-dm1-tick9892.packet'))).page);
    expect(await opened.page.locator('.differences').isVisible()).toBe(true);
    expect(await text(opened, '.uncertain')).toBe('');
    const whole = await opener.open((await report(read('vanilla-dm1.demo'))).page);
    expect(await whole.page.locator('.differences').isVisible()).toBe(false);
  });
});
