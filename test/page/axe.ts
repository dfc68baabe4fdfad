import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Opened } from '../support/browser.ts';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface Found {
  readonly violations: { readonly id: string; readonly nodes: { readonly html: string }[] }[];
}

/** What axe finds on a page, by its rule and the elements. */
export async function violations({ page }: Opened): Promise<string[]> {
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  return page.evaluate(async (values) => {
    const { axe } = globalThis as unknown as { axe: { run(node: Document, options: object): Promise<Found> } };
    const found = await axe.run(document, { runOnly: { type: 'tag', values } });
    return found.violations.flatMap(({ id, nodes }) =>
      nodes.slice(0, 3).map(({ html }) => `${id}: ${html.slice(0, 160)}`),
    );
  }, tags);
}
