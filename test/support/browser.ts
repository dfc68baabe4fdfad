import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { browserPath } from './host.ts';

export { browserPath };
export const hasBrowser = browserPath !== undefined;

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The time that a test waits for a page; machines of CI are slow. */
const waitMilliseconds = 110_000;

/** A page that was opened from disk, and a record of what it must not do. */
export interface Opened {
  readonly page: Page;
  /** Console output, errors, dialogs, and requests for other resources. */
  readonly complaints: readonly string[];
}

/** Opens pages from disk in a browser without a window. */
export class PageOpener {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tw-snap-page-'));
  #browser: Browser | undefined;
  #pages = 0;

  /** Opens a page and waits until its recording is read completely. */
  async open(html: string, hash = '', options: BrowserContextOptions = {}): Promise<Opened> {
    this.#browser ??= await chromium.launch({ executablePath: browserPath!, args });
    const path = join(this.#folder, `${this.#pages++}.html`);
    writeFileSync(path, html);
    const url = pathToFileURL(path).href;
    const page = await this.#browser.newPage({ viewport: { width: 1400, height: 1000 }, ...options });
    page.setDefaultTimeout(waitMilliseconds);
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('dialog', (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (request.url().split('#')[0] !== url && !request.url().startsWith('data:')) complaints.push(request.url());
    });
    await page.goto(url + hash);
    await page.waitForSelector('html[data-state=complete]');
    return { page, complaints };
  }

  async close(): Promise<void> {
    await this.#browser?.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
