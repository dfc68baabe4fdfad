import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, type Opened, PageOpener } from '../support/browser.ts';
import { corpusFile, hasCorpus, samplePcap } from '../support/corpus.ts';
import { dumped, report } from '../support/report.ts';
import { read } from '../support/samples.ts';
import { rowsOfItems } from './item-list.ts';

const opener = new PageOpener();
afterAll(() => opener.close());

/** Texts of all that a selector finds. */
const texts = ({ page }: Opened, selector: string) => page.locator(selector).allTextContents();

const chosenTick = ({ page }: Opened) => page.locator('.transport .tick input').inputValue();

const recordings: [name: string, file: () => Uint8Array][] = [['vanilla-dm1.demo', () => read('vanilla-dm1.demo')]];
if (hasCorpus) recordings.push(['06-ddnet-race-client-auto', () => corpusFile('06-ddnet-race-client-auto.demo')]);

describe.skipIf(!hasBrowser).each(recordings)('the page of %s (needs Chromium)', (_, file) => {
  let html: string;
  let opened: Opened;
  let ticks: number[];

  beforeAll(async () => {
    html = (await report(file())).page;
    opened = await opener.open(html);
    const records = await dumped(file(), '--no-messages');
    ticks = records.filter(({ record }) => record === 'snapshot').map(({ tick }) => tick);
  });

  it('opens from disk at the first snapshot, without any request', async () => {
    await expect.poll(() => chosenTick(opened)).toBe(String(ticks[0]));
    expect(await opened.page.title()).toBe('file · tw-snap');
    await expect.poll(() => texts(opened, 'h1')).toEqual(['file']);
    await expect.poll(() => texts(opened, '.health')).toEqual(['✓ healthy, no checksum confirms it']);
    const plots = ['bytes per second', 'items', 'snapshots per second'].map((title) => expect.stringContaining(title));
    await expect.poll(() => texts(opened, '.plots figcaption')).toEqual(plots);
    expect(opened.complaints).toEqual([]);
  });

  it('moves to ticks by slider, keys, buttons, number, and a click on the timeline', async () => {
    const { page } = opened;
    const slider = page.getByRole('slider', { name: 'snapshot' });
    await slider.focus();
    await page.keyboard.press('End');
    await expect.poll(() => chosenTick(opened)).toBe(String(ticks.at(-1)));
    await page.keyboard.press('Home');
    await expect.poll(() => chosenTick(opened)).toBe(String(ticks[0]));
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('.');
    await expect.poll(() => chosenTick(opened)).toBe(String(ticks[2]));
    await page.getByRole('button', { name: 'previous snapshot' }).click();
    await expect.poll(() => chosenTick(opened)).toBe(String(ticks[1]));
    const lastUpTo = (tick: number) => String(ticks.findLast((one) => one <= tick));
    await page.keyboard.press('>');
    await expect.poll(() => chosenTick(opened)).toBe(lastUpTo(ticks[1]! + 50));
    await page.keyboard.press('<');
    await expect.poll(() => chosenTick(opened)).toBe(lastUpTo(Number(lastUpTo(ticks[1]! + 50)) - 50));
    // The box contains the number as soon as it is typed. This number is between two snapshots, so the page corrects
    // it.
    await page.getByRole('textbox', { name: 'tick' }).fill(String(ticks[100]! + 1));
    await page.keyboard.press('Enter');
    await expect.poll(() => chosenTick(opened)).toBe(String(ticks[100]));
    const plot = page.locator('.plots .over').first();
    const { width } = (await plot.boundingBox())!;
    await plot.click({ position: { x: width / 2, y: 20 } });
    const middle = (ticks[0]! + ticks.at(-1)!) / 2;
    await expect.poll(async () => Math.abs(Number(await chosenTick(opened)) - middle)).toBeLessThan(20);
    await expect.poll(() => texts(opened, '#inspector-title')).toEqual([`Tick ${await chosenTick(opened)}`]);
  });

  it('shows the values that dump prints, for every item', async () => {
    const { page } = opened;
    for (const tick of [ticks[0]!, ticks[101]!, ticks[333]!]) {
      const { items } = (await dumped(file(), `--ticks ${tick} --no-messages`)).find(
        ({ record }) => record === 'snapshot',
      );
      await page.getByRole('textbox', { name: 'tick' }).fill(String(tick));
      await page.keyboard.press('Enter');
      await expect.poll(() => texts(opened, '#inspector-title')).toEqual([`Tick ${tick}`]);
      expect((await valuesShown(opened)).map(([name, fields]) => [name, numbered(fields)])).toEqual(
        items.map(({ name, id, fields }: Dumped) => [`${name ?? 'null'} ${id}`, flat(fields ?? {})] as const).sort(),
      );
    }
  });

  it('highlights the bytes of the field under the pointer, and the field of the bytes under the pointer', async () => {
    // A page of its own, whose list of items is at its beginning: rows out of sight are not there.
    const inspected = await opener.open(html, `#view=inspect&tick=${ticks[61]}`);
    const { page } = inspected;
    await expect.poll(() => chosenTick(inspected)).toBe(String(ticks[61]));
    const row = page.locator('.items .of-field[data-span]').first();
    await row.hover();
    const span = await row.getAttribute('data-span');
    const lit = async () => [
      ...new Set(await page.locator('.lit').evaluateAll((all) => all.map((one) => one.getAttribute('data-span')))),
    ];
    await expect.poll(lit).toEqual([span]);
    const label = await row.locator('.label').textContent();
    await expect
      .poll(() => texts(inspected, '.tokens .lit'))
      .toEqual([expect.stringMatching(new RegExp(`^${label}=`))]);
    await expect
      .poll(async () => (await texts(inspected, '.hex .lit')).join(' '))
      .toMatch(/^[0-9a-f]{2}( [0-9a-f]{2})*$/);
    await expect
      .poll(() => texts(inspected, '.inspector > .readout'))
      .toEqual([
        expect.stringMatching(new RegExp(`^${label}=.* of obj_\\w+ \\d+ .*at 0x[0-9a-f]{4}; \\d+ bits? of the file`)),
      ]);

    const bytes = page.locator(`.hex [data-span="${Number(span) - 1}"]`).first();
    await bytes.hover();
    await expect.poll(lit).toEqual([String(Number(span) - 1)]);

    await bytes.click();
    await page.keyboard.press('ArrowRight');
    await page.mouse.move(0, 0);
    await expect.poll(lit).toEqual([span]);
    await page.close();
  });

  it('follows a link, and updates its own address', async () => {
    const tick = ticks[200]!;
    const linked = await opener.open(html, `#tick=${tick}&item=obj_character/0`);
    await expect.poll(() => chosenTick(linked)).toBe(String(tick));
    await expect.poll(() => texts(linked, '[aria-current] .name')).toEqual(['obj_character 0']);
    await linked.page.keyboard.press('.');
    const next = `#tick=${ticks[201]}&item=obj_character/0`;
    await expect.poll(() => linked.page.evaluate(() => location.hash)).toBe(next);
    await expect.poll(() => texts(linked, '.link')).toEqual([next]);
    expect(linked.complaints).toEqual([]);
    await linked.page.close();
  });

  it('moves from a chat line to its tick', async () => {
    const line = opened.page.locator('.event-lines .chat button').first();
    const tick = await line.locator('.tick').textContent();
    const seconds = (Number(tick) - ticks[0]!) / 50;
    const [minutes, rest] = (await line.locator('.time').textContent())!.split(':').map(Number);
    expect(60 * minutes! + rest!).toBeCloseTo(seconds, 1);
    await line.click();
    await expect.poll(() => chosenTick(opened)).toBe(tick);
  });

  it('lists the topics of events that are chosen, each with its number', async () => {
    const { page } = opened;
    /** The number of rows, of which only the visible ones are drawn. */
    const rows = async () => Number(await page.locator('.event-lines li').first().getAttribute('aria-setsize'));
    const number = async (topic: string) => Number(await page.locator(`.filters .${topic} .dim`).textContent());
    const numbers = [await number('chat'), await number('deaths'), await number('others')];
    const all = numbers.reduce((sum, one) => sum + one);
    const box = page.getByRole('checkbox', { name: 'chat' });
    expect([await box.isChecked(), await rows()]).toEqual([true, all]);
    await box.uncheck();
    await expect.poll(rows).toBe(all - numbers[0]!);
    expect(await page.locator('.event-lines .chat').count()).toBe(0);
    await expect.poll(() => texts(opened, '.link')).toEqual([expect.stringMatching(/&hidden=chat$/)]);
    await box.check();
    await expect.poll(rows).toBe(all);
  });

  it('shows the scores, health, armor, weapon and ping of all players, and who is frozen', async () => {
    const { page } = opened;
    const tick = ticks[333]!;
    const { items } = (await dumped(file(), `--ticks ${tick}`)).find(({ record }) => record === 'snapshot');
    await page.getByRole('textbox', { name: 'tick' }).fill(String(tick));
    await page.keyboard.press('Enter');
    await expect.poll(() => texts(opened, '#inspector-title')).toEqual([`Tick ${tick}`]);
    const named = (name: string) => items.filter((one: Dumped) => one.name === name) as Dumped[];
    const names = new Map(
      [...named('obj_client_info'), ...named('obj_de_client_info')].map(({ id, fields }) => [id, fields!.name]),
    );
    // Bit 0 of DDNet's flags: a score is minus the best time in seconds, and -9999 without one.
    const hasTimes = (Number(named('game_info_ex')[0]?.fields?.flags ?? 0) & 1) !== 0;
    const secondsOf = (score: number) => `${Math.floor(-score / 60)}:${String(-score % 60).padStart(2, '0')}`;
    const scoreOf = (score: number) => (score === -9999 ? 'no time' : hasTimes ? secondsOf(score) : score);
    const expected = named('obj_player_info').map(({ id, fields }) => {
      const character = named('obj_character').find((one) => one.id === id)?.fields;
      const weapons = ['hammer', 'gun', 'shotgun', 'grenade', 'laser', 'ninja'];
      // Servers send health and armor of one player, and of others 0.
      const sent = Number(character?.health) > 0 ? [character!.health, character!.armor] : ['', ''];
      const own = [...sent, character ? weapons[Number(character.weapon)] : ''];
      const freezeEnd = Number(named('ddnet_character').find((one) => one.id === id)?.fields?.freeze_end ?? 0);
      return [
        names.get(id),
        scoreOf(Number(fields!.score)),
        ...own,
        fields!.latency,
        freezeEnd === -1 || freezeEnd > tick,
      ].map(String);
    });
    const shown = () =>
      page.locator('.scoreboard tbody tr').evaluateAll((all) =>
        all.map((row) => {
          const [state, ...cells] = [...row.children].map((cell) => cell.textContent).toReversed();
          return [...cells.toReversed(), String(state!.includes('frozen'))];
        }),
      );
    await expect.poll(async () => (await shown()).sort()).toEqual(expected.sort());
  });

  it('shows the size breakdown of all bytes', async () => {
    const { page } = opened;
    const bytes = file().length.toLocaleString('en');
    await expect
      .poll(() => texts(opened, '.size-breakdown .bar > .dim'))
      .toEqual([`${bytes} bytes, compressed as recorded`]);
    const character = page.locator('.sizes summary', { hasText: 'obj_character' });
    await character.click();
    const fields = page.locator('.sizes details[open] ul .name');
    await expect
      .poll(() => fields.allTextContents())
      .toEqual(expect.arrayContaining(['tick', 'x', 'y', 'vel_x', 'weapon']));
    await character.click();
  });

  it('zooms and moves the timeline by keys, buttons, and wheel', async () => {
    const { page } = opened;
    const plot = page.locator('.plots .over').first();
    const { width } = (await plot.boundingBox())!;
    /** The ticks at both ends in the readout. */
    const ends = async () => {
      const readout = page.locator('.timeline .readout');
      const all: number[] = [];
      for (const x of [1, width - 2]) {
        // The readout is emptied first, so that it does not show an earlier place of the pointer.
        await page.mouse.move(0, 0);
        await readout.filter({ hasText: /^$/ }).waitFor({ state: 'attached' });
        await plot.hover({ position: { x, y: 30 } });
        await readout.filter({ hasText: /^tick \d/ }).waitFor();
        all.push(Number(/tick (\d+)/.exec((await readout.textContent())!)![1]));
      }
      return all as [number, number];
    };
    const length = async () => ends().then(([from, to]) => to - from);
    const all = await length();
    expect(all / (ticks.at(-1)! - ticks[0]!)).toBeCloseTo(1, 1);
    await page.locator('.plots').focus();
    await page.keyboard.press('+');
    await expect.poll(async () => (await length()) / all).toBeCloseTo(0.5, 1);
    const [from] = await ends();
    await page.keyboard.press('ArrowRight');
    await expect.poll(async () => (await ends())[0]).toBeGreaterThan(from);
    await plot.hover();
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -200);
    await page.keyboard.up('Control');
    await expect.poll(async () => (await length()) / all).toBeLessThan(0.3);
    const [before] = await ends();
    await plot.hover({ position: { x: width / 2, y: 30 } });
    await page.mouse.down();
    await page.mouse.move(0, 0, { steps: 4 });
    await page.mouse.up();
    await expect.poll(async () => (await ends())[0]).toBeGreaterThan(before);
    await page.getByRole('button', { name: 'show all' }).click();
    await expect.poll(length).toBe(all);
    expect(opened.complaints).toEqual([]);
  });

  it.each([
    [400, 4],
    [1600, 8],
  ])('fits a width of %i pixels, with at most %i bytes in a row, whose meaning is not cut', async (width, perRow) => {
    const narrow = await opener.open(html, '', { viewport: { width, height: 900 } });
    await expect.poll(() => narrow.page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    // On a phone they are in a sheet.
    const tab = narrow.page.locator('.sheets').getByRole('button', { name: 'items' });
    if (await tab.isVisible()) await tab.click();
    await narrow.page.locator('.bytes').scrollIntoViewIfNeeded();
    const rows = () =>
      narrow.page.locator('.row.of-bytes').evaluateAll((all) =>
        all.map((row) => {
          const [hex, ascii, tokens] = ['.hex', '.ascii', '.tokens'].map((name) => row.querySelector(name)!);
          return {
            bytes: hex!.textContent.split(' ').length,
            isCut: tokens!.scrollWidth > tokens!.clientWidth,
            values: tokens!.children.length,
            left: ascii!.getBoundingClientRect().left,
          };
        }),
      );
    await expect.poll(async () => (await rows()).length).toBeGreaterThan(4);
    // A value that alone is longer than the row is cut; pointing at it shows the whole.
    for (const { bytes, isCut, values } of await rows())
      expect([bytes <= perRow, isCut && values > 1]).toEqual([true, false]);
    // The characters of a shorter row are below those of the others, but for parts of a pixel.
    const lefts = (await rows()).map(({ left }) => left);
    expect(Math.max(...lefts) - Math.min(...lefts)).toBeLessThan(1);
    await narrow.page.close();
  });
});

describe.skipIf(!hasBrowser)('pages of other inputs (needs Chromium)', () => {
  it('a capture: shows checksums compared with the announced ones, and the connection in the link', async () => {
    const { page: html } = await report(samplePcap());
    const one = await opener.open(html, '#client=nobody&tick=1');
    await expect.poll(() => texts(one, '.health')).toEqual(['✓ healthy']);
    await expect
      .poll(() => texts(one, '.inspector [role=status]'))
      .toEqual([expect.stringMatching(/checksum -?\d+ ✓ as announced$/)]);
    await expect.poll(() => texts(one, '.link')).toEqual([expect.stringMatching(/^#client=\[::1\]:29911&tick=\d+$/)]);
    expect(one.complaints).toEqual([]);
  });

  it('a delta without its base: shows the sent values', async () => {
    const { page: html } = await report(read('first.huff'));
    const one = await opener.open(html);
    await expect
      .poll(() => texts(one, '.items .name'))
      .toEqual(['obj_game_data 0', 'obj_character 0', 'obj_player_info 0']);
    await expect.poll(() => one.page.locator('.transport').isVisible()).toBe(false);
    await one.page.locator('.items .of-field', { hasText: 'hooked_player' }).hover();
    await expect.poll(() => texts(one, '.tokens .lit')).toEqual(['hooked_player=-1']);
    await expect.poll(() => texts(one, '.hex .lit')).toEqual(['40']);
    expect(one.complaints).toEqual([]);
  });

  it('a packet: shows its messages, and the items of the delta in it', async () => {
    const { page: html } = await report(read('vanilla-dm1-tick9892.packet'));
    const one = await opener.open(html);
    const names = [
      'sv_weaponpickup 0',
      'input_timing 1',
      'snap_single 2',
      'obj_character 2',
      'event_sound_world 0',
      'obj_pickup 6',
    ];
    const rows = await rowsOfItems(one.page);
    expect(rows.filter(({ kind }) => kind === 'item').map(({ texts: [, name] }) => name)).toEqual(names);
    await one.page.locator('.items .of-field', { hasText: 'sound_id' }).hover();
    await expect.poll(() => texts(one, '.tokens .lit')).toEqual(['sound_id=+27']);
    expect(one.complaints).toEqual([]);
  });
});

interface Dumped {
  readonly name: string | null;
  readonly id: number;
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** Fields in the form of the page: text in quotes, lists as separate elements. */
function flat(fields: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]): [string, string][] => {
      if (typeof value === 'string') return [[name, /^[\da-f]{8}-/.test(value) ? value : JSON.stringify(value)]];
      if (typeof value !== 'object' || value === null) return [[name, String(value)]];
      return Object.entries(flat(value)).map(([key, one]) => [`${name}[${key}]`, one]);
    }),
  );
}

/** Elements of lists by number, not by name: `skin_part_names[body]` is `skin_part_names[0]`. */
function numbered(fields: Readonly<Record<string, string>>): Record<string, string> {
  const counts = new Map<string, number>();
  return Object.fromEntries(
    Object.entries(fields).map(([label, value]) => {
      const [, list] = /^(\w+)\[/.exec(label) ?? [];
      if (list === undefined) return [label, value];
      const number = counts.get(list) ?? 0;
      counts.set(list, number + 1);
      return [`${list}[${number}]`, value];
    }),
  );
}

/** All items that are there with all their fields. */
async function valuesShown({ page }: Opened): Promise<[string, Record<string, string>][]> {
  const items: [string, Record<string, string>][] = [];
  for (const { kind, texts: parts } of await rowsOfItems(page, true)) {
    const [first, second] = parts as [string, string];
    if (kind === 'item') items.push([second, {}]);
    else if (kind === 'field') items.at(-1)![1][first] = second.replace(/^.* → /, '');
  }
  return items.filter(([, fields]) => Object.keys(fields).length > 0).sort(([a], [b]) => (a < b ? -1 : 1));
}
