import { token } from '../../output/hexdump/hexdump.ts';
import { bitAddress, count, thousands } from '../../output/text/number.ts';
import {
  type BitGroup,
  type BitSource,
  type ByteBits,
  bitGroups,
  bitsOfSpan,
  type SpanBits,
} from '../../wire/annotate/bits.ts';
import type { Span } from '../../wire/annotate/span.ts';
import { hexText } from '../../wire/bytes/to-hex.ts';
import { openedFolds } from '../data/byte-rows.ts';
import type { Inspected } from '../data/inspect.ts';
import type { InspectorState, Store } from '../data/store.ts';
import { growList, h, onKeys } from '../elements/dom.ts';

/** The number of cells drawn at first. */
const atOnce = 120;
const visible = 30;
/** A text has a cell of its own with many bytes: the others are counted. */
const maxBytes = 16;

/** One int, text or run of bytes, and what it says. */
interface Cell {
  readonly bits: SpanBits;
  readonly text: string;
  /** The index of the span that is chosen with it. */
  readonly span: number;
}

/**
 * Shows the bits of the chosen record in three layers, one below the other: the bits of the file with a box around each
 * Huffman code, the bytes with E, S and the data of packed ints, and the value. Values that a delta leaves as they are
 * make one cell.
 * @param step is called with 1 for the next value, -1 for the previous one
 */
export function bitsView(store: Store<InspectorState>, step: (step: number) => void) {
  const cells = h('div', { class: 'cells' });
  const label = 'bits of the file, packed ints and values; the left and right arrow keys move from value to value';
  const element = h('div', { class: 'bits', role: 'region', tabindex: 0, 'aria-label': label, hidden: true }, cells);
  onKeys(element, { ArrowLeft: () => step(-1), ArrowRight: () => step(1) });
  let draw: (wanted: number) => void = () => {};
  let groups: readonly BitGroup[] = [];

  function show(): void {
    if (element.hidden) return;
    const { inspected } = store.state;
    cells.replaceChildren();
    const all = cellsOf(inspected);
    groups = inspected.recorded ? [{ from: 0, to: all.length, isFolded: false }] : bitGroups(inspected.spans);
    const opened = openedFolds(inspected);
    /** Cells, and the groups that are folded. */
    const places = groups.flatMap((group): (number | BitGroup)[] => {
      const { from, to, isFolded } = group;
      return isFolded && !opened.has(from) ? [group] : Array.from({ length: to - from }, (_, i) => from + i);
    });
    const drawPlace = (i: number) => {
      const place = places[i]!;
      return typeof place === 'number' ? cellOf(all[place]!()) : foldOf(place, inspected, () => unfold(place.from));
    };
    draw = growList(cells, places.length, 'value', drawPlace, atOnce);
  }

  function unfold(from: number): void {
    openedFolds(store.state.inspected).add(from);
    show();
  }

  return {
    element,
    show,
    reveal(span: number): void {
      if (element.hidden) return;
      const group = groups.find(({ from, to, isFolded }) => isFolded && span >= from && span < to);
      if (group && !openedFolds(store.state.inspected).has(group.from)) unfold(group.from);
      draw(span + visible);
      const cell = cells.querySelector(`[data-span="${span}"]`);
      if (!cell) return;
      const box = element.getBoundingClientRect();
      const place = cell.getBoundingClientRect();
      if (place.top < box.top || place.bottom > box.bottom) element.scrollTop += place.top - box.top - 40;
    },
  };
}

function foldOf({ from, to }: BitGroup, { payload, spans }: Inspected, onclick: () => void): HTMLElement {
  const { bits } = payload.layers;
  const bitAt = (byte: number) => bits?.[byte] ?? 8 * byte;
  const size = bitAt(spans[to - 1]!.end) - bitAt(spans[from]!.start);
  const title = 'values that the delta leaves as they are; a click shows them';
  const texts = [`${thousands(to - from)} unchanged`, count(size, 'bit')].map((text) => h('span', {}, text));
  return h('button', { type: 'button', class: 'fold dim', tabindex: -1, title, onclick }, ...texts);
}

/** What makes each cell, when it is drawn. */
function cellsOf({ payload, spans, forms, recorded }: Inspected): (() => Cell)[] {
  if (!recorded) {
    const source: BitSource = { spans, layers: payload.layers, forms };
    return spans.map((span, i) => () => ({ bits: bitsOfSpan(source, span), text: token(span, true), span: i }));
  }
  // The ints of a demo's message are four bytes of it each, whatever is in them.
  const { ints, bytes } = recorded;
  const intForms = Array.from(bytes, (): ByteBits['form'] => 'more');
  const own: Span[] = Array.from({ length: ints.length }, (_, i) => {
    const start = ints.offsets![i]!;
    intForms[start] = 'first';
    return { start, end: ints.offsets![i + 1]!, role: 'number', label: 'int', value: ints.ints[i]! };
  });
  const source: BitSource = { spans: own, layers: recorded, forms: intForms };
  return own.map((int, i) => () => {
    const said = spans.filter(({ start }) => start >= 4 * i && start < 4 * i + 4).map((span) => token(span, true));
    const covering = spans.findIndex(({ end }) => end > 4 * i);
    const hex = hexText(payload.layers.bytes, 4 * i, 4 * i + 4);
    const text = [`${int.value} → ${hex}`, ...said].join('  ');
    return { bits: bitsOfSpan(source, int), text, span: covering };
  });
}

function cellOf({ bits: { span, bit, bytes }, text, span: index }: Cell): HTMLElement {
  const some = bytes.slice(0, maxBytes);
  const left = bytes.length - some.length;
  const isCompressed = some[0]?.code !== undefined;
  const cell = h(
    'div',
    { class: 'cell', 'data-span': index },
    h('span', { class: 'place dim' }, bitAddress(bit), left > 0 && `, ${count(left, 'more byte')}`),
    ...(isCompressed ? some.map(({ code }) => h('span', { class: 'code' }, code)) : []),
    ...some.map(({ form, parts }) => h('span', { class: `byte ${form}` }, ...parts.map((part) => h('i', {}, part)))),
    h('span', { class: `what ${span.role}` }, text),
  );
  cell.style.gridTemplateColumns = `repeat(${some.length}, auto)`;
  return cell;
}
