import { endOfBits, token } from '../../output/hexdump/hexdump.ts';
import { address, bitAddress, count, thousands } from '../../output/text/number.ts';
import { toHex } from '../../wire/bytes/to-hex.ts';
import { type ByteColumns, type ByteRow, type Fold, gapLetters } from '../data/byte-rows.ts';
import type { InspectorState } from '../data/store.ts';
import { h, setAttribute, setClass, setText } from '../elements/dom.ts';

export type RowKind = 'bytes' | 'fold' | 'end';

/** A row without its texts, with a space after each column. */
export function emptyRow(kind: RowKind, places: number): HTMLElement {
  const parts: Readonly<Record<RowKind, () => HTMLElement[]>> = {
    bytes: () => [
      h('span', { class: 'hex' }),
      h('span', { class: 'ascii dim', 'aria-hidden': 'true' }),
      h('span', { class: 'tokens' }),
    ],
    fold: () => [h('button', { type: 'button', class: 'more dim', tabindex: -1, title: 'a click shows them' })],
    end: () => [h('span', { class: 'dim' })],
  };
  const addresses = Array.from({ length: places }, () => h('span', { class: 'place dim' }));
  const columns = [...addresses, ...parts[kind]()];
  return h('li', { class: `row of-${kind}` }, ...columns.flatMap((column) => [column, h('span')]).slice(0, -1));
}

/** Names the columns, when they have changed. */
export function fillHead(head: HTMLElement, columns: ByteColumns): void {
  const { isGrid, isNarrow, perRow, places } = columns;
  const numbers = Array.from({ length: perRow }, (_, i) => i.toString(16).padStart(2, '0')).join(' ');
  const key = `${places} ${isGrid} ${perRow} ${isNarrow}`;
  if (head.dataset.key === key) return;
  head.dataset.key = key;
  const place = 'the place of the first byte, after decompression';
  const bit = 'the byte and bit of the compressed file at which the first byte begins';
  const titles = places === 2 ? [bit, place] : [place];
  head.replaceChildren(...emptyRow('bytes', places).children);
  const names = places === 2 ? ['byte.bit', 'unpacked'] : ['byte'];
  const values = isGrid || isNarrow ? '' : 'values';
  write(head, columns, [...names, isGrid ? numbers : 'bytes', 'text', values]);
  for (const [i, title] of titles.entries()) head.children[i]!.setAttribute('title', title);
}

/** Writes the texts of a row, or without one of that which says how the bits end. */
export function fillRow(
  element: HTMLElement,
  row: ByteRow | undefined,
  columns: ByteColumns,
  { inspected, lit }: Pick<InspectorState, 'inspected' | 'lit'>,
): void {
  const { payload, spans } = inspected;
  const { bytes, bits } = payload.layers;
  const { isGrid, places, room } = columns;
  if (!row) {
    const [bit, text] = endOfBits(payload)!;
    write(element, columns, [bitAddress(bit), ...(places === 2 ? [''] : []), text]);
    return;
  }
  const { start, end, fold } = row;
  const addresses = [...(places === 2 ? [bitAddress(bits![start]!)] : []), address(start)];
  if (fold) {
    write(element, columns, [...addresses, textOf(fold)]);
    return;
  }
  const ascii = Array.from(bytes.subarray(start, end), printable).join('');
  const [hex, , tokens] = [places, places + 1, places + 2].map((i) => element.children[2 * i] as HTMLElement);
  write(element, columns, addresses);
  setText(element.children[2 * places + 2]!, ascii);
  pad(element, columns, places, 3 * (end - start) - 1);
  pad(element, columns, places + 1, end - start);
  let pieces = 0;
  for (let i = row.span; i < spans.length && spans[i]!.start < end; i++, pieces++) {
    const span = spans[i]!;
    const name = i === lit ? `${span.role} lit` : span.role;
    fillPiece(hex!, pieces, i, name, toHex(bytes.subarray(Math.max(start, span.start), Math.min(end, span.end))));
    if (isGrid) continue;
    const text = token(span, false, span.start < start);
    const piece = fillPiece(tokens!, pieces, i, name, text);
    setAttribute(piece, 'title', text.length > room ? text : undefined);
  }
  for (const list of [hex!, tokens!]) {
    const length = list === tokens && isGrid ? 0 : Math.max(0, 2 * pieces - 1);
    while (list.childNodes.length > length) list.lastChild!.remove();
  }
}

/** Writes the texts of a row, which is one text: columns are as wide as spaces make them. */
function write(row: HTMLElement, columns: ByteColumns, texts: readonly string[]): void {
  for (const [i, text] of texts.entries()) {
    setText(row.children[2 * i]!, text);
    pad(row, columns, i, text.length);
  }
}

/** Ends a column of a row. */
function pad(row: HTMLElement, { perRow, places, placeLetters }: ByteColumns, column: number, letters: number): void {
  const width = column < places ? placeLetters : column === places ? 3 * perRow - 1 : perRow;
  const space = row.children[2 * column + 1];
  if (space) setText(space, ' '.repeat(Math.max(0, width - letters) + gapLetters));
}

/** The bytes or the meaning of a value, in a row that may have had another one there. */
function fillPiece(list: HTMLElement, place: number, span: number, name: string, text: string): HTMLElement {
  if (place > 0 && !list.childNodes[2 * place - 1]) list.append(' ');
  const piece = (list.childNodes[2 * place] as HTMLElement | undefined) ?? list.appendChild(h('span'));
  setClass(piece, name);
  setText(piece, text);
  setAttribute(piece, 'data-span', String(span));
  return piece;
}

const textOf = ({ from, to, what }: Fold) =>
  what === 'offsets' ? count(to - from, 'offset') : `${thousands(to - from)} unchanged`;

const printable = (byte: number) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·');
