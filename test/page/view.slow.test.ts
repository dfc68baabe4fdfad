import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, type Opened, PageOpener } from '../support/browser.ts';
import { file } from '../support/bytes.ts';
import { ipv4, pcapHeader, pcapRecord, udp } from '../support/capture-builder.ts';
import { captureFrames } from '../support/capture-frames.ts';
import { corpusFile, hasCorpus } from '../support/corpus.ts';
import { dumped, emptyPage, report, reportDataOf } from '../support/report.ts';
import { run, runWriting } from '../support/run.ts';
import { read } from '../support/samples.ts';
import { violations } from './axe.ts';
import { drop } from './drop.ts';

const opener = new PageOpener();
afterAll(() => opener.close());

const texts = ({ page }: Opened, selector: string) => page.locator(selector).allTextContents();
const chosenTick = async ({ page }: Opened) => Number(await page.locator('.transport .tick input').inputValue());
const hash = ({ page }: Opened) => page.evaluate(() => location.hash);

/** A capture of one connection as often as that: the client has another port in each. */
function connectionsOf(capture: Uint8Array, times: number): Uint8Array {
  const records = captureFrames(capture).flatMap((frame) => {
    if (!('sourcePort' in frame)) return [];
    const { time, data, sourcePort: from, destinationPort: to } = frame;
    const [seconds, fraction] = [Math.floor(time), Math.floor((time % 1) * 1e6)];
    return Array.from({ length: times }, (_, k) => {
      const [source, destination] = from > to ? [from + k, to] : [from, to + k];
      return pcapRecord(ipv4(udp(data, source, destination)), { seconds, fraction });
    });
  });
  return file(pcapHeader({ linkType: 101 }), ...records);
}

describe.skipIf(!hasBrowser)('the page of a demo (needs Chromium)', () => {
  let html: string;
  let opened: Opened;

  beforeAll(async () => {
    html = (await report(read('vanilla-dm1.demo'))).page;
    opened = await opener.open(html);
  });

  it('opens at the first character, on who recorded', async () => {
    const records = await dumped(read('vanilla-dm1.demo'), '--no-messages');
    const first = records.find(({ items = [] }) =>
      items.some(({ name }: { name: string }) => name === 'obj_character'),
    );
    expect(await chosenTick(opened)).toBe(first.tick);
    expect(await opened.page.getByLabel('what the picture shows').inputValue()).toBe('camera');
  });

  it('a link restores all that was seen', async () => {
    const { page } = opened;
    await page.getByLabel('what the picture shows').selectOption('free');
    await page.getByRole('button', { name: 'enlarge' }).click();
    await page.getByLabel('filter the items').fill('obj_ch');
    await page.getByLabel('only changed').check();
    await page.getByRole('checkbox', { name: 'others' }).uncheck();
    await page.getByRole('searchbox').fill('obj_pickup');
    await page.keyboard.press('Enter');
    await page.getByRole('searchbox').blur();
    await page.keyboard.press('[');
    await page.locator('.plots').focus();
    await page.keyboard.press('+');
    await page.locator('.of-field button.label').first().click();
    await expect.poll(() => hash(opened)).toMatch(/plots=/);
    const link = await hash(opened);
    for (const name of [
      'tick',
      'followed',
      'camera',
      'filter',
      'onlyChanged',
      'hidden',
      'query',
      'repeated',
      'visible',
    ])
      expect(link).toContain(`${name}=`);
    const again = await opener.open(html, link);
    const found = () => texts(again, '.search output');
    await expect.poll(found).toEqual([expect.stringMatching(/ found$/)]);
    await expect.poll(() => again.page.locator('.value-plot').count()).toBe(1);
    await expect.poll(() => texts(again, '.link')).toEqual([decodeURIComponent(link)]);
    expect(await again.page.getByLabel('filter the items').inputValue()).toBe('obj_ch');
    expect(await texts(again, '.range')).toEqual(await texts(opened, '.range'));
    expect(again.complaints).toEqual([]);
    await again.page.close();
  });

  it('the bytes of a range are those that stats counts, with the command that cuts it out', async () => {
    const one = await opener.open(html, '#repeated=9000..9100');
    const records = await dumped(read('vanilla-dm1.demo'), '--no-messages --ticks 9000..9100');
    const snapshots = records.filter(({ record }) => record === 'snapshot');
    await expect
      .poll(() => texts(one, '.size-breakdown .bar .dim'))
      .toEqual([
        expect.stringMatching(
          new RegExp(
            `^9000 to 9100: ${snapshots.length} snapshots, .*[\\d,]+ bytes, [\\d,]+ a second; snapshots by their items, [\\d,]+ bytes; ` +
              'tw-snap slice file --ticks 9000\\.\\.9100 -o part\\.demo$',
          ),
        ),
      ]);
    const { stdout } = await run('stats a --ticks 9000..9100 -t json', { a: read('vanilla-dm1.demo') });
    const expected = JSON.parse(stdout)[0].items.map(({ name, sent, bits }: Record<string, string & number>) => {
      return `${name}${sent} ×${Math.round(bits! / 8)} B`;
    });
    const lines = (await texts(one, '.sizes .line')).map((line) => line.replace(/ B.*/, ' B'));
    expect(lines.filter((line) => !line.startsWith('counts'))).toEqual(expected);
    await one.page.close();
  });

  it('n and p go to the next and previous event, and the slider snaps to it', async () => {
    const fresh = await opener.open(html);
    const { page } = fresh;
    const first = await chosenTick(fresh);
    await page.keyboard.press('n');
    const next = await chosenTick(fresh);
    expect(next).toBeGreaterThan(first);
    const current = page.locator('.event-lines [aria-current] .tick');
    await expect.poll(async () => Number(await current.textContent())).toBe(next);
    await page.keyboard.press('n');
    expect(await chosenTick(fresh)).toBeGreaterThan(next);
    await page.keyboard.press('p');
    expect(await chosenTick(fresh)).toBe(next);
    const slider = page.getByRole('slider', { name: 'snapshot' });
    await slider.evaluate((one: HTMLInputElement, tick) => {
      one.value = String(tick);
      one.dispatchEvent(new Event('input'));
    }, next + 3);
    await expect.poll(() => chosenTick(fresh)).toBe(next);
    await page.close();
  });

  it('the tick field takes a time, and the slider and the time follow', async () => {
    const { page } = opened;
    const first = Number(await page.getByRole('slider', { name: 'snapshot' }).getAttribute('min'));
    await page.getByRole('textbox', { name: 'tick' }).fill('0:20');
    await page.keyboard.press('Enter');
    await expect.poll(() => chosenTick(opened)).toBeGreaterThan(first + 990);
    const tick = await chosenTick(opened);
    expect(tick).toBeLessThanOrEqual(first + 1000);
    expect(await page.getByRole('slider', { name: 'snapshot' }).inputValue()).toBe(String(tick));
    expect(await texts(opened, '.transport > .time')).toEqual([`0:${((tick - first) / 50).toFixed(2)}`]);
  });

  it('space plays wherever the focus is, unless in a text field; ? shows the keys', async () => {
    const { page } = opened;
    for (const focused of ['.play', '.plane-box > canvas', '.link', '.items']) {
      await page.locator(focused).focus();
      await page.keyboard.press(' ');
      await expect.poll(() => page.locator('.play').getAttribute('aria-label')).toBe('pause');
      expect(await texts(opened, '.play')).toEqual([expect.stringContaining('❚❚')]);
      await page.keyboard.press(' ');
      await expect.poll(() => page.locator('.play').getAttribute('aria-label')).toBe('play');
    }
    await page.getByLabel('filter the items').press(' ');
    expect(await page.locator('.play').getAttribute('aria-label')).toBe('play');
    await page.locator('.plane-box > canvas').focus();
    await page.keyboard.press('?');
    expect(await page.getByRole('dialog', { name: 'keys' }).isVisible()).toBe(true);
    await page.keyboard.press('Escape');
  });

  it('the wheel scrolls the page, and zooms with Ctrl or after a click', async () => {
    const fresh = await opener.open(html);
    const { page } = fresh;
    const box = (await page.locator('.plane-box > canvas').boundingBox())!;
    await page.mouse.move(box.x + 100, box.y + 100);
    await page.mouse.wheel(0, 60);
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(60);
    expect(await hash(fresh)).not.toContain('camera=');
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -60);
    await page.keyboard.up('Control');
    await expect.poll(() => hash(fresh)).toContain('camera=');
    expect(await page.evaluate(() => scrollY)).toBe(60);
    await page.close();
  });

  it('copies the selected bytes as hex, the link, and the command lines of the snapshot and the clip', async () => {
    const { page } = opened;
    const copied = await page.evaluate(() => {
      // Two that follow each other: between others, a row may be folded, whose bytes are selected, too.
      const rows = [...document.querySelectorAll<HTMLElement>('.bytes .of-bytes')];
      const at = rows.findIndex((row, i) => Number(rows[i + 1]?.ariaPosInSet) === Number(row.ariaPosInSet) + 1);
      const [first, second] = [rows[at]!, rows[at + 1]!].map((row) => row.querySelector('.hex'));
      getSelection()!.setBaseAndExtent(first!, 0, second!, second!.childNodes.length);
      const event = new ClipboardEvent('copy', { clipboardData: new DataTransfer(), bubbles: true, cancelable: true });
      first!.dispatchEvent(event);
      return [event.clipboardData!.getData('text/plain'), `${first!.textContent} ${second!.textContent}`];
    });
    expect(copied[0]).toBe(copied[1]);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copy = async (what: string) => {
      await page.locator('.copy-menu summary').click();
      await page.getByRole('button', { name: what, exact: true }).click();
      await expect.poll(() => texts(opened, '.notice')).toEqual([expect.stringMatching(/^copied: /)]);
      return page.evaluate(() => navigator.clipboard.readText());
    };
    const tick = await chosenTick(opened);
    expect(await copy('link')).toMatch(new RegExp(`^file:\\S+#tick=${tick}`));
    expect(await copy('command line')).toBe(`tw-snap decode file@${tick}`);
    expect(await copy('clip')).toMatch(/^tw-snap slice file --ticks \d+\.\.\d+ -o clip\.demo$/);
  });

  it('goes back to where a jump began, and not through each step', async () => {
    const fresh = await opener.open(html, '#tick=9326');
    const { page } = fresh;
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => chosenTick(fresh)).toBe(9328);
    await page.getByRole('textbox', { name: 'tick' }).fill('11000');
    await page.keyboard.press('Enter');
    await expect.poll(() => chosenTick(fresh)).toBe(11000);
    await page.goBack();
    await expect.poll(() => chosenTick(fresh)).toBe(9328);
    await page.goForward();
    await expect.poll(() => chosenTick(fresh)).toBe(11000);
    // The row of an event that has the focus goes out of its list.
    await page.locator('.event-lines button').last().click();
    await page.goBack();
    await page.goBack();
    await expect.poll(() => chosenTick(fresh)).toBe(9328);
    expect(fresh.complaints).toEqual([]);
    await page.close();
  });

  it('two fingers enlarge the map, one moves it', async () => {
    const one = await opener.open(html, '', { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true });
    const session = await one.page.context().newCDPSession(one.page);
    const box = (await one.page.locator('.plane-box > canvas').boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...fingers: readonly (readonly [number, number])[]) =>
      session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: fingers.map(([fingerX, fingerY], id) => ({ x: fingerX, y: fingerY, id })),
      });
    const camera = async () => {
      const [, ...place] = /camera=([-\d.]+),([-\d.]+),([-\d.]+)/.exec(await hash(one)) ?? [];
      return place.map(Number);
    };
    await touch('touchStart', [x - 20, y], [x + 20, y]);
    for (let i = 1; i <= 8; i++) await touch('touchMove', [x - 20 - 5 * i, y], [x + 20 + 5 * i, y]);
    await touch('touchEnd');
    // The picture is 1,050 units high at first; the fingers end three times as far from each other as they began. The
    // link follows later.
    await expect.poll(async () => (await camera())[2]! / (box.height / 1050)).toBeCloseTo(3, 1);
    const [fromX, , scale] = await camera();
    await touch('touchStart', [x, y]);
    for (let i = 1; i <= 5; i++) await touch('touchMove', [x - 12 * i, y]);
    await touch('touchEnd');
    // A drag by 60 pixels, less the first 12 if the browser takes them for a tap.
    await expect.poll(async () => Math.round(((await camera())[0]! - fromX!) * scale!)).toBeGreaterThanOrEqual(48);
    expect(await one.page.evaluate(() => scrollY)).toBe(0);
    await one.page.close();
  });

  it('a step of play is laid out once', async () => {
    const one = await opener.open(html);
    const { page } = one;
    const session = await page.context().newCDPSession(page);
    const tasks: { readonly name: string; readonly ts: number }[] = [];
    session.on('Tracing.dataCollected', ({ value }) => {
      const traced = value as unknown as typeof tasks;
      tasks.push(...traced.filter(({ name }) => name === 'Layout' || name === 'Commit'));
    });
    // What was drawn at the opening is then no reason to leave the first step's drawing out.
    await page.waitForTimeout(2000);
    const includedCategories = ['devtools.timeline', 'disabled-by-default-devtools.timeline'];
    await session.send('Tracing.start', { traceConfig: { includedCategories } });
    const first = await chosenTick(one);
    await page.keyboard.press(' ');
    // Three seconds of play, however many frames the machine draws of them.
    await expect.poll(() => chosenTick(one)).toBeGreaterThan(first + 150);
    await page.keyboard.press(' ');
    const isComplete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
    await session.send('Tracing.end');
    await isComplete;
    // Each frame ends with a commit.
    const frames = tasks
      .sort((a, b) => a.ts - b.ts)
      .map(({ name }) => name)
      .join(' ')
      .split('Commit')
      .map((frame) => frame.split('Layout').length - 1);
    expect(frames.filter((layouts) => layouts > 0).length).toBeGreaterThan(5);
    // A list that becomes higher is laid out once more.
    expect(frames.filter((layouts) => layouts > 1).length).toBeLessThan(frames.length / 10);
    await page.close();
  });

  it('plots of values are as wide as the timeline', async () => {
    const one = await opener.open(html, '#plots=obj_character/0/x');
    const place = async (selector: string) => {
      const { x, width } = (await one.page.locator(selector).first().boundingBox())!;
      return { x, width };
    };
    await expect.poll(() => one.page.locator('.values .over').count()).toBe(1);
    expect(await place('.values .over')).toEqual(await place('.plots .over'));
    await one.page.close();
  });

  it('a click on the title of a panel leaves its title, and a second one opens it again', async () => {
    const one = await opener.open(html);
    const element = one.page.locator('section.timeline');
    // The last of its plots comes when all is read.
    await expect.poll(() => one.page.locator('.stack figure').count()).toBe(1);
    const height = async () => (await element.boundingBox())!.height;
    await element.scrollIntoViewIfNeeded();
    // The last plot is drawn when all sizes are known.
    await element.locator('.stack canvas').waitFor();
    const whole = await height();
    const title = one.page.getByRole('button', { name: 'Timeline', exact: true });
    await title.click();
    expect(await height()).toBeLessThan(50);
    expect(await title.getAttribute('aria-expanded')).toBe('false');
    await title.click();
    expect(await height()).toBe(whole);
    await one.page.close();
  });

  it('values of items do not wrap in a window of 360 or 1920 pixels', async () => {
    for (const width of [360, 1920]) {
      const one = await opener.open(html, '#tick=9002', { viewport: { width, height: 800 } });
      const tab = one.page.locator('.sheets').getByRole('button', { name: 'items' });
      if (await tab.isVisible()) await tab.click();
      // Only the rows in the window are drawn.
      await one.page.locator('.items').evaluate((items) => items.scrollIntoView());
      const values = one.page.locator('.of-field .value');
      await expect.poll(() => values.allTextContents()).toContain('1797 → 1779');
      const lines = await values.evaluateAll((all) =>
        all.map((value) => {
          const range = document.createRange();
          range.selectNodeContents(value);
          return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size;
        }),
      );
      expect(Math.max(...lines)).toBe(1);
      await one.page.close();
    }
  });

  const kinds: [kind: string, page: () => Promise<string>][] = [
    ['a demo', async () => html],
    ['a race', async () => (await report(read('ddnet-race-player.demo'))).page],
    ['a capture with findings', async () => (await report(read('duplicate-key.pcap'))).page],
    ['a packet', async () => (await report(read('vanilla-dm1-tick9892.packet'))).page],
    ['a delta', async () => (await report(read('vanilla-dm1-tick9326.delta.huff'))).page],
    ['the start', emptyPage],
  ];

  it.each(kinds)('%s is not wider than a window of 360 to 2,560 pixels', async (_, page) => {
    const one = await opener.open(await page());
    for (const width of [360, 480, 700, 701, 960, 961, 1280, 1399, 1400, 1699, 1700, 1920, 2560]) {
      await one.page.setViewportSize({ width, height: 800 });
      expect(await one.page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
    await one.page.close();
  });

  it.each(kinds)('axe finds nothing: %s', async (_, page) => {
    const contents = await page();
    for (const colorScheme of ['light', 'dark'] as const) {
      const one = await opener.open(contents, '', { colorScheme });
      expect(await violations(one)).toEqual([]);
      await one.page.setViewportSize({ width: 360, height: 800 });
      expect(await violations(one)).toEqual([]);
      await one.page.close();
    }
  });

  it('axe finds nothing with results, a range, plots, all details and the list of keys', async () => {
    const link =
      '#query=obj_pickup&repeated=9000..9100&plots=obj_character/0/x,obj_character/0/y%2Bobj_character/0/health';
    const one = await opener.open(html, link);
    await expect.poll(() => one.page.locator('.value-plot figure').count()).toBe(2);
    await expect.poll(() => texts(one, '.search output')).toEqual([expect.stringMatching(/ found$/)]);
    await one.page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true;
    });
    await one.page.locator('.search input').focus();
    expect(await violations(one)).toEqual([]);
    await one.page.keyboard.press('Tab');
    await one.page.locator('.plots').focus();
    await one.page.keyboard.press('?');
    expect(await violations(one)).toEqual([]);
    await one.page.close();
  });
});

describe.skipIf(!hasBrowser || !hasCorpus)('the page of long recordings (needs Chromium and ../shared)', () => {
  it('lists all connections, and opens on the one with the most rebuilt snapshots', async () => {
    const { page: html } = await report(corpusFile('06-ddnet-loss.pcap'));
    const { connections } = reportDataOf(html);
    const one = await opener.open(html);
    const rows = one.page.locator('.connections tbody tr');
    await expect.poll(() => rows.count()).toBe(4);
    const most = connections!.toSorted((a, b) => b.rebuilt - a.rebuilt)[0]!;
    expect(await texts(one, '.connections [aria-current=true] th')).toEqual([most.player]);
    const other = connections!.find(({ client }) => client !== most.client)!;
    // The table is folded if all is right.
    const title = one.page.locator('.connections .toggle');
    if ((await title.getAttribute('aria-expanded')) === 'false') await title.click();
    await one.page.locator('.connections').getByRole('button', { name: other.player! }).click();
    await expect.poll(() => hash(one)).toContain(`client=${encodeURIComponent(other.client)}`);
    expect(await violations(one)).toEqual([]);
    await one.page.close();
  });

  it('shows each of 25 connections', async () => {
    const one = await opener.open((await report(connectionsOf(corpusFile('07-vanilla-mapchange.pcap'), 25))).page);
    const rows = one.page.locator('.connections tbody tr');
    expect(await rows.count()).toBe(25);
    const ticks = async () => one.page.locator('.transport .time').textContent();
    const time = await ticks();
    const last = rows.last();
    // The table is folded if all is right.
    const title = one.page.locator('.connections .toggle');
    if ((await title.getAttribute('aria-expanded')) === 'false') await title.click();
    await last.getByRole('button').first().click();
    await expect.poll(() => last.getAttribute('aria-current')).toBe('true');
    await expect
      .poll(() => hash(one))
      .toContain(`client=${encodeURIComponent((await last.getAttribute('data-client'))!)}`);
    expect(await ticks()).toBe(time);
    expect(await violations(one)).toEqual([]);
    expect(one.complaints).toEqual([]);
    await one.page.close();
  });

  it('shows sixteen players without scrolling in a window of 1280 pixels', async () => {
    const html = (await report(corpusFile('06-ddnet-dm1-34players-client-BENCH.demo'))).page;
    const one = await opener.open(html, '', { viewport: { width: 1280, height: 900 } });
    const visible = await one.page.locator('.players tbody tr').evaluateAll((rows) => {
      const end = document.querySelector('.scoreboard .players')!.getBoundingClientRect().bottom;
      return rows.filter((row) => row.getBoundingClientRect().bottom <= end).length;
    });
    expect(visible).toBeGreaterThanOrEqual(16);
    await one.page.close();
  });

  it('lists events past the 500th, draws only the visible ones, and searches while it loads', async () => {
    const one = await opener.open(await emptyPage());
    const { page } = one;
    const demo = corpusFile('06-ddnet-dm1-34players-client-BENCH.demo');
    const { bytes } = await runWriting('concat a a a a -o -', { a: demo });
    await drop(one, ['long.demo', bytes]);
    await page.locator('.search input').fill('kill');
    await expect.poll(() => texts(one, '.search output')).toEqual([expect.stringMatching(/is read$|found$/)]);
    await page.waitForSelector('html[data-state=complete]');
    await expect.poll(() => texts(one, '.search output')).toEqual([expect.stringMatching(/^[\d,]+ found$/)]);
    const results = page.locator('.results li');
    const size = Number(await results.first().getAttribute('aria-setsize'));
    expect(`${size.toLocaleString('en')} found`).toBe((await texts(one, '.search output'))[0]);
    await results.nth(2).getByRole('button').click();
    await expect
      .poll(() => texts(one, '.event-lines [aria-current] .what'))
      .toEqual([expect.stringContaining('killed')]);
    await page.getByRole('searchbox').fill('');
    await page.getByRole('searchbox').blur();
    const lines = page.locator('.event-lines li');
    const all = Number(await lines.first().getAttribute('aria-setsize'));
    expect(all).toBeGreaterThan(500);
    await page.getByRole('button', { name: 'last snapshot' }).click();
    const places = () => lines.evaluateAll((some) => some.map((line) => Number(line.getAttribute('aria-posinset'))));
    await expect.poll(async () => Math.max(...(await places()))).toBe(all);
    expect(await lines.count()).toBeLessThan(60);
    expect(one.complaints).toEqual([]);
    await page.close();
  });
});
