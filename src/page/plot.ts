import uPlot from 'uplot';
import { ticksPerSecond } from '../protocol/ticks.ts';
import { clock, thousands } from '../view/text/number.ts';
import { h, styled } from './dom.ts';
import type { PlotData } from './series.ts';
import type { State, Store } from './store.ts';
import { isWhole, moved, zoomed } from './ticks.ts';

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

/** The numbers `first + i * step` in a range. */
function multiples(min: number, max: number, step: number, first: number): number[] {
  const from = first + Math.ceil((min - first) / step) * step;
  return Array.from({ length: Math.max(0, Math.floor((max - from) / step) + 1) }, (_, i) => from + i * step);
}

/** A plot over ticks. The wheel zooms, dragging moves the range, a click chooses a tick. */
export class Plot {
  readonly #store: Store<State>;
  readonly #data: PlotData;
  readonly #plot: uPlot;
  readonly #readout = h('output', {});
  readonly #element: HTMLElement;
  readonly #chosen = h('div', { class: 'chosen-tick' });
  readonly #played = h('div', { class: 'played-range' });

  /** @param onHover is called with the tick under the pointer */
  constructor(
    parent: HTMLElement,
    data: PlotData,
    store: Store<State>,
    choose: (tick: number) => void,
    onHover: (tick: number | undefined) => void,
  ) {
    this.#store = store;
    this.#data = data;
    const { title, x, lines } = data;
    this.#element = h('figure', {}, title !== '' && h('figcaption', {}, title, ' ', this.#readout));
    parent.append(this.#element);
    const columns = [x, ...lines.map(({ values }) => values)] as uPlot.AlignedData;
    this.#plot = new uPlot(this.#shape(parent.clientWidth || 300, onHover), columns, this.#element);
    this.#plot.over.append(this.#played, this.#chosen);
    this.#listen(this.#plot.over, choose);
    this.showRange();
    this.showTick();
  }

  /** Fits the plot to the width of its parent. */
  resize(): void {
    this.#plot.setSize({ width: this.#element.parentElement!.clientWidth, height: this.#data.height });
  }

  /** Shows the visible range of ticks. */
  showRange(): void {
    const { from: min, to: max } = this.#store.state.visible;
    this.#plot.setScale('x', { min, max });
  }

  redraw(): void {
    this.#plot.redraw(false, true);
  }

  destroy(): void {
    this.#plot.destroy();
    this.#element.remove();
  }

  #shape(width: number, onHover: (tick: number | undefined) => void): uPlot.Options {
    const { height, lines, rows, isTight } = this.#data;
    const first = this.#store.state.recording.ticks.from;
    const timeOf = (tick: number) => clock((tick - first) / ticksPerSecond).replace(/\.00$/, '');
    const dim = () => styled('--dim');
    const grid = { stroke: () => styled('--line'), width: 1 };
    const common = { stroke: dim, font, grid, ticks: { show: false } };
    const size = rows ? 24 : 6;
    return {
      width,
      height,
      padding: [8, 12, 0, 0],
      legend: { show: false },
      cursor: { sync: { key: 'timeline' }, drag: { x: false, y: false }, y: false, points: { show: !rows } },
      scales: {
        x: { time: false, range: (_, min, max) => [min, max] },
        y: {
          range: (_, min, max) =>
            rows ? [-0.6, rows.length - 0.4] : isTight ? around(min, max) : [0, Math.max(1, max) * 1.08],
        },
      },
      axes: [
        {
          ...common,
          size,
          gap: 2,
          incrs: timeSteps,
          splits: (_, __, min, max, step) => multiples(min, max, step, first),
          space: 70,
          values: (_, ticks) => (rows ? ticks.map(timeOf) : []),
        },
        {
          ...common,
          size: axisWidth,
          gap: 6,
          incrs: rows ? [1] : countSteps,
          space: rows ? 12 : 24,
          values: (_, values) => values.map((value) => (rows ? (rows[value] ?? '') : thousands(value))),
        },
      ],
      series: [
        {},
        ...lines.map(({ color, isDots, dotSize = 6, isStepped }) =>
          isDots
            ? { paths: () => null, points: { show: true, size: dotSize, width: 0, fill: () => styled(color) } }
            : {
                stroke: () => styled(color),
                width: 1.5,
                ...(isStepped ? { paths: uPlot.paths.stepped!({ align: 1 }) } : { fill: () => `${styled(color)}22` }),
                points: { show: false },
              },
        ),
      ],
      hooks: {
        draw: [() => this.showTick()],
        setCursor: [(plot) => this.#hover(plot, onHover)],
      },
    };
  }

  /** Marks the chosen tick and the range that is played. The marks are elements so that moving them does not redraw the plot. */
  showTick(): void {
    const { tick, repeated } = this.#store.state;
    this.#place(this.#chosen, tick, undefined);
    this.#place(this.#played, repeated?.from, repeated?.to);
  }

  #place(mark: HTMLElement, from: number | undefined, to: number | undefined): void {
    const { min, max } = this.#plot.scales.x!;
    // Asking the element for its width would lay out the page in each frame.
    const width = this.#plot.bbox.width / devicePixelRatio;
    if (from === undefined || min === undefined || max === undefined || from > max! || (to ?? from) < min!) {
      mark.hidden = true;
      return;
    }
    const x = (tick: number) => Math.max(0, Math.min(1, (tick - min!) / (max! - min!))) * width;
    mark.hidden = false;
    mark.style.transform = `translateX(${x(from)}px)`;
    if (to !== undefined) mark.style.width = `${x(to) - x(from)}px`;
  }

  #hover(plot: uPlot, onHover: (tick: number | undefined) => void): void {
    const { lines, rows } = this.#data;
    const { left, idx } = plot.cursor;
    const isInside = left !== undefined && left !== null && left >= 0;
    onHover(isInside ? plot.posToVal(left, 'x') : undefined);
    const value = isInside && !rows && idx !== null && idx !== undefined ? lines[0]!.values[idx] : undefined;
    this.#readout.textContent = typeof value === 'number' ? thousands(Math.round(value)) : '';
  }

  #listen(over: HTMLElement, choose: (tick: number) => void): void {
    const store = this.#store;
    const zoom = (factor: number, tick: number) => {
      const { visible, recording } = store.state;
      store.set({ visible: zoomed(visible, recording.ticks, factor, tick) });
    };
    const tickAt = ({ clientX }: MouseEvent) => this.#plot.posToVal(clientX - over.getBoundingClientRect().left, 'x');
    let down: { readonly x: number; moved: boolean; last: number } | undefined;
    over.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      down = { x: event.clientX, moved: false, last: event.clientX };
      over.setPointerCapture(event.pointerId);
    });
    over.addEventListener('pointermove', ({ clientX }) => {
      if (!down) return;
      down.moved ||= Math.abs(clientX - down.x) > 4;
      const { visible, recording } = store.state;
      const share = (down.last - clientX) / over.clientWidth;
      if (down.moved) store.set({ visible: moved(visible, recording.ticks, share) });
      down.last = clientX;
    });
    over.addEventListener('pointerup', (event) => {
      if (down && !down.moved) choose(Math.round(tickAt(event)));
      down = undefined;
    });
    over.addEventListener('pointercancel', () => {
      down = undefined;
    });
    over.addEventListener('dblclick', () => zoom(Number.POSITIVE_INFINITY, 0));
    over.addEventListener(
      'wheel',
      (event) => {
        // The plot cannot zoom out further, so the page scrolls instead.
        if (event.deltaY === 0) return;
        if (event.deltaY > 0 && isWhole(store.state.visible, store.state.recording.ticks)) return;
        event.preventDefault();
        zoom(1.2 ** (event.deltaY / 50), tickAt(event));
      },
      { passive: false },
    );
  }
}
