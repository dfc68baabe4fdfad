import { quote } from '../view/text/escape.ts';
import { count } from '../view/text/number.ts';
import { h } from './dom.ts';
import type { FieldLine, Inspected, ItemLine, ItemState } from './inspect.ts';
import type { ItemChoice, Store } from './store.ts';

/** The number of fields shown at first. */
const openFields = 48;
/** The number of items drawn at first; a button draws the rest. */
const itemsAtOnce = 80;
/** The maximum number of changes in the summary of a closed item. */
const digestChanges = 12;

const signs: Readonly<Record<ItemState, string>> = { added: '+', changed: '~', removed: '−', same: ' ', sent: '=' };
const stateNames: Readonly<Record<ItemState, string>> = {
  added: 'new',
  changed: 'changed',
  removed: 'removed',
  same: 'as before',
  sent: 'sent',
};

interface Drawn {
  readonly line: ItemLine;
  readonly element: HTMLDetailsElement;
}

/** Lists the items of a snapshot. Items that changed come first and show `old → new`. */
export class ItemsView {
  readonly element: HTMLElement;
  /** The box that filters the list. The inspector shows it in its heading. */
  readonly filter: HTMLElement;
  readonly #store: Store<ItemChoice>;
  readonly #revealBytes: (span: number) => void;
  readonly #onField: ((link: string, label: string) => void) | undefined;
  /** The items that the user has opened (true) or closed (false), by link. */
  readonly #isOpen = new Map<string, boolean>();
  readonly #isWhole = new Set<string>();
  #shown: Inspected | undefined;
  #showsSame = false;
  #drawn = new Map<string, Drawn>();
  /** Each draws a group of items that was left out, if the linked item is one of them. */
  #drawers: ((link: string) => void)[] = [];

  /**
   * @param revealBytes is called with the span of an item that was clicked
   * @param onField is called when the name of a field is clicked; undefined if there is nothing to plot
   */
  constructor(
    store: Store<ItemChoice>,
    revealBytes: (span: number) => void,
    onField: ((link: string, label: string) => void) | undefined,
  ) {
    this.#store = store;
    this.#revealBytes = revealBytes;
    this.#onField = onField;
    this.element = h('div', { class: 'items', role: 'region', 'aria-label': 'items', tabindex: 0 });
    this.filter = itemFilter(store);
    store.on(['words', 'onlyChanged'], () => this.#shown && this.show(this.#shown));
    store.on(['item'], () => this.#mark());
  }

  /** @param atOnce the number of items to draw at first */
  show(inspected: Inspected, atOnce = itemsAtOnce): void {
    this.#shown = inspected;
    const all = inspected.items;
    const items = all.filter((line) => this.#isListed(line));
    this.#drawn = new Map();
    const { scrollTop } = this.element;
    this.#drawers = [];
    const changed = items.filter(({ state }) => state !== 'same');
    const same = items.filter(({ state }) => state === 'same');
    this.element.replaceChildren(
      this.#changed(changed, atOnce),
      same.length > 0 ? this.#same(same) : '',
      items.length === 0
        ? h('p', { class: 'none dim' }, all.length === 0 ? 'No items.' : 'No item matches the filter.')
        : '',
    );
    this.element.scrollTop = scrollTop;
    this.#mark();
  }

  #isListed({ link, name, id, player = '', state }: ItemLine): boolean {
    const { item, words, onlyChanged } = this.#store.state;
    if (link === item) return true;
    const text = `${name} ${id} ${player}`.toLowerCase();
    return !(onlyChanged && state === 'same') && words.every((word) => text.includes(word));
  }

  /** Scrolls to the line of a span in an item. */
  scrollTo(link: string, span: number): void {
    const drawn = this.#drawn.get(link);
    if (!drawn?.element.open) return;
    const row = drawn.element.querySelector(`tr[data-span="${span}"]`);
    this.#scrollTo(row instanceof HTMLElement ? row : drawn.element);
  }

  /** Scrolls to the chosen item. */
  reveal(): ItemLine | undefined {
    const { item } = this.#store.state;
    if (item === undefined) return undefined;
    for (const draw of this.#drawers) if (!this.#drawn.has(item)) draw(item);
    const drawn = this.#drawn.get(item);
    if (!drawn) return undefined;
    drawn.element.open = true;
    this.#scrollTo(drawn.element);
    this.#mark();
    return drawn.line;
  }

  #scrollTo(element: HTMLElement): void {
    const box = this.element;
    const top = element.getBoundingClientRect().top - box.getBoundingClientRect().top;
    if (top < 0 || top + Math.min(element.offsetHeight, 60) > box.clientHeight) box.scrollTop += top - 8;
  }

  #mark(): void {
    const { item } = this.#store.state;
    for (const [link, { element }] of this.#drawn) {
      if (link === item) element.setAttribute('aria-current', 'true');
      else element.removeAttribute('aria-current');
    }
  }

  #changed(lines: readonly ItemLine[], atOnce: number): HTMLElement {
    const list = h('div', {});
    let left = openFields;
    let drawn = 0;
    const more = h('button', { type: 'button', class: 'more', onclick: () => draw(lines.length) });
    const draw = (count: number) => {
      const elements = lines.slice(drawn, count).map((line) => {
        const fields = line.fields();
        left -= fields.filter((field) => isShown(field, line)).length;
        return this.#item(line, fields, left >= 0 && line.state !== 'removed' && line.name !== 'obj_ex');
      });
      drawn = Math.min(lines.length, count);
      more.remove();
      list.append(...elements);
      if (drawn === lines.length) return;
      more.textContent = `${lines.length - drawn} more items`;
      list.append(more);
    };
    draw(atOnce);
    this.#drawers.push((chosen) => {
      if (lines.some(({ link }) => link === chosen)) draw(lines.length);
    });
    return list;
  }

  #same(lines: readonly ItemLine[]): HTMLElement {
    const hasWords = this.#store.state.words.length > 0;
    const list = h('div', {});
    const element = h(
      'details',
      { class: 'same', open: this.#showsSame || hasWords },
      h('summary', {}, `${count(lines.length, 'item')} as before`),
      list,
    );
    const draw = () => {
      if (list.hasChildNodes()) return;
      list.append(...lines.map((line) => this.#item(line, line.fields(), false)));
      this.#mark();
    };
    this.#drawers.push((chosen) => {
      if (!lines.some(({ link }) => link === chosen)) return;
      draw();
      element.open = true;
    });
    if (element.open) draw();
    element.addEventListener('toggle', ({ target }) => {
      if (target !== element) return;
      if (!hasWords) this.#showsSame = element.open;
      if (element.open) draw();
    });
    return element;
  }

  #item(line: ItemLine, fields: readonly FieldLine[], isOpen: boolean): HTMLElement {
    const { link, name, id, player, sentAt, state, span } = line;
    const body = h('div', { class: 'fields' });
    const element = h(
      'details',
      { class: `item ${state}`, open: this.#isOpen.get(link) ?? isOpen },
      h(
        'summary',
        { 'data-span': span >= 0 && span, onclick: () => this.#toggled(line, element) },
        h(
          'span',
          { class: 'sign', title: stateNames[state], 'aria-label': stateNames[state], role: 'img' },
          signs[state],
        ),
        h('span', { class: 'name' }, `${name} ${id}`),
        player !== undefined && h('span', { class: 'player' }, quote(player)),
        sentAt !== undefined &&
          h('span', { class: 'sent-at dim', title: 'the values are those of this tick' }, `as sent at tick ${sentAt}`),
        h('span', { class: 'digest dim' }, digest(line, fields)),
      ),
      body,
    );
    const draw = () => {
      if (!body.hasChildNodes()) body.append(...this.#fields(line, fields));
    };
    if (element.open) draw();
    element.addEventListener('toggle', draw);
    this.#drawn.set(link, { line, element });
    return element;
  }

  #toggled({ link, span }: ItemLine, { open }: HTMLDetailsElement): void {
    this.#isOpen.set(link, !open);
    this.#store.set({ item: open ? undefined : link });
    if (!open && span >= 0) this.#revealBytes(span);
  }

  #fields(line: ItemLine, fields: readonly FieldLine[]): (HTMLElement | string)[] {
    const isWhole = this.#isWhole.has(line.link);
    const shown = fields.filter((field) => isWhole || isShown(field, line));
    const table = h('table', {}, h('tbody', {}, ...shown.map((field) => this.#row(line, field))));
    const left = fields.length - shown.length;
    const button = h(
      'button',
      {
        type: 'button',
        class: 'more',
        onclick: () => {
          if (isWhole) this.#isWhole.delete(line.link);
          else this.#isWhole.add(line.link);
          button.parentElement!.replaceChildren(...this.#fields(line, fields));
        },
      },
      isWhole ? 'fewer fields' : `${count(left, 'more field')}`,
    );
    return [shown.length > 0 ? table : '', left > 0 || isWhole ? button : ''];
  }

  #row({ link }: ItemLine, { label, old, now, meaning, role, span }: FieldLine): HTMLElement {
    const canPlot = this.#onField !== undefined && /^-?\d+$/.test(now);
    const plot = () => this.#onField?.(link, label);
    const name = canPlot
      ? h('button', { type: 'button', class: 'field', title: `plot ${label} over time`, onclick: plot }, label)
      : label;
    return h(
      'tr',
      { 'data-span': span >= 0 && span },
      h('th', { scope: 'row' }, name),
      h('td', { class: role }, ...(old === undefined ? [now] : [h('span', { class: 'dim' }, old), ' → ', now])),
      h('td', { class: 'meaning' }, meaning),
    );
  }
}

/** Whether a field is shown at first. Changed items show the fields that changed; other items show the fields that are not 0. */
const isShown = ({ old, now }: FieldLine, { state }: ItemLine) =>
  state === 'changed' ? old !== undefined : now !== '0';

/** The summary of a closed item. */
function digest({ state }: ItemLine, fields: readonly FieldLine[]): string {
  if (state === 'removed') return stateNames.removed;
  if (state !== 'changed')
    return fields
      .filter(({ now }) => now !== '0')
      .slice(0, digestChanges)
      .map(({ label, now, meaning, role }) => (role === 'identity' && meaning ? meaning : `${label}=${now}`))
      .join('  ');
  return fields
    .filter(({ old }) => old !== undefined)
    .slice(0, digestChanges)
    .map(({ label, old, now }) => `${label} ${old} → ${now}`)
    .join('  ');
}

/** Filters the list of items by words in the names of items and players, and by whether they changed. */
function itemFilter(store: Store<ItemChoice>): HTMLElement {
  const words = h('input', {
    type: 'text',
    'aria-label': 'filter the items by type or player',
    placeholder: 'type or player',
    size: 12,
    oninput: () => store.set({ words: words.value.toLowerCase().split(/\s+/).filter(Boolean) }),
  });
  const onlyChanged = h('input', {
    type: 'checkbox',
    onchange: () => store.set({ onlyChanged: onlyChanged.checked }),
  });
  return h('span', { class: 'filters item-filter' }, words, h('label', {}, onlyChanged, ' only changed'));
}
