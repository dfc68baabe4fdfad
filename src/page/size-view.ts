import type { SizeEntry } from '../report/report-data.ts';
import { escapeText } from '../view/text/escape.ts';
import { count, thousands } from '../view/text/number.ts';
import { growList, h, lazyDetails, section } from './dom.ts';

/** The number of rows shown at first. */
const atOnce = 14;

/** Shows how the bytes of a recording are used. Each kind of item, message and overhead has a bar, and so do the fields of items. */
export function sizeBreakdownView(entries: readonly SizeEntry[]): HTMLElement | undefined {
  if (entries.length === 0) return undefined;
  const bitsOf = (some: readonly SizeEntry[]) => some.reduce((sum, { bits }) => sum + bits, 0);
  const all = bitsOf(entries);
  const largest = entries[0]!.bits;

  const cells = (name: string, times: string, bits: number, kind: string): HTMLElement[] => {
    const bar = h('span', { class: `fill ${kind}` });
    bar.style.width = `${(100 * bits) / largest}%`;
    return [
      h('span', { class: 'name' }, name),
      h('span', { class: 'dim number' }, times),
      h('span', { class: 'number' }, `${thousands(Math.round(bits / 8))} B`),
      h('span', { class: 'number' }, percent(bits / all)),
      h('span', { class: 'track', 'aria-hidden': 'true' }, bar),
    ];
  };
  const row = ({ name, kind, times, bits, fields }: SizeEntry): HTMLElement => {
    const own = cells(escapeText(name), `${thousands(times)} ×`, bits, kind);
    if (fields.length === 0) return h('li', {}, h('div', { class: 'line' }, ...own));
    const fieldRows = () =>
      fields.map((field) => {
        const ofField = cells(field.name, `${thousands(field.changed)} changed`, field.bits, kind);
        return h('li', {}, h('div', { class: 'line' }, ...ofField));
      });
    return h('li', {}, lazyDetails({}, h('summary', { class: 'line' }, ...own), h('ul', {}), fieldRows));
  };
  const share = (kind: SizeEntry['kind'], name: string) => {
    const bits = bitsOf(entries.filter((one) => one.kind === kind));
    return h('span', { class: 'key' }, h('span', { class: `swatch ${kind}` }), `${name} ${percent(bits / all)}`);
  };
  const list = h('ul', { class: 'sizes' });
  growList(list, entries.length, atOnce, 'kind', (i) => row(entries[i]!));
  return section(
    'size-breakdown',
    ['sizes-title', 'Where the bytes go'],
    [
      h('span', { class: 'dim' }, `${count(Math.round(all / 8), 'byte')}, compressed as recorded`),
      h('span', { class: 'keys' }, share('item', 'items'), share('message', 'messages'), share('other', 'the rest')),
    ],
    list,
  );
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
