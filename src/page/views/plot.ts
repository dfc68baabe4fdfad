import uPlot from 'uplot';
import { thousands } from '../../output/text/number.ts';
import { isWhole, multiples } from '../data/marks.ts';
import type { PlotData } from '../data/series.ts';
import type { Recording } from '../data/shown-recording.ts';
import type { State, Store } from '../data/store.ts';
import { h, onPress, onWheel, styled, swatch } from '../elements/dom.ts';

const axisWidth = 58;
const font = '11px ui-sans-serif, system-ui, sans-serif';

/** The possible steps of the time axis in ticks, from 0.1 s to 1 hour. */
const timeSteps = [5, 10, 25, 50, 100, 250, 500, 1000, 1500, 3000, 6000, 15000, 30000, 90000, 180000];
const countSteps = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 2e6, 5e6, 1e7,
];

/** The range of a value axis, with some room around the values. */
const around = (min: number, max: number): [number, number] => {
  const room = Math.max(1, (max - min) * 0.08);
  return [min - room, max + room];
};

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
  const { x, lines, height } = data;
  const { recording } = store.state;
  const readouts = lines.map(() => h('output', {}));
  const chosen = h('div', { class: 'chosen-tick' });
  const played = h('div', { class: 'played-range' });
  const titles = lines.map(({ title, color }, i) =>
    h('div', {}, lines.length > 1 && swatch('swatch', `var(${color})`), title, ' ', readouts[i]),
  );
  const element = h('figure', {}, h('figcaption', { class: 'dim mono' }, ...titles));
  parent.append(element);
  const columns = [x, ...lines.map(({ values }) => values)] as uPlot.AlignedData;
  const options = optionsOf(data, recording);
  const hooks = { draw: [() => showTick()], setCursor: [onCursor] };
  const plot = new uPlot({ ...options, width: parent.clientWidth || 300, hooks }, columns, element);
  const { over } = plot;
  over.append(played, chosen);
  /** Where a drag with Shift began. */
  let brushed: number | undefined;
  over.addEventListener('pointerdown', () => {
    brushed = undefined;
  });
  const tickAt = ({ clientX }: MouseEvent) => plot.posToVal(clientX - over.getBoundingClientRect().left, 'x');
  onPress(
    over,
    (dx, _, event) => {
      if (event.shiftKey) {
        brushed ??= tickAt(event) - (dx * (store.state.visible.to - store.state.visible.from)) / over.clientWidth;
        listener.brush(brushed, tickAt(event));
        return;
      }
      brushed = undefined;
      // The whole can't be moved: dragging chooses the tick under the pointer.
      if (isWhole(store.state.visible, recording.ticks)) listener.choose(Math.round(tickAt(event)));
      else listener.move(-dx / over.clientWidth);
    },
    (event) => listener.choose(Math.round(tickAt(event))),
  );
  over.addEventListener('dblclick', () => listener.zoom(Number.POSITIVE_INFINITY, 0));
  onWheel(over, (factor, event) => listener.zoom(1 / factor, tickAt(event)));

  function showRange(): void {
    const { from: min, to: max } = store.state.visible;
    plot.setScale('x', { min, max });
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
    const { min, max } = plot.scales.x!;
    // Asking the element for its width would lay out the page in each frame.
    const width = plot.bbox.width / devicePixelRatio;
    const isHidden = from === undefined || min === undefined || max === undefined || from > max || (to ?? from) < min;
    if (mark.hidden !== isHidden) mark.hidden = isHidden;
    if (isHidden) return;
    // Of a long recording a pixel is many ticks: between two of them nothing changes on the page.
    const pixels = (tick: number) => Math.round(Math.max(0, Math.min(1, (tick - min) / (max - min))) * width);
    mark.style.transform = `translateX(${pixels(from)}px)`;
    if (to !== undefined) mark.style.width = `${pixels(to) - pixels(from)}px`;
  }

  function onCursor(self: uPlot): void {
    const { left, idx } = self.cursor;
    const isInside = left !== undefined && left !== null && left >= 0;
    listener.hover(isInside ? self.posToVal(left, 'x') : undefined);
    for (const [i, { values, own = values }] of lines.entries()) {
      const value = isInside ? own[idx ?? -1] : undefined;
      readouts[i]!.textContent = typeof value === 'number' ? thousands(Math.round(value)) : '';
    }
  }

  showRange();
  showTick();
  return {
    showRange,
    showTick,
    resize: () => plot.setSize({ width: element.parentElement!.clientWidth, height }),
    redraw: () => plot.redraw(false, true),
    destroy() {
      plot.destroy();
      element.remove();
    },
  };
}

export type Plot = ReturnType<typeof plotOf>;

function optionsOf(
  { height, lines, hasTimes, isStepped, isStacked }: PlotData,
  recording: Recording,
): Omit<uPlot.Options, 'width'> {
  const grid = { stroke: () => styled('--line'), width: 1 };
  const common = { stroke: () => styled('--dim'), font, grid, ticks: { show: false } };
  const range = (_: uPlot, min: number, max: number): [number, number] =>
    isStepped ? around(min, max) : [0, Math.max(1, max) * 1.08];
  return {
    height,
    padding: [8, 12, 0, 0],
    legend: { show: false },
    cursor: { sync: { key: 'timeline' }, drag: { x: false, y: false }, y: false, points: { show: true } },
    scales: {
      x: { time: false, range: (_, min, max) => [min, max] },
      ...Object.fromEntries(lines.map(({ scale = 'y' }) => [scale, { range }])),
    },
    axes: [
      {
        ...common,
        size: hasTimes ? 24 : 6,
        gap: 2,
        incrs: timeSteps,
        splits: (_, __, min, max, step) => multiples(min, max, step, recording.ticks.from),
        space: 70,
        values: (_, ticks) => (hasTimes ? ticks.map((tick) => recording.timeOf(tick).replace(/\.00$/, '')) : []),
      },
      {
        ...common,
        scale: lines[0]!.scale ?? 'y',
        size: axisWidth,
        gap: 6,
        incrs: countSteps,
        space: 24,
        values: (_, values) => values.map((value) => thousands(value)),
      },
    ],
    series: [
      {},
      ...lines.map(({ color, scale = 'y' }) => ({
        scale,
        stroke: () => styled(color),
        width: 1.5,
        ...(isStepped
          ? { paths: uPlot.paths.stepped!({ align: 1 }) }
          : { fill: () => (isStacked ? styled(color) : `${styled(color)}22`) }),
        points: { show: false },
      })),
    ],
  };
}
