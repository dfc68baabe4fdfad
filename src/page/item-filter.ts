import { h } from './dom.ts';
import type { ItemLine } from './inspect.ts';

/** Filters the list of items by words in the names of items and players, and by whether they changed. */
export class ItemFilter {
  readonly element: HTMLElement;
  readonly #input: HTMLInputElement;
  readonly #onlyChanged: HTMLInputElement;
  #words: readonly string[] = [];

  constructor(onChange: () => void) {
    this.#input = h('input', {
      type: 'text',
      'aria-label': 'filter the items by type or player',
      placeholder: 'type or player',
      size: 12,
      oninput: () => {
        this.#words = this.#input.value.toLowerCase().split(/\s+/).filter(Boolean);
        onChange();
      },
    });
    this.#onlyChanged = h('input', { type: 'checkbox', onchange: onChange });
    this.element = h(
      'span',
      { class: 'filters item-filter' },
      this.#input,
      h('label', {}, this.#onlyChanged, ' only changed'),
    );
  }

  get hasWords(): boolean {
    return this.#words.length > 0;
  }

  has({ name, id, player = '', state }: ItemLine): boolean {
    if (this.#onlyChanged.checked && state === 'same') return false;
    const text = `${name} ${id} ${player}`.toLowerCase();
    return this.#words.every((word) => text.includes(word));
  }
}
