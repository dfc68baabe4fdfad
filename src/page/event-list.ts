import { growList, h, section } from './dom.ts';
import { type EventLine, type Topic, topics, topicTitles } from './event-text.ts';
import type { State, Store } from './store.ts';

/** The number of lines drawn at first. */
const atOnce = 500;

/** The list of events. A click on a line chooses its tick. */
export function eventList(store: Store<State>, choose: (tick: number) => void): HTMLElement {
  const list = h('ol', { class: 'event-lines' });
  const filters = h('span', { class: 'filters' });
  const element = section('events', ['events-title', 'Chat, kills and more'], [filters], list);
  element.hidden = true;
  const hidden = new Set<Topic>();
  let drawn: { readonly tick: number; readonly line: HTMLElement }[] = [];

  /** Marks the last event up to the chosen snapshot. */
  const mark = () => {
    const { recording, position } = store.state;
    const { tick: now } = recording.snapshot(position);
    for (const { line } of drawn) line.removeAttribute('aria-current');
    const current = drawn.findLast(({ tick }) => tick <= now)?.line;
    if (!current) return;
    current.setAttribute('aria-current', 'true');
    if (list.matches(':hover, :focus-within')) return;
    list.scrollTop = Math.max(0, current.offsetTop - list.clientHeight / 2);
  };
  const draw = () => {
    const visible = store.state.recording.eventLines.filter(({ topic }) => !hidden.has(topic));
    drawn = [];
    list.replaceChildren();
    growList(list, visible.length, atOnce, 'line', (i) => lineOf(visible[i]!));
    mark();
  };

  function lineOf({ tick, topic, parts }: EventLine): HTMLElement {
    const line = h(
      'li',
      { class: topic },
      h(
        'button',
        { type: 'button', onclick: () => choose(tick) },
        h('span', { class: 'dim tick' }, String(tick)),
        h('span', { class: 'time' }, store.state.recording.timeOf(tick)),
        h('span', { class: 'what' }, ...parts.map(({ text, style }) => h('span', { class: style }, text))),
      ),
    );
    drawn.push({ tick, line });
    return line;
  }

  function filterOf(topic: Topic): HTMLElement {
    const onchange = () => {
      if (box.checked) hidden.delete(topic);
      else hidden.add(topic);
      draw();
    };
    const box = h('input', { type: 'checkbox', checked: !hidden.has(topic), onchange });
    const lines = store.state.recording.eventLines.filter((one) => one.topic === topic).length;
    return h('label', { class: topic }, box, ` ${topicTitles[topic]} `, h('span', { class: 'dim' }, String(lines)));
  }

  store.on(['isRead'], () => {
    const { recording, isRead } = store.state;
    if (!isRead) return;
    element.hidden = recording.eventLines.length === 0 || recording.ticks.from < 0;
    filters.replaceChildren(...topics.map(filterOf));
    draw();
  });
  store.on(['inspected'], mark);
  return element;
}
