import { thousands } from '../../output/text/number.ts';
import { isWhole } from '../data/marks.ts';
import type { PlotData } from '../data/series.ts';
import type { State, Store } from '../data/store.ts';
import { h, onPress, onWheel, swatch } from '../elements/dom.ts';
import { areaOf, drawPlot, pointAt } from './plot-drawing.ts';

interface PlotListener {
  choose(tick: number): void;
  zoom(factor: number, tick: number): void;
  move(share: number): void;
  /** The range between two ticks is chosen. */
  brush(from: number, to: number): void;
  hover(tick: number | undefined): void;
}

/** A plot over ticks. The wheel zooms, dragging moves the range or with Shift chooses one, a click chooses a tick. */
export function plotOf(parent: HTMLElement, data: PlotData, store: Store<State>, listener: PlotListener) {
  const { lines, height } = data;
  const { recording } = store.state;
  const readouts = lines.map(() => h('span', { class: 'at-pointer' }));
  const chosen = h('div', { class: 'chosen-tick' });
  const played = h('div', { class: 'played-range' });
  const pointed = h('div', { class: 'pointed-tick', hidden: true });
  const titles = lines.map(({ title, color }, i) =>
    h('div', {}, lines.length > 1 && swatch('swatch', `var(${color})`), title, ' ', readouts[i]),
  );
  const canvas = h('canvas', {});
  const over = h('div', { class: 'over' }, played, chosen, pointed);
  const element = h('figure', {}, h('figcaption', { class: 'dim mono' }, ...titles), canvas, over);
  parent.append(element);
  let area = areaOf(data, 1);
  /** Where a drag with Shift began. */
  let brushed: number | undefined;
  over.addEventListener('pointerdown', () => {
    brushed = undefined;
  });
  const tickAt = ({ clientX }: MouseEvent) => {
    const { from, to } = store.state.visible;
    return from + ((clientX - over.getBoundingClientRect().left) / area.width) * (to - from);
  };
  onPress(
    over,
    (dx, _, event) => {
      if (event.shiftKey) {
        brushed ??= tickAt(event) - (dx * (store.state.visible.to - store.state.visible.from)) / area.width;
        listener.brush(brushed, tickAt(event));
        return;
      }
      brushed = undefined;
      // The whole can't be moved: dragging chooses the tick under the pointer.
      if (isWhole(store.state.visible, recording.ticks)) listener.choose(Math.round(tickAt(event)));
      else listener.move(-dx / area.width);
    },
    (event) => listener.choose(Math.round(tickAt(event))),
  );
  over.addEventListener('dblclick', () => listener.zoom(Number.POSITIVE_INFINITY, 0));
  over.addEventListener('pointermove', (event) => listener.hover(tickAt(event)));
  over.addEventListener('pointerleave', () => listener.hover(undefined));
  onWheel(over, (factor, event) => listener.zoom(1 / factor, tickAt(event)));

  function draw(): void {
    const width = parent.clientWidth || 300;
    area = areaOf(data, width);
    const { left, top } = area;
    canvas.style.cssText = `width: ${width}px; height: ${height}px`;
    over.style.cssText = `margin: ${top}px 0 0 ${left}px; width: ${area.width}px; height: ${area.height}px`;
    const { visible } = store.state;
    const timeOf = (tick: number) => recording.timeOf(tick);
    drawPlot(canvas, data, { visible, width, first: recording.ticks.from, timeOf });
    showTick();
  }

  /**
   * Marks the chosen tick and the range that is played. The marks are elements so that moving them does not redraw the
   * plot.
   */
  function showTick(): void {
    const { tick, repeated } = store.state;
    place(chosen, tick, undefined);
    place(played, repeated?.from, repeated?.to);
  }

  function place(mark: HTMLElement, from: number | undefined, to: number | undefined): void {
    const { from: min, to: max } = store.state.visible;
    const isHidden = from === undefined || from > max || (to ?? from) < min;
    if (mark.hidden !== isHidden) mark.hidden = isHidden;
    if (isHidden) return;
    // Of a long recording a pixel is many ticks: between two of them nothing changes on the page.
    const pixels = (tick: number) => Math.round(Math.max(0, Math.min(1, (tick - min) / (max - min))) * area.width);
    mark.style.transform = `translateX(${pixels(from)}px)`;
    if (to !== undefined) mark.style.width = `${pixels(to) - pixels(from)}px`;
  }

  /** Reads out the values at the tick under the pointer, which may be over another plot. */
  function point(tick: number | undefined): void {
    place(pointed, tick, undefined);
    const at = tick === undefined ? -1 : pointAt(data, tick);
    for (const [i, { values, own = values }] of lines.entries()) {
      const value = own[at];
      readouts[i]!.textContent = typeof value === 'number' ? thousands(Math.round(value)) : '';
    }
  }

  draw();
  return { draw, showTick, point, destroy: () => element.remove() };
}

export type Plot = ReturnType<typeof plotOf>;
