import { endOfBits, token } from '../../output/hexdump/hexdump.ts';
import { address, bitAddress, count, thousands } from '../../output/text/number.ts';
import { toHex } from '../../wire/bytes/to-hex.ts';
import { type ByteRow, byteRows, type Fold, foldsOf, rowAt } from '../data/byte-rows.ts';
import type { Inspected } from '../data/inspect.ts';
import type { InspectorState, Store } from '../data/store.ts';
import { h, onKeys, onSize, setAttribute, setClass, setText } from '../elements/dom.ts';
import { longList } from '../elements/long-list.ts';

/** The height of a line, in pixels. */
const lineHeight = 20;

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
  /** The width of the list, in pixels and letters; what bytes mean is below them where there is no room beside them. */
  let width = 0;
  let letters = 0;
  let rows: ByteRow[] = [];
  /** The folds that the user has opened, by their first span, and of which snapshot. */
  const opened = new Set<number>();
  let shown: Inspected | undefined;
  /** The index of the span that is highlighted; -1 for none. */
  let lit = -1;
  const isNarrow = () => width < narrow && !isGrid();
  const isGrid = () => store.state.layer === 'grid';
  const perRow = () => (isGrid() ? (width < minGrid ? 8 : 16) : width < 640 ? 4 : width < 1250 ? 8 : 16);
  /** Whether a row has its address in the file beside that after decompression. */
  const hasBits = () => store.state.inspected.payload.layers.bits !== undefined && !isGrid();
  const list = longList(element, {
    make: (kind) => emptyRow(kind.replace(/\d$/, '') as RowKind, Number(kind.at(-1))),
    kindOf: (i) => `${!rows[i] ? 'end' : rows[i].fold ? 'fold' : 'bytes'}${hasBits() ? 2 : 1}`,
    fill,
    click: (i) => rows[i]?.fold && unfold(rows[i].fold),
    height: () => (isNarrow() ? 2 : 1) * lineHeight,
  });

  function show(): void {
    const { inspected } = store.state;
    const { payload, spans } = inspected;
    const { bits } = payload.layers;
    // A step begins with all folds closed; items that move would open others.
    if (shown !== inspected) opened.clear();
    shown = inspected;
    element.classList.toggle('is-narrow', isNarrow());
    element.classList.toggle('is-grid', isGrid());
    showHead();
    const folds = isGrid() ? [] : foldsOf(spans).filter(({ from }) => !opened.has(from));
    rows = byteRows(spans, { perRow: perRow(), room: isGrid() ? Infinity : roomFor(bits !== undefined), folds });
    list.show(rows.length + (endOfBits(payload) ? 1 : 0));
  }

  /** Names the columns, when they have changed. */
  function showHead(): void {
    const columns = Array.from({ length: perRow() }, (_, i) => i.toString(16).padStart(2, '0')).join(' ');
    const key = `${hasBits()} ${isGrid()} ${perRow()} ${isNarrow()}`;
    if (head.dataset.key === key) return;
    head.dataset.key = key;
    const place = 'the place of the first byte, after decompression';
    const bit = 'the byte and bit of the compressed file at which the first byte begins';
    const titles = hasBits() ? [bit, place] : [place];
    head.replaceChildren(...emptyRow('bytes', titles.length).children);
    write(head, [
      ...(hasBits() ? ['byte.bit', 'unpacked'] : ['byte']),
      isGrid() ? columns : 'bytes',
      'text',
      isGrid() || isNarrow() ? '' : 'values',
    ]);
    for (const [i, title] of titles.entries()) head.children[i]!.setAttribute('title', title);
  }

  /** Writes the texts of a row, which is one text: columns are as wide as spaces make them. */
  function write(row: HTMLElement, texts: readonly string[]): void {
    const places = hasBits() ? 2 : 1;
    for (const [i, text] of texts.entries()) {
      setText(row.children[2 * i]!, text);
      pad(row, i, places, text.length);
    }
  }

  /** Ends a column of a row. */
  function pad(row: HTMLElement, column: number, places: number, letters: number): void {
    const address = isGrid() ? shortAddress : addressLetters;
    const width = column < places ? address : column === places ? 3 * perRow() - 1 : perRow();
    const space = row.children[2 * column + 1];
    if (space) setText(space, ' '.repeat(Math.max(0, width - letters) + gapLetters));
  }

  /** The letters beside the bytes of a row, or below them. */
  function roomFor(hasBits: boolean): number {
    if (isNarrow()) return letters - 6;
    const beside = 4 * perRow() - 1 + (hasBits ? 2 : 1) * (addressLetters + gapLetters) + 3 * gapLetters;
    return letters - beside;
  }

  function fill(shown: HTMLElement, number: number): void {
    const { payload, spans } = store.state.inspected;
    const { bytes, bits } = payload.layers;
    const row = rows[number];
    const places = hasBits() ? 2 : 1;
    if (!row) {
      const [bit, text] = endOfBits(payload)!;
      write(shown, [bitAddress(bit), ...(hasBits() ? [''] : []), text]);
      return;
    }
    const { start, end, fold } = row;
    write(shown, [...(hasBits() ? [bitAddress(bits![start]!)] : []), address(start), ...(fold ? [textOf(fold)] : [])]);
    if (fold) return;
    const [hex, ascii, tokens] = [places, places + 1, places + 2].map((i) => shown.children[2 * i] as HTMLElement);
    setText(ascii!, Array.from(bytes.subarray(start, end), printable).join(''));
    pad(shown, places, places, 3 * (end - start) - 1);
    pad(shown, places + 1, places, end - start);
    let pieces = 0;
    for (let i = row.span; i < spans.length && spans[i]!.start < end; i++, pieces++) {
      const span = spans[i]!;
      const own = bytes.subarray(Math.max(start, span.start), Math.min(end, span.end));
      fillPiece(hex!, pieces, i, toHex(own));
      if (!isGrid()) fillPiece(tokens!, pieces, i, token(span, false, span.start < start));
    }
    for (const list of [hex!, tokens!]) {
      const length = list === tokens && isGrid() ? 0 : Math.max(0, 2 * pieces - 1);
      while (list.childNodes.length > length) list.lastChild!.remove();
    }
  }

  /** The bytes or the meaning of a value, in a row that may have had another one there. */
  function fillPiece(list: HTMLElement, place: number, span: number, text: string): void {
    if (place > 0 && !list.childNodes[2 * place - 1]) list.append(' ');
    const piece = (list.childNodes[2 * place] as HTMLElement | undefined) ?? list.appendChild(h('span'));
    const { role } = store.state.inspected.spans[span]!;
    setClass(piece, span === lit ? `${role} lit` : role);
    setText(piece, text);
    setAttribute(piece, 'data-span', String(span));
  }

  function unfold({ from }: Fold): void {
    opened.add(from);
    show();
  }

  function reveal(span: number): void {
    const { start } = store.state.inspected.spans[span]!;
    const { fold } = rows[rowAt(rows, start)]!;
    if (fold) unfold(fold);
    list.reveal(rowAt(rows, start), true);
  }

  /** Highlights a value, also in rows that are drawn later. */
  function light(span: number): void {
    lit = span;
    for (const drawn of element.querySelectorAll('.lit')) drawn.classList.remove('lit');
    for (const drawn of element.querySelectorAll(`[data-span="${span}"]`)) drawn.classList.add('lit');
  }

  // What is selected in the bytes is copied as hex, without addresses and meanings.
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
  onSize(element, (newWidth) => {
    if (newWidth === width) return;
    width = newWidth;
    letters = Math.floor((width - 2 * sideWidth) / letterWidth(element));
    show();
  });
  store.on(['inspected', 'layer'], show);
  return { element, reveal, light };
}

/** In a list that is narrower, in pixels, the meaning of a row's bytes is below them. */
const narrow = 540;
/** A grid that is narrower has eight columns. */
const minGrid = 500;
/** The space at both sides of a row, in pixels. */
const sideWidth = 14;
const addressLetters = 8;
const shortAddress = 4;
const gapLetters = 2;

/** The width of a letter in an element's font, in pixels: all are equally wide. */
function letterWidth(element: HTMLElement): number {
  const sample = h('span', { class: 'sample' }, '0'.repeat(100));
  element.append(sample);
  const { width } = sample.getBoundingClientRect();
  sample.remove();
  return Math.max(1, width / 100);
}

const textOf = ({ from, to, what }: Fold) =>
  what === 'offsets' ? count(to - from, 'offset') : `${thousands(to - from)} unchanged`;

type RowKind = 'bytes' | 'fold' | 'end';

/**
 * A row without its texts, with a space after each column.
 * @param places its addresses: in the file, if that differs, and after decompression
 */
function emptyRow(kind: RowKind, places: number): HTMLElement {
  const parts: Readonly<Record<RowKind, () => HTMLElement[]>> = {
    bytes: () => ['hex', 'ascii dim', 'tokens'].map((name) => h('span', { class: name })),
    fold: () => [h('button', { type: 'button', class: 'more dim', tabindex: -1, title: 'a click shows them' })],
    end: () => [h('span', { class: 'dim' })],
  };
  const addresses = Array.from({ length: places }, () => h('span', { class: 'place dim' }));
  const columns = [...addresses, ...parts[kind]()];
  return h('li', { class: `row of-${kind}` }, ...columns.flatMap((column) => [column, h('span')]).slice(0, -1));
}

const printable = (byte: number) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·');
