import { getOr } from '../../wire/bytes/get-or.ts';
import { messageName } from '../../wire/packet/message.ts';
import { isSnapshotOrTiming } from '../../wire/protocol/message-registry.ts';
import { ticksPerSecond } from '../../wire/protocol/ticks.ts';
import { itemBits } from './item-bits.ts';
import { type PlotData, pointsOf } from './series.ts';
import { messageBytes, type Recording } from './shown-recording.ts';

/** The types that have an area of their own. */
const types = 5;
const colors = ['--position', '--state', '--time', '--identity', '--text'];
const full = 'full snapshots';
const maxPoints = 4000;

/**
 * Plots the bytes of each second by the five largest types of items and messages, one area upon the other. Full
 * snapshots have an area of their own, since they have all types. The last value of the generator is the plot.
 */
export function* stackPlot(recording: Recording): Generator<void, PlotData> {
  const { track, shown, reader, ticks } = recording;
  const points = pointsOf(ticks, maxPoints);
  const { seconds, count } = points;
  const sums = new Map<string, Float64Array>();
  const add = (name: string, tick: number, bytes: number) => {
    const at = Math.max(0, Math.floor((tick - ticks.from) / ticksPerSecond / seconds));
    const values = getOr(sums, name, () => new Float64Array(count));
    if (at < count) values[at]! += bytes / seconds;
  };
  for (const index of shown) {
    yield;
    const { tick, kind, payload: file } = track.snapshots[index]!;
    if (kind === 'snapshot') {
      add(full, tick, file.length);
      continue;
    }
    for (const [name, bits] of itemBits(reader.payload(index))) add(name, tick, bits / 8);
  }
  for (const message of track.messages) {
    yield;
    const bytes = messageBytes(message);
    const name = isSnapshotOrTiming(bytes, track.version)
      ? 'snapshots of others'
      : messageName(recording.readMessage(message, bytes).message);
    add(name, message.tick, message.bytes.length);
  }
  return stacked(sums, points);
}

function stacked(sums: ReadonlyMap<string, Float64Array>, { count, x, drawn }: ReturnType<typeof pointsOf>): PlotData {
  const total = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0);
  const names = [...sums.keys()]
    .filter((name) => name !== full)
    .sort((a, b) => total(sums.get(b)!) - total(sums.get(a)!));
  const rest = new Float64Array(count);
  for (const name of names.slice(types)) for (const [i, value] of sums.get(name)!.entries()) rest[i]! += value;
  const layers = [
    ...names.slice(0, types).map((name, i) => ({ title: name, own: sums.get(name)!, color: colors[i]! })),
    ...(names.length > types ? [{ title: `${names.length - types} more types`, own: rest, color: '--dim' }] : []),
    ...(sums.has(full) ? [{ title: full, own: sums.get(full)!, color: '--accent' }] : []),
  ];
  const upTo = new Float64Array(count);
  const lines = layers.map((layer) => {
    for (const [i, value] of layer.own.entries()) upTo[i]! += value;
    return { ...layer, values: upTo.slice() };
  });
  return {
    x,
    // The highest is drawn first, and those below it over it.
    lines: lines.reverse().map((line) => ({ ...line, own: drawn(line.own), values: drawn(line.values) })),
    height: 170,
    isStacked: true,
  };
}
