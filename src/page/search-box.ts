import { thousands } from '../view/text/number.ts';
import { h, pause, sessionSignal } from './dom.ts';
import type { Recording } from './recording.ts';
import { maxResults, readQuery, type SearchResult, search } from './search.ts';

/** The box that searches a recording. Ctrl-F moves the focus to it. */
export class SearchBox {
  readonly element: HTMLElement;
  readonly #input: HTMLInputElement;
  readonly #status = h('output', { class: 'dim' });
  readonly #onResults: (results: readonly SearchResult[]) => void;
  readonly #onChoose: (result: SearchResult) => void;
  #recording: Recording | undefined;
  #results: readonly SearchResult[] = [];
  #at = -1;
  #tick = 0;
  /** The number of searches started so far. A search is abandoned when another one starts. */
  #number = 0;

  constructor(onResults: (results: readonly SearchResult[]) => void, onChoose: (result: SearchResult) => void) {
    this.#onResults = onResults;
    this.#onChoose = onChoose;
    this.#input = h('input', {
      type: 'text',
      role: 'searchbox',
      'aria-label': 'find items, values, players, chat, messages',
      placeholder: 'find: obj_character x>800, a name, chat …',
      oninput: () => void this.#search(),
      onkeydown: (event: KeyboardEvent) => this.#key(event),
    });
    const button = (sign: string, label: string, step: number) =>
      h('button', { type: 'button', title: label, 'aria-label': label, onclick: () => this.#step(step) }, sign);
    this.element = h(
      'search',
      { class: 'search' },
      this.#input,
      button('↑', 'previous result (shift-enter)', -1),
      button('↓', 'next result (enter)', 1),
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
  }

  open(recording: Recording): void {
    this.#recording = recording;
    void this.#search();
  }

  /** Sets the chosen tick, from which the nearest result is determined. */
  show(tick: number): void {
    this.#tick = tick;
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
    const searching = search(this.#recording!, query);
    let since = performance.now();
    let step = searching.next();
    while (!step.done) {
      if (performance.now() - since > 20) {
        await pause();
        since = performance.now();
      }
      if (number !== this.#number) return;
      step = searching.next();
    }
    this.#show(step.value, step.value.length === 0 ? 'nothing found' : '');
  }

  #show(results: readonly SearchResult[], status: string): void {
    this.#results = results;
    this.#status.textContent = status;
    if (results.length > 0) this.#describe();
    this.#onResults(results);
  }

  #describe(): void {
    const { length } = this.#results;
    const all = length === maxResults ? `the first ${thousands(length)}` : thousands(length);
    const result = this.#results[this.#at];
    this.#status.textContent = result ? `${thousands(this.#at + 1)} of ${all}` : `${all} found`;
    this.#status.title = result?.text ?? '';
  }

  /** Goes to the next or previous result. The first step goes to the result nearest to the chosen tick. */
  #step(step: number): void {
    const { length } = this.#results;
    if (length === 0) return;
    if (this.#at < 0) {
      const next = this.#results.findIndex(({ tick }) => tick >= this.#tick);
      this.#at = step > 0 ? (next < 0 ? 0 : next) : (next < 0 ? length : next) - 1;
    } else this.#at += step;
    this.#at = (this.#at + length) % length;
    this.#describe();
    this.#onChoose(this.#results[this.#at]!);
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
