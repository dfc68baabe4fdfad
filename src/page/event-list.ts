import { ticksPerSecond } from '../protocol/ticks.ts';
import { clock, count } from '../view/text/number.ts';
import { h, section } from './dom.ts';
import { type EventLine, type Topic, topics, topicTitles } from './event-text.ts';
import type { State, Store } from './store.ts';

/** The number of lines drawn at first; a button draws the rest. */
const atOnce = 500;

/** The list of events. A click on a line chooses its tick. */
export class EventList {
  readonly element: HTMLElement;
  readonly #store: Store<State>;
  readonly #choose: (tick: number) => void;
  readonly #list = h('ol', { class: 'event-lines' });
  readonly #filters = h('span', { class: 'filters' });
  readonly #hidden = new Set<Topic>();
  #drawn: { readonly tick: number; readonly element: HTMLElement }[] = [];
  #count = atOnce;

  constructor(store: Store<State>, choose: (tick: number) => void) {
    this.#store = store;
    this.#choose = choose;
    this.element = section('events', ['events-title', 'Chat, kills and more'], [this.#filters], this.#list);
    this.element.hidden = true;
    store.on(['isRead'], () => store.state.isRead && this.#open());
  }

  #open(): void {
    const { eventLines, ticks } = this.#store.state.recording;
    this.#count = atOnce;
    this.element.hidden = eventLines.length === 0 || ticks.from < 0;
    const boxes = topics.map((topic) => {
      const box = h('input', {
        type: 'checkbox',
        checked: !this.#hidden.has(topic),
        onchange: () => {
          if (box.checked) this.#hidden.delete(topic);
          else this.#hidden.add(topic);
          this.#draw();
        },
      });
      const lines = eventLines.filter((one) => one.topic === topic).length;
      return h('label', { class: topic }, box, ` ${topicTitles[topic]} `, h('span', { class: 'dim' }, String(lines)));
    });
    this.#filters.replaceChildren(...boxes);
    this.#draw();
  }

  /** Marks the last event up to the chosen snapshot. */
  show(): void {
    const { recording, position } = this.#store.state;
    const { tick: now } = recording.snapshot(position);
    let current: HTMLElement | undefined;
    for (const { tick, element } of this.#drawn) {
      element.removeAttribute('aria-current');
      if (tick <= now) current = element;
    }
    if (!current) return;
    current.setAttribute('aria-current', 'true');
    if (this.#list.matches(':hover, :focus-within')) return;
    const middle = current.offsetTop - this.#list.clientHeight / 2;
    this.#list.scrollTop = Math.max(0, middle);
  }

  #draw(): void {
    const visible = this.#store.state.recording.eventLines.filter(({ topic }) => !this.#hidden.has(topic));
    this.#drawn = visible.slice(0, this.#count).map((line) => ({ tick: line.tick, element: this.#line(line) }));
    this.#list.replaceChildren(...this.#drawn.map(({ element }) => element));
    const left = visible.length - this.#drawn.length;
    const more = () => {
      this.#count *= 4;
      this.#draw();
    };
    if (left > 0)
      this.#list.append(h('li', {}, h('button', { type: 'button', onclick: more }, count(left, 'more line'))));
    this.show();
  }

  #line({ tick, topic, parts }: EventLine): HTMLElement {
    const { from } = this.#store.state.recording.ticks;
    return h(
      'li',
      { class: topic },
      h(
        'button',
        { type: 'button', onclick: () => this.#choose(tick) },
        h('span', { class: 'dim tick' }, String(tick)),
        h('span', { class: 'time' }, clock((tick - from) / ticksPerSecond)),
        h('span', { class: 'what' }, ...parts.map(({ text, style }) => h('span', { class: style }, text))),
      ),
    );
  }
}
