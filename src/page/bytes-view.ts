import type { Span } from '../annotate/span.ts';
import { toHex } from '../hex/to-hex.ts';
import { address, bitAddress, count } from '../text/number.ts';
import { endOfBits, token } from '../view/hexdump/hexdump.ts';
import { growList, h, onKeys, onSize } from './dom.ts';
import type { InspectorState, Store } from './store.ts';

/** The number of rows drawn at first. */
const atOnce = 160;
const visible = 30;

/**
 * Shows the annotated bytes with addresses before and after decompression, hex, ASCII, and the meaning of each value.
 * @param step is called with 1 for the next value, -1 for the previous one
 */
export function bytesView(store: Store<InspectorState>, step: (step: number) => void) {
  const rows = h('div', { class: 'rows' });
  const label = 'annotated bytes; the left and right arrow keys move from value to value';
  const element = h('div', { class: 'bytes', role: 'region', tabindex: 0, 'aria-label': label }, rows);
  onKeys(element, { ArrowLeft: () => step(-1), ArrowRight: () => step(1) });
  let perRow = 8;
  let draw: (upTo: number) => void;
  /** The row of folded offsets, and the number of rows that it replaces besides itself. */
  let [fold, folded, showsOffsets] = [0, 0, false];

  function show(): void {
    const { inspected, isPlaying } = store.state;
    const { payload, spans } = inspected;
    const { bytes, bits } = payload.layers;
    rows.style.setProperty('--per-row', String(perRow));
    rows.replaceChildren(rowOf('row head', bits && 'file', bits ? 'unpacked' : 'byte'));
    const all = Math.ceil(bytes.length / perRow);
    const end = endOfBits(payload);
    /** The index of the span in which the next row begins. */
    let first = 0;
    // The offsets of a snapshot's items say nothing about the match: rows that have nothing else are one row.
    const isOffset = ({ label }: Span) => label.startsWith('offset[');
    const [from, to] = [spans.findIndex(isOffset), spans.findLastIndex(isOffset)];
    fold = from < 0 || showsOffsets ? 0 : Math.ceil(spans[from]!.start / perRow);
    folded = from < 0 || showsOffsets ? 0 : Math.max(0, Math.floor(spans[to]!.end / perRow) - fold - 1);
    draw = growList(rows, all - folded + (end ? 1 : 0), isPlaying ? visible : atOnce, 'row', (number) => {
      if (folded > 0 && number === fold) {
        const text = `${count(folded + 1, 'row')} of offsets`;
        return rowOf('row', bits && '', '', h('button', { type: 'button', class: 'more dim', onclick: unfold }, text));
      }
      const row = number < fold ? number : number + folded;
      if (row === all) return rowOf('row dim', bitAddress(end![0]), '', end![1]);
      const start = row * perRow;
      const stop = Math.min(start + perRow, bytes.length);
      while (spans[first]!.end <= start) first++;
      const [hex, ascii, tokens]: [HTMLElement[], HTMLElement[], HTMLElement[]] = [[], [], []];
      for (let i = first; i < spans.length && spans[i]!.start < stop; i++) {
        const span = spans[i]!;
        const own = bytes.subarray(Math.max(start, span.start), Math.min(stop, span.end));
        hex.push(piece(span, i, toHex(own)));
        ascii.push(piece(span, i, Array.from(own, printable).join('')));
        tokens.push(piece(span, i, token(span, false, span.start < start)));
      }
      return rowOf(
        'row',
        bits && bitAddress(bits[start]!),
        address(start),
        h('span', { class: 'hex' }, ...spaced(hex)),
        h('span', { class: 'ascii' }, ...ascii),
        h('span', { class: 'tokens' }, ...spaced(tokens)),
      );
    });
  }

  function unfold(): void {
    showsOffsets = true;
    show();
  }

  function reveal(span: number): void {
    const at = Math.floor(store.state.inspected.spans[span]!.start / perRow);
    if (at >= fold && at <= fold + folded) unfold();
    draw(at + visible);
    const row = rows.querySelector(`[data-span="${span}"]`)!;
    const box = element.getBoundingClientRect();
    const place = row.getBoundingClientRect();
    if (place.top < box.top + 30 || place.bottom > box.bottom) element.scrollTop += place.top - box.top - 60;
  }

  // What is selected in the bytes is copied as hex, without addresses and meanings.
  element.addEventListener('copy', (event) => {
    const selection = getSelection();
    const pieces = [...rows.querySelectorAll('.hex span')].filter((element) => selection?.containsNode(element, true));
    if (pieces.length === 0) return;
    event.preventDefault();
    event.clipboardData?.setData('text/plain', pieces.map((piece) => piece.textContent).join(' '));
  });
  onSize(element, (width) => {
    const before = perRow;
    perRow = width < 520 ? 4 : width < 1250 ? 8 : 16;
    if (perRow !== before) show();
  });
  store.on(['inspected'], show);
  return { element, reveal };
}

/** A row with its address in the file, if it differs from the one after decompression. */
const rowOf = (
  name: string,
  file: string | undefined,
  unpacked: string,
  ...content: readonly (HTMLElement | string)[]
) =>
  h(
    'div',
    { class: name },
    file !== undefined && h('span', { class: 'address dim' }, file),
    h('span', { class: 'address dim' }, unpacked),
    ...content,
  );

const piece = ({ role }: Span, index: number, text: string) => h('span', { class: role, 'data-span': index }, text);

const spaced = (elements: readonly HTMLElement[]) =>
  elements.flatMap((element, i) => (i > 0 ? [' ', element] : [element]));

const printable = (byte: number) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·');
