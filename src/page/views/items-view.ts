import { quote } from '../../output/text/escape.ts';
import { count } from '../../output/text/number.ts';
import type { FieldLine, ItemLine, ItemState } from '../data/inspect.ts';
import type { InspectorState, Store } from '../data/store.ts';
import { growList, h, lazyDetails, onVisible } from '../elements/dom.ts';
import { oneStop } from '../elements/one-stop.ts';

const openFields = 48;
/** The least height of a line, in pixels, and the lines that are drawn below the visible ones. */
const lineHeight = 20;
const linesBelow = 4;
/** A list of so many items is drawn whole. */
const shortList = 12;
const digestChanges = 12;

const states: Readonly<Record<ItemState, readonly [sign: string, name: string]>> = {
  added: ['+', 'new'],
  changed: ['~', 'changed'],
  removed: ['−', 'removed'],
  same: [' ', 'as before'],
  sent: ['=', 'sent'],
};

/**
 * Lists the items of a snapshot. Items that changed come first and show `old → new`.
 * @param revealBytes is called with the span of an item that was clicked
 * @param onField is called with `obj_character/0/health` when the name of a field is clicked; undefined if there is
 *   nothing to plot
 * @param onValue is called with the same when a value is clicked; undefined if there is no other snapshot
 */
export function itemsView(
  store: Store<InspectorState>,
  revealBytes: (span: number) => void,
  onField: ((name: string) => void) | undefined,
  onValue: ((name: string) => void) | undefined,
) {
  const element = oneStop(h('div', { class: 'items', role: 'region', 'aria-label': 'items', tabindex: 0 }));
  /** The items that the user has opened (true) or closed (false), and those that show all fields, by link. */
  const isOpen = new Map<string, boolean>();
  const isWhole = new Set<string>();
  let showsSame = false;
  const drawn = new Map<string, HTMLDetailsElement>();
  let grow: ReturnType<typeof growList> = () => {};
  /** What is visible of the list, in pixels. Reading it while the list is drawn would lay out the page. */
  let top = 0;
  let visible = 0;
  /** The number of lines that are drawn of items that changed. */
  let lines = 0;
  const fillsView = () => lines * lineHeight >= top + visible + linesBelow * lineHeight;

  function show(): void {
    const { inspected, item, onlyChanged } = store.state;
    const words = wordsOf(store.state);
    const isListed = ({ link, name, id, player = '', state }: ItemLine) => {
      const text = `${name} ${id} ${player}`.toLowerCase();
      return link === item || (!(onlyChanged && state === 'same') && words.every((word) => text.includes(word)));
    };
    const items = inspected.items.filter(isListed);
    const changed = items.filter(({ state }) => state !== 'same');
    const same = items.filter(({ state }) => state === 'same');
    const list = h('div', {});
    drawn.clear();
    element.replaceChildren(list);
    let left = openFields;
    lines = 0;
    const lineAt = (i: number) => {
      const line = changed[i]!;
      const fields = line.fields();
      const shown = fields.filter((field) => isShown(field, line)).length;
      left -= shown;
      const item = itemOf(line, fields, left >= 0 && line.state !== 'removed' && line.name !== 'obj_ex');
      lines += item.open ? 1 + shown : 1;
      return item;
    };
    const isShort = changed.length <= shortList;
    grow = growList(list, changed.length, 'item', lineAt, isShort ? () => false : fillsView);
    if (same.length > 0) element.append(unchanged(same));
    if (items.length === 0)
      element.append(
        h('p', { class: 'none dim' }, inspected.items.length === 0 ? 'No items.' : 'No item matches the filter.'),
      );
    mark();
  }

  function unchanged(lines: readonly ItemLine[]): HTMLElement {
    const hasWords = wordsOf(store.state).length > 0;
    const details = lazyDetails(
      { class: 'same', open: showsSame || hasWords },
      h('summary', { class: 'dim' }, `${count(lines.length, 'item')} as before`),
      h('div', {}),
      () => lines.map((line) => itemOf(line, line.fields(), false)),
    );
    details.addEventListener('toggle', () => {
      if (!hasWords) showsSame = details.open;
      mark();
    });
    return details;
  }

  function itemOf(line: ItemLine, fields: readonly FieldLine[], isOpenAtFirst: boolean): HTMLDetailsElement {
    const { link, name, id, player, sentAt, state, span } = line;
    const toggle = () => {
      const opens = !details.open;
      isOpen.set(link, opens);
      store.set({ item: opens ? link : undefined });
      if (opens && span >= 0) revealBytes(span);
    };
    const [sign, stateName] = states[state];
    const summary = h(
      'summary',
      { 'data-span': span >= 0 && span, onclick: toggle },
      h('span', { class: 'sign', title: stateName, 'aria-label': stateName, role: 'img' }, sign),
      h('span', { class: 'name' }, `${name} ${id}`),
      player !== undefined && h('span', { class: 'player' }, quote(player)),
      sentAt !== undefined &&
        h('span', { class: 'sent-at dim', title: 'the values are those of this tick' }, `as sent at tick ${sentAt}`),
      h('span', { class: 'digest dim' }, digest(line, fields)),
    );
    const body = h('div', { class: 'fields' });
    const drawFields = (): HTMLElement[] => {
      const shown = fields.filter((field) => isWhole.has(link) || isShown(field, line));
      const left = fields.length - shown.length;
      const onclick = () => {
        isWhole.add(link);
        body.replaceChildren(...drawFields());
      };
      const button = h('button', { type: 'button', class: 'more dim', onclick }, count(left, 'more field'));
      return [
        ...(shown.length > 0 ? [h('table', {}, h('tbody', {}, ...shown.map((field) => rowOf(link, field))))] : []),
        ...(left > 0 ? [button] : []),
      ];
    };
    const attributes = { class: `item ${state}`, open: isOpen.get(link) ?? isOpenAtFirst };
    const details = lazyDetails(attributes, summary, body, drawFields);
    drawn.set(link, details);
    return details;
  }

  function rowOf(link: string, { label, old, now, meaning, role, span }: FieldLine): HTMLElement {
    const plot = () => onField?.(`${link}/${label}`);
    const title = `plot ${label} over time`;
    const whyTitle = 'why: the snapshot that set this value';
    const why = () => onValue?.(`${link}/${label}`);
    const values = [...(old === undefined ? [] : [h('span', { class: 'dim' }, old), ' → ']), now];
    const asked = () =>
      onValue ? [h('button', { type: 'button', class: 'field', title: whyTitle, onclick: why }, ...values)] : values;
    const canPlot = onField !== undefined && /^-?\d+$/.test(now);
    return h(
      'tr',
      { 'data-span': span >= 0 && span },
      h(
        'th',
        { scope: 'row', class: 'dim' },
        canPlot ? h('button', { type: 'button', class: 'field', title, onclick: plot }, label) : label,
      ),
      h('td', { class: role }, ...asked()),
      h('td', { class: 'meaning dim' }, meaning),
    );
  }

  function mark(): void {
    const { item } = store.state;
    for (const [link, element] of drawn) {
      if (link === item) element.setAttribute('aria-current', 'true');
      else element.removeAttribute('aria-current');
    }
  }

  /** Scrolls to the line of a span in an item that is open. */
  function scrollTo(link: string, span: number): void {
    const item = drawn.get(link);
    if (item?.open) scrollToElement(item.querySelector<HTMLElement>(`tr[data-span="${span}"]`) ?? item);
  }

  function scrollToElement(row: HTMLElement): void {
    const top = row.getBoundingClientRect().top - element.getBoundingClientRect().top;
    if (top < 0 || top + Math.min(row.offsetHeight, 60) > element.clientHeight) element.scrollTop += top - 8;
  }

  function reveal(): ItemLine | undefined {
    const { item, inspected } = store.state;
    const line = inspected.items.find(({ link }) => link === item);
    if (!line) return undefined;
    // The filter may leave it out, the unchanged items may be closed, and it may be among those that a button draws.
    if (!drawn.has(line.link)) {
      showsSame ||= line.state === 'same';
      show();
      if (!drawn.has(line.link)) grow(() => drawn.has(line.link));
    }
    const details = drawn.get(line.link)!;
    details.open = true;
    scrollToElement(details);
    mark();
    return line;
  }

  element.addEventListener('scroll', () => {
    top = element.scrollTop;
    grow(fillsView);
  });
  onVisible(element, (_, to) => {
    visible = to;
    grow(fillsView);
  });
  store.on(['inspected', 'filter', 'onlyChanged'], show);
  store.on(['item'], mark);
  return { element, scrollTo, reveal };
}

/**
 * Whether a field is shown at first. Changed items show the fields that changed; other items show the fields that are
 * not 0.
 */
const isShown = ({ old, now }: FieldLine, { state }: ItemLine) =>
  state === 'changed' ? old !== undefined : now !== '0';

function digest(line: ItemLine, fields: readonly FieldLine[]): string {
  if (line.state === 'removed') return 'removed';
  return fields
    .filter((field) => isShown(field, line))
    .slice(0, digestChanges)
    .map(({ label, old, now, meaning, role }) => {
      if (old !== undefined) return `${label} ${old} → ${now}`;
      return role === 'identity' && meaning ? meaning : `${label}=${now}`;
    })
    .join('  ');
}

const wordsOf = ({ filter }: InspectorState) => filter.toLowerCase().split(/\s+/).filter(Boolean);

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
