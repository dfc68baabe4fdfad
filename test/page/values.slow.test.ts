import { readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { hasBrowser, PageOpener } from '../support/browser.ts';
import { dumped, report } from '../support/report.ts';
import { read } from '../support/samples.ts';

const opener = new PageOpener();
afterAll(() => opener.close());

it.skipIf(!hasBrowser)(
  'a field that is clicked is plotted, and saved as CSV with the values of dump (needs Chromium)',
  async () => {
    const demo = read('vanilla-dm1.demo');
    const { page, complaints } = await opener.open((await report(demo)).page, '#tick=9326&item=obj_character/1');
    const items = page.locator('.items');
    await items.getByRole('button', { name: 'x', exact: true }).first().click();
    await expect.poll(() => page.locator('.value-plot').count()).toBe(1);
    await items.getByRole('button', { name: 'vel_y', exact: true }).first().click();
    await expect
      .poll(() => page.locator('.value-plot figcaption').allTextContents())
      .toEqual([expect.stringMatching(/^obj_character 1 x /), expect.stringMatching(/^obj_character 1 vel_y /)]);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    const rows = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\n')
      .slice(1);
    const snapshots = (await dumped(demo, '--no-messages')).filter(({ record }) => record === 'snapshot');
    const expected = snapshots.flatMap(({ tick, items: all }) =>
      all
        .filter((one: { name: string; id: number }) => one.name === 'obj_character' && one.id === 1)
        .map(({ fields }: { fields: Record<string, number> }) => [tick, fields.x, fields.vel_y]),
    );
    expect(rows.map((row) => row.split(',').map(Number)).map(([tick, x, , velY]) => [tick, x, velY])).toEqual(expected);
    await page.getByRole('button', { name: 'remove obj_character 1 x', exact: true }).click();
    await expect.poll(() => page.locator('.value-plot').count()).toBe(1);
    expect(complaints.filter((text) => !text.startsWith('blob:'))).toEqual([]);
  },
);
