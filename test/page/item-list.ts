import type { Page } from 'playwright-core';

/** A row of the list of items: what kind it is, and the texts of its parts. */
interface Row {
  readonly kind: string;
  readonly texts: readonly string[];
}

/**
 * All rows of the list of items, which draws those that are in view: the list is scrolled from its top to its end.
 * @param opensAll whether all items that are there are opened first, with all their fields
 */
export const rowsOfItems = (page: Page, opensAll = false): Promise<Row[]> =>
  page.evaluate(async (opens) => {
    const list = document.querySelector('.items')!;
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const closed =
      '.of-same button[aria-expanded=false], .item:not(.removed) button[aria-expanded=false], .of-more button';
    /** Calls `see` with each part of the list that is in view. */
    const scroll = async (see: () => Promise<void>) => {
      list.scrollTop = 0;
      for (;;) {
        await frame();
        await see();
        const { scrollTop } = list;
        list.scrollTop += list.clientHeight / 2;
        if (list.scrollTop === scrollTop) return;
      }
    };
    const openAll = async () => {
      for (let next = list.querySelector<HTMLElement>(closed); next; next = list.querySelector<HTMLElement>(closed)) {
        next.click();
        await frame();
      }
    };
    list.scrollIntoView({ block: 'end' });
    if (opens) await scroll(openAll);
    const rows = new Map<number, Row>();
    await scroll(async () => {
      for (const row of list.querySelectorAll<HTMLElement>('li')) {
        const parts = row.dataset.kind === 'item' ? row.firstElementChild! : row;
        const texts = [...parts.children].map((part) => part.textContent);
        rows.set(Number(row.ariaPosInSet), { kind: row.dataset.kind!, texts });
      }
    });
    return [...rows].sort(([a], [b]) => a - b).map(([, row]) => row);
  }, opensAll);
