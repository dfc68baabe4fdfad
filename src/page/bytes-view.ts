import type { Span } from '../annotate/span.ts';
import { endOfBits, token } from '../view/hexdump/hexdump.ts';
import { address, bitAddress, count } from '../view/text/number.ts';
import { h, onWidth } from './dom.ts';
import type { Inspected } from './inspect.ts';

/** The number of rows drawn at first; a button draws more. */
const atOnce = 160;

/** Shows the annotated bytes with addresses before and after decompression, hex, ASCII, and the meaning of each value. */
export class BytesView {
  readonly element: HTMLElement;
  readonly #rows = h('div', { class: 'rows' });
  readonly #more = h('button', { type: 'button', class: 'more', onclick: () => this.#draw(this.#drawn + 4 * atOnce) });
  #shown: Inspected | undefined;
  #perRow = 8;
  #drawn = 0;
  /** The index of the span in which the next row begins. */
  #span = 0;

  /** @param step is called with 1 for the next value, -1 for the previous one */
  constructor(step: (step: number) => void) {
    this.element = h(
      'div',
      {
        class: 'bytes',
        role: 'region',
        tabindex: 0,
        'aria-label': 'annotated bytes; the left and right arrow keys move from value to value',
        onkeydown: (event: KeyboardEvent) => {
          const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
          if (by === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
          event.preventDefault();
          step(by);
        },
      },
      this.#rows,
      this.#more,
    );
    onWidth(this.element, (width) => {
      const perRow = width < 520 ? 4 : width < 1250 ? 8 : 16;
      if (perRow === this.#perRow) return;
      this.#perRow = perRow;
      if (this.#shown) this.show(this.#shown);
    });
  }

  /** @param rows the number of rows to draw at first */
  show(inspected: Inspected, rows = atOnce): void {
    this.#shown = inspected;
    this.#drawn = 0;
    this.#span = 0;
    this.#rows.replaceChildren();
    const { bits } = inspected.payload.layers;
    this.#rows.append(
      h(
        'div',
        { class: 'row head' },
        bits && h('span', { class: 'address' }, 'file'),
        h('span', { class: 'address' }, bits ? 'unpacked' : 'byte'),
      ),
    );
    this.#draw(rows);
    this.element.scrollTop = 0;
  }

  /** Scrolls to a span. */
  reveal(span: number): void {
    const { start } = this.#shown!.spans[span]!;
    const row = Math.floor(start / this.#perRow);
    if (row >= this.#drawn) this.#draw(row + atOnce);
    const element = this.#rows.querySelector<HTMLElement>(`[data-span="${span}"]`);
    if (!element) return;
    const box = this.element.getBoundingClientRect();
    const place = element.getBoundingClientRect();
    if (place.top < box.top + 30 || place.bottom > box.bottom) this.element.scrollTop += place.top - box.top - 60;
  }

  /** Draws rows until this many are drawn. */
  #draw(rows: number): void {
    const { payload, spans } = this.#shown!;
    const { bytes } = payload.layers;
    const all = Math.ceil(bytes.length / this.#perRow);
    const elements: HTMLElement[] = [];
    for (; this.#drawn < Math.min(rows, all); this.#drawn++) {
      const start = this.#drawn * this.#perRow;
      const end = Math.min(start + this.#perRow, bytes.length);
      while (spans[this.#span]!.end <= start) this.#span++;
      elements.push(this.#row(start, end));
    }
    if (this.#drawn >= all) elements.push(...this.#end());
    this.#rows.append(...elements);
    this.#more.hidden = this.#drawn >= all;
    this.#more.textContent = `${count(all - this.#drawn, 'more row')}`;
  }

  /** A row for the end symbol of a compressed payload. */
  #end(): HTMLElement[] {
    const end = endOfBits(this.#shown!.payload);
    if (!end) return [];
    const [bit, words] = end;
    return [
      h(
        'div',
        { class: 'row dim' },
        h('span', { class: 'address' }, bitAddress(bit)),
        h('span', { class: 'address' }),
        words,
      ),
    ];
  }

  #row(start: number, end: number): HTMLElement {
    const { payload, spans } = this.#shown!;
    const { bytes, bits } = payload.layers;
    const hex: HTMLElement[] = [];
    const ascii: HTMLElement[] = [];
    const tokens: HTMLElement[] = [];
    for (let i = this.#span; i < spans.length && spans[i]!.start < end; i++) {
      const span = spans[i]!;
      const own = bytes.subarray(Math.max(start, span.start), Math.min(end, span.end));
      hex.push(piece(span, i, Array.from(own, twoDigits).join(' ')));
      ascii.push(piece(span, i, Array.from(own, printable).join('')));
      tokens.push(piece(span, i, token(span, false, span.start < start)));
    }
    return h(
      'div',
      { class: 'row' },
      bits && h('span', { class: 'address' }, bitAddress(bits[start]!)),
      h('span', { class: 'address' }, address(start)),
      h('span', { class: `hex of${this.#perRow}` }, ...spaced(hex)),
      h('span', { class: `ascii of${this.#perRow}` }, ...ascii),
      h('span', { class: 'tokens' }, ...spaced(tokens)),
    );
  }
}

const piece = ({ role }: Span, index: number, text: string) => h('span', { class: role, 'data-span': index }, text);

const spaced = (elements: readonly HTMLElement[]) =>
  elements.flatMap((element, i) => (i > 0 ? [' ', element] : [element]));

const twoDigits = (byte: number) => byte.toString(16).padStart(2, '0');

const printable = (byte: number) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·');
