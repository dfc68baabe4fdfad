import { clock, count, thousands } from '../../output/text/number.ts';
import { ticksPerSecond } from '../../wire/protocol/ticks.ts';
import { moved, zoomed } from '../data/marks.ts';
import { lostPlot, type PlotData, secondPlots } from '../data/series.ts';
import { stackPlot } from '../data/stack.ts';
import type { State, Store } from '../data/store.ts';
import { button, h, inPieces, onceAFrame, onKeys, onScheme, onSize, section } from '../elements/dom.ts';
import { forPointer } from '../elements/one-stop.ts';
import type { TimeLost } from '../report/report-data.ts';
import { type Plot, plotOf } from './plot.ts';
import { ValuePlots } from './value-plots.ts';

/** Plots over time, one below the other: bytes, items and snapshots per second, and values that the user chooses. */
export function timelineOf(store: Store<State>, choose: (tick: number) => void, lost: TimeLost | undefined) {
  let plots: Plot[] = [];
  let stack: Plot | undefined;
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
  const brush = (from: number, to: number) => {
    const { ticks } = store.state.recording;
    const [first, last] = [Math.min(from, to), Math.max(from, to)].map((tick) =>
      Math.max(ticks.from, Math.min(ticks.to, Math.round(tick))),
    );
    store.set({ repeated: first! < last! ? { from: first!, to: last! } : undefined });
  };
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
  const readout = h('output', { class: 'readout dim mono' });
  const stackBox = h('div', { class: 'stack' });
  const values = new ValuePlots(store, plot);
  const buttons = forPointer(
    button('+', 'zoom in', zoomBy(0.5)),
    button('−', 'zoom out', zoomBy(2)),
    button('all', 'show all', all),
  );
  const element = section(
    'timeline',
    'Timeline',
    [readout, h('span', { class: 'buttons' }, ...buttons)],
    summary,
    box,
    stackBox,
    values.element,
  );

  function hover(tick: number | undefined): void {
    readout.textContent = tick === undefined ? '' : `tick ${Math.round(tick)}  ${store.state.recording.timeOf(tick)}`;
    each((plot) => plot.point(tick))();
  }
  function plot(parent: HTMLElement, data: PlotData): Plot {
    return plotOf(parent, data, store, { choose, zoom, move, brush, hover });
  }

  function draw(): void {
    const { recording } = store.state;
    if (element.hidden) return;
    for (const plot of plots) plot.destroy();
    const { from, to } = recording.ticks;
    const perSecond = secondPlots(recording);
    plots = [...perSecond, ...lostPlot(lost)].map((data) => plot(box, data));
    const bytes = [...perSecond[0]!.lines[0]!.values].map(Number);
    const total = bytes.reduce((sum, value) => sum + value, 0);
    const most = bytes.reduce((maximum, value) => Math.max(maximum, value), 0);
    const seconds = (to - from) / ticksPerSecond;
    summary.textContent =
      `${count(recording.shown.length, 'snapshot')} in ${clock(seconds)}: ` +
      `${thousands(Math.round(total / Math.max(1, seconds)))} bytes per second, at most ` +
      thousands(Math.round(most));
  }

  /** Draws the bytes by type, which takes a look into each snapshot. */
  async function drawStack(): Promise<void> {
    const { recording, read } = store.state;
    stack?.destroy();
    stack = undefined;
    if (read < 1 || element.hidden) return;
    const data = await inPieces(stackPlot(recording), () => store.state.recording === recording);
    if (data && store.state.recording === recording && !stack) stack = plot(stackBox, data);
  }

  const each = (run: (plot: Plot) => void) => () => {
    for (const plot of [...plots, ...(stack ? [stack] : []), ...values.plots]) run(plot);
  };
  const redraw = each((plot) => plot.draw());
  onSize(box, redraw);
  onScheme(redraw);
  store.on(['recording'], () => {
    element.hidden = store.state.recording.shown.length < 2;
  });
  // It is below the first view, which does not wait for it.
  store.on(['recording'], onceAFrame(draw));
  store.on(['recording', 'read'], () => void drawStack());
  store.on(
    ['tick', 'repeated'],
    each((plot) => plot.showTick()),
  );
  store.on(['visible'], redraw);
  return { element, toggleValue: (name: string) => values.toggle(name) };
}
