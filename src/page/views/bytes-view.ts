import { endOfBits, token } from '../../output/hexdump/hexdump.ts';
import { address, bitAddress, count } from '../../output/text/number.ts';
import { toHex } from '../../wire/bytes/to-hex.ts';
import { type ByteRow, byteRows, rowAt } from '../data/byte-rows.ts';
import type { InspectorState, Store } from '../data/store.ts';
import { h, longList, onKeys, onSize, setAttribute, setClass, setText } from '../elements/dom.ts';

/** The height of a line, in pixels. */
const lineHeight = 20;

/**
 * Shows the annotated bytes with addresses before and after decompression, hex, ASCII, and the meaning of each value.
 * Only the rows that are visible are drawn.
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
  let showsOffsets = false;
  /** The index of the span that is highlighted; -1 for none. */
  let lit = -1;
  const isNarrow = () => width < narrow;
  const perRow = () => (width < 520 ? 4 : width < 1250 ? 8 : 16);
  const list = longList(element, rowOf, { rowHeight: () => (isNarrow() ? 2 : 1) * lineHeight });

  function show(): void {
    const { payload, spans } = store.state.inspected;
    const { bits } = payload.layers;
    element.style.setProperty('--per-row', String(perRow()));
    element.classList.toggle('is-narrow', isNarrow());
    head.replaceChildren(...addresses(...(bits ? ['byte.bit', 'unpacked'] : ['byte'])));
    rows = byteRows(spans, { perRow: perRow(), room: roomFor(bits !== undefined), foldsOffsets: !showsOffsets });
    list.show(rows.length + (endOfBits(payload) ? 1 : 0));
  }

  /** The letters beside the bytes of a row, or below them. */
  function roomFor(hasBits: boolean): number {
    if (isNarrow()) return letters - 6;
    const beside = 4 * perRow() - 1 + (hasBits ? 2 : 1) * (addressLetters + gapLetters) + 3 * gapLetters;
    return letters - beside;
  }

  function rowOf(number: number, old: HTMLElement | undefined): HTMLElement {
    const { payload, spans } = store.state.inspected;
    const { bytes, bits } = payload.layers;
    const row = rows[number];
    if (!row) {
      const [bit, text] = endOfBits(payload)!;
      return h('li', { class: 'row dim' }, ...addresses(bitAddress(bit), ''), text);
    }
    const { start, end, folded } = row;
    const texts = [...(bits ? [bitAddress(bits[start]!)] : []), address(start)];
    if (folded > 0)
      return h(
        'li',
        { class: 'row' },
        ...addresses(...texts),
        h('button', { type: 'button', class: 'more dim', onclick: unfold }, count(folded, 'offset')),
      );
    const shown =
      old?.matches('.row.of-bytes') && old.children.length === texts.length + 3 ? old : emptyRow(texts.length);
    const [hex, ascii, tokens] = [...shown.children].slice(-3) as HTMLElement[];
    for (const [i, text] of texts.entries()) setText(shown.children[i]!, text);
    setText(ascii!, Array.from(bytes.subarray(start, end), printable).join(''));
    let pieces = 0;
    for (let i = row.span; i < spans.length && spans[i]!.start < end; i++, pieces++) {
      const span = spans[i]!;
      const own = bytes.subarray(Math.max(start, span.start), Math.min(end, span.end));
      fillPiece(hex!, pieces, i, toHex(own));
      fillPiece(tokens!, pieces, i, token(span, false, span.start < start));
    }
    for (const list of [hex!, tokens!])
      while (list.childNodes.length > Math.max(0, 2 * pieces - 1)) list.lastChild!.remove();
    return shown;
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

  function unfold(): void {
    showsOffsets = true;
    show();
  }

  function reveal(span: number): void {
    const { start } = store.state.inspected.spans[span]!;
    if (rows[rowAt(rows, start)]!.folded > 0) unfold();
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
  store.on(['inspected'], show);
  return { element, reveal, light };
}

/** In a list that is narrower, in pixels, the meaning of a row's bytes is below them. */
const narrow = 560;
/** The space at both sides of a row, in pixels. */
const sideWidth = 14;
const addressLetters = 8;
const gapLetters = 2;

/** The width of a letter in an element's font, in pixels: all are equally wide. */
function letterWidth(element: HTMLElement): number {
  const sample = h('span', { class: 'sample' }, '0'.repeat(100));
  element.append(sample);
  const { width } = sample.getBoundingClientRect();
  sample.remove();
  return Math.max(1, width / 100);
}

/** The addresses of a row: in the file, if that differs, and after decompression. */
const addresses = (...texts: readonly string[]) => texts.map((text) => h('span', { class: 'address dim' }, text));

const emptyRow = (places: number) =>
  h(
    'li',
    { class: 'row of-bytes' },
    ...addresses(...Array<string>(places).fill('')),
    h('span', { class: 'hex' }),
    h('span', { class: 'ascii dim' }),
    h('span', { class: 'tokens' }),
  );

const printable = (byte: number) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·');
