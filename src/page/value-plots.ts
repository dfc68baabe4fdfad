import { count } from '../view/text/number.ts';
import { h, pause } from './dom.ts';
import type { Plot, PlotOptions } from './plot.ts';
import type { Recording } from './recording.ts';
import { csvOf, readValueSeries, type ValueSeries } from './series.ts';

const colors = ['--position', '--identity', '--state', '--time', '--text', '--error'];

/** Creates a plot with the timeline's range and marks. */
type MakePlot = (
  parent: HTMLElement,
  shape: Pick<PlotOptions, 'title' | 'x' | 'lines' | 'height' | 'hasTimes' | 'isTight'>,
) => Plot;

interface Plotted {
  readonly series: ValueSeries;
  readonly plot: Plot;
  readonly element: HTMLElement;
}

/** Plots of values over time. Dots mark the ticks in which the item was sent. */
export class ValuePlots {
  readonly element: HTMLElement;
  readonly #makePlot: MakePlot;
  readonly #list = h('div', { class: 'value-list' });
  readonly #status = h('span', { class: 'dim', role: 'status' });
  #recording: Recording | undefined;
  #plotted: Plotted[] = [];

  constructor(makePlot: MakePlot) {
    this.#makePlot = makePlot;
    this.element = h(
      'div',
      { class: 'values', hidden: true },
      h(
        'div',
        { class: 'bar' },
        h('h3', {}, 'Values'),
        this.#status,
        h(
          'span',
          { class: 'buttons' },
          h('button', { type: 'button', title: 'save the plotted values', onclick: () => this.#save() }, 'CSV'),
          h('button', { type: 'button', onclick: () => this.clear() }, 'remove all'),
        ),
      ),
      this.#list,
    );
  }

  get plots(): Plot[] {
    return this.#plotted.map(({ plot }) => plot);
  }

  open(recording: Recording): void {
    this.clear();
    this.#recording = recording;
  }

  /** Adds the plot of a value, or removes it if it already exists. */
  async toggle(item: string, label: string): Promise<void> {
    const known = this.#plotted.find(({ series }) => series.item === item && series.label === label);
    if (known) {
      this.#remove(known);
      return;
    }
    const recording = this.#recording!;
    this.element.hidden = false;
    this.#status.textContent = `reading ${item} ${label} …`;
    const reading = readValueSeries(recording, item, label);
    let step = reading.next();
    while (!step.done) {
      await pause();
      if (this.#recording !== recording) return;
      step = reading.next();
    }
    this.#add(step.value);
  }

  clear(): void {
    for (const one of [...this.#plotted]) this.#remove(one);
    this.element.hidden = true;
  }

  #add(series: ValueSeries): void {
    const { item, label, ticks, values, isSent } = series;
    const color = colors[this.#plotted.length % colors.length]!;
    const name = `${item.replace('/', ' ')} ${label}`;
    const element = h(
      'div',
      { class: 'value-plot' },
      h(
        'button',
        { type: 'button', class: 'remove', 'aria-label': `remove ${name}`, onclick: () => this.#remove(added) },
        '×',
      ),
    );
    this.#list.append(element);
    const sent = values.map((value, i) => (isSent[i] ? value : null));
    const plot = this.#makePlot(element, {
      title: name,
      x: ticks,
      lines: [
        { values, color, isStepped: true },
        { values: sent, color, isDots: true, dotSize: 4 },
      ],
      height: 110,
      hasTimes: false,
      isTight: true,
    });
    const added: Plotted = { series, plot, element };
    this.#plotted.push(added);
    this.#describe();
  }

  #remove(one: Plotted): void {
    one.plot.destroy();
    one.element.remove();
    this.#plotted = this.#plotted.filter((other) => other !== one);
    this.element.hidden = this.#plotted.length === 0;
    this.#describe();
  }

  /** Shows how often the values exist and how often they were sent. */
  #describe(): void {
    this.#status.textContent = this.#plotted
      .map(({ series: { label, values, isSent } }) => {
        const there = values.filter((value) => value !== null).length;
        return `${label}: in ${count(there, 'snapshot')}, sent in ${isSent.filter(Boolean).length}`;
      })
      .join(' · ');
  }

  #save(): void {
    const url = URL.createObjectURL(new Blob([csvOf(this.#plotted.map(({ series }) => series))], { type: 'text/csv' }));
    h('a', { href: url, download: 'values.csv' }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }
}
