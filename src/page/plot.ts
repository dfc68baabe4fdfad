import uPlot from 'uplot';
import { thousands } from '../view/text/number.ts';
import { h } from './dom.ts';
import type { VisibleRange } from './visible-range.ts';

interface PlotLine {
  readonly values: readonly (number | null)[] | Float64Array;
  /** The custom property of the style sheet that has the colour. */
  readonly color: string;
  readonly isDots?: boolean;
  readonly dotSize?: number;
  /** Whether a value stays until the next one. */
  readonly isStepped?: boolean;
}

export interface PlotOptions {
  readonly title: string;
  /** The ticks in ascending order. */
  readonly x: number[] | Float64Array;
  readonly lines: readonly PlotLine[];
  readonly height: number;
  /** The names of the values 0, 1, …, if the plot has a row for each. */
  readonly rows?: readonly string[];
  /** Whether the value axis begins at the least value instead of 0. */
  readonly isTight?: boolean;
  /** Whether the plot has a time axis. */
  readonly hasTimes: boolean;
  readonly range: VisibleRange;
  /** The tick from which times are counted. */
  readonly firstTick: number;
  timeOf(tick: number): string;
  chosen(): number;
  /** The range of ticks that playback repeats. */
  played(): { readonly from: number; readonly to: number } | undefined;
  color(name: string): string;
  onChoose(tick: number): void;
  onHover(tick: number | undefined): void;
}

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
  readonly #options: PlotOptions;
  readonly #plot: uPlot;
  readonly #readout = h('output', {});
  readonly #element: HTMLElement;
  readonly #chosen = h('div', { class: 'chosen-tick' });
  readonly #played = h('div', { class: 'played-range' });

  constructor(parent: HTMLElement, options: PlotOptions) {
    this.#options = options;
    this.#element = h('figure', {}, options.title !== '' && h('figcaption', {}, options.title, ' ', this.#readout));
    parent.append(this.#element);
    const { x, lines } = options;
    const data = [x, ...lines.map(({ values }) => values)] as uPlot.AlignedData;
    this.#plot = new uPlot(this.#shape(parent.clientWidth || 300), data, this.#element);
    this.#plot.over.append(this.#played, this.#chosen);
    this.#listen(this.#plot.over);
    this.showTick();
  }

  resize(width: number): void {
    this.#plot.setSize({ width, height: this.#options.height });
  }

  range(min: number, max: number): void {
    this.#plot.setScale('x', { min, max });
  }

  redraw(): void {
    this.#plot.redraw(false, true);
  }

  destroy(): void {
    this.#plot.destroy();
    this.#element.remove();
  }

  #shape(width: number): uPlot.Options {
    const { height, lines, hasTimes, rows, isTight, timeOf, color, firstTick } = this.#options;
    const dim = () => color('--dim');
    const grid = { stroke: () => color('--line'), width: 1 };
    const common = { stroke: dim, font, grid, ticks: { show: false } };
    const size = hasTimes ? 24 : 6;
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
          splits: (_, __, min, max, step) => multiples(min, max, step, firstTick),
          space: 70,
          values: (_, ticks) => (hasTimes ? ticks.map(timeOf) : []),
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
        ...lines.map(({ color: name, isDots, dotSize = 6, isStepped }) =>
          isDots
            ? { paths: () => null, points: { show: true, size: dotSize, width: 0, fill: () => color(name) } }
            : {
                stroke: () => color(name),
                width: 1.5,
                ...(isStepped ? { paths: uPlot.paths.stepped!({ align: 1 }) } : { fill: () => `${color(name)}22` }),
                points: { show: false },
              },
        ),
      ],
      hooks: {
        draw: [() => this.showTick()],
        setCursor: [(plot) => this.#hover(plot)],
      },
    };
  }

  /** Marks the chosen tick and the range that is played. The marks are elements so that moving them does not redraw the plot. */
  showTick(): void {
    this.#place(this.#chosen, this.#options.chosen(), undefined);
    const range = this.#options.played();
    this.#place(this.#played, range?.from, range?.to);
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

  #hover(plot: uPlot): void {
    const { onHover, lines, rows } = this.#options;
    const { left, idx } = plot.cursor;
    const isInside = left !== undefined && left !== null && left >= 0;
    onHover(isInside ? plot.posToVal(left, 'x') : undefined);
    const value = isInside && !rows && idx !== null && idx !== undefined ? lines[0]!.values[idx] : undefined;
    this.#readout.textContent = typeof value === 'number' ? thousands(Math.round(value)) : '';
  }

  #listen(over: HTMLElement): void {
    const { range, onChoose } = this.#options;
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
      if (down.moved) range.move((down.last - clientX) / over.clientWidth);
      down.last = clientX;
    });
    over.addEventListener('pointerup', (event) => {
      if (down && !down.moved) onChoose(Math.round(tickAt(event)));
      down = undefined;
    });
    over.addEventListener('pointercancel', () => {
      down = undefined;
    });
    over.addEventListener('dblclick', () => range.zoom(Number.POSITIVE_INFINITY, 0));
    over.addEventListener(
      'wheel',
      (event) => {
        // The plot cannot zoom out further, so the page scrolls instead.
        if (event.deltaY === 0 || (event.deltaY > 0 && range.isAll)) return;
        event.preventDefault();
        range.zoom(1.2 ** (event.deltaY / 50), tickAt(event));
      },
      { passive: false },
    );
  }
}
