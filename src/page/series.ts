import { valuesUpTo } from '../annotate/values.ts';
import type { Protocol } from '../protocol/registry.ts';
import { ticksPerSecond } from '../protocol/ticks.ts';
import type { SecondBytes } from '../report/report-data.ts';
import { intAt } from '../snapshot/item-fields.ts';
import { ItemTypes } from '../snapshot/item-types.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Recording } from './recording.ts';

/** What a plot shows. */
export interface PlotData {
  readonly title: string;
  /** The ticks in ascending order. */
  readonly x: number[] | Float64Array;
  readonly lines: readonly PlotLine[];
  readonly height: number;
  /** Whether the time axis is below it. */
  readonly hasTimes?: boolean;
  /** Whether the value axis begins at the least value instead of 0. */
  readonly isTight?: boolean;
}

interface PlotLine {
  readonly values: readonly (number | null)[] | Float64Array;
  /** The custom property of the style sheet that has the colour. */
  readonly color: string;
  readonly isDots?: boolean;
  readonly dotSize?: number;
  /** Whether a value stays until the next one. */
  readonly isStepped?: boolean;
}

/**
 * Bytes, snapshots and items per second, for plots. `x` is in ticks. `bytes` counts the whole recording; for one of several clients,
 * it only counts the client's snapshots.
 */
export interface Series {
  readonly x: Float64Array;
  readonly bytes: Float64Array;
  /** The largest number of items in a snapshot; null if there was no snapshot. */
  readonly items: (number | null)[];
  readonly snapshots: Float64Array;
}

/** If there are more seconds than this, a point covers several. */
const maxPoints = 20_000;

export function seriesOf(recording: Recording): Series {
  const { shown, items } = recording;
  const { from: firstTick, to: lastTick } = recording.ticks;
  const seconds = Math.max(1, Math.ceil((lastTick - firstTick + 1) / ticksPerSecond / maxPoints));
  const count = Math.max(1, Math.ceil((lastTick - firstTick + 1) / ticksPerSecond / seconds));
  const series: Series = {
    x: Float64Array.from({ length: count }, (_, i) => firstTick + i * seconds * ticksPerSecond),
    bytes: new Float64Array(count),
    items: Array.from({ length: count }, () => null),
    snapshots: new Float64Array(count),
  };
  for (const place of shown.keys()) {
    const { tick, payload } = recording.snapshot(place);
    const at = Math.floor((tick - firstTick) / ticksPerSecond / seconds);
    if (!(at >= 0 && at < count)) continue;
    if (!recording.seconds) series.bytes[at]! += payload.length / seconds;
    series.items[at] = Math.max(series.items[at] ?? 0, items[place]!);
    series.snapshots[at]! += 1 / seconds;
  }
  if (recording.seconds) addBytes(series, recording.seconds, firstTick, seconds);
  return series;
}

/** Adds the bytes by second. Bytes before the first snapshot, such as the handshake, are added to the first point. */
function addBytes(
  { bytes }: Series,
  { firstTick, second, bytes: sent }: SecondBytes,
  from: number,
  seconds: number,
): void {
  for (const [i, one] of second.entries()) {
    const at = Math.floor((one + (firstTick - from) / ticksPerSecond) / seconds + 1e-9);
    bytes[Math.min(bytes.length - 1, Math.max(0, at))]! += sent[i]! / seconds;
  }
}

/** Plots of bytes, items and snapshots per second. */
export function secondPlots(recording: Recording, { x, bytes, items, snapshots }: Series): PlotData[] {
  const plot = (title: string, values: PlotLine['values'], color: string): PlotData => {
    return { title, x, lines: [{ values, color }], height: 92 };
  };
  return [
    plot(recording.seconds ? 'bytes per second' : 'bytes of snapshots per second', bytes, '--position'),
    plot('items', items, '--identity'),
    { ...plot('snapshots per second', snapshots, '--time'), hasTimes: true, height: 110 },
  ];
}

/** The plot of a value. Dots mark the ticks in which the item was sent. */
export function valuePlot({ item, label, ticks, values, isSent }: ValueSeries, color: string): PlotData {
  const sent = values.map((value, i) => (isSent[i] ? value : null));
  return {
    title: `${item.replace('/', ' ')} ${label}`,
    x: ticks,
    lines: [
      { values, color, isStepped: true },
      { values: sent, color, isDots: true, dotSize: 4 },
    ],
    height: 110,
    isTight: true,
  };
}

/** A value of an item over time. */
export interface ValueSeries {
  /** The item's part of a link: `obj_character/0`. */
  readonly item: string;
  readonly label: string;
  /** The ticks of all snapshots. */
  readonly ticks: Float64Array;
  /** The value in each snapshot; null if the snapshot does not have the item. */
  readonly values: readonly (number | null)[];
  /** Whether each snapshot sent the item: in a full snapshot, or in the updates of a delta. */
  readonly isSent: readonly boolean[];
}

/** The number of snapshots read between two pauses. */
const stepSnapshots = 200;

/** Reads a value from all shown snapshots. It yields often so that the page can respond. */
export function* readValueSeries(recording: Recording, item: string, label: string): Generator<void, ValueSeries> {
  const { shown, reader, protocol } = recording;
  const place = new ItemPlace(protocol, item, label);
  const ticks = new Float64Array(shown.length);
  const values: (number | null)[] = [];
  const isSent: boolean[] = [];
  for (const [position, index] of shown.entries()) {
    ticks[position] = recording.snapshot(position).tick;
    const snapshot = reader.snapshot(index);
    const at = snapshot ? place.find(snapshot) : -1;
    values.push(at < 0 ? null : (place.value(snapshot!, at) ?? null));
    isSent.push(at >= 0 && reader.sends(index, snapshot!.keys[at]!));
    if (position % stepSnapshots === 0) yield;
  }
  return { item, label, ticks, values, isSent };
}

/** Formats the series as CSV. Each tick that has one of the items is a row with its values, and 1 for each item that was sent. */
export function csvOf(all: readonly ValueSeries[]): string {
  const names = all.map(({ item, label }) => `${item} ${label}`);
  const rows = [['tick', ...names.flatMap((name) => [name, `${name} sent`])].map(quoted).join(',')];
  const ticks = all[0]?.ticks ?? [];
  for (let i = 0; i < ticks.length; i++) {
    if (all.every(({ values }) => values[i] === null)) continue;
    const cells = all.flatMap(({ values, isSent }) => [values[i] ?? '', values[i] === null ? '' : Number(isSent[i])]);
    rows.push([ticks[i], ...cells].join(','));
  }
  return `${rows.join('\n')}\n`;
}

const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Finds the item of a link, such as `obj_character/0`, and one of its values in successive snapshots. */
class ItemPlace {
  readonly #protocol: Protocol;
  readonly #name: string;
  readonly #id: number;
  readonly #label: string;
  #type: number | undefined;
  /** The index of the value in the item's ints, by the number of ints; -1 if an item of this size does not have the value. */
  readonly #at = new Map<number, number>();

  constructor(protocol: Protocol, link: string, label: string) {
    const [name = '', id] = link.split('/');
    this.#protocol = protocol;
    this.#name = name;
    this.#id = Number(id);
    this.#label = label;
    const [, number] = /^type (\d+)$/.exec(name) ?? [];
    this.#type = number === undefined ? protocol.byName(name)?.type : Number(number);
  }

  /** The index of the item; -1 if the snapshot does not have it. */
  find(snapshot: Snapshot): number {
    // The type number of a UUID item can differ between snapshots.
    const type = this.#type ?? new ItemTypes(this.#protocol).onSnapshot(snapshot).numberOf(this.#name);
    return type === undefined ? -1 : snapshot.find(type, this.#id);
  }

  /** The value of the item with this index; undefined if the item is too short. */
  value(snapshot: Snapshot, index: number): number | undefined {
    const size = snapshot.size(index);
    let at = this.#at.get(size);
    if (at === undefined) {
      const value = [...valuesUpTo(this.#protocol.byName(this.#name), size)].find(({ label }) => label === this.#label);
      at = value?.at ?? -1;
      this.#at.set(size, at);
    }
    return at < 0 ? undefined : intAt(snapshot, index, at);
  }
}
