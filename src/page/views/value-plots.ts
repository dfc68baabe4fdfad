import { type PlotData, valuePlot } from '../data/series.ts';
import type { Recording } from '../data/shown-recording.ts';
import type { State, Store } from '../data/store.ts';
import { button, h, inPieces } from '../elements/dom.ts';
import type { Plot } from './plot.ts';

interface PlottedValue {
  readonly recording: Recording;
  readonly element: HTMLElement;
  plot?: Plot;
}

/**
 * The values that the user has chosen to plot, one below the other, or several in one.
 * @param plot draws a plot into an element
 */
export class ValuePlots {
  readonly element = h('div', { class: 'values', hidden: true });
  readonly #store: Store<State>;
  readonly #plot: (parent: HTMLElement, data: PlotData) => Plot;
  /** By the names of the fields, as the store has them; without a plot while the fields are read. */
  readonly #values = new Map<string, PlottedValue>();

  constructor(store: Store<State>, plot: (parent: HTMLElement, data: PlotData) => Plot) {
    this.#store = store;
    this.#plot = plot;
    store.on(['recording', 'plots'], () => this.#show());
  }

  /** Those that are drawn. */
  get plots(): Plot[] {
    return [...this.#values.values()].flatMap(({ plot }) => plot ?? []);
  }

  /** Plots a field, or does not plot it any more. */
  toggle(name: string): void {
    const { plots } = this.#store.state;
    const others = plots.filter((other) => !other.split('+').includes(name));
    this.#store.set({ plots: others.length < plots.length ? others : [...plots, name] });
  }

  #show(): void {
    const { plots, recording } = this.#store.state;
    this.element.hidden = plots.length === 0;
    for (const [name, value] of this.#values) {
      if (plots.includes(name) && value.recording === recording) continue;
      value.plot?.destroy();
      value.element.remove();
      this.#values.delete(name);
    }
    for (const name of plots) if (!this.#values.has(name)) void this.#add(name);
  }

  async #add(name: string): Promise<void> {
    const { recording } = this.#store.state;
    const buttons = h(
      'span',
      { class: 'buttons' },
      button('↑', 'draw over the plot above', () => this.#join(name)),
      button('×', `remove ${name}`, () => this.#remove(name)),
    );
    const element = h('div', { class: 'value-plot' }, buttons);
    const value: PlottedValue = { element, recording };
    this.#values.set(name, value);
    this.element.append(element);
    const data = await inPieces(valuePlot(recording, name.split('+')), () => this.#values.get(name) === value);
    if (!data || this.#values.get(name) !== value) return;
    value.plot = this.#plot(element, data);
    element.scrollIntoView({ block: 'nearest' });
  }

  #join(name: string): void {
    const { plots } = this.#store.state;
    const above = plots[plots.indexOf(name) - 1];
    if (!above) return;
    const joined = plots.flatMap((plot) => (plot === name ? [] : plot === above ? `${above}+${name}` : plot));
    this.#store.set({ plots: joined });
  }

  #remove(name: string): void {
    this.#store.set({ plots: this.#store.state.plots.filter((plot) => plot !== name) });
  }
}
