import { quote } from '../../output/text/escape.ts';
import { count } from '../../output/text/number.ts';
import type { ItemLine, ItemState } from '../data/inspect.ts';
import { digestOf, type ItemRow, OpenItems } from '../data/item-rows.ts';
import type { InspectorState, Store } from '../data/store.ts';
import { h, setAttribute, setClass, setText } from '../elements/dom.ts';
import { longList } from '../elements/long-list.ts';
import { oneStop } from '../elements/one-stop.ts';

const states: Readonly<Record<ItemState, readonly [sign: string, name: string]>> = {
  added: ['+', 'new'],
  changed: ['~', 'changed'],
  removed: ['−', 'removed'],
  same: [' ', 'as before'],
  sent: ['=', 'sent'],
};

/** What the parts of the list do when they are clicked. */
interface ItemActions {
  revealBytes(span: number): void;
  /** Plots `obj_character/0/health`; undefined if there is nothing to plot. */
  readonly plot?: ((name: string) => void) | undefined;
  /** Says why a value is what it is; undefined if there is no other snapshot. */
  readonly why?: ((name: string) => void) | undefined;
}

/**
 * Lists the items of a snapshot in rows of one height, of which the visible ones are drawn. A step changes their texts.
 * Items that changed come first and show `old → new`.
 */
export function itemsView(store: Store<InspectorState>, actions: ItemActions) {
  const element = oneStop(h('div', { class: 'items', role: 'region', 'aria-label': 'items', tabindex: 0 }));
  const open = new OpenItems();
  let rows: readonly ItemRow[] = [];
  const list = longList(element, {
    make: (kind) => emptyRow(kind as ItemRow['kind'], actions),
    kindOf: (i) => rows[i]!.kind,
    fill: (drawn, i) => fillRow(drawn, rows[i]!),
    click: (i, clicked) => onClick(rows[i]!, clicked),
  });

  function fillRow(drawn: HTMLElement, row: ItemRow): void {
    const span = row.kind === 'item' ? row.line.span : row.kind === 'field' ? row.field.span : -1;
    setAttribute(drawn, 'data-span', span >= 0 ? String(span) : undefined);
    if (row.kind === 'item') fillItem(drawn, row, store.state.item);
    else if (row.kind === 'field') fillField(drawn, row, actions.plot !== undefined);
    else setText(drawn.firstElementChild!, textOf(row));
    if (row.kind === 'same') drawn.firstElementChild!.setAttribute('aria-expanded', String(row.isOpen));
    drawn.classList.toggle('lit', span >= 0 && span === store.state.lit);
  }

  function show(): void {
    rows = open.rows(store.state);
    list.show(rows.length);
  }

  function onClick(row: ItemRow, clicked: HTMLElement): void {
    if (row.kind === 'item') toggle(row);
    else if (row.kind === 'field') {
      const run = clicked.classList.contains('label') ? actions.plot : actions.why;
      run?.(`${row.line.link}/${row.field.label}`);
    } else if (row.kind === 'more') open.showWhole(row.line.link);
    else if (row.kind === 'same') open.showsSame = !row.isOpen;
    show();
  }

  function toggle({ line: { link, span }, isOpen }: ItemRow & { kind: 'item' }): void {
    open.toggle(link, !isOpen);
    store.set({ item: isOpen ? undefined : link });
    if (!isOpen && span >= 0) actions.revealBytes(span);
  }

  /** Scrolls to the row of a span in an item that is open. */
  function scrollTo(link: string, span: number): void {
    const isOf = (row: ItemRow) => 'line' in row && row.line.link === link;
    const isField = (row: ItemRow) => row.kind === 'field' && isOf(row) && row.field.span === span;
    const field = span < 0 ? -1 : rows.findIndex(isField);
    const at = field >= 0 ? field : rows.findIndex(isOf);
    if (at >= 0) list.reveal(at, true);
  }

  /** Opens the chosen item and scrolls to it, whatever the filter leaves out. */
  function reveal(): ItemLine | undefined {
    const { item, inspected } = store.state;
    const line = inspected.items.find(({ link }) => link === item);
    if (!line) return undefined;
    open.showsSame ||= line.state === 'same';
    open.toggle(line.link, true);
    show();
    scrollTo(line.link, line.span);
    return line;
  }

  store.on(['inspected', 'filter', 'onlyChanged', 'item'], show);
  return { element, scrollTo, reveal };
}

/** A row without its texts. */
function emptyRow(kind: ItemRow['kind'], { plot, why }: ItemActions): HTMLElement {
  const value = [h('span', { class: 'dim' }), h('span')];
  const parts: Readonly<Record<ItemRow['kind'], () => HTMLElement[]>> = {
    item: () => [
      h(
        'button',
        { type: 'button', class: 'line' },
        // Spaces keep the parts apart where the line is read aloud.
        h('span', { class: 'sign', role: 'img' }),
        ...['name', 'player', 'sent-at dim', 'digest dim'].flatMap((name) => [' ', h('span', { class: name })]),
      ),
    ],
    field: () => [
      plot
        ? h('button', { type: 'button', class: 'field label dim', title: 'plot' })
        : h('span', { class: 'label dim' }),
      why
        ? h('button', { type: 'button', class: 'field value', title: 'why this value' }, ...value)
        : h('span', { class: 'value' }, ...value),
      h('span', { class: 'meaning dim' }),
    ],
    more: () => [h('button', { type: 'button', class: 'more dim' })],
    same: () => [h('button', { type: 'button', class: 'line dim' })],
    none: () => [h('p', { class: 'none dim' })],
  };
  return h('li', { class: `of-${kind}` }, ...parts[kind]());
}

function fillItem(drawn: HTMLElement, { line, isOpen }: ItemRow & { kind: 'item' }, chosen: string | undefined): void {
  const { link, name, id, player, sentAt, state } = line;
  const head = drawn.firstElementChild!;
  const [sign, nameOf, playerOf, sentOf, digest] = [...head.children] as HTMLElement[];
  const [text, stateName] = states[state];
  setClass(drawn, `of-item item ${state}`);
  setAttribute(drawn, 'aria-current', link === chosen ? 'true' : undefined);
  setAttribute(head, 'aria-expanded', String(isOpen));
  setText(sign!, text);
  setAttribute(sign!, 'title', stateName);
  setText(nameOf!, `${name} ${id}`);
  setText(playerOf!, player === undefined ? '' : quote(player));
  setText(sentOf!, sentAt === undefined ? '' : `as sent at tick ${sentAt}`);
  setText(digest!, isOpen ? '' : digestOf(line));
}

function fillField(drawn: HTMLElement, { field }: ItemRow & { kind: 'field' }, canPlot: boolean): void {
  const [label, value, meaning] = [...drawn.children] as HTMLElement[];
  const { old, now, role } = field;
  setText(label!, field.label);
  if (canPlot) setAttribute(label!, 'disabled', /^-?\d+$/.test(now) ? undefined : '');
  setText(value!.firstElementChild!, old === undefined ? '' : `${old} → `);
  setText(value!.lastElementChild!, now);
  setClass(value!.lastElementChild!, role);
  setText(meaning!, field.meaning);
}

function textOf(row: ItemRow & { kind: 'more' | 'same' | 'none' }): string {
  if (row.kind === 'more') return count(row.count, 'more field');
  return row.kind === 'same' ? `${row.isOpen ? '▾' : '▸'} ${count(row.count, 'item')} as before` : row.text;
}

/** Filters the list of items by words in the names of items and players, and by whether they changed. */
export function itemFilter(store: Store<InspectorState>): HTMLElement {
  const words = h('input', {
    type: 'text',
    'aria-label': 'filter the items by type or player',
    placeholder: 'type or player',
    size: 12,
    oninput: () => store.set({ filter: words.value }),
  });
  const onlyChanged = h('input', {
    type: 'checkbox',
    onchange: () => store.set({ onlyChanged: onlyChanged.checked }),
  });
  store.on(['filter', 'onlyChanged'], () => {
    const { filter, onlyChanged: isOn } = store.state;
    if (words.value !== filter) words.value = filter;
    onlyChanged.checked = isOn;
  });
  return h('span', { class: 'filters item-filter' }, words, h('label', {}, onlyChanged, ' only changed'));
}
