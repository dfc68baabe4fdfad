import { deflateRawSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { main } from '../../commands/index.ts';
import { hasBrowser, type Opened, PageOpener } from '../support/browser.ts';
import { fakeIo } from '../support/fake-io.ts';
import { emptyPage } from '../support/report.ts';
import { run, runWriting } from '../support/run.ts';
import { read } from '../support/samples.ts';
import { drop } from './drop.ts';
import { rowsOfItems } from './item-list.ts';

const opener = new PageOpener();
afterAll(() => opener.close());

const texts = ({ page }: Opened, selector: string) => page.locator(selector).allTextContents();
const [base, delta] = [read('vanilla-dm1-tick9324.snapshot.packed'), read('vanilla-dm1-tick9326.delta.huff')];
const textBytes = (text: string) => new TextEncoder().encode(text);

/** A zip with one deflated file, as APPNOTE.TXT describes it. The checksum is not read. */
function zipOf(name: string, contents: Uint8Array): Uint8Array {
  const [path, data] = [Buffer.from(name), deflateRawSync(contents)];
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(8, 8);
  head.writeUInt16LE(path.length, 26);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(data.length, 20);
  entry.writeUInt16LE(path.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length + path.length, 12);
  end.writeUInt32LE(head.length + path.length + data.length, 16);
  return Buffer.concat([head, path, data, entry, path, end]);
}

/** The items that a command prints: name, id, fields. */
async function decoded(files: Readonly<Record<string, Uint8Array>>, ...args: string[]) {
  const io = fakeIo({ files });
  await main([...args, '-t', 'json'], io);
  return JSON.parse(io.stdout.text).items as { name: string; id: number; fields: Record<string, number> }[];
}

/** The names of all items. */
async function namesIn({ page }: Opened): Promise<string[]> {
  const rows = await rowsOfItems(page);
  return rows.filter(({ kind }) => kind === 'item').map(({ texts: [, name] }) => name!);
}

describe.skipIf(!hasBrowser)('what is opened on the page without a recording (needs Chromium)', () => {
  let html: string;
  let opened: Opened;
  const names = () => namesIn(opened);
  const failure = () => texts(opened, '.failure');

  beforeAll(async () => {
    html = await emptyPage();
    opened = await opener.open(html);
  });

  it('back leads from the first file to the start, and a file is opened there again', async () => {
    const fresh = await opener.open(html);
    for (let i = 0; i < 2; i++) {
      await fresh.page.getByRole('button', { name: 'a kill' }).click();
      await expect.poll(() => texts(fresh, 'h1')).toEqual(['kill.demo']);
      await expect.poll(() => fresh.page.evaluate(() => location.hash)).toContain('tick=');
      // The row of an event that has the focus goes out of the list when the page goes back.
      await fresh.page.locator('.event-lines button').last().click();
      await fresh.page.goBack();
      await expect.poll(() => texts(fresh, 'h1')).toEqual(['tw-snap']);
    }
    expect(fresh.complaints).toEqual([]);
    await fresh.page.close();
  });

  it('a zip with one file, and a file compressed with gzip, are unpacked', async () => {
    const expected = (await decoded({ file: read('first.huff') }, 'decode', 'file')).map(
      ({ name, id }) => `${name} ${id}`,
    );
    await drop(opened, ['a.zip', zipOf('first.huff', read('first.huff'))]);
    await expect.poll(() => texts(opened, 'h1')).toEqual(['a.zip']);
    await expect.poll(names).toEqual(expected);
    await drop(opened, ['a.demo.gz', gzipSync(read('vanilla-dm1.demo'))]);
    await expect.poll(() => texts(opened, 'h1')).toEqual(['a.demo.gz']);
    await expect.poll(() => texts(opened, '.health')).toEqual(['✓ healthy, no checksum confirms it']);
    await expect.poll(() => texts(opened, '.announcement')).toEqual(['a.demo.gz: healthy, no checksum confirms it']);
  });

  it('of many items the visible ones are drawn, and the others as the list is scrolled, or by a button', async () => {
    const file = read('ddnet-dm1-tick2786.snapshot.huff');
    const all = (await decoded({ file }, 'decode', 'file')).map(({ name, id }) => `${name} ${id}`);
    expect(all).toHaveLength(203);
    await drop(opened, ['many.huff', file]);
    const drawn = () => opened.page.locator('.items li').count();
    await expect.poll(drawn).toBeGreaterThan(5);
    // Those in view are drawn, however many there are.
    expect(await drawn()).toBeLessThan(80);
    await expect.poll(names).toEqual(all);
    const isOffsetShown = async () => (await texts(opened, '.tokens')).join(' ').includes('offset[9]=');
    expect(await isOffsetShown()).toBe(false);
    await opened.page.getByRole('button', { name: /^\d+ offsets$/ }).click();
    expect(await isOffsetShown()).toBe(true);
  });

  it('zstd and a damaged zip are refused with the reason', async () => {
    await drop(opened, ['a.zst', Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 4, 0)]);
    await expect
      .poll(failure)
      .toEqual([
        'a.zst cannot be shown: zstd data is read only by the command line with Node 22.15 or later; or unpack it first: zstd -d',
      ]);
    await drop(opened, ['cut.zip', zipOf('a', delta).subarray(0, 60)]);
    await expect.poll(failure).toEqual(['cut.zip cannot be shown: the zip file ends early: its directory is missing']);
  });

  it('what decode refuses is refused with the same words', async () => {
    const { stderr: words } = await run('decode file', { file: textBytes('hello world') });
    expect(words).toContain('expected hex, a dump');
    const foreign: [name: string, bytes: Uint8Array][] = [
      ['words.txt', textBytes('hello world')],
      ['letters.txt', textBytes('dead')],
      ['picture.png', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 1, 2, 3)],
      ['a.bz2', textBytes('BZh91AY&SY')],
      ['a.tar.xz', Uint8Array.of(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 0, 4)],
      ['empty', new Uint8Array(0)],
      ['chat.log', textBytes('[chat]: 0:-2:nameless tee: snapshot crc error, is it the server?\n')],
    ];
    for (const [name, file] of foreign) {
      const { status, stderr } = await run('decode file', { file });
      expect([name, status]).toEqual([name, 3]);
      const reason = stderr.trim().replace(/^tw-snap: file: (?:\w+ at 0x[\da-f]+: )?/, '');
      await drop(opened, [name, file]);
      await expect.poll(failure).toEqual([`${name} cannot be shown: ${reason}`]);
    }
  });

  it("a client's log is explained as by the command line", async () => {
    const { stdout } = await run('explain client.log', { 'client.log': read('duplicate-key.log') });
    await drop(opened, ['client.log', read('duplicate-key.log')]);
    await expect.poll(() => texts(opened, 'pre')).toEqual([stdout]);
    expect(await texts(opened, '.health')).toEqual([expect.stringMatching(/^✗ \d+ errors of snapshots in the log$/)]);
  });

  it('a map that is dropped beside or after a capture is drawn; another file replaces both', async () => {
    const { bytes: map } = await runWriting('extract file --map', { file: read('vanilla-dm1.demo') });
    const fresh = await opener.open(html);
    const legend = () => texts(fresh, '.legend li');
    await drop(fresh, ['a.pcap', read('ddnet-ipv6.pcap')]);
    await expect.poll(() => texts(fresh, 'h1')).toEqual(['a.pcap']);
    expect(await legend()).toEqual([]);
    await drop(fresh, ['dm1.map', map]);
    await expect.poll(legend).toEqual(['hookable', 'spawn']);
    await drop(fresh, ['b.pcap', read('ddnet-ipv6.pcap')], ['dm1.map', map]);
    await expect.poll(() => texts(fresh, 'h1')).toEqual(['b.pcap']);
    expect(await legend()).toEqual(['hookable', 'spawn']);
    const other = {
      name: 'c.pcap',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(read('ddnet-ipv6.pcap')),
    };
    await fresh.page.getByLabel('choose files').setInputFiles(other);
    await expect.poll(() => texts(fresh, 'h1')).toEqual(['c.pcap']);
    expect(await legend()).toEqual([]);
    expect(fresh.complaints).toEqual([]);
    await fresh.page.close();
  });

  it('several pasted packets are a list to choose from', async () => {
    const fresh = await opener.open(html);
    const lines = [read('first.huff'), base, delta].map((bytes) => Buffer.from(bytes).toString('hex'));
    await fresh.page.getByRole('textbox').fill(lines.join('\n\n'));
    await fresh.page.getByRole('button', { name: 'Inspect' }).click();
    const list = fresh.page.getByRole('combobox', { name: 'which of the inputs is shown' });
    await expect
      .poll(() => list.locator('option').allTextContents())
      .toEqual(['1 of 3: pasted bytes, line 1', '2 of 3: pasted bytes, line 3', '3 of 3: pasted bytes, line 5']);
    await expect.poll(() => namesIn(fresh)).toHaveLength(3);
    await list.selectOption({ index: 1 });
    const expected = (await decoded({ file: base }, 'decode', 'file')).map(({ name, id }) => `${name} ${id}`);
    await expect.poll(() => namesIn(fresh)).toEqual(expected);
    await expect.poll(() => fresh.page.evaluate(() => location.hash)).toMatch(/^#hex=[0-9a-f]+&p=0\.7$/);
    expect(fresh.complaints).toEqual([]);
    await fresh.page.close();
  });

  it('a snapshot that is dropped on a delta is its base, and so is one that is dropped with it', async () => {
    const expected = await decoded({ delta, base }, 'apply', 'base', 'delta');
    const { fields } = expected.find(({ name, id }) => name === 'obj_character' && id === 1)!;
    const x = opened.page.locator('.items .of-field', { has: opened.page.getByText('x', { exact: true }) });
    const values = () => x.locator('.value').allTextContents();
    await drop(opened, ['a.delta', delta]);
    await expect.poll(() => opened.page.locator('.inputs').textContent()).toContain('Drop the base of this delta');
    await expect.poll(() => opened.page.locator('.differences').isVisible()).toBe(true);
    await drop(opened, ['a.snap', base]);
    await expect.poll(() => texts(opened, 'h1')).toEqual(['a.delta']);
    await expect.poll(values).toContainEqual(expect.stringMatching(new RegExp(` → ${fields.x}$`)));
    await opened.page.getByRole('button', { name: 'base a.snap ×' }).click();
    await expect.poll(() => opened.page.locator('.differences').isVisible()).toBe(true);
    await drop(opened, ['b.snap', base], ['b.delta', delta]);
    await expect.poll(() => texts(opened, 'h1')).toEqual(['b.delta']);
    await expect.poll(values).toContainEqual(expect.stringMatching(new RegExp(` → ${fields.x}$`)));
  });

  it('a schema names the items of a mod, whether it is dropped before, after or with them', async () => {
    const schema = read('mod-schema.json');
    const snapshot = textBytes(
      '{"kind":"snapshot","protocol":"0.6","items":[{"type":25,"id":7,"data":[64,96,500,3]}]}',
    );
    const [item] = await decoded({ schema, snapshot }, 'decode', 'snapshot', '--schema', 'schema');
    expect(item).toMatchObject({ name: 'obj_city_money', id: 7, fields: { amount: 500 } });
    await drop(opened, ['city.json', snapshot]);
    await expect.poll(names).toEqual(['type_25 7']);
    await drop(opened, ['mod.json', schema]);
    await expect.poll(names).toEqual(['obj_city_money 7']);
    const declared = 'Objects = [NetObjectEx("A", "a@b", [Vec("m_X")])]\n';
    await drop(opened, ['network.py', textBytes(declared)]);
    await expect.poll(failure).toEqual([expect.stringMatching(/^network\.py cannot be shown: .*network-json\.py/)]);
    await expect.poll(names).toEqual(['obj_city_money 7']);
    await opened.page.getByRole('button', { name: 'schema mod.json ×' }).click();
    await expect.poll(names).toEqual(['type_25 7']);
    const fresh = await opener.open(html);
    await drop(fresh, ['mod.json', schema]);
    await expect.poll(() => texts(fresh, '.opening')).toEqual(['The schema mod.json is used for what you open next.']);
    await drop(fresh, ['city.json', snapshot]);
    await expect.poll(() => namesIn(fresh)).toEqual(['obj_city_money 7']);
    expect(fresh.complaints).toEqual([]);
    await fresh.page.close();
  });

  it('a schema with an error is refused with the place', async () => {
    await drop(opened, ['bad.json', textBytes('{"items":[{"name":5}]}')]);
    await expect.poll(failure).toEqual([expect.stringMatching(/^bad\.json cannot be shown: .*items\[0\]/)]);
    expect(opened.complaints).toEqual([]);
  });
});
