import { h, longList, section } from './dom.ts';
import { type EventLine, type Topic, topics, topicTitles } from './event-text.ts';
import type { State, Store } from './store.ts';
import { lastUpTo } from './ticks.ts';

/** The list of events, which follows the moment. A click on a line chooses its tick. */
export function eventList(store: Store<State>, choose: (tick: number) => void): HTMLElement {
  const list = h('div', { class: 'event-lines mono', tabindex: 0, role: 'region', 'aria-label': 'list of events' });
  const filters = h('span', { class: 'filters' }, ...topics.map((topic) => filterOf(store, topic)));
  const element = section('events', 'Events', [filters], list);
  let lines: readonly EventLine[] = [];
  let current = -1;
  const rows = longList(list, (i) => {
    const { tick, topic, parts } = lines[i]!;
    const text = parts.map((part) => h('span', { class: part.style }, part.text));
    return h(
      'li',
      { class: topic, 'aria-current': i === current && 'true' },
      h(
        'button',
        { type: 'button', onclick: () => choose(tick), title: parts.map((part) => part.text).join('') },
        h('span', { class: 'dim tick' }, String(tick)),
        h('span', { class: 'time' }, store.state.recording.timeOf(tick)),
        h('span', { class: 'what' }, ...text),
      ),
    );
  });

  const mark = () => {
    const { recording, position } = store.state;
    const now = lastUpTo(lines.length, (i) => lines[i]!.tick, recording.snapshot(position).tick);
    if (now === current) return;
    rows.row(current)?.removeAttribute('aria-current');
    current = now;
    rows.row(current)?.setAttribute('aria-current', 'true');
    if (!list.matches(':hover, :focus-within')) rows.reveal(current);
  };
  const draw = () => {
    const { recording, hidden, read } = store.state;
    element.hidden = read === 1 && recording.eventLines.length === 0;
    lines = recording.eventLines.filter(({ topic }) => !hidden.includes(topic));
    current = -2;
    rows.show(lines.length);
    mark();
  };

  store.on(['recording', 'read', 'hidden'], draw);
  store.on(['inspected'], mark);
  return element;
}

/** Shows or hides the events of a topic, and says how many there are. */
function filterOf(store: Store<State>, topic: Topic): HTMLElement {
  const onchange = () => {
    const others = store.state.hidden.filter((other) => other !== topic);
    store.set({ hidden: box.checked ? others : [...others, topic] });
  };
  const box = h('input', { type: 'checkbox', onchange });
  const number = h('span', { class: 'dim' });
  store.on(['recording', 'read', 'hidden'], () => {
    const { recording, hidden, read } = store.state;
    box.checked = !hidden.includes(topic);
    number.textContent = recording.eventLines.filter((line) => line.topic === topic).length + (read < 1 ? ' …' : '');
  });
  return h('label', { class: topic }, box, ` ${topicTitles[topic]} `, number);
}
