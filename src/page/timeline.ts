import { ticksPerSecond } from '../protocol/ticks.ts';
import { clock, count, thousands } from '../view/text/number.ts';
import { button, forgetColours, h, onScheme, onWidth, pause, section } from './dom.ts';
import { Plot } from './plot.ts';
import {
  csvOf,
  marksPlot,
  type PlotData,
  readValueSeries,
  secondPlots,
  seriesOf,
  type ValueSeries,
  valuePlot,
} from './series.ts';
import type { State, Store } from './store.ts';
import { moved, zoomed } from './ticks.ts';

const valueColors = ['--position', '--identity', '--state', '--time', '--text', '--error'];

interface PlottedValue {
  readonly series: ValueSeries;
  readonly plot: Plot;
  readonly element: HTMLElement;
}

/** Plots over time, one below the other: bytes, items and snapshots per second, marks for events, and values that the user chooses. */
export class Timeline {
  readonly element: HTMLElement;
  readonly #store: Store<State>;
  readonly #choose: (tick: number) => void;
  readonly #box: HTMLElement;
  readonly #summary = h('p', { class: 'dim summary' });
  readonly #readout = h('output', { class: 'readout' });
  readonly #valueList = h('div', { class: 'value-list' });
  readonly #valueStatus = h('span', { class: 'dim', role: 'status' });
  readonly #valueBox: HTMLElement;
  /** The plots per second, and the marks. */
  #plots: Plot[] = [];
  #values: PlottedValue[] = [];

  constructor(store: Store<State>, choose: (tick: number) => void) {
    this.#store = store;
    this.#choose = choose;
    const zoom = (factor: number) => () => {
      const { visible, recording, tick } = store.state;
      store.set({ visible: zoomed(visible, recording.ticks, factor, tick) });
    };
    const move = (share: number) => () => {
      const { visible, recording } = store.state;
      store.set({ visible: moved(visible, recording.ticks, share) });
    };
    const all = zoom(Number.POSITIVE_INFINITY);
    const keys: Readonly<Record<string, () => void>> = {
      '+': zoom(0.5),
      '=': zoom(0.5),
      '-': zoom(2),
      0: all,
      ArrowLeft: move(-0.2),
      ArrowRight: move(0.2),
    };
    this.#box = h('div', {
      class: 'plots',
      tabindex: 0,
      role: 'group',
      'aria-label': 'timeline; plus and minus zoom, arrow keys move, 0 shows all',
      onkeydown: (event: KeyboardEvent) => {
        const run = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
        if (!run) return;
        event.preventDefault();
        run();
      },
    });
    this.#valueBox = h(
      'div',
      { class: 'values', hidden: true },
      h(
        'div',
        { class: 'bar' },
        h('h3', {}, 'Values'),
        this.#valueStatus,
        h(
          'span',
          { class: 'buttons' },
          h('button', { type: 'button', title: 'save the plotted values', onclick: () => this.#save() }, 'CSV'),
          h('button', { type: 'button', onclick: () => this.#clearValues() }, 'remove all'),
        ),
      ),
      this.#valueList,
    );
    const buttons = [
      button('+', 'zoom in', zoom(0.5)),
      button('−', 'zoom out', zoom(2)),
      button('all', 'show all', all),
    ];
    this.element = section(
      'timeline',
      ['timeline-title', 'Timeline'],
      [this.#readout, h('span', { class: 'buttons' }, ...buttons)],
      this.#summary,
      this.#box,
      this.#valueBox,
    );
    const each = (run: (plot: Plot) => void) => () => {
      for (const plot of [...this.#plots, ...this.#values.map(({ plot }) => plot)]) run(plot);
    };
    onWidth(
      this.#box,
      each((plot) => plot.resize()),
    );
    onScheme(() => {
      forgetColours();
      each((plot) => plot.redraw())();
    });
    store.on(['recording'], () => {
      this.element.hidden = store.state.recording.shown.length < 2;
      this.#clearValues();
    });
    // The sizes of snapshots are known at once, items and events when the recording has been read.
    store.on(['recording', 'isRead'], () => this.#draw());
    store.on(
      ['tick', 'repeated'],
      each((plot) => plot.showTick()),
    );
    store.on(
      ['visible'],
      each((plot) => plot.showRange()),
    );
    store.on(['found'], () => {
      if (this.element.hidden) return;
      this.#plots.pop()?.destroy();
      this.#plots.push(this.#marks());
    });
  }

  /** Plots a value of an item over time, or removes its plot. */
  async toggleValue(item: string, label: string): Promise<void> {
    const known = this.#values.find(({ series }) => series.item === item && series.label === label);
    if (known) {
      this.#remove(known);
      return;
    }
    const { recording } = this.#store.state;
    this.#valueBox.hidden = false;
    this.#valueStatus.textContent = `reading ${item} ${label} …`;
    const reading = readValueSeries(recording, item, label);
    let step = reading.next();
    while (!step.done) {
      await pause();
      if (this.#store.state.recording !== recording) return;
      step = reading.next();
    }
    this.#add(step.value);
  }

  #draw(): void {
    if (this.element.hidden) return;
    for (const plot of this.#plots) plot.destroy();
    const { recording } = this.#store.state;
    const { from, to } = recording.ticks;
    const series = seriesOf(recording);
    this.#plots = [...secondPlots(recording, series).map((data) => this.#plot(this.#box, data)), this.#marks()];
    const total = series.bytes.reduce((sum, bytes) => sum + bytes, 0);
    const seconds = (to - from) / ticksPerSecond;
    this.#summary.textContent =
      `${count(recording.shown.length, 'snapshot')} in ${clock(seconds)}: ` +
      `${thousands(Math.round(total / Math.max(1, seconds)))} bytes per second, at most ` +
      `${thousands(Math.round(series.bytes.reduce((maximum, bytes) => Math.max(maximum, bytes), 0)))}; ` +
      `${recording.eventLines.length} marks`;
  }

  #marks(): Plot {
    const { recording, found } = this.#store.state;
    const ticks = found.map(({ tick }) => tick);
    return this.#plot(this.#box, marksPlot(recording, ticks));
  }

  #plot(parent: HTMLElement, data: PlotData): Plot {
    return new Plot(parent, data, this.#store, this.#choose, (tick) => {
      const { from } = this.#store.state.recording.ticks;
      const text = tick === undefined ? '' : `tick ${Math.round(tick)}  ${clock((tick - from) / ticksPerSecond)}`;
      this.#readout.textContent = text;
    });
  }

  #add(series: ValueSeries): void {
    const data = valuePlot(series, valueColors[this.#values.length % valueColors.length]!);
    const label = `remove ${data.title}`;
    const remove = () => this.#remove(added);
    const cross = h('button', { type: 'button', class: 'remove', 'aria-label': label, onclick: remove }, '×');
    const element = h('div', { class: 'value-plot' }, cross);
    this.#valueList.append(element);
    const added: PlottedValue = { series, plot: this.#plot(element, data), element };
    this.#values.push(added);
    this.#describeValues();
  }

  #remove(one: PlottedValue): void {
    one.plot.destroy();
    one.element.remove();
    this.#values = this.#values.filter((other) => other !== one);
    this.#describeValues();
  }

  #clearValues(): void {
    for (const one of this.#values) this.#remove(one);
    this.#valueBox.hidden = true;
  }

  /** Shows how often the values exist and how often they were sent. */
  #describeValues(): void {
    this.#valueBox.hidden = this.#values.length === 0;
    this.#valueStatus.textContent = this.#values
      .map(({ series: { label, values, isSent } }) => {
        const there = values.filter((value) => value !== null).length;
        return `${label}: in ${count(there, 'snapshot')}, sent in ${isSent.filter(Boolean).length}`;
      })
      .join(' · ');
  }

  #save(): void {
    const csv = csvOf(this.#values.map(({ series }) => series));
    const url = URL.createObjectURL(new Blob([csv], { type: 'text/csv' }));
    h('a', { href: url, download: 'values.csv' }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }
}
