import { quote } from '../view/text/escape.ts';
import { count } from '../view/text/number.ts';
import { h } from './dom.ts';
import type { FieldLine, Inspected, ItemLine, ItemState } from './inspect.ts';

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
  readonly #onChoose: (link: string | undefined) => void;
  readonly #onField: ((link: string, label: string) => void) | undefined;
  /** The items that the user has opened (true) or closed (false), by link. */
  readonly #isOpen = new Map<string, boolean>();
  readonly #isWhole = new Set<string>();
  /** The box that filters the list. The inspector shows it in its heading. */
  readonly filter = new ItemFilter(() => this.#shown && this.show(this.#shown, this.#chosen));
  #shown: Inspected | undefined;
  #showsSame = false;
  #drawn = new Map<string, Drawn>();
  #chosen: string | undefined;
  /** Each draws a group of items that was left out, if the linked item is one of them. */
  #drawers: ((link: string) => void)[] = [];

  /** @param onField is called when the name of a field is clicked; undefined if there is nothing to plot */
  constructor(
    onChoose: (link: string | undefined) => void,
    onField: ((link: string, label: string) => void) | undefined,
  ) {
    this.#onChoose = onChoose;
    this.#onField = onField;
    this.element = h('div', { class: 'items', role: 'region', 'aria-label': 'items', tabindex: 0 });
  }

  /** @param atOnce the number of items to draw at first */
  show(inspected: Inspected, chosen: string | undefined, atOnce = itemsAtOnce): void {
    this.#shown = inspected;
    this.#chosen = chosen;
    const all = inspected.items;
    const items = all.filter((line) => this.filter.has(line) || line.link === chosen);
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

  /** Marks an item and scrolls to the line of a span in it. */
  choose(link: string, span: number): void {
    this.#chosen = link;
    this.#mark();
    const drawn = this.#drawn.get(link);
    if (!drawn?.element.open) return;
    const row = drawn.element.querySelector(`tr[data-span="${span}"]`);
    this.#scrollTo(row instanceof HTMLElement ? row : drawn.element);
  }

  /** Scrolls to the chosen item. */
  reveal(): ItemLine | undefined {
    if (this.#chosen === undefined) return undefined;
    for (const draw of this.#drawers) if (!this.#drawn.has(this.#chosen)) draw(this.#chosen);
    const drawn = this.#drawn.get(this.#chosen);
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
    for (const [link, { element }] of this.#drawn) {
      if (link === this.#chosen) element.setAttribute('aria-current', 'true');
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
    const list = h('div', {});
    const element = h(
      'details',
      { class: 'same', open: this.#showsSame || this.filter.hasWords },
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
      if (!this.filter.hasWords) this.#showsSame = element.open;
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
        { 'data-span': span >= 0 && span, onclick: () => this.#toggled(link, element) },
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

  #toggled(link: string, { open }: HTMLDetailsElement): void {
    this.#isOpen.set(link, !open);
    this.#chosen = open ? undefined : link;
    this.#mark();
    this.#onChoose(this.#chosen);
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
