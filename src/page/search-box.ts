import { thousands } from '../view/text/number.ts';
import { button, h, pause, sessionSignal } from './dom.ts';
import { maxResults, readQuery, type SearchResult, search } from './search.ts';
import type { State, Store } from './store.ts';

/** The milliseconds of work between two pauses. */
const atOnce = 20;

/** The box that searches a recording. Ctrl-F moves the focus to it. */
export class SearchBox {
  readonly element: HTMLElement;
  readonly #store: Store<State>;
  readonly #input: HTMLInputElement;
  readonly #status = h('output', { class: 'dim' });
  readonly #choose: (result: SearchResult) => void;
  /** The result that was chosen last; -1 for none. */
  #at = -1;
  /** The number of searches started so far. A search is abandoned when another one starts. */
  #number = 0;

  constructor(store: Store<State>, choose: (result: SearchResult) => void) {
    this.#store = store;
    this.#choose = choose;
    this.#input = h('input', {
      type: 'text',
      role: 'searchbox',
      'aria-label': 'find items, values, players, chat, messages',
      placeholder: 'find: obj_character x>800, a name, chat …',
      oninput: () => void this.#search(),
      onkeydown: (event: KeyboardEvent) => this.#key(event),
    });
    this.element = h(
      'search',
      { class: 'search' },
      this.#input,
      button('↑', 'previous result (shift-enter)', () => this.#step(-1)),
      button('↓', 'next result (enter)', () => this.#step(1)),
      this.#status,
    );
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'f' || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      this.#input.focus();
      this.#input.select();
    };
    document.addEventListener('keydown', onKey, { signal: sessionSignal() });
    store.on(['isRead'], () => store.state.isRead && void this.#search());
  }

  async #search(): Promise<void> {
    const number = ++this.#number;
    const query = readQuery(this.#input.value);
    this.#at = -1;
    if (query.words.length + query.conditions.length === 0) {
      this.#show([], '');
      return;
    }
    this.#status.textContent = 'searching …';
    const searching = search(this.#store.state.recording, query);
    let since = performance.now();
    let step = searching.next();
    while (!step.done) {
      if (performance.now() - since > atOnce) {
        await pause();
        since = performance.now();
      }
      if (number !== this.#number) return;
      step = searching.next();
    }
    this.#show(step.value, 'nothing found');
  }

  #show(found: readonly SearchResult[], none: string): void {
    this.#store.set({ found });
    if (found.length > 0) this.#describe();
    else this.#status.textContent = none;
  }

  #describe(): void {
    const { found } = this.#store.state;
    const all = found.length === maxResults ? `the first ${thousands(maxResults)}` : thousands(found.length);
    const result = found[this.#at];
    this.#status.textContent = result ? `${thousands(this.#at + 1)} of ${all}` : `${all} found`;
    this.#status.title = result?.text ?? '';
  }

  /** Goes to the next or previous result. The first step goes to the result nearest to the current time. */
  #step(step: number): void {
    const { found, tick: now } = this.#store.state;
    const { length } = found;
    if (length === 0) return;
    if (this.#at < 0) {
      const next = found.findIndex(({ tick }) => tick >= now);
      this.#at = step > 0 ? (next < 0 ? 0 : next) : (next < 0 ? length : next) - 1;
    } else this.#at += step;
    this.#at = (this.#at + length) % length;
    this.#describe();
    this.#choose(found[this.#at]!);
  }

  #key(event: KeyboardEvent): void {
    if (event.key === 'Enter') this.#step(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape') {
      this.#input.value = '';
      void this.#search();
      this.#input.blur();
    } else return;
    event.preventDefault();
  }
}
