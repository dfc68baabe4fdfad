import type { SizeEntry } from '../report/report-data.ts';
import { escapeText } from '../view/text/escape.ts';
import { count, thousands } from '../view/text/number.ts';
import { h, section } from './dom.ts';

/** The number of rows shown at first. */
const atOnce = 14;

/** Shows how the bytes of a recording are used. Each kind of item, message and overhead has a bar, and so do the fields of items. */
export function sizeBreakdownView(entries: readonly SizeEntry[]): HTMLElement | undefined {
  if (entries.length === 0) return undefined;
  const all = entries.reduce((sum, { bits }) => sum + bits, 0);
  const largest = entries[0]!.bits;
  const rows = entries.map((entry) => entryRow(entry, all, largest));
  const list = h('ul', { class: 'sizes' }, ...rows.slice(0, atOnce));
  const more = h(
    'button',
    {
      type: 'button',
      class: 'more',
      onclick: () => {
        list.append(...rows.slice(atOnce));
        more.remove();
      },
    },
    `${rows.length - atOnce} more`,
  );
  const share = (kind: SizeEntry['kind'], name: string) => {
    const bits = entries.reduce((sum, one) => sum + (one.kind === kind ? one.bits : 0), 0);
    return h('span', { class: 'key' }, h('span', { class: `swatch ${kind}` }), `${name} ${percent(bits / all)}`);
  };
  return section(
    'size-breakdown',
    ['sizes-title', 'Where the bytes go'],
    [
      h('span', { class: 'dim' }, `${count(Math.round(all / 8), 'byte')}, compressed as recorded`),
      h('span', { class: 'keys' }, share('item', 'items'), share('message', 'messages'), share('other', 'the rest')),
    ],
    list,
    rows.length > atOnce && more,
  );
}

function entryRow({ name, kind, times, bits, fields }: SizeEntry, all: number, largest: number): HTMLElement {
  const cells = line(escapeText(name), `${thousands(times)} ×`, bits, all, largest, kind);
  if (fields.length === 0) return h('li', {}, h('div', { class: 'line' }, ...cells));
  const list = h('ul', {});
  const element = h('details', {}, h('summary', { class: 'line' }, ...cells), list);
  element.addEventListener('toggle', () => {
    if (list.hasChildNodes()) return;
    for (const field of fields) {
      const own = line(field.name, `${thousands(field.changed)} changed`, field.bits, all, largest, kind);
      list.append(h('li', {}, h('div', { class: 'line' }, ...own)));
    }
  });
  return h('li', {}, element);
}

function line(name: string, times: string, bits: number, all: number, largest: number, kind: string): HTMLElement[] {
  const bar = h('span', { class: `fill ${kind}` });
  bar.style.width = `${(100 * bits) / largest}%`;
  return [
    h('span', { class: 'name' }, name),
    h('span', { class: 'dim number' }, times),
    h('span', { class: 'number' }, `${thousands(Math.round(bits / 8))} B`),
    h('span', { class: 'number' }, percent(bits / all)),
    h('span', { class: 'track', 'aria-hidden': 'true' }, bar),
  ];
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
