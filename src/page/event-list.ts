import { ticksPerSecond } from '../protocol/ticks.ts';
import { count } from '../view/text/number.ts';
import { clock } from '../view/text/units.ts';
import { h } from './dom.ts';
import { type Told, type Topic, topicTitles } from './event-text.ts';
import type { Recording } from './recording.ts';

/** Lines that are there at once; the rest comes when it is asked for. */
const atOnce = 500;

/** What was said and done, as a list: each line leads to its tick. */
export class EventList {
  readonly element: HTMLElement;
  readonly #choose: (tick: number) => void;
  readonly #list = h('ol', { class: 'story-lines' });
  readonly #filters = h('span', { class: 'filters' });
  readonly #hidden = new Set<Topic>();
  #lines: { readonly told: Told; readonly element: HTMLElement }[] = [];
  #told: readonly Told[] = [];
  #firstTick = 0;
  #count = atOnce;
  #tick = 0;

  constructor(choose: (tick: number) => void) {
    this.#choose = choose;
    this.element = h(
      'section',
      { class: 'story', 'aria-labelledby': 'story-title' },
      h('div', { class: 'bar' }, h('h2', { id: 'story-title' }, 'Chat, kills and more'), this.#filters),
      this.#list,
    );
    this.element.hidden = true;
  }

  open({ told, firstTick }: Recording): void {
    this.#told = told;
    this.#firstTick = firstTick;
    this.#count = atOnce;
    this.element.hidden = told.length === 0 || firstTick < 0;
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
      const lines = told.filter((one) => one.topic === topic).length;
      return h('label', { class: topic }, box, ` ${topicTitles[topic]} `, h('span', { class: 'dim' }, String(lines)));
    });
    this.#filters.replaceChildren(...boxes);
    this.#draw();
  }

  show(tick: number): void {
    this.#tick = tick;
    let current: HTMLElement | undefined;
    for (const { told, element } of this.#lines) {
      element.removeAttribute('aria-current');
      if (told.tick <= tick) current = element;
    }
    if (!current) return;
    current.setAttribute('aria-current', 'true');
    if (this.#list.matches(':hover, :focus-within')) return;
    const middle = current.offsetTop - this.#list.clientHeight / 2;
    this.#list.scrollTop = Math.max(0, middle);
  }

  #draw(): void {
    const wanted = this.#told.filter(({ topic }) => !this.#hidden.has(topic));
    this.#lines = wanted.slice(0, this.#count).map((told) => ({ told, element: this.#line(told) }));
    const left = wanted.length - this.#lines.length;
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

  #line({ tick, topic, parts }: Told): HTMLElement {
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
