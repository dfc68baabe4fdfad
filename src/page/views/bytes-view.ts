import { endOfBits } from '../../output/hexdump/hexdump.ts';
import { toHex } from '../../wire/bytes/to-hex.ts';
import { type ByteRow, byteColumns, byteRows, foldsOf, openedFolds, rowAt } from '../data/byte-rows.ts';
import type { InspectorState, Store } from '../data/store.ts';
import { h, onKeys, onSize } from '../elements/dom.ts';
import { longList } from '../elements/long-list.ts';
import { emptyRow, fillHead, fillRow, type RowKind } from './byte-row.ts';

/** The height of a line, in pixels. */
const lineHeight = 20;
/** The space at both sides of a row, in pixels. */
const sideWidth = 14;

/**
 * Shows the annotated bytes with addresses before and after decompression, hex, ASCII, and the meaning of each value;
 * or, as other programs do, a grid of sixteen columns. Only the rows that are visible are drawn.
 * @param step is called with 1 for the next value, -1 for the previous one
 */
export function bytesView(store: Store<InspectorState>, step: (step: number) => void) {
  const label = 'annotated bytes; the left and right arrow keys move from value to value';
  const head = h('div', { class: 'row head' });
  const element = h('div', { class: 'bytes', role: 'region', tabindex: 0, 'aria-label': label }, head);
  onKeys(element, { ArrowLeft: () => step(-1), ArrowRight: () => step(1) });
  let width = 0;
  let letters = 0;
  let columns = byteColumns(0, 0, false, false);
  let rows: ByteRow[] = [];
  const list = longList(element, {
    make: (kind) => emptyRow(kind.slice(0, -1) as RowKind, Number(kind.at(-1))),
    kindOf: (i) => `${!rows[i] ? 'end' : rows[i].fold ? 'fold' : 'bytes'}${columns.places}`,
    fill: (row, i) => fillRow(row, rows[i], columns, store.state),
    click: (i) => rows[i]?.fold && unfold(rows[i].fold.from),
    height: () => (columns.isNarrow ? 2 : 1) * lineHeight,
  });

  function show(): void {
    const { inspected, layer } = store.state;
    const { payload, spans } = inspected;
    columns = byteColumns(width, letters, layer === 'grid', payload.layers.bits !== undefined);
    element.classList.toggle('is-narrow', columns.isNarrow);
    element.classList.toggle('is-grid', columns.isGrid);
    fillHead(head, columns);
    const opened = openedFolds(inspected);
    const folds = columns.isGrid ? [] : foldsOf(spans).filter(({ from }) => !opened.has(from));
    rows = byteRows(spans, columns, folds);
    list.show(rows.length + (endOfBits(payload) ? 1 : 0));
  }

  function unfold(from: number): void {
    openedFolds(store.state.inspected).add(from);
    show();
  }

  function reveal(span: number): void {
    const { start } = store.state.inspected.spans[span]!;
    const { fold } = rows[rowAt(rows, start)]!;
    if (fold) unfold(fold.from);
    list.reveal(rowAt(rows, start), true);
  }

  copyAsHex(store, element);
  onSize(element, (newWidth) => {
    if (newWidth === width) return;
    width = newWidth;
    letters = Math.floor((width - 2 * sideWidth) / letterWidth(element));
    show();
  });
  store.on(['inspected', 'layer'], show);
  return { element, reveal };
}

/** What is selected in the bytes is copied as hex, without addresses and meanings. */
function copyAsHex(store: Store<InspectorState>, element: HTMLElement): void {
  element.addEventListener('copy', (event) => {
    const selection = getSelection();
    const pieces = [...element.querySelectorAll<HTMLElement>('.hex span')].filter((piece) =>
      selection?.containsNode(piece, true),
    );
    if (pieces.length === 0) return;
    const { spans, payload } = store.state.inspected;
    const [first, last] = [pieces[0]!, pieces.at(-1)!].map((piece) => spans[Number(piece.dataset.span)]!);
    event.preventDefault();
    event.clipboardData?.setData('text/plain', toHex(payload.layers.bytes.subarray(first!.start, last!.end)));
  });
}

/** The width of a letter in an element's font, in pixels: all are equally wide. */
function letterWidth(element: HTMLElement): number {
  const sample = h('span', { class: 'sample' }, '0'.repeat(100));
  element.append(sample);
  const { width } = sample.getBoundingClientRect();
  sample.remove();
  return Math.max(1, width / 100);
}
