import { afterAll, expect, it } from 'vitest';
import { hasBrowser, PageOpener } from '../support/browser.ts';
import { dumped, report } from '../support/report.ts';
import { read } from '../support/samples.ts';

const thousands = (value = 0) => value.toLocaleString('en');

const opener = new PageOpener();
afterAll(() => opener.close());

it.skipIf(!hasBrowser)(
  'fields that are clicked are plotted, also over each other, with the values of dump (needs Chromium)',
  async () => {
    const demo = read('vanilla-dm1.demo');
    const { page, complaints } = await opener.open((await report(demo)).page, '#tick=9326&item=obj_character/1');
    const items = page.locator('.items');
    /** The list draws what the window shows. */
    const field = async (name: string) => {
      await items.evaluate((list) => list.scrollIntoView({ block: 'end' }));
      await items.getByRole('button', { name, exact: true }).first().click();
    };
    await field('x');
    await expect.poll(() => page.locator('.value-plot').count()).toBe(1);
    await field('vel_y');
    await expect
      .poll(() => page.locator('.value-plot figcaption').allTextContents())
      .toEqual([expect.stringMatching(/^obj_character 1 x /), expect.stringMatching(/^obj_character 1 vel_y /)]);
    await page.getByRole('button', { name: 'draw over the plot above' }).last().click();
    await expect.poll(() => page.locator('.value-plot').count()).toBe(1);
    await expect
      .poll(() => page.evaluate(() => decodeURIComponent(location.hash)))
      .toContain('plots=obj_character/1/x+obj_character/1/vel_y');
    // The pointer shows both values of a snapshot, as dump prints them.
    const over = page.locator('.value-plot .over');
    await over.hover({ position: { x: 200, y: 40 } });
    const shown = await page.locator('.value-plot .at-pointer').allTextContents();
    const snapshots = (await dumped(demo, '--no-messages')).filter(({ record }) => record === 'snapshot');
    const expected = snapshots.flatMap(({ items: all }) =>
      all
        .filter((one: { name: string; id: number }) => one.name === 'obj_character' && one.id === 1)
        .map(({ fields }: { fields: Record<string, number> }) => [fields.x, fields.vel_y].map(thousands)),
    );
    expect(expected).toContainEqual(shown);
    await field('vel_y');
    await expect.poll(() => page.locator('.value-plot').count()).toBe(0);
    expect(complaints).toEqual([]);
  },
);
