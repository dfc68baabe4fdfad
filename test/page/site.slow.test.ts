import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, hasBrowser } from '../support/browser.ts';
import { read } from '../support/samples.ts';

const site = join(import.meta.dirname, '../../site');
const address = (path: string, hash = '') => `${pathToFileURL(join(site, path)).href}${hash}`;
const axe = createRequire(import.meta.url).resolve('axe-core');

async function violations(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: axe });
  // TypeDoc's list of pages has links in summaries.
  const rules = { 'nested-interactive': { enabled: !page.url().includes('/guide/') } };
  // @ts-expect-error The script defines it in the page.
  const { violations } = await page.evaluate((options) => globalThis.axe.run(options), { rules });
  return (violations as { id: string; nodes: { html: string }[] }[]).map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

describe.skipIf(!hasBrowser || !existsSync(site))('the site (needs Chromium and npm run site)', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: browserPath!, args: ['--no-sandbox'] });
  });
  afterAll(() => browser.close());

  it('has the page that opens files as its front, with a link to the guide', async () => {
    const page = await browser.newPage();
    await page.goto(address('index.html'));
    await page.getByText('Guide and reference').click();
    await page.waitForURL('**/guide/index.html');
    expect(await page.locator('h1').first().textContent()).toContain('tw-snap');
    await page.goto(address('guide/documents/tables.html'));
    expect(await page.locator('h2').allTextContents()).toEqual(expect.arrayContaining(['Queries', 'SQLite']));
  });

  it('opens the payload of a link', async () => {
    const page = await browser.newPage();
    await page.goto(address('index.html', `#hex=${Buffer.from(read('first.packed')).toString('hex')}&p=0.7`));
    await expect.poll(() => page.locator('body').innerText()).toContain('obj_character');
  });

  it('has pages without a violation of the rules of accessibility', async () => {
    const page = await (await browser.newContext({ bypassCSP: true })).newPage();
    for (const path of ['index.html', 'guide/index.html', 'guide/documents/decode.html']) {
      await page.goto(address(path));
      expect([path, await violations(page)]).toEqual([path, []]);
    }
  });
});
