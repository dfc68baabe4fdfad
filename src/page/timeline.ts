import { ticksPerSecond } from '../protocol/ticks.ts';
import { clock, count, thousands } from '../view/text/number.ts';
import { forgetColours, h, onScheme, onWidth, styled } from './dom.ts';
import { type Topic, topicTitles } from './event-text.ts';
import { Plot, type PlotOptions } from './plot.ts';
import type { Recording } from './recording.ts';
import { type Series, seriesOf } from './series.ts';
import { ValuePlots } from './value-plots.ts';
import { VisibleRange } from './visible-range.ts';

const topics: readonly Topic[] = ['chat', 'deaths', 'others'];
const topicColors: Readonly<Record<Topic, string>> = { chat: '--text', deaths: '--error', others: '--state' };

/** Plots over time, one below the other. They show bytes, items and snapshots per second, and marks for events. */
export class Timeline {
  readonly element: HTMLElement;
  readonly #plots: HTMLElement;
  readonly #summary = h('p', { class: 'dim summary' });
  readonly #readout = h('output', { class: 'readout' });
  readonly #choose: (tick: number) => void;
  #recording: Recording | undefined;
  #range = new VisibleRange(0, 1);
  #all: Plot[] = [];
  readonly #values = new ValuePlots((parent, shape) => {
    const plot = this.#plot(shape, parent);
    plot.range(this.#range.from, this.#range.to);
    return plot;
  });
  #tick = 0;
  #found: readonly number[] = [];
  #played: { readonly from: number; readonly to: number } | undefined;

  constructor(choose: (tick: number) => void) {
    this.#choose = choose;
    this.#plots = h('div', {
      class: 'plots',
      tabindex: 0,
      role: 'group',
      'aria-label': 'timeline; plus and minus zoom, arrow keys move, 0 shows all',
      onkeydown: (event: KeyboardEvent) => this.#key(event),
    });
    const button = (sign: string, label: string, run: () => void) =>
      h('button', { type: 'button', title: label, 'aria-label': label, onclick: run }, sign);
    this.element = h(
      'section',
      { class: 'timeline', 'aria-labelledby': 'timeline-title' },
      h(
        'div',
        { class: 'bar' },
        h('h2', { id: 'timeline-title' }, 'Timeline'),
        this.#readout,
        h(
          'span',
          { class: 'buttons' },
          button('+', 'zoom in', () => this.#range.zoom(0.5, this.#tick)),
          button('−', 'zoom out', () => this.#range.zoom(2, this.#tick)),
          button('all', 'show all', () => this.#range.zoom(Number.POSITIVE_INFINITY, this.#tick)),
        ),
      ),
      this.#summary,
      this.#plots,
      this.#values.element,
    );
    onWidth(this.#plots, (width) => {
      for (const plot of this.#everyPlot) plot.resize(width);
    });
    onScheme(() => {
      forgetColours();
      this.#redraw();
    });
  }

  /** Draws the sizes of the snapshots. {@link complete} adds items and events when the recording has been read. */
  open(recording: Recording): void {
    this.#recording = recording;
    this.element.hidden = recording.shown.length < 2;
    if (this.element.hidden) return;
    const { firstTick, lastTick } = recording;
    this.#range = new VisibleRange(firstTick, lastTick);
    this.#range.onChange(() => {
      for (const plot of this.#everyPlot) plot.range(this.#range.from, this.#range.to);
    });
    this.#values.open(recording);
    this.#draw(seriesOf(recording));
  }

  /** Draws the rest after the recording has been read. */
  complete(): void {
    if (!this.element.hidden) this.#draw(seriesOf(this.#recording!));
  }

  show(tick: number): void {
    this.#tick = tick;
    for (const plot of this.#everyPlot) plot.showTick();
  }

  /** Marks the range of ticks that playback repeats. */
  showRange(range: { readonly from: number; readonly to: number } | undefined): void {
    this.#played = range;
    for (const plot of this.#everyPlot) plot.showTick();
  }

  /** Marks the ticks of search results. */
  showFound(ticks: readonly number[]): void {
    this.#found = ticks;
    const marks = this.#all.pop();
    if (!marks) return;
    marks.destroy();
    this.#all.push(this.#marks(this.#recording!));
    this.#all.at(-1)!.range(this.#range.from, this.#range.to);
  }

  /** Plots a value of an item over time, or removes its plot. */
  async toggleValue(item: string, label: string): Promise<void> {
    await this.#values.toggle(item, label);
  }

  get #everyPlot(): Plot[] {
    return [...this.#all, ...this.#values.plots];
  }

  #redraw(): void {
    for (const plot of this.#everyPlot) plot.redraw();
  }

  #draw(series: Series): void {
    for (const plot of this.#all) plot.destroy();
    this.#plots.replaceChildren();
    const recording = this.#recording!;
    const line = (title: string, values: Series['items'] | Float64Array, color: string) =>
      this.#plot({ title, x: series.x, lines: [{ values, color }], height: 92 });
    this.#all = [
      line(recording.seconds ? 'bytes per second' : 'bytes of snapshots per second', series.bytes, '--position'),
      line('items', series.items, '--identity'),
      line('snapshots per second', series.snapshots, '--time'),
      this.#marks(recording),
    ];
    this.#range.change();
    const total = series.bytes.reduce((sum, bytes) => sum + bytes, 0);
    const seconds = (recording.lastTick - recording.firstTick) / ticksPerSecond;
    this.#summary.textContent =
      `${count(recording.shown.length, 'snapshot')} in ${clock(seconds)}: ` +
      `${thousands(Math.round(total / Math.max(1, seconds)))} bytes per second, at most ` +
      `${thousands(Math.round(series.bytes.reduce((maximum, bytes) => Math.max(maximum, bytes), 0)))}; ` +
      `${recording.eventLines.length} marks`;
  }

  #marks({ eventLines, firstTick, lastTick }: Recording): Plot {
    const rows = topics.map((topic) => ({
      title: topicTitles[topic],
      color: topicColors[topic],
      ticks: eventLines.filter((one) => one.topic === topic).map(({ tick }) => tick),
    }));
    if (this.#found.length > 0) rows.push({ title: 'found', color: '--accent', ticks: [...this.#found] });
    const x = [...new Set([firstTick, ...rows.flatMap(({ ticks }) => ticks), lastTick])].sort((a, b) => a - b);
    const places = new Map(x.map((tick, i) => [tick, i]));
    const lines = rows.map(({ ticks, color }, row) => {
      const values: (number | null)[] = x.map(() => null);
      for (const tick of ticks) values[places.get(tick)!] = rows.length - 1 - row;
      return { values, color, isDots: true };
    });
    return this.#plot({
      title: '',
      x,
      lines,
      height: 42 + 18 * rows.length,
      rows: rows.map(({ title }) => title).toReversed(),
    });
  }

  #plot(
    shape: Pick<PlotOptions, 'title' | 'x' | 'lines' | 'height'> & Partial<PlotOptions>,
    parent: HTMLElement = this.#plots,
  ): Plot {
    return new Plot(parent, {
      hasTimes: shape.rows !== undefined,
      ...shape,
      timeOf: (tick) => clock((tick - this.#recording!.firstTick) / ticksPerSecond).replace(/\.00$/, ''),
      chosen: () => this.#tick,
      played: () => this.#played,
      color: styled,
      firstTick: this.#recording!.firstTick,
      onChoose: this.#choose,
      onHover: (tick) => this.#hover(tick),
      range: this.#range,
    });
  }

  #hover(tick: number | undefined): void {
    if (tick === undefined) {
      this.#readout.textContent = '';
      return;
    }
    const time = clock((tick - this.#recording!.firstTick) / ticksPerSecond);
    this.#readout.textContent = `tick ${Math.round(tick)}  ${time}`;
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const range = this.#range;
    const runs: Readonly<Record<string, () => void>> = {
      '+': () => range.zoom(0.5, this.#tick),
      '=': () => range.zoom(0.5, this.#tick),
      '-': () => range.zoom(2, this.#tick),
      0: () => range.zoom(Number.POSITIVE_INFINITY, this.#tick),
      ArrowLeft: () => range.move(-0.2),
      ArrowRight: () => range.move(0.2),
    };
    const run = runs[event.key];
    if (!run) return;
    event.preventDefault();
    run();
  }
}
