import type { State, Store } from '../data/store.ts';
import { button, h } from '../elements/dom.ts';

/**
 * The tabs at the bottom of a phone. The picture fills the window, and a tab opens one of the other parts of the page
 * over it: a sheet. On larger windows all parts are on the page, and there are no tabs.
 */
export function sheets(
  store: Store<State>,
  picture: HTMLElement,
  parts: Readonly<Record<string, HTMLElement>>,
): HTMLElement {
  const tabs = Object.entries(parts).map(([name, part]) => {
    part.classList.add('sheet');
    const tab = button(name, undefined, () => open(part.classList.contains('is-open') ? undefined : part));
    return { part, tab };
  });
  const open = (opened: HTMLElement | undefined) => {
    for (const { part, tab } of tabs) {
      part.classList.toggle('is-open', part === opened);
      tab.setAttribute('aria-expanded', String(part === opened));
    }
  };
  open(undefined);
  const element = h('nav', { class: 'sheets', 'aria-label': 'sheets' }, ...tabs.map(({ tab }) => tab));
  store.on(['recording', 'inspected'], () => {
    element.hidden = picture.hidden;
    document.body.classList.toggle('has-sheets', !picture.hidden);
    for (const { part, tab } of tabs) tab.hidden = part.hidden;
  });
  store.on(['revealed'], () => {
    if (store.state.revealed?.inPage) open(parts.items);
  });
  return element;
}
