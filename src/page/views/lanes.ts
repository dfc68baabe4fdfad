import type { State, Store } from '../data/store.ts';
import { h } from '../elements/dom.ts';
import type { EventLine } from '../report/event-lines.ts';

/** What has a lane, and whether a mark is in it. */
const lanes: readonly (readonly [name: string, color: string, isIn: (line: EventLine) => boolean])[] = [
  ['kills', '--error', ({ topic }) => topic === 'deaths'],
  ['chat', '--text', ({ topic }) => topic === 'chat'],
  ['finishes', '--state', ({ what }) => what === 'finish'],
  ['flags', '--position', ({ what }) => what.startsWith('flag_')],
];

/** Marks that are nearer than this share of the width are one. */
const least = 0.002;

/**
 * Lanes below the plots: where findings, kills, chat, finishes and flags are. A click chooses the tick. The slider has
 * the same marks for keys and screen readers.
 */
export function lanesView(store: Store<State>, choose: (tick: number) => void): HTMLElement {
  const element = h('div', { class: 'lanes mono', 'aria-hidden': 'true' });

  function show(): void {
    const { recording, visible, marks, read } = store.state;
    if (read < 1) return;
    const { from, to } = visible;
    const findings = marks.filter(({ color }) => color === '--ink').map(({ tick }) => tick);
    const rows = [
      ['findings', '--ink', findings] as const,
      ...lanes.map(
        ([name, color, isIn]) => [name, color, recording.eventLines.filter(isIn).map(({ tick }) => tick)] as const,
      ),
    ];
    const drawn = rows.filter(([, , ticks]) => ticks.length > 0);
    element.replaceChildren(...drawn.map(([name, color, ticks]) => laneOf(name, color, ticks, from, to)));
    element.hidden = drawn.length === 0;
  }

  function laneOf(name: string, color: string, ticks: readonly number[], from: number, to: number): HTMLElement {
    const strip = h('div', {
      class: 'strip',
      onclick: ({ clientX }: MouseEvent) => {
        const { left, width } = strip.getBoundingClientRect();
        const tick = from + ((clientX - left) / width) * (to - from);
        choose(ticks.reduce((best, other) => (Math.abs(other - tick) < Math.abs(best - tick) ? other : best)));
      },
    });
    let last = Number.NEGATIVE_INFINITY;
    for (const tick of ticks) {
      const share = (tick - from) / (to - from);
      if (share < 0 || share > 1 || share - last < least) continue;
      last = share;
      const mark = h('i', {});
      mark.style.left = `${100 * share}%`;
      mark.style.background = `var(${color})`;
      strip.append(mark);
    }
    return h('div', { class: 'lane' }, h('span', { class: 'dim' }, name), strip);
  }

  store.on(['recording', 'read', 'visible', 'marks'], show);
  return element;
}
