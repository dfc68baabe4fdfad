import { button, h } from './dom.ts';

/** What takes the focus in a list. */
const stops = 'button, summary, a[href]';

/**
 * Makes a list, which itself has the focus first, one stop of the Tab key: the keys ↑ and ↓ move in it. What is in the
 * list may change at any time.
 */
export function oneStop<List extends HTMLElement>(list: List): List {
  let focused: Element | undefined;
  const all = () => [...list.querySelectorAll<HTMLElement>(stops)];
  const leaveOut = () => {
    for (const stop of all()) if (stop.tabIndex !== -1) stop.tabIndex = -1;
    // A list that is drawn again keeps the focus.
    if (focused && !focused.isConnected && document.activeElement === document.body)
      list.focus({ preventScroll: true });
  };
  leaveOut();
  new MutationObserver(leaveOut).observe(list, { childList: true, subtree: true });
  list.addEventListener('focusin', ({ target }) => {
    focused = target as Element;
  });
  list.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget) focused = undefined;
  });
  list.addEventListener('keydown', (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const visible = all().filter((stop) => stop.checkVisibility());
    const at = visible.indexOf(event.target as HTMLElement);
    const next = at < 0 ? firstStop(list, visible) : visible[at + by];
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
  return list;
}

/** The current line of a list, or else the first one that is in view. */
function firstStop(list: HTMLElement, visible: readonly HTMLElement[]): HTMLElement | undefined {
  const { top } = list.getBoundingClientRect();
  const current = visible.find((stop) => stop.closest('[aria-current=true]') && list.contains(stop));
  return current ?? visible.find((stop) => stop.getBoundingClientRect().top >= top) ?? visible[0];
}

/** Makes checkboxes or buttons beside each other one stop of the Tab key: the keys ← and → move among them. */
export function oneStopRow<Row extends HTMLElement>(row: Row): Row {
  const all = [...row.querySelectorAll<HTMLElement>('input, button')];
  const shown = () => all.filter((stop) => !stop.closest('[hidden]'));
  const choose = (chosen = shown()[0]) => {
    for (const stop of all) stop.tabIndex = stop === chosen ? 0 : -1;
  };
  choose();
  new MutationObserver(() => choose()).observe(row, { subtree: true, attributeFilter: ['hidden'] });
  row.addEventListener('focusin', ({ target }) => choose(target as HTMLElement));
  row.addEventListener('keydown', (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const stops = shown();
    const next = by && stops[stops.indexOf(event.target as HTMLElement) + by];
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
  return row;
}

/** Takes buttons out of the order of the Tab key, because keys do the same. */
export function forPointer(...buttons: readonly HTMLButtonElement[]): readonly HTMLButtonElement[] {
  for (const stop of buttons) stop.tabIndex = -1;
  return buttons;
}

/**
 * The first stops of the page: each moves the focus past what is between. They are visible while they have the focus.
 */
export const skipLinks = (...targets: readonly (readonly [name: string, selector: string])[]): HTMLElement =>
  h(
    'nav',
    { class: 'skip', 'aria-label': 'skip' },
    ...targets.map(([name, selector]) =>
      button(`skip to ${name}`, undefined, () => {
        const target = document.querySelector<HTMLElement>(selector);
        target?.scrollIntoView({ block: 'nearest' });
        target?.focus({ preventScroll: true });
      }),
    ),
  );
