import { ticksPerSecond } from '../protocol/ticks.ts';
import type { SecondBytes } from '../report/report-data.ts';
import type { Recording } from './recording.ts';

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
  const { shown, items, firstTick, lastTick } = recording;
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
