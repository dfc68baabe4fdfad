import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, type Opened, PageOpener } from '../support/browser.ts';
import { report } from '../support/report.ts';
import { read } from '../support/samples.ts';

const opener = new PageOpener();
afterAll(() => opener.close());

describe.skipIf(!hasBrowser)('the search box (needs Chromium)', () => {
  let opened: Opened;
  const text = (selector: string) => opened.page.locator(selector).textContent();
  const tick = () => opened.page.locator('.transport .tick input').inputValue();

  beforeAll(async () => {
    opened = await opener.open((await report(read('vanilla-dm1.demo'))).page);
  });

  it('is focused by Ctrl-F; Enter moves to the next result, and results are marks on the slider', async () => {
    const { page } = opened;
    await page.keyboard.press('Control+f');
    await page.keyboard.type('obj_character weapon=grenade');
    await expect.poll(() => text('.search output')).toBe('2 found');
    // The thumb keeps 8 pixels from both ends. No event is near tick 9250.
    const isMarked = (tick: number) =>
      page.locator('.transport canvas').evaluate(
        (canvas: HTMLCanvasElement, share) => {
          const x = 8 + share * (canvas.clientWidth - 16);
          const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true })!;
          copy.drawImage(canvas, 0, 0);
          return copy.getImageData(Math.round(x), 3, 1, 1).data[3]! > 0;
        },
        (tick - 8898) / (11_782 - 8898),
      );
    await expect.poll(() => isMarked(9200)).toBe(true);
    expect(await isMarked(9250)).toBe(false);
    await page.keyboard.press('Enter');
    await expect.poll(() => text('.search output')).toBe('1 of 2');
    await expect.poll(tick).toBe('9200');
    expect(await text('[aria-current] .name')).toBe('obj_character 2');
    await page.keyboard.press('Enter');
    await expect.poll(() => text('.search output')).toBe('2 of 2');
    await page.keyboard.press('Shift+Enter');
    await expect.poll(tick).toBe('9200');
    await page.keyboard.press('Escape');
    await expect.poll(() => text('.search output')).toBe('');
  });

  it('finds nothing for text that does not occur, and says what is no query, whatever it contains', async () => {
    const { page } = opened;
    await page.getByRole('searchbox').fill('"<img src=x onerror=alert(1)>"');
    await expect.poll(() => text('.search output')).toBe('nothing found');
    await page.getByRole('searchbox').fill('<img src=x onerror=alert(1)>');
    await expect.poll(() => text('.search output')).toMatch(/^unexpected </);
    await page.getByRole('searchbox').fill('obj_character wepon=gun');
    await expect.poll(() => text('.search output')).toBe("obj_character has no field 'wepon'; did you mean weapon?");
    await page.getByRole('searchbox').fill('');
  });

  it('the list of items is filtered by type and player, and to what changed', async () => {
    const { page } = opened;
    const names = () => page.locator('.items .item .name').allTextContents();
    await page.evaluate(() => {
      location.hash = '#tick=9326';
    });
    await expect.poll(tick).toBe('9326');
    const box = page.getByRole('textbox', { name: 'filter the items by type or player' });
    await box.fill('pickup');
    await expect
      .poll(async () => new Set((await names()).map((name) => name.split(' ')[0])))
      .toEqual(new Set(['obj_pickup']));
    await box.fill('stress2');
    await expect.poll(names).toEqual(expect.arrayContaining(['obj_character 1', 'obj_de_client_info 1']));
    await page.getByRole('checkbox', { name: 'only changed' }).check();
    await expect.poll(names).toEqual(['obj_character 1']);
    await box.fill('no such item');
    await expect.poll(() => text('.items .none')).toBe('No item matches the filter.');
    expect(opened.complaints).toEqual([]);
  });
});
