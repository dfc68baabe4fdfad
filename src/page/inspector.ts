import { token } from '../view/hexdump/hexdump.ts';
import { diagnosticLine } from '../view/text/diagnostic-messages.ts';
import { address, bitAddress, count, thousands } from '../view/text/number.ts';
import { BytesView } from './bytes-view.ts';
import { h } from './dom.ts';
import type { Inspected } from './inspect.ts';
import { ItemsView } from './items-view.ts';
import type { Recording } from './recording.ts';
import type { ItemChoice, Store } from './store.ts';

/** Shows the items and bytes of the chosen snapshot. Pointing at a value in one view highlights it in the other. */
export class Inspector {
  readonly element: HTMLElement;
  readonly #title = h('h2', { id: 'inspector-title' });
  readonly #summary = h('span', { class: 'dim' });
  /** Screen readers announce the tick and its summary. */
  readonly #status = h('div', { class: 'tick-summary', role: 'status' }, this.#title, this.#summary);
  readonly #diagnostics = h('ul', { class: 'diagnostics' });
  readonly #uncertain = h('p', { class: 'uncertain warning' });
  readonly #differences = h(
    'p',
    { class: 'differences dim' },
    'The base of this delta is not here: the values of items are differences to it; those of new items are the values.',
  );
  readonly #readout = h('p', { class: 'readout', 'aria-live': 'polite' });
  readonly #items: ItemsView;
  readonly #bytes: BytesView;
  readonly #store: Store<ItemChoice>;
  #shown: Inspected | undefined;
  /** The index of the span that is highlighted while the pointer is not on a span; -1 for none. */
  #pinned = -1;
  #lit = -1;

  /** @param onField is called with an item and the label of a field to plot */
  constructor(store: Store<ItemChoice>, onField?: (link: string, label: string) => void) {
    this.#store = store;
    this.#items = new ItemsView(store, (span) => this.#bytes.reveal(span), onField);
    this.#bytes = new BytesView((step) => this.#step(step));
    const columns = h('div', { class: 'columns' }, this.#items.element, this.#bytes.element);
    this.element = h(
      'section',
      { class: 'inspector', 'aria-labelledby': 'inspector-title' },
      h('div', { class: 'bar' }, this.#status, this.#items.filter),
      this.#uncertain,
      this.#differences,
      this.#diagnostics,
      columns,
      this.#readout,
    );
    columns.addEventListener('pointerover', ({ target }) => this.#light(spanAt(target) ?? this.#pinned));
    columns.addEventListener('pointerleave', () => this.#light(this.#pinned));
    columns.addEventListener('click', ({ target }) => {
      const span = spanAt(target);
      if (span !== undefined) this.#pin(span);
    });
  }

  /** @param isPlaying whether the next snapshot follows soon, so that only the visible part is drawn */
  show(recording: Recording, place: number, inspected: Inspected, isPlaying: boolean): void {
    const { tick, kind, payload: bytes, offset, uncertain } = recording.snapshot(place);
    const { payload, items } = inspected;
    // While the recording is played, announcements would never end.
    this.#status.setAttribute('aria-live', isPlaying ? 'off' : 'polite');
    this.#title.textContent = tick < 0 ? 'Items and bytes' : `Tick ${tick}`;
    const at = offset >= 0 && tick >= 0 ? ` at 0x${offset.toString(16)} of the file` : '';
    const unpacked = payload.layers.bits ? `, ${thousands(payload.layers.bytes.length)} unpacked` : '';
    const there = items.filter(({ state }) => state !== 'removed').length;
    this.#summary.textContent = `${kind === 'snapshot' ? 'full snapshot' : 'delta'} of ${count(bytes.length, 'byte')}${at}${unpacked}; ${count(there, 'item')}${checksumText(recording, place)}`;
    this.#uncertain.textContent = uncertain ? 'This snapshot may be wrong: an earlier one could not be read.' : '';
    this.#show(inspected, isPlaying);
  }

  /** Whether the snapshot or the previous one has the item of a link. */
  has(link: string): boolean {
    return this.#shown!.items.some((one) => one.link === link);
  }

  /** Shows a packet or message. */
  showContents(inspected: Inspected): void {
    const { file, bytes, bits } = inspected.payload.layers;
    this.#title.textContent = 'Messages, items and bytes';
    this.#summary.textContent = count(file.length, 'byte') + (bits ? `, ${thousands(bytes.length)} unpacked` : '');
    this.#uncertain.textContent = '';
    this.#show(inspected, false);
  }

  #show(inspected: Inspected, isPlaying: boolean): void {
    // The keys of messages are negative.
    this.#differences.hidden = !inspected.items.some(({ state, key }) => state === 'sent' && key >= 0);
    this.#shown = inspected;
    this.#pinned = -1;
    this.#lit = -1;
    const { diagnostics } = inspected.payload;
    this.#diagnostics.replaceChildren(...diagnostics.all.map((diagnostic) => h('li', {}, diagnosticLine(diagnostic))));
    this.#diagnostics.hidden = diagnostics.all.length === 0;
    this.#items.show(inspected, isPlaying ? 12 : undefined);
    this.#bytes.show(inspected, isPlaying ? 30 : undefined);
    this.#showReadout();
  }

  /** Scrolls to the chosen item and highlights it. */
  reveal(): void {
    this.element.scrollIntoView({ block: 'start' });
    this.revealItem();
  }

  /** Shows the chosen item in both views and highlights it. Unlike {@link reveal}, this does not scroll the page to the inspector. */
  revealItem(): void {
    const line = this.#items.reveal();
    if (line && line.span >= 0) {
      this.#bytes.reveal(line.span);
      this.#pin(line.span, false);
    }
  }

  #pin(span: number, choosesItem = true): void {
    this.#pinned = span;
    this.#light(span);
    const key = this.#shown!.keys[span];
    const line = key === undefined ? undefined : this.#shown!.items.find((one) => one.key === key);
    if (!line) return;
    if (choosesItem) this.#store.set({ item: line.link });
    this.#items.scrollTo(line.link, span);
  }

  #step(step: number): void {
    const { length } = this.#shown!.spans;
    const span = this.#pinned < 0 && step < 0 ? length - 1 : this.#pinned + step;
    if (span < 0 || span >= length) return;
    this.#bytes.reveal(span);
    this.#pin(span);
  }

  #light(span: number): void {
    if (span === this.#lit) return;
    this.#lit = span;
    for (const element of this.element.querySelectorAll('.lit')) element.classList.remove('lit');
    if (span >= 0)
      for (const element of this.element.querySelectorAll(`[data-span="${span}"]`)) element.classList.add('lit');
    this.#showReadout();
  }

  #showReadout(): void {
    const hint = 'Point at a field or at bytes; in the bytes, the arrow keys move from value to value.';
    this.#readout.textContent = this.#lit < 0 ? hint : spanText(this.#shown!, this.#lit);
  }
}

/** The checksum, compared with the announced one, if any. */
function checksumText(recording: Recording, place: number): string {
  const { announced } = recording.snapshot(place);
  const sum = recording.reader.snapshot(recording.shown[place]!)?.checksum();
  if (sum === undefined) return announced === undefined ? '' : '; it cannot be rebuilt';
  if (announced === undefined) return `; checksum ${sum}`;
  return announced === sum ? `; checksum ${sum} ✓ as announced` : `; checksum ${sum} ✗ announced ${announced}`;
}

/** The index of the span that an element shows. */
function spanAt(target: EventTarget | null): number | undefined {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-span]') : null;
  return element ? Number(element.dataset.span) : undefined;
}

/** Describes a span by its meaning, its item, and its position in the file. */
function spanText({ payload, spans, keys, items }: Inspected, index: number): string {
  const span = spans[index]!;
  const { bits } = payload.layers;
  const item = keys[index] === undefined ? undefined : items.find(({ key }) => key === keys[index]);
  const of = item ? ` of ${item.name} ${item.id}${item.player ? ` "${item.player}"` : ''}` : '';
  const position = `0x${address(span.start)}`;
  const from = bits
    ? `; ${count(bits[span.end]! - bits[span.start]!, 'bit')} of the file, at ${bitAddress(bits[span.start]!)}`
    : '';
  return `${token(span, true)}${of}   ${count(span.end - span.start, 'byte')} at ${position}${from}`;
}
