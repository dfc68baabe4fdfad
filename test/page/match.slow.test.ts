import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, type Opened, PageOpener } from '../support/browser.ts';
import { dumped, report } from '../support/report.ts';
import { read } from '../support/samples.ts';
import { rowsOfItems } from './item-list.ts';

const opener = new PageOpener();
afterAll(() => opener.close());

const demo = read('vanilla-dm1.demo');
interface DumpedItem {
  readonly name: string;
  readonly id: number;
}
const texts = ({ page }: Opened, selector: string) => page.locator(selector).allTextContents();

it.skipIf(!hasBrowser)(
  'a report with --player opens on that player, from its first snapshot on (needs Chromium)',
  async () => {
    const opened = await opener.open((await report(demo, '--player stress3')).page);
    await expect.poll(() => texts(opened, '.scoreboard tr[aria-current=true] th')).toEqual(['stress3']);
    expect(await opened.page.getByLabel('what the picture shows').inputValue()).toBe('2');
    const first = (await dumped(demo)).find(({ record, items = [] }) => {
      return record === 'snapshot' && items.some(({ name, id }: DumpedItem) => name === 'obj_player_info' && id === 2);
    });
    expect(await texts(opened, '#inspector-title')).toEqual([`Tick ${first.tick}`]);
    expect(await opened.page.evaluate(() => location.hash)).toContain('followed=2');
  },
);

describe.skipIf(!hasBrowser)('the picture of the match (needs Chromium)', () => {
  let opened: Opened;

  beforeAll(async () => {
    opened = await opener.open((await report(demo)).page, '#tick=9326&followed=all');
  });

  /** The place of a point of the map in the picture, while it shows the whole map of 60 × 50 tiles. */
  async function pixelsOf(x: number, y: number) {
    const { width, height } = (await opened.page.locator('.plane-box > canvas').boundingBox())!;
    const scale = Math.min(width / (60 * 32), height / (50 * 32)) * 0.94;
    return { x: width / 2 + (x - 30 * 32) * scale, y: height / 2 + (y - 25 * 32) * scale };
  }

  const itemsAt = async (tick: number) =>
    (await dumped(demo, `--ticks ${tick}`)).find(({ record }) => record === 'snapshot').items;

  it('a clicked item is selected in the list, with the values that dump prints, and its bytes are highlighted', async () => {
    const { id, fields } = (await itemsAt(9326)).find(
      (one: { name: string; id: number }) => one.name === 'obj_character' && one.id === 1,
    );
    await opened.page.locator('.plane-box > canvas').click({ position: await pixelsOf(fields.x, fields.y) });
    await expect.poll(() => texts(opened, '[aria-current] .name')).toEqual([`obj_character ${id}`]);
    await expect
      .poll(() => opened.page.evaluate(() => location.hash))
      .toBe(`#tick=9326&item=obj_character/${id}&followed=all`);
    const shown = await texts(opened, '.items [aria-current] ~ .of-field');
    expect(shown).toContainEqual(expect.stringContaining(` → ${fields.x}`));
    await expect.poll(() => texts(opened, '.tokens .lit')).toEqual(['type=10 obj_character']);
  });

  it('names the item or the tile under the pointer', async () => {
    const { id, fields } = (await itemsAt(9326)).find(({ name }: { name: string }) => name === 'obj_pickup');
    const canvas = opened.page.locator('.plane-box > canvas');
    await canvas.hover({ position: await pixelsOf(fields.x, fields.y) });
    const tiles = [fields.x, fields.y].map((units) => (units / 32).toFixed(2)).join(', ');
    await expect
      .poll(() => texts(opened, '.plane .readout'))
      .toEqual([expect.stringMatching(new RegExp(`^obj_pickup ${id} .* ${tiles} tiles$`))]);
    await canvas.hover({ position: await pixelsOf(16, 16) });
    await expect.poll(() => texts(opened, '.plane .readout')).toEqual(['tile 0, 0   game hookable (1)']);
  });

  it('a player whose values are of an earlier tick is marked, and is drawn where the client computes it', async () => {
    const { fields } = (await itemsAt(9326)).find(
      ({ name, id }: { name: string; id: number }) => name === 'obj_character' && id === 0,
    );
    // Its speed on the floor rises by 2 units per tick up to 10.
    expect(fields).toMatchObject({ tick: 9320, x: 601, y: 1073, vel_x: -7 * 256, direction: -1 });
    const x = 601 - 9 - 5 * 10;
    await opened.page.locator('.plane-box > canvas').hover({ position: await pixelsOf(x, 1073) });
    await expect
      .poll(() => texts(opened, '.plane .readout'))
      .toEqual([
        expect.stringMatching(new RegExp(`^obj_character 0 .* ${(x / 32).toFixed(2)}, .* tiles   sent at tick 9320$`)),
      ]);
    const items = opened.page.locator('.items');
    await items.evaluate((list) => {
      list.scrollIntoView({ block: 'end' });
      list.scrollTo(0, list.scrollHeight);
    });
    await items.locator('.of-same button').click();
    const found = async () =>
      (await rowsOfItems(opened.page)).find(({ texts: [, name] }) => name === 'obj_character 0');
    await expect.poll(async () => (await found())?.texts[3]).toBe('as sent at tick 9320');
  });

  it('a clicked item that has not changed is opened in the list', async () => {
    const { id, fields } = (await itemsAt(9326)).find(({ name }: { name: string }) => name === 'obj_pickup');
    await opened.page.locator('.plane-box > canvas').click({ position: await pixelsOf(fields.x, fields.y) });
    await expect.poll(() => texts(opened, '[aria-current] .name')).toEqual([`obj_pickup ${id}`]);
    await expect
      .poll(() => texts(opened, '.items [aria-current] ~ .of-field'))
      .toContainEqual(expect.stringContaining(`x${fields.x}`));
  });

  /** The pixels of a square of the picture, as [red, green, blue, alpha]. */
  const pixelsAround = ({ x, y }: { x: number; y: number }, size: number) =>
    opened.page.evaluate(
      ([left, top, side]) => {
        const canvas = document.querySelector<HTMLCanvasElement>('.plane-box > canvas')!;
        const copy = new OffscreenCanvas(canvas.width, canvas.height);
        const context = copy.getContext('2d', { willReadFrequently: true })!;
        context.drawImage(canvas, 0, 0);
        const { data } = context.getImageData(left!, top!, side!, side!);
        return Array.from({ length: side! ** 2 }, (_, i) => [...data.subarray(4 * i, 4 * i + 4)]);
      },
      [Math.round(x - (size >> 1)), Math.round(y - (size >> 1)), size],
    );

  it('has walls where the map has them, in the colour of the legend', async () => {
    expect(await texts(opened, '.legend li')).toEqual(['hookable', 'spawn']);
    const coloursOf = async () => {
      const places = [await pixelsOf(1 * 32 + 7, 46 * 32 + 9), await pixelsOf(20 * 32 + 7, 12 * 32 + 9)];
      return (await Promise.all(places.map((place) => pixelsAround(place, 1)))).flat();
    };
    const choose = (look: string) =>
      opened.page.evaluate((value) => {
        const select = document.querySelector<HTMLSelectElement>('[aria-label="how the picture looks"]')!;
        select.value = value;
        select.dispatchEvent(new Event('change'));
      }, look);
    await choose('tiles');
    // The picture is drawn again when its size is known.
    await expect.poll(coloursOf).toEqual([
      [0xa7, 0x9a, 0x86, 255],
      [0, 0, 0, 0],
    ]);
    await choose('game');
    // The map has a sky.
    await expect.poll(async () => (await coloursOf())[1]![3]).toBe(255);
  });

  it('has a rectangle around what a client shows in a window of 16 to 9: an area of 1150 × 1000 units', async () => {
    // Where the client computes the recorder, as above.
    const [x, y] = [601 - 9 - 5 * 10, 1073];
    const height = Math.sqrt((1150 * 1000) / (16 / 9));
    const width = (16 / 9) * height;
    const isLineAt = async (atX: number, atY: number) => {
      const near = await pixelsAround(await pixelsOf(atX, atY), 5);
      // --accent is #c2410c, here mixed with what is below it; walls are #a79a86.
      return near.some(([red, green]) => red! - green! > 40);
    };
    expect(await isLineAt(x + width / 2, y)).toBe(true);
    expect(await isLineAt(x, y + height / 2)).toBe(true);
    expect(await isLineAt(x + 0.45 * width, y)).toBe(false);
    expect(await isLineAt(x + 0.55 * width, y)).toBe(false);
  });

  it('follows a player, and is moved and enlarged by keys', async () => {
    const { page } = opened;
    const show = page.getByRole('combobox', { name: 'what the picture shows' });
    await show.selectOption('stress2');
    await expect.poll(() => show.inputValue()).toBe('1');
    // As in the game the picture then shows an area of 1150 × 1000 units.
    const { width, height } = (await page.locator('.plane-box > canvas').boundingBox())!;
    const shown = Math.sqrt((1150 * 1000 * width) / height);
    const columnAt = async (share: number) => {
      await page.locator('.plane-box > canvas').hover({ position: { x: width * share, y: height / 2 } });
      // A tile, or the place of an item.
      return Number(/([\d.]+), [\d.]+/.exec((await texts(opened, '.plane .readout'))[0]!)?.[1]);
    };
    await expect
      .poll(async () => Math.abs((await columnAt(0.7)) - (await columnAt(0.2)) - shown / 2 / 32))
      .toBeLessThan(1);
    await page.locator('.plane-box > canvas').focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => show.inputValue()).toBe('free');
    await page.keyboard.press('0');
    await expect.poll(() => show.inputValue()).toBe('all');
    // The demo was recorded by corpus, who stands in the left half of the map.
    await show.selectOption('recorded player');
    await expect.poll(() => columnAt(0.7)).toBeLessThan(32);
    expect(opened.complaints).toEqual([]);
  });
});

describe.skipIf(!hasBrowser)('playing (needs Chromium)', () => {
  let opened: Opened;
  const tickShown = async () => Number(await opened.page.locator('.transport .tick input').inputValue());
  const playButton = (name: 'play' | 'pause') => opened.page.getByRole('button', { name, exact: true });
  const isAt = (tick: number) => expect.poll(() => texts(opened, '#inspector-title')).toEqual([`Tick ${tick}`]);

  async function go(tick: number): Promise<void> {
    const box = opened.page.getByRole('textbox', { name: 'tick' });
    await box.fill(String(tick));
    await box.press('Enter');
    // The box contains the number as soon as it is typed; the title changes when the page is at that tick.
    await isAt(tick);
    await box.blur();
  }

  beforeAll(async () => {
    opened = await opener.open((await report(demo)).page, '#tick=9326&followed=all');
  });

  it('space plays and pauses; the list of items then has the values that dump prints', async () => {
    const { page } = opened;
    await page.keyboard.press('Space');
    await expect.poll(tickShown).toBeGreaterThan(9340);
    await page.keyboard.press('Space');
    await playButton('play').waitFor();
    const tick = await tickShown();
    await isAt(tick);
    const snapshot = (await dumped(demo, `--ticks ${tick}`)).find(({ record }) => record === 'snapshot');
    await expect
      .poll(() => texts(opened, '.inspector > .bar [role=status]'))
      .toEqual([expect.stringContaining(`${snapshot.items.length} items; checksum`)]);
    await page.evaluate(async () => {
      for (let i = 0; i < 10; i++) await new Promise(requestAnimationFrame);
    });
    expect(await tickShown()).toBe(tick);
  });

  it('the arrow keys step', async () => {
    const { page } = opened;
    const ticks = (await dumped(demo, '--no-messages'))
      .filter(({ record }) => record === 'snapshot')
      .map((one) => one.tick);
    await go(9326);
    await page.keyboard.press('ArrowRight');
    await isAt(ticks[ticks.indexOf(9326) + 1]);
    await page.keyboard.press('ArrowLeft');
    await isAt(9326);
  });

  it('[ and ] choose the range that is repeated', async () => {
    const { page } = opened;
    const range = page.locator('.play-controls .range');
    expect(await range.isVisible()).toBe(false);
    await go(9100);
    await page.keyboard.press('[');
    await go(9200);
    await page.keyboard.press(']');
    await expect.poll(() => texts(opened, '.play-controls .range')).toEqual(['[9100 … 9200] ×']);
    await page.getByRole('combobox', { name: 'speed' }).selectOption('2');
    await playButton('play').click();
    // Played ticks, frame by frame, until the second time that they go back.
    const ticks = await page.evaluate(async () => {
      const box = document.querySelector<HTMLInputElement>('.transport .tick input')!;
      const all: number[] = [];
      for (let repeats = 0; repeats < 2; ) {
        await new Promise(requestAnimationFrame);
        all.push(Number(box.value));
        if (all.at(-1)! < (all.at(-2) ?? 0)) repeats++;
      }
      return all;
    });
    expect(Math.min(...ticks)).toBeGreaterThanOrEqual(9100);
    expect(Math.max(...ticks)).toBeLessThanOrEqual(9200);
    await playButton('pause').click();
    await playButton('play').waitFor();
    await range.click();
    await expect.poll(() => range.isVisible()).toBe(false);
    expect(opened.complaints).toEqual([]);
  });
});
