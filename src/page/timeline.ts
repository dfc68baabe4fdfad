import { ticksPerSecond } from '../protocol/ticks.ts';
import { shellWord } from '../view/text/escape.ts';
import { clock, count, thousands } from '../view/text/number.ts';
import { button, h, onKeys, onScheme, onSize, pause, section } from './dom.ts';
import { type Plot, plotOf } from './plot.ts';
import { csvOf, type PlotData, readValueSeries, secondPlots, seriesOf, type ValueSeries, valuePlot } from './series.ts';
import type { State, Store } from './store.ts';
import { moved, zoomed } from './ticks.ts';

const valueColors = ['--position', '--identity', '--state', '--time', '--text', '--error'];

interface PlottedValue {
  readonly name: string;
  readonly series: ValueSeries;
  readonly plot: Plot;
  readonly element: HTMLElement;
}

/** Plots over time, one below the other: bytes, items and snapshots per second, and values that the user chooses. */
export function timelineOf(store: Store<State>, name: string, choose: (tick: number) => void) {
  let plots: Plot[] = [];
  let values: PlottedValue[] = [];
  /** The values that are being read. */
  const reading = new Set<string>();
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
  const range = h('p', { class: 'summary' });
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
        h('button', { type: 'button', onclick: () => store.set({ plots: [] }) }, 'remove all'),
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
    range,
    box,
    valueBox,
  );

  const hover = (tick: number | undefined) => {
    readout.textContent = tick === undefined ? '' : `tick ${Math.round(tick)}  ${store.state.recording.timeOf(tick)}`;
  };
  const plot = (parent: HTMLElement, data: PlotData) => plotOf(parent, data, store, { choose, zoom, move, hover });

  function draw(): void {
    const { recording, read } = store.state;
    if (element.hidden) return;
    if (read > 0 && read < 1) {
      summary.textContent = `${Math.floor(read * 100)} % is read`;
      return;
    }
    for (const one of plots) one.destroy();
    const { from, to } = recording.ticks;
    const series = seriesOf(recording);
    plots = secondPlots(recording, series).map((data) => plot(box, data));
    const total = series.bytes.reduce((sum, bytes) => sum + bytes, 0);
    const most = series.bytes.reduce((maximum, bytes) => Math.max(maximum, bytes), 0);
    const seconds = (to - from) / ticksPerSecond;
    summary.textContent =
      `${count(recording.shown.length, 'snapshot')} in ${clock(seconds)}: ` +
      `${thousands(Math.round(total / Math.max(1, seconds)))} bytes per second, at most ` +
      thousands(Math.round(most));
  }

  /** Plots a value of an item over time, or removes its plot. */
  function toggleValue(name: string): void {
    const { plots: all } = store.state;
    store.set({ plots: all.includes(name) ? all.filter((one) => one !== name) : [...all, name] });
  }

  /** Plots the values of the store. */
  function showValues(): void {
    const { plots: all } = store.state;
    for (const one of values.filter(({ name }) => !all.includes(name))) remove(one);
    values = values.filter(({ name }) => all.includes(name));
    for (const name of all) if (!values.some((one) => one.name === name) && !reading.has(name)) void addValue(name);
    describeValues();
  }

  async function addValue(name: string): Promise<void> {
    const { recording } = store.state;
    const at = name.lastIndexOf('/');
    const [item, label] = [name.slice(0, at), name.slice(at + 1)];
    valueBox.hidden = false;
    valueStatus.textContent = `reading ${item} ${label} …`;
    reading.add(name);
    const steps = readValueSeries(recording, item, label);
    let step = steps.next();
    while (!step.done && store.state.recording === recording && store.state.plots.includes(name)) {
      await pause();
      step = steps.next();
    }
    reading.delete(name);
    if (!step.done || store.state.recording !== recording) return;
    const series = step.value;
    const data = valuePlot(series, valueColors[values.length % valueColors.length]!);
    const cross = button('×', `remove ${data.title}`, () => toggleValue(name), 'remove');
    const parent = h('div', { class: 'value-plot' }, cross);
    valueList.append(parent);
    values.push({ name, series, plot: plot(parent, data), element: parent });
    parent.scrollIntoView({ block: 'nearest' });
    describeValues();
  }

  function remove({ plot: one, element: parent }: PlottedValue): void {
    one.destroy();
    parent.remove();
  }

  /** Shows how often the values exist and how often they were sent. */
  function describeValues(): void {
    valueBox.hidden = store.state.plots.length === 0;
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

  /** Shows the bytes of snapshots in the repeated range, and the command that cuts it out. */
  function describeRange(): void {
    const { recording, repeated } = store.state;
    if (!repeated) {
      range.textContent = '';
      return;
    }
    const { from, to } = repeated;
    const [first, last] = [recording.positionOf(from), recording.positionOf(to)];
    let bytes = 0;
    for (let at = first; at <= last; at++) bytes += recording.snapshot(at).payload.length;
    const command = `tw-snap slice ${shellWord(name)} --ticks ${from}..${to} -o part.demo`;
    range.textContent = `${from} to ${to}: ${count(last - first + 1, 'snapshot')} of ${count(bytes, 'byte')}; ${command}`;
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
    for (const one of values) remove(one);
    values = [];
    reading.clear();
  });
  store.on(['recording', 'plots'], showValues);
  store.on(['recording', 'repeated'], describeRange);
  // The sizes of snapshots are known at once, items and events when the recording has been read.
  store.on(['recording', 'read'], draw);
  store.on(
    ['tick', 'repeated'],
    each((one) => one.showTick()),
  );
  store.on(
    ['visible'],
    each((one) => one.showRange()),
  );
  return { element, toggleValue };
}
