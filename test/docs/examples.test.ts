import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { browserPath, hasBrowser } from '../support/browser.ts';
import { modules, root } from '../support/library-examples.ts';

const folder = mkdtempSync(join(tmpdir(), 'tw-snap-programs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** An example program, bundled with the sources of the library. */
async function bundled(name: string, platform: 'node' | 'browser'): Promise<string> {
  const outfile = join(folder, name);
  await build({
    entryPoints: [join(root, 'docs/examples', name)],
    outfile,
    bundle: true,
    minify: platform === 'browser',
    platform,
    format: 'esm',
    alias: Object.fromEntries([...modules].map(([module, source]) => [module, join(root, source)])),
  });
  return outfile;
}

async function run(name: string, ...args: string[]) {
  const program = await bundled(name, 'node');
  return spawnSync(process.execPath, [program, ...args], { cwd: root, encoding: 'utf8' });
}

describe('player-positions.mjs', () => {
  it('prints a row for each snapshot with the player', async () => {
    const { stdout, status } = await run('player-positions.mjs', 'samples/vanilla-dm1.demo', '1');
    const [head, ...rows] = stdout.trimEnd().split('\n');
    expect([status, head]).toEqual([0, 'tick,seconds,x,y']);
    // The README's diff has these two: x 484 and y 1068, then x 192 and y 1071, in 1/32 of a tile.
    expect(rows).toContain(`9938,20.8,${484 / 32},${1068 / 32}`);
    expect(rows).toContain(`10000,22.04,${192 / 32},${1071 / 32}`);
  });
});

describe('check-capture.mjs', () => {
  it('confirms a sound capture', async () => {
    const { stdout, status } = await run('check-capture.mjs', 'samples/ddnet-ipv6.pcap');
    expect([stdout, status]).toEqual(['ok: 446\n', 0]);
  });
});

describe('drop-file.html', () => {
  it('is bundled into a single page', async () => {
    expect(readFileSync(await bundled('drop-file.mjs', 'browser')).length).toBeLessThan(200_000);
  });

  it.skipIf(!hasBrowser)('shows the annotated bytes of a dropped file (needs Chromium)', async () => {
    const script = readFileSync(await bundled('drop-file.mjs', 'browser'), 'utf8');
    const html = readFileSync(join(root, 'docs/examples/drop-file.html'), 'utf8').replace(
      /<script type="module" src=.*<\/script>/,
      () => `<script type="module">${script.replaceAll('</script', '<\\/script')}</script>`,
    );
    const browser = await chromium.launch({ executablePath: browserPath!, args: ['--no-sandbox', '--disable-gpu'] });
    try {
      const page = await browser.newPage();
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      await page.setContent(html);
      // As text: these sources are checked without the types of browsers.
      const drop = (name: string, bytes: Uint8Array) =>
        page.evaluate(`{
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([Uint8Array.of(${bytes})], '${name}'));
          document.getElementById('drop').dispatchEvent(new DragEvent('drop', { dataTransfer }));
        }`);
      const shown = () => page.locator('#bytes').textContent();
      await drop('first.huff', new Uint8Array(readFileSync(join(root, 'samples/first.huff'))));
      await expect.poll(shown).toMatch(/0008 {2}0a 00 9b 13 {2}\.{4} {2}type=10 obj_character id=0 tick=\+?1243/);
      await drop('noise', Uint8Array.of(1, 2, 3));
      await expect.poll(shown).toMatch(/^noise can't be decoded: \w+ at byte \d+$/);
      expect(errors).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
