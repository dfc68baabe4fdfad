import { thousands } from '../view/text/number.ts';
import { button, h, pause, sessionSignal } from './dom.ts';
import { maxResults, readQuery, type SearchResult, search } from './search.ts';
import type { State, Store } from './store.ts';

/** The milliseconds of work between two pauses. */
const atOnce = 20;

/** The box that searches a recording. Ctrl-F moves the focus to it. */
export function searchBox(store: Store<State>, choose: (result: SearchResult) => void): HTMLElement {
  /** The result that was chosen last; -1 for none. */
  let at = -1;
  /** The number of searches started so far. A search is abandoned when another one starts. */
  let searches = 0;
  const status = h('output', { class: 'dim' });
  const input = h('input', {
    type: 'text',
    role: 'searchbox',
    'aria-label': 'find items, values, players, chat, messages',
    placeholder: 'find: obj_character x>800, a name, chat …',
    oninput: () => void find(),
    onkeydown: (event: KeyboardEvent) => {
      if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
      else if (event.key === 'Escape') {
        input.value = '';
        void find();
        input.blur();
      } else return;
      event.preventDefault();
    },
  });

  async function find(): Promise<void> {
    const number = ++searches;
    const query = readQuery(input.value);
    at = -1;
    const isEmpty = query.words.length + query.conditions.length === 0;
    status.textContent = isEmpty ? '' : 'searching …';
    const searching = search(store.state.recording, query);
    let since = performance.now();
    let part = searching.next();
    while (!part.done) {
      if (performance.now() - since > atOnce) {
        await pause();
        since = performance.now();
      }
      if (number !== searches) return;
      part = searching.next();
    }
    store.set({ found: part.value });
    if (part.value.length > 0) describe();
    else status.textContent = isEmpty ? '' : 'nothing found';
  }

  function describe(): void {
    const { found } = store.state;
    const all = found.length === maxResults ? `the first ${thousands(maxResults)}` : thousands(found.length);
    const result = found[at];
    status.textContent = result ? `${thousands(at + 1)} of ${all}` : `${all} found`;
    status.title = result?.text ?? '';
  }

  /** Goes to the next or previous result. The first step goes to the result nearest to the current time. */
  function step(by: number): void {
    const { found, tick: now } = store.state;
    const { length } = found;
    if (length === 0) return;
    if (at < 0) {
      const next = found.findIndex(({ tick }) => tick >= now);
      at = by > 0 ? (next < 0 ? 0 : next) : (next < 0 ? length : next) - 1;
    } else at += by;
    at = (at + length) % length;
    describe();
    choose(found[at]!);
  }

  const onKey = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'f' || event.shiftKey || event.altKey) return;
    event.preventDefault();
    input.focus();
    input.select();
  };
  document.addEventListener('keydown', onKey, { signal: sessionSignal() });
  store.on(['isRead'], () => store.state.isRead && void find());
  return h(
    'search',
    { class: 'search' },
    input,
    button('↑', 'previous result (shift-enter)', () => step(-1)),
    button('↓', 'next result (enter)', () => step(1)),
    status,
  );
}
