import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { main } from '../../commands/index.ts';
import { hasBrowser, type Opened, PageOpener } from '../support/browser.ts';
import { fakeIo } from '../support/fake-io.ts';
import { dumped, emptyPage } from '../support/report.ts';
import { read } from '../support/samples.ts';
import { drop } from './drop.ts';
import { rowsOfItems } from './item-list.ts';

/** The names of all items. */
const namesIn = async ({ page }: Opened) =>
  (await rowsOfItems(page)).filter(({ kind }) => kind === 'item').map(({ texts: [, name] }) => name);

const opener = new PageOpener();
afterAll(() => opener.close());

const texts = ({ page }: Opened, selector: string) => page.locator(selector).allTextContents();

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

describe('report --empty', () => {
  it('accepts no input, and no option for an input', async () => {
    for (const args of [['file'], ['--map', 'file'], ['--ticks', '1..2'], ['--base', 'empty']]) {
      const io = fakeIo({ files: { file: read('first.huff') } });
      expect(await main(['report', '--empty', ...args], io), args.join(' ')).toBe(2);
    }
  });

  it('writes one file that loads no other', async () => {
    const page = await emptyPage();
    expect(page).toContain("default-src 'none'");
    expect(page.match(/<(?:link|img|iframe|object|embed)\b[^>]*>/g)).toEqual(['<link rel="icon" href="data:,">']);
  });
});

describe.skipIf(!hasBrowser)('the page without a recording (needs Chromium)', () => {
  let html: string;
  let opened: Opened;

  beforeAll(async () => {
    html = await emptyPage();
    opened = await opener.open(html);
  });

  it('shows a demo that is dropped, with the values that dump prints, and its map', async () => {
    const demo = read('vanilla-dm1.demo');
    await drop(opened, ['my.demo', demo]);
    await opened.page.waitForSelector('html[data-state=complete]');
    await expect.poll(() => texts(opened, 'h1')).toEqual(['my.demo']);
    expect(await texts(opened, '.legend li')).toEqual(['hookable', 'spawn']);
    const ticks = (await dumped(demo, '--no-messages')).filter(({ record }) => record === 'snapshot');
    await opened.page.keyboard.press('ArrowRight');
    await expect.poll(() => opened.page.locator('.transport .tick input').inputValue()).toBe(String(ticks[1].tick));
    const { items } = ticks[1];
    await expect
      .poll(() => texts(opened, '.inspector > .bar [role=status]'))
      .toEqual([expect.stringContaining(`; ${items.length} items; checksum`)]);
  });

  it('keeps what the address says until a file is open, and shows that', async () => {
    const fresh = await opener.open(html, '#tick=9326&filter=pickup');
    await drop(fresh, ['none', new Uint8Array(0)]);
    await expect.poll(() => texts(fresh, '.failure')).toEqual([expect.stringContaining('cannot be shown')]);
    await drop(fresh, ['my.demo', read('vanilla-dm1.demo')]);
    await expect.poll(() => fresh.page.locator('.transport .tick input').inputValue()).toBe('9326');
    expect(await fresh.page.getByLabel('filter the items').inputValue()).toBe('pickup');
    await drop(fresh, ['another.demo', read('vanilla-dm1.demo')]);
    await expect.poll(() => texts(fresh, 'h1')).toEqual(['another.demo']);
    expect(await fresh.page.locator('.transport .tick input').inputValue()).not.toBe('9326');
    await fresh.page.close();
  });

  it('shows a capture that is dropped next, with its checksums', async () => {
    await drop(opened, ['my.pcap', read('ddnet-ipv6.pcap')]);
    await opened.page.waitForSelector('html[data-state=complete]');
    await expect.poll(() => texts(opened, 'h1')).toEqual(['my.pcap']);
    await expect
      .poll(() => texts(opened, '.inspector > .bar [role=status]'))
      .toEqual([expect.stringMatching(/checksum -?\d+ ✓ as announced$/)]);
    await opened.page.keyboard.press('ArrowRight');
    expect(await opened.page.locator('.transport').count()).toBe(1);
  });

  it('shows the cause that explain names for a capture that is dropped', async () => {
    await drop(opened, ['crc.pcap', read('duplicate-key.pcap')]);
    await opened.page.waitForSelector('html[data-state=complete]');
    await expect
      .poll(() => texts(opened, '.causes > li > a'))
      .toEqual([`obj_client_info 0 "racer" is sent twice, and counted twice`]);
  });

  it('shows a payload that is dropped; its address shares it', async () => {
    const packet = read('vanilla-dm1-tick9892.packet');
    await drop(opened, ['my.packet', packet]);
    const names = ['sv_weaponpickup 0', 'input_timing 1', 'snap_single 2', 'obj_character 2', 'event_sound_world 0'];
    await expect.poll(() => texts(opened, '.items .name')).toEqual(expect.arrayContaining(names.slice(0, 4)));
    expect(await namesIn(opened)).toEqual([...names, 'obj_pickup 6']);
    const hash = `#hex=${hexOf(packet)}&p=0.7`;
    expect(await opened.page.evaluate(() => location.hash)).toBe(hash);
    const shared = await opener.open(html, hash);
    expect(await namesIn(shared)).toEqual([...names, 'obj_pickup 6']);
    expect(shared.complaints).toEqual([]);
    await shared.page.close();
  });

  it('shows pasted hex, with the values that decode prints', async () => {
    const fresh = await opener.open(html);
    await fresh.page.getByRole('textbox').fill(Buffer.from(read('first.hex')).toString());
    await fresh.page.getByRole('button', { name: 'Inspect' }).click();
    const io = fakeIo({ files: { file: read('first.hex') } });
    await main(['decode', 'file', '-t', 'json'], io);
    const { items } = JSON.parse(io.stdout.text);
    await expect
      .poll(() => texts(fresh, '.items .name'))
      .toEqual(items.map(({ name, id }: { name: string; id: number }) => `${name} ${id}`));
    const x = fresh.page.locator('.items .of-field', { has: fresh.page.locator('.label', { hasText: /^x$/ }) });
    await expect
      .poll(() => x.locator('.value').first().textContent())
      .toMatch(new RegExp(`^\\+?${items[1].fields.x}$`));
    expect(fresh.complaints).toEqual([]);
    await fresh.page.close();
  });

  it('reports why a file cannot be shown, and accepts the next one', async () => {
    const fresh = await opener.open(html);
    const failure = () => texts(fresh, '.failure');
    await drop(fresh, ['<img src=x onerror=alert(1)>', new Uint8Array(0)]);
    await expect
      .poll(failure)
      .toEqual(['<img src=x onerror=alert(1)> cannot be shown: the input is empty; expected a snapshot or a delta']);
    await fresh.page.getByRole('textbox').fill('these are only words');
    await fresh.page.getByRole('button', { name: 'Inspect' }).click();
    await expect.poll(failure).toEqual([expect.stringContaining('pasted bytes cannot be shown: ')]);
    await drop(fresh, ['bomb.gz', Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3)]);
    await expect.poll(failure).toEqual([expect.stringContaining('bomb.gz cannot be shown: the gzip data ends early')]);
    await drop(fresh, ['<b>first</b>', read('first.huff')]);
    await expect.poll(() => texts(fresh, 'h1')).toEqual(['<b>first</b>']);
    await expect.poll(() => texts(fresh, '.items .name')).toHaveLength(3);
    expect(await fresh.page.locator('img, iframe').count()).toBe(0);
    expect(fresh.complaints).toEqual([]);
    await fresh.page.close();
  });

  it('shows the readable part of damaged recordings, whatever they contain', async () => {
    const demo = read('vanilla-dm1.demo');
    for (const [name, at] of [
      ['header', 150],
      ['map', 3000],
      ['chunks', 20_000],
    ] as const) {
      const damaged = demo.slice();
      damaged.fill(0xff, at, at + 60);
      await drop(opened, [name, damaged]);
      await opened.page.waitForSelector('html[data-state=complete]');
      expect(await texts(opened, 'h1')).toEqual([name]);
    }
    expect(opened.complaints).toEqual([]);
  });
});
