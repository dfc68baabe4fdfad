import { clock } from '../../output/text/number.ts';
import { lastUpTo } from '../data/marks.ts';
import { beginOf, isDuring, sceneOf } from '../data/scene.ts';
import type { State, Store } from '../data/store.ts';
import { topicTitles } from '../data/topics.ts';
import { h, onKeys, section, setAttribute, setClass, setText } from '../elements/dom.ts';
import { longList } from '../elements/long-list.ts';
import { oneStop, oneStopRow } from '../elements/one-stop.ts';
import { type EventLine, type Topic, topics } from '../report/event-lines.ts';

/** The speed at which Enter shows an event. */
const slow = 0.5;

/**
 * The list of events, which follows the moment. A click on a line goes to its tick, or shows what happened: from two
 * seconds before.
 */
export function eventList(
  store: Store<State>,
  choose: (position: number, change?: Partial<State>) => void,
): HTMLElement {
  const list = oneStop(
    h('div', {
      class: 'event-lines mono',
      tabindex: 0,
      role: 'region',
      'aria-label': 'list of events; up and down move, enter shows an event slowly',
    }),
  );
  const filters = oneStopRow(
    h(
      'span',
      { class: 'filters', role: 'group', 'aria-label': 'events that are listed' },
      ...topics.map((topic) => filterOf(store, topic)),
    ),
  );
  const element = section('events', 'Events', [filters], list);
  let lines: readonly EventLine[] = [];
  let current = -1;
  /** Whether the user looks at another part of the list, which then stays. */
  let isElsewhere = false;
  const rows = longList(list, {
    make: () =>
      h(
        'li',
        {},
        h('button', { type: 'button' }, ...['dim tick', 'time', 'what'].map((name) => h('span', { class: name }))),
      ),
    fill(row, i) {
      const { tick, seconds, topic, parts } = lines[i]!;
      const line = row.firstElementChild!;
      const [tickOf, time, what] = line.children;
      setClass(row, topic);
      setText(tickOf!, String(tick));
      setText(time!, seconds === undefined ? store.state.recording.timeOf(tick) : `-${clock(-seconds)}`);
      setAttribute(what!, 'title', parts.map((part) => part.text).join(''));
      what!.replaceChildren(...parts.map((part) => h('span', { class: part.style }, part.text)));
    },
    click: (i) => go(lines[i]!, 1),
    // It becomes lower when players join, who are above it.
    onHeight: () => keepInView(),
  });

  function go(line: EventLine, speed: number): void {
    const { recording, followed, repeated } = store.state;
    isElsewhere = false;
    if (!line.actors) {
      choose(recording.positionOf(line.tick));
      return;
    }
    const scene = sceneOf(recording, line);
    const begin = beginOf(scene);
    const isRepeated = repeated && repeated.from <= begin && repeated.to > line.tick;
    choose(recording.positionOf(begin), {
      scene,
      followed: scene.actors[0]?.client ?? followed,
      camera: undefined,
      repeated: isRepeated ? repeated : undefined,
      isPlaying: true,
      speed,
    });
  }

  /** The last event at the current time, or that which is watched until it happens. */
  function currentLine(): number {
    const { recording, position, scene } = store.state;
    const { tick } = recording.snapshot(position);
    if (scene && isDuring(scene, tick) && tick < scene.event.tick) {
      const at = lines.indexOf(scene.event);
      if (at >= 0) return at;
    }
    return lastUpTo(lines.length, (i) => lines[i]!.tick, tick);
  }

  /** Keeps the current line in view. The lines do not move away under the pointer. */
  const keepInView = () => isElsewhere || rows.reveal(current, list.matches(':hover, :focus-within'));

  const mark = () => {
    const now = currentLine();
    if (now === current) return;
    current = now;
    rows.mark(now);
    keepInView();
  };
  const draw = () => {
    const { recording, hidden } = store.state;
    element.hidden = recording.eventLines.length === 0;
    lines = recording.eventLines.filter(({ topic }) => !hidden.includes(topic));
    current = -2;
    rows.show(lines.length);
    mark();
  };

  const leave = () => {
    isElsewhere = true;
  };
  const comeBack = () => {
    isElsewhere = false;
    keepInView();
  };
  for (const gesture of ['wheel', 'touchmove'] as const) list.addEventListener(gesture, leave, { passive: true });
  list.addEventListener('pointerleave', comeBack);
  list.addEventListener('keydown', ({ key }) => /^(Arrow(Up|Down)|Page|Home|End)/.test(key) && leave());
  list.addEventListener('focusout', ({ relatedTarget }) => list.contains(relatedTarget as Node | null) || comeBack());
  onKeys(list, {
    Enter: () => {
      const at = rows.indexOf(document.activeElement);
      if (at >= 0) go(lines[at]!, slow);
    },
  });
  store.on(['recording', 'hidden'], draw);
  store.on(['inspected', 'scene'], mark);
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
  store.on(['recording', 'hidden'], () => {
    const { recording, hidden } = store.state;
    box.checked = !hidden.includes(topic);
    number.textContent = String(recording.eventLines.filter((line) => line.topic === topic).length);
  });
  return h('label', { class: topic }, box, ` ${topicTitles[topic]} `, number);
}
