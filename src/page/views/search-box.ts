import { QueryError } from '../../analysis/query/parse.ts';
import { thousands } from '../../output/text/number.ts';
import { completionsOf } from '../data/complete.ts';
import { maxResults, readSearch, type Search, type SearchResult, search } from '../data/search.ts';
import type { State, Store } from '../data/store.ts';
import { button, h, inPieces, sessionSignal, setText } from '../elements/dom.ts';
import { longList } from '../elements/long-list.ts';
import { forPointer, oneStop } from '../elements/one-stop.ts';

/** The box that searches a recording, with a list of what was found. Ctrl-F moves the focus to it. */
export function searchBox(store: Store<State>, choose: (result: SearchResult) => void): HTMLElement {
  /** The number of searches started so far. A search is abandoned when another one starts. */
  let searches = 0;
  /** What is said while nothing is found. */
  let said = '';
  const status = h('output', { class: 'dim' });
  const input = h('input', {
    type: 'text',
    role: 'searchbox',
    'aria-label': 'find items, values, players, chat, messages',
    placeholder: 'find: x>800, a name, chat',
    oninput: () => {
      store.set({ query: input.value });
      complete();
    },
    onkeydown: (event: KeyboardEvent) => {
      if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
      else if (event.key === 'ArrowDown' && completions.firstElementChild)
        (completions.firstElementChild as HTMLElement).focus();
      else if (event.key === 'Escape') {
        store.set({ query: '' });
        input.blur();
      } else return;
      event.preventDefault();
    },
  });
  const completions = oneStop(h('div', { class: 'completions mono', role: 'group', 'aria-label': 'completions' }));
  /** Offers what the last word can become: a type or a field. */
  function complete(): void {
    const { recording } = store.state;
    const queries = input.value.trim() === '' ? [] : completionsOf(input.value, recording.protocol);
    completions.replaceChildren(
      ...queries.map((query) =>
        button(query.slice(query.search(/[\w@.-]*$/)), undefined, () => {
          store.set({ query: `${query} ` });
          input.focus();
          complete();
        }),
      ),
    );
  }
  const list = oneStop(
    h('div', { class: 'results', tabindex: 0, role: 'region', 'aria-label': 'search results', hidden: true }),
  );
  const rows = longList(list, {
    make: () =>
      h('li', {}, h('button', { type: 'button' }, h('span', { class: 'time' }), h('span', { class: 'what' }))),
    fill(row, i) {
      const { tick, text } = store.state.found[i]!;
      const [time, what] = row.firstElementChild!.children;
      setText(time!, store.state.recording.timeOf(tick));
      setText(what!, text);
    },
    click: (i) => go(i),
  });

  async function find(): Promise<void> {
    const number = ++searches;
    const { recording, query: text } = store.state;
    if (input.value !== text) input.value = text;
    say('');
    store.set({ found: [], foundAt: -1 });
    if (text.trim() === '') return;
    let asked: Search;
    try {
      asked = readSearch(text, recording.protocol.schema);
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      say(error.message);
      return;
    }
    say('searching …');
    const found = await inPieces(search(recording, asked), () => number === searches);
    if (!found) return;
    say('nothing found');
    store.set({ found });
  }

  function say(text: string): void {
    said = text;
    describe();
  }

  function describe(): void {
    const { found, foundAt } = store.state;
    const all = found.length === maxResults ? `the first ${thousands(maxResults)}` : thousands(found.length);
    if (found.length === 0) status.textContent = said;
    else status.textContent = foundAt < 0 ? `${all} found` : `${thousands(foundAt + 1)} of ${all}`;
    list.hidden = found.length === 0;
  }

  /** Goes to the next or previous result. The first step goes to the result nearest to the current time. */
  function step(by: number): void {
    const { found, foundAt, tick: now } = store.state;
    const { length } = found;
    if (length === 0) return;
    const next = found.findIndex(({ tick }) => tick >= now);
    const at = foundAt >= 0 ? foundAt + by : by > 0 ? Math.max(0, next) : (next < 0 ? length : next) - 1;
    go((at + length) % length);
    rows.reveal(store.state.foundAt);
  }

  function go(foundAt: number): void {
    store.set({ foundAt });
    choose(store.state.found[foundAt]!);
  }

  const onKey = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'f' || event.shiftKey || event.altKey) return;
    event.preventDefault();
    input.focus();
    input.select();
  };
  document.addEventListener('keydown', onKey, { signal: sessionSignal() });
  store.on(['found', 'foundAt'], describe);
  store.on(['found'], () => rows.show(store.state.found.length));
  store.on(['query', 'recording'], () => void find());
  return h(
    'search',
    { class: 'search' },
    input,
    completions,
    ...forPointer(
      button('↑', 'previous result (shift-enter)', () => step(-1)),
      button('↓', 'next result (enter)', () => step(1)),
    ),
    status,
    list,
  );
}
