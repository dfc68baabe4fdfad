import { ValuePath } from '../../wire/annotate/value-path.ts';
import { ticksPerSecond } from '../../wire/protocol/ticks.ts';
import { intAt } from '../../wire/snapshot/item-fields.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import type { TimeLost } from '../report/report-data.ts';
import type { Range } from './marks.ts';
import type { Recording } from './shown-recording.ts';

export interface PlotData {
  readonly x: number[] | Float64Array;
  readonly lines: readonly PlotLine[];
  readonly height: number;
  readonly hasTimes?: boolean;
  /** Whether a value stays until the next one; the value axis then begins at the least value instead of 0. */
  readonly isStepped?: boolean;
  /** Whether the lines are areas upon each other, the highest first. */
  readonly isStacked?: boolean;
}

export interface PlotLine {
  readonly title: string;
  readonly values: readonly (number | null)[] | Float64Array;
  readonly color: string;
  /** In a stack: the values without those below it, which are read out. */
  readonly own?: PlotLine['values'];
  /** Lines with the same scale are compared; the axis shows that of the first. */
  readonly scale?: string;
}

/**
 * The points of a plot over a recording, a second each.
 * @param most if there are more seconds than this, a point covers several
 */
export function pointsOf({ from, to }: Range, most: number) {
  const length = (to - from + 1) / ticksPerSecond;
  const seconds = Math.max(1, Math.ceil(length / most));
  const count = Math.max(1, Math.ceil(length / seconds));
  // A single second would be a point, which cannot be seen: it is drawn over the recording.
  const isLine = count > 1;
  const x = Float64Array.from({ length: count }, (_, i) => from + i * seconds * ticksPerSecond);
  const drawn = (values: PlotLine['values']): PlotLine['values'] => (isLine ? values : [values[0]!, values[0]!]);
  return { seconds, count, x: isLine ? x : [from, Math.max(to, from + 1)], drawn };
}

const maxPoints = 20_000;

/**
 * Plots of bytes, items and snapshots per second. Bytes are those of the whole recording; for one of several clients,
 * only those of the client's snapshots.
 */
export function secondPlots(recording: Recording): PlotData[] {
  const { shown, seconds: counted } = recording;
  const { from } = recording.ticks;
  const { seconds, count, x, drawn } = pointsOf(recording.ticks, maxPoints);
  const bytes = new Float64Array(count);
  /** The largest number of items in a snapshot; null if there was no snapshot. */
  const items: (number | null)[] = Array.from({ length: count }, () => null);
  const snapshots = new Float64Array(count);
  for (const place of shown.keys()) {
    const { tick, payload } = recording.snapshot(place);
    const at = Math.floor((tick - from) / ticksPerSecond / seconds);
    if (!(at >= 0 && at < count)) continue;
    if (!counted) bytes[at]! += payload.length / seconds;
    items[at] = Math.max(items[at] ?? 0, recording.items[place]!);
    snapshots[at]! += 1 / seconds;
  }
  for (const [i, second] of (counted?.second ?? []).entries()) {
    const at = Math.floor((second + (counted!.firstTick - from) / ticksPerSecond) / seconds + 1e-9);
    // Bytes before the first snapshot, such as the handshake, are added to the first point.
    bytes[Math.min(count - 1, Math.max(0, at))]! += counted!.bytes[i]! / seconds;
  }
  const plot = (title: string, values: PlotLine['values'], color: string): PlotData => {
    return { x, lines: [{ title, values: drawn(values), color }], height: 92 };
  };
  return [
    plot(counted ? 'bytes per second' : 'bytes of snapshots per second', bytes, '--position'),
    plot('items', items, '--identity'),
    { ...plot('snapshots per second', snapshots, '--time'), hasTimes: true, height: 110 },
  ];
}

/** How far a run is behind another one. */
export const lostPlot = (lost: TimeLost | undefined): PlotData[] =>
  lost
    ? [
        {
          x: [...lost.ticks],
          lines: [{ title: lost.title, values: lost.behind, color: '--error' }],
          height: 110,
          isStepped: true,
        },
      ]
    : [];

const valueColors = ['--position', '--identity', '--state', '--time', '--text', '--error'];

/**
 * Plots fields of items over time, over each other: null where a snapshot does not have the item.
 * @param names those of {@link ValuePath}s
 */
export function* valuePlot(recording: Recording, names: readonly string[]): Generator<void, PlotData> {
  const { shown, reader } = recording;
  const lines = names.map((name, i) => ({
    ...valueReader(recording, name),
    values: [] as (number | null)[],
    color: valueColors[i % valueColors.length]!,
  }));
  for (const index of shown) {
    const snapshot = reader.snapshot(index);
    for (const { values, of } of lines) values.push(snapshot ? of(snapshot) : null);
    yield;
  }
  const x = shown.map((_, position) => recording.snapshot(position).tick);
  return { x, lines, height: 110, isStepped: true };
}

/** Reads a value in successive snapshots; null if a snapshot does not have it. */
function valueReader({ protocol }: Recording, name: string) {
  const path = ValuePath.parse(name);
  if (!path) return { title: name, scale: name, of: () => null };
  const { item, id, field } = path;
  const find = path.finder(protocol);
  const of = (snapshot: Snapshot): number | null => {
    const found = find(snapshot);
    return found ? intAt(snapshot, found.i, found.value.at) : null;
  };
  return { title: `${item} ${id} ${field}`, scale: `value ${field}`, of };
}
