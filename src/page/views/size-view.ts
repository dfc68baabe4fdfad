import { escapeText, shellWord } from '../../output/text/escape.ts';
import { count, thousands } from '../../output/text/number.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import { ticksPerSecond } from '../../wire/protocol/ticks.ts';
import { clipOf } from '../data/clip.ts';
import { itemBits } from '../data/item-bits.ts';
import type { Range } from '../data/marks.ts';
import { recordKinds, recordsOf } from '../data/records.ts';
import type { Recording } from '../data/shown-recording.ts';
import type { State, Store } from '../data/store.ts';
import { button, growList, h, inPieces, lazyDetails, section, swatch } from '../elements/dom.ts';
import { oneStop } from '../elements/one-stop.ts';
import type { ReportData, SizeEntry } from '../report/report-data.ts';

/** The number of rows shown at first. */
const atOnce = 14;

const kindNames = { item: 'items', message: 'messages', other: 'the rest' } as const;
const colors = { item: 'var(--position)', message: 'var(--text)', other: 'var(--dim)' } as const;

/**
 * Shows how the bytes of a recording are used, or those of the snapshots in the repeated range, with the command that
 * cuts it out. Each kind of item, message and overhead has a bar, and so do the fields of items.
 */
export function sizeView(
  store: Store<State>,
  { sizes: whole, name, header, mapFile }: Pick<ReportData, 'sizes' | 'name' | 'header' | 'mapFile'>,
): HTMLElement {
  const list = oneStop(h('ul', { class: 'sizes mono', tabindex: 0, 'aria-label': 'bytes of each kind' }));
  const summary = h('span', { class: 'dim' });
  const keys = h('span', { class: 'keys' });
  const save = button('save clip', undefined, () => {
    const { recording, repeated } = store.state;
    if (!header || !repeated) return;
    const url = URL.createObjectURL(new Blob([clipOf(recording, header, mapFile, repeated)]));
    const file = `${name.replace(/\.demo$/, '')}-${repeated.from}-${repeated.to}.demo`;
    h('a', { href: url, download: file }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  });
  save.title = 'a demo of this range, as slice cuts it out';
  const element = section('size-breakdown', 'Where the bytes go', [summary, save, keys], list);
  store.on(['recording', 'repeated'], async () => {
    const { recording, repeated: range } = store.state;
    const isWanted = () => store.state.recording === recording && store.state.repeated === range;
    const entries = range ? await inPieces(sizesIn(recording, range), isWanted) : whole;
    if (!entries || !isWanted()) return;
    const bytes = count(Math.round(bitsOf(entries) / 8), 'byte');
    element.hidden = entries.length === 0;
    save.hidden = !range || !header;
    const slice = header ? `; tw-snap slice ${shellWord(name)} --ticks ${range?.from}..${range?.to} -o part.demo` : '';
    summary.textContent = range
      ? `${range.from} to ${range.to}: ${sumsIn(recording, range)}; snapshots by their items, ${bytes}${slice}`
      : `${bytes}, compressed as recorded`;
    const { from, to } = range ?? recording.ticks;
    const kinds = Object.entries(kindNames) as [SizeEntry['kind'], string][];
    keys.replaceChildren(
      ...kinds.map(([kind, title]) => {
        const share = bitsOf(entries.filter((entry) => entry.kind === kind)) / bitsOf(entries);
        return h('span', { class: 'key' }, swatch('swatch', colors[kind]), `${title} ${percent(share)}`);
      }),
    );
    list.replaceChildren();
    if (entries.length > 0) listSizes(list, entries, (to - from + 1) / ticksPerSecond);
  });
  return element;
}

/** What a range has: `501 snapshots, 7 messages, 7,560 bytes, 378 a second`. */
function sumsIn(recording: Recording, { from, to }: Range): string {
  const rows = recordsOf(recording).filter(({ tick }) => tick >= from && tick <= to);
  const parts = recordKinds.flatMap((kind) => {
    const own = rows.filter((row) => row.kind === kind);
    return own.length > 0 ? [count(own.length, kind)] : [];
  });
  // Packets have the snapshots and messages in them.
  const counted = recording.track.packets.length > 0 ? rows.filter(({ kind }) => kind === 'packet') : rows;
  const bytes = counted.reduce((sum, row) => sum + row.bytes, 0);
  const perSecond = Math.round((bytes * ticksPerSecond) / (to - from + 1));
  return [...parts, count(bytes, 'byte'), `${thousands(perSecond)} a second`].join(', ');
}

/** The sizes of the items in the snapshots of some ticks, largest first. */
function* sizesIn({ shown, reader, track }: Recording, { from, to }: Range): Generator<void, SizeEntry[]> {
  const sizes = new Map<string, { times: number; bits: number }>();
  const add = (name: string, bits: number) => {
    const size = getOr(sizes, name, () => ({ times: 0, bits: 0 }));
    size.times++;
    size.bits += bits;
  };
  for (const index of shown) {
    const { tick } = track.snapshots[index]!;
    if (tick < from || tick > to) continue;
    const payload = reader.payload(index);
    let left = 8 * payload.layers.file.length;
    for (const [name, bits] of itemBits(payload)) {
      add(name, bits);
      left -= bits;
    }
    add(rest, left);
    yield;
  }
  const entries = [...sizes].map(([name, size]): SizeEntry => {
    return { name, kind: name === rest ? 'other' : 'item', ...size, fields: [] };
  });
  return entries.sort((a, b) => b.bits - a.bits);
}

const rest = 'counts, removed keys, ends';

const bitsOf = (some: readonly SizeEntry[]) => some.reduce((sum, { bits }) => sum + bits, 0);

/** The bytes of each of some things; with a decimal where a byte is much. */
const each = (bits: number, times: number) => {
  const bytes = bits / 8 / Math.max(1, times);
  return bytes < 10 ? bytes.toFixed(1) : thousands(Math.round(bytes));
};

/** @param seconds the time that the entries took */
function listSizes(list: HTMLElement, entries: readonly SizeEntry[], seconds: number): void {
  const all = bitsOf(entries);
  const largest = entries[0]!.bits;

  const cells = (name: string, times: number, what: string, bits: number, kind: SizeEntry['kind']): HTMLElement[] => {
    const bar = swatch('fill', colors[kind]);
    bar.style.width = `${(100 * bits) / largest}%`;
    return [
      h('span', { class: 'name' }, name),
      h('span', { class: 'dim number' }, `${thousands(times)} ${what}`),
      h('span', { class: 'number' }, `${thousands(Math.round(bits / 8))} B`),
      h('span', { class: 'dim number' }, `${each(bits, times)} each`),
      h('span', { class: 'dim number' }, `${each(bits, seconds)} /s`),
      h('span', { class: 'number' }, percent(bits / all)),
      h('span', { class: 'track', 'aria-hidden': 'true' }, bar),
    ];
  };
  const row = ({ name, kind, times, bits, fields }: SizeEntry): HTMLElement => {
    const own = cells(escapeText(name), times, '×', bits, kind);
    if (fields.length === 0) return h('li', {}, h('div', { class: 'line' }, ...own));
    const fieldRows = () =>
      fields.map((field) => {
        const ofField = cells(field.name, field.changed, 'changed', field.bits, kind);
        return h('li', {}, h('div', { class: 'line' }, ...ofField));
      });
    return h('li', {}, lazyDetails({}, h('summary', { class: 'line' }, ...own), h('ul', {}), fieldRows));
  };
  growList(list, entries.length, 'kind', (i) => row(entries[i]!), atOnce);
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
