import { type State, type Store, views } from '../data/store.ts';
import { button, h, isTyping, onKeys } from '../elements/dom.ts';
import { oneStopRow } from '../elements/one-stop.ts';

/** Two buttons, and the keys w and i, that choose how the page is arranged. */
export function viewSwitch(store: Store<State>): HTMLElement {
  const buttons = views.map((view) => {
    const chosen = button(view, undefined, () => store.set({ view }));
    store.on(['view'], () => chosen.setAttribute('aria-pressed', String(store.state.view === view)));
    return chosen;
  });
  const keys = { w: () => store.set({ view: 'watch' }), i: () => store.set({ view: 'inspect' }) };
  onKeys(document, keys, (event) => !isTyping(event));
  return oneStopRow(h('span', { class: 'buttons desks', role: 'group', 'aria-label': 'arrangement' }, ...buttons));
}
