import { ticksPerSecond } from '../protocol/ticks.ts';
import { clock, count } from '../view/text/number.ts';
import { h } from './dom.ts';
import { type EventLine, type Topic, topicTitles } from './event-text.ts';
import type { Recording } from './recording.ts';

/** The number of lines drawn at first; a button draws the rest. */
const atOnce = 500;

/** The list of events. A click on a line chooses its tick. */
export class EventList {
  readonly element: HTMLElement;
  readonly #choose: (tick: number) => void;
  readonly #list = h('ol', { class: 'event-lines' });
  readonly #filters = h('span', { class: 'filters' });
  readonly #hidden = new Set<Topic>();
  #lines: { readonly eventLines: EventLine; readonly element: HTMLElement }[] = [];
  #eventLines: readonly EventLine[] = [];
  #firstTick = 0;
  #count = atOnce;
  #tick = 0;

  constructor(choose: (tick: number) => void) {
    this.#choose = choose;
    this.element = h(
      'section',
      { class: 'events', 'aria-labelledby': 'events-title' },
      h('div', { class: 'bar' }, h('h2', { id: 'events-title' }, 'Chat, kills and more'), this.#filters),
      this.#list,
    );
    this.element.hidden = true;
  }

  open({ eventLines, firstTick }: Recording): void {
    this.#eventLines = eventLines;
    this.#firstTick = firstTick;
    this.#count = atOnce;
    this.element.hidden = eventLines.length === 0 || firstTick < 0;
    const boxes = (['chat', 'deaths', 'others'] as const).map((topic) => {
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

  show(tick: number): void {
    this.#tick = tick;
    let current: HTMLElement | undefined;
    for (const { eventLines, element } of this.#lines) {
      element.removeAttribute('aria-current');
      if (eventLines.tick <= tick) current = element;
    }
    if (!current) return;
    current.setAttribute('aria-current', 'true');
    if (this.#list.matches(':hover, :focus-within')) return;
    const middle = current.offsetTop - this.#list.clientHeight / 2;
    this.#list.scrollTop = Math.max(0, middle);
  }

  #draw(): void {
    const visible = this.#eventLines.filter(({ topic }) => !this.#hidden.has(topic));
    this.#lines = visible.slice(0, this.#count).map((eventLines) => ({ eventLines, element: this.#line(eventLines) }));
    const left = visible.length - this.#lines.length;
    this.#list.replaceChildren(...this.#lines.map(({ element }) => element));
    if (left > 0)
      this.#list.append(
        h('li', {}, h('button', { type: 'button', onclick: () => this.#more() }, `${count(left, 'more line')}`)),
      );
    this.show(this.#tick);
  }

  #more(): void {
    this.#count *= 4;
    this.#draw();
  }

  #line({ tick, topic, parts }: EventLine): HTMLElement {
    return h(
      'li',
      { class: topic },
      h(
        'button',
        { type: 'button', onclick: () => this.#choose(tick) },
        h('span', { class: 'dim tick' }, String(tick)),
        h('span', { class: 'time' }, clock((tick - this.#firstTick) / ticksPerSecond)),
        h('span', { class: 'what' }, ...parts.map(({ text, style }) => h('span', { class: style }, text))),
      ),
    );
  }
}
