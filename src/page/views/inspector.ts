import { token } from '../../output/hexdump/hexdump.ts';
import { payloadLine } from '../../output/phrases/payload-messages.ts';
import { address, bitAddress, count, thousands } from '../../output/text/number.ts';
import type { Span } from '../../wire/annotate/span.ts';
import { toHex } from '../../wire/bytes/to-hex.ts';
import type { Inspected } from '../data/inspect.ts';
import { type InspectorState, layers, type Store } from '../data/store.ts';
import { button, growList, h } from '../elements/dom.ts';
import { oneStopRow } from '../elements/one-stop.ts';
import { bitsView } from './bits-view.ts';
import { bytesView } from './bytes-view.ts';
import { itemFilter, itemsView } from './items-view.ts';

/**
 * Shows the items and bytes of the chosen snapshot. Pointing at a value in one view highlights it in the other.
 * @param onField is called with the field to plot, `obj_character/0/health`; undefined if there is nothing to plot
 * @param onValue is called with the field whose value is asked about
 */
export function inspector(
  store: Store<InspectorState>,
  onField?: (name: string) => void,
  onValue?: (name: string) => void,
) {
  const title = h('h2', { id: 'inspector-title' });
  const summary = h('span', { class: 'dim' });
  /** Screen readers announce the tick and its summary. */
  const status = h('div', { class: 'tick-summary', role: 'status' }, title, summary);
  const diagnostics = h('ul', { class: 'diagnostics mono' });
  const uncertain = h('p', { class: 'uncertain warning' });
  const differences = h(
    'p',
    { class: 'differences dim' },
    'The base of this delta is not here: the values of items are differences to it; those of new items are the values.',
  );
  const readout = h('p', { class: 'readout dim mono', 'aria-live': 'polite' });
  /** The index of the span that is highlighted while the pointer is not on a span; -1 for none. */
  let pinned = -1;

  const showHeading = () => {
    const { inspected, isPlaying } = store.state;
    const { items, payload } = inspected;
    // While the recording is played, announcements would never end.
    status.setAttribute('aria-live', isPlaying ? 'off' : 'polite');
    title.textContent = inspected.title;
    summary.textContent = inspected.summary;
    uncertain.textContent = inspected.isUncertain
      ? 'This snapshot may be wrong: an earlier one could not be read.'
      : '';
    // The keys of messages are negative.
    differences.hidden = !items.some(({ state, key }) => state === 'sent' && key >= 0);
    const { all } = payload.diagnostics;
    diagnostics.replaceChildren();
    // Items and bytes stay in view below them.
    growList(diagnostics, all.length, 'finding', (i) => h('li', {}, payloadLine(all[i]!)), 3);
    diagnostics.hidden = all.length === 0;
    pinned = -1;
  };
  store.derive(['inspected'], () => ({ lit: -1 }));
  store.on(['inspected'], showHeading);
  const items = itemsView(store, { revealBytes, plot: onField, why: onValue });
  const bytes = bytesView(store, stepBy);
  const bits = bitsView(store, stepBy);
  const columns = h('div', { class: 'columns mono' }, items.element, bytes.element, bits.element);
  const layerButtons = oneStopRow(
    h('span', { class: 'buttons layers', role: 'group', 'aria-label': 'bytes' }, ...layers.map(layerButton)),
  );
  const element = h(
    'section',
    { class: 'inspector', 'aria-labelledby': 'inspector-title' },
    h('div', { class: 'bar' }, status, layerButtons, itemFilter(store)),
    uncertain,
    differences,
    diagnostics,
    columns,
    readout,
  );
  const light = (lit: number) => store.set({ lit });
  columns.addEventListener('pointerover', ({ target }) => light(spanAt(target) ?? pinned));
  columns.addEventListener('pointerleave', () => light(pinned));
  columns.addEventListener('click', ({ target }) => {
    const span = spanAt(target);
    if (span !== undefined) pin(span);
  });

  function layerButton(layer: InspectorState['layer']): HTMLElement {
    const element = button(layer, undefined, () => store.set({ layer }));
    element.title = layerTitles[layer];
    store.on(['layer'], () => element.setAttribute('aria-pressed', String(store.state.layer === layer)));
    return element;
  }

  store.on(['layer', 'inspected'], () => {
    const showsBits = store.state.layer === 'bits';
    bytes.element.hidden = showsBits;
    bits.element.hidden = !showsBits;
    bits.show();
  });

  function revealBytes(span: number): void {
    if (store.state.layer === 'bits') bits.reveal(span);
    else bytes.reveal(span);
  }

  function stepBy(step: number): void {
    const { length } = store.state.inspected.spans;
    const span = pinned < 0 && step < 0 ? length - 1 : pinned + step;
    if (span < 0 || span >= length) return;
    revealBytes(span);
    pin(span);
  }

  function pin(span: number, choosesItem = true): void {
    const { inspected } = store.state;
    pinned = span;
    light(span);
    const line = inspected.items.find(({ key }) => key === inspected.keys[span]);
    if (!line) return;
    if (choosesItem) store.set({ item: line.link });
    items.scrollTo(line.link, span);
  }

  /** Highlights a value; rows that are drawn later do it themselves. */
  store.on(['lit'], () => {
    const { lit, inspected } = store.state;
    for (const drawn of columns.querySelectorAll('.lit')) drawn.classList.remove('lit');
    if (lit >= 0) for (const drawn of columns.querySelectorAll(`[data-span="${lit}"]`)) drawn.classList.add('lit');
    const hint = 'Point at a field or at bytes; in the bytes, the arrow keys move from value to value.';
    const text = lit < 0 ? hint : spanText(inspected, lit);
    // Screen readers announce it again even if it is the same.
    if (readout.textContent !== text) readout.textContent = text;
  });

  function revealItem(): void {
    const line = items.reveal();
    if (!line) return;
    if (line.span >= 0) revealBytes(line.span);
    pin(line.span, false);
  }

  /** Scrolls the page to the inspector, and both views to the chosen item. */
  function reveal(): void {
    element.scrollIntoView({ block: 'start' });
    revealItem();
  }

  const onRevealed = () => {
    const { revealed } = store.state;
    if (revealed?.inPage) reveal();
    else if (revealed) revealItem();
  };
  store.on(['revealed'], onRevealed, 'after');
  return element;
}

const layerTitles: Readonly<Record<InspectorState['layer'], string>> = {
  bytes: 'bytes and values',
  grid: 'bytes in sixteen columns',
  bits: 'the bits of the file, packed ints and values',
};

function spanAt(target: EventTarget | null): number | undefined {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-span]') : null;
  return element ? Number(element.dataset.span) : undefined;
}

/** Describes a span by its meaning, its item, the forms of its value, and its position in the file. */
function spanText({ payload, spans, keys, items }: Inspected, index: number): string {
  const span = spans[index]!;
  const { bits } = payload.layers;
  const item = items.find(({ key }) => key === keys[index]);
  const of = item ? ` of ${item.name} ${item.id}${item.player ? ` "${item.player}"` : ''}` : '';
  const position = `0x${address(span.start)}`;
  const forms = formsOfValue(span, payload.layers.bytes.subarray(span.start, span.end));
  const from = bits
    ? `; ${count(bits[span.end]! - bits[span.start]!, 'bit')} of the file, at ${bitAddress(bits[span.start]!)}`
    : '';
  return `${token(span, true)}${of}   ${forms}   ${count(span.end - span.start, 'byte')} at ${position}${from}`;
}

/** Longer bytes are beside it. */
const maxHex = 24;

/** The bytes of a value, and what else a number is: `90 0c = 0x310`, `40 = 0xffffffff = 4,294,967,295`. */
function formsOfValue({ value }: Span, bytes: Uint8Array): string {
  const hex = toHex(bytes.subarray(0, maxHex)) + (bytes.length > maxHex ? ' …' : '');
  if (typeof value !== 'number') return hex;
  const unsigned = value >>> 0;
  return [hex, `0x${unsigned.toString(16)}`, ...(value < 0 ? [thousands(unsigned)] : [])].join(' = ');
}
