import { ticksPerSecond } from '../protocol/ticks.ts';
import { clock, count, thousands } from '../view/text/number.ts';
import { button, h, onKeys, onScheme, onSize, pause, section } from './dom.ts';
import { type Plot, plotOf } from './plot.ts';
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
export function timelineOf(store: Store<State>, choose: (tick: number) => void) {
  /** The plots per second, and the marks. */
  let plots: Plot[] = [];
  let values: PlottedValue[] = [];
  const zoom = (factor: number, tick: number) => {
    const { visible, recording } = store.state;
    store.set({ visible: zoomed(visible, recording.ticks, factor, tick) });
  };
  const zoomBy = (factor: number) => () => zoom(factor, store.state.tick);
  const move = (share: number) => {
    const { visible, recording } = store.state;
    store.set({ visible: moved(visible, recording.ticks, share) });
  };
  const all = zoomBy(Number.POSITIVE_INFINITY);
  const box = h('div', {
    class: 'plots',
    tabindex: 0,
    role: 'group',
    'aria-label': 'timeline; plus and minus zoom, arrow keys move, 0 shows all',
  });
  onKeys(box, {
    '+': zoomBy(0.5),
    '=': zoomBy(0.5),
    '-': zoomBy(2),
    0: all,
    ArrowLeft: () => move(-0.2),
    ArrowRight: () => move(0.2),
  });
  const summary = h('p', { class: 'dim summary' });
  const readout = h('output', { class: 'readout' });
  const valueList = h('div', { class: 'value-list' });
  const valueStatus = h('span', { class: 'dim', role: 'status' });
  const valueBox = h(
    'div',
    { class: 'values', hidden: true },
    h(
      'div',
      { class: 'bar' },
      h('h3', {}, 'Values'),
      valueStatus,
      h(
        'span',
        { class: 'buttons' },
        h('button', { type: 'button', title: 'save the plotted values', onclick: save }, 'CSV'),
        h('button', { type: 'button', onclick: () => removeValues(() => true) }, 'remove all'),
      ),
    ),
    valueList,
  );
  const buttons = [
    button('+', 'zoom in', zoomBy(0.5)),
    button('−', 'zoom out', zoomBy(2)),
    button('all', 'show all', all),
  ];
  const element = section(
    'timeline',
    ['timeline-title', 'Timeline'],
    [readout, h('span', { class: 'buttons' }, ...buttons)],
    summary,
    box,
    valueBox,
  );

  const hover = (tick: number | undefined) => {
    readout.textContent = tick === undefined ? '' : `tick ${Math.round(tick)}  ${store.state.recording.timeOf(tick)}`;
  };
  const plot = (parent: HTMLElement, data: PlotData) => plotOf(parent, data, store, { choose, zoom, move, hover });
  const plotMarks = () => {
    const { recording, found } = store.state;
    const ticks = found.map(({ tick }) => tick);
    return plot(box, marksPlot(recording, ticks));
  };

  function draw(): void {
    if (element.hidden) return;
    for (const one of plots) one.destroy();
    const { recording } = store.state;
    const { from, to } = recording.ticks;
    const series = seriesOf(recording);
    plots = [...secondPlots(recording, series).map((data) => plot(box, data)), plotMarks()];
    const total = series.bytes.reduce((sum, bytes) => sum + bytes, 0);
    const most = series.bytes.reduce((maximum, bytes) => Math.max(maximum, bytes), 0);
    const seconds = (to - from) / ticksPerSecond;
    summary.textContent =
      `${count(recording.shown.length, 'snapshot')} in ${clock(seconds)}: ` +
      `${thousands(Math.round(total / Math.max(1, seconds)))} bytes per second, at most ` +
      `${thousands(Math.round(most))}; ${recording.eventLines.length} marks`;
  }

  /** Plots a value of an item over time, or removes its plot. */
  async function toggleValue(item: string, label: string): Promise<void> {
    const isIt = ({ series }: PlottedValue) => series.item === item && series.label === label;
    if (values.some(isIt)) {
      removeValues(isIt);
      return;
    }
    const { recording } = store.state;
    valueBox.hidden = false;
    valueStatus.textContent = `reading ${item} ${label} …`;
    const reading = readValueSeries(recording, item, label);
    let step = reading.next();
    while (!step.done) {
      await pause();
      if (store.state.recording !== recording) return;
      step = reading.next();
    }
    const series = step.value;
    const data = valuePlot(series, valueColors[values.length % valueColors.length]!);
    const cross = button('×', `remove ${data.title}`, () => removeValues(isIt), 'remove');
    const parent = h('div', { class: 'value-plot' }, cross);
    valueList.append(parent);
    values.push({ series, plot: plot(parent, data), element: parent });
    describeValues();
  }

  function removeValues(isRemoved: (one: PlottedValue) => boolean): void {
    for (const one of values.filter(isRemoved)) {
      one.plot.destroy();
      one.element.remove();
    }
    values = values.filter((one) => !isRemoved(one));
    describeValues();
  }

  /** Shows how often the values exist and how often they were sent. */
  function describeValues(): void {
    valueBox.hidden = values.length === 0;
    valueStatus.textContent = values
      .map(({ series: { label, values: numbers, isSent } }) => {
        const there = numbers.filter((number) => number !== null).length;
        return `${label}: in ${count(there, 'snapshot')}, sent in ${isSent.filter(Boolean).length}`;
      })
      .join(' · ');
  }

  function save(): void {
    const csv = csvOf(values.map(({ series }) => series));
    const url = URL.createObjectURL(new Blob([csv], { type: 'text/csv' }));
    h('a', { href: url, download: 'values.csv' }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }

  const each = (run: (plot: Plot) => void) => () => {
    for (const one of [...plots, ...values.map((value) => value.plot)]) run(one);
  };
  onSize(
    box,
    each((one) => one.resize()),
  );
  onScheme(each((one) => one.redraw()));
  store.on(['recording'], () => {
    element.hidden = store.state.recording.shown.length < 2;
    removeValues(() => true);
  });
  // The sizes of snapshots are known at once, items and events when the recording has been read.
  store.on(['recording', 'isRead'], draw);
  store.on(
    ['tick', 'repeated'],
    each((one) => one.showTick()),
  );
  store.on(
    ['visible'],
    each((one) => one.showRange()),
  );
  store.on(['found'], () => {
    if (element.hidden) return;
    plots.pop()?.destroy();
    plots.push(plotMarks());
  });
  return { element, toggleValue };
}
