/**
 * Where the bytes of a recording go.
 *
 * `statsOf(bytes)` counts a whole file at once. Long ones are counted piece by piece, while their records are used for other
 * purposes: see {@link RecordingStats}. It has
 * - `tally`, of which `tally.bits` is exactly `8 * bytes`: the sum over
 *   - `tally.items.all`: for each kind of item, {@link ItemTally}: times sent (`full`, `new`, `updated`), `changed` and
 *     `removed`, `bits` as they were compressed, `estimate` by the games' debug screen, and the same by `fields`;
 *   - `tally.messages`: by name, times and bits;
 *   - `tally.parts`: everything around them, by {@link PartName};
 * - the same bits in other groups: `tally.players.all` (items by client), `tally.seconds.all` (everything over time);
 * - `tally.peaks`: the fullest snapshots, with their ticks; `tally.snapshots`: how many there were;
 * - `modes`: the rates at which servers sent snapshots, where packets were captured.
 *
 * Bits are those of the file: in a compressed stream, each byte has those of its Huffman code.
 */

import type { Schema } from '../protocol/schema.ts';
import { formatOf, type RecordingFormat } from '../recording/formats.ts';
import { RecordingStats } from './recording-stats.ts';
import type { StatsOptions } from './stats-options.ts';

/**
 * Counts a recording.
 * @param options.format the format of the file, if its first bytes do not show it
 * @throws TypeError if the format is neither stated nor detected
 * @example
 * ```ts
 * import { statsOf } from 'tw-snap/recording';
 *
 * const { tally, bytes: counted } = statsOf(bytes);
 * console.log(counted, 'bytes,', tally.snapshots.deltas, 'deltas');
 * ```
 */
export function statsOf(
  bytes: Uint8Array,
  options: StatsOptions & { readonly format?: RecordingFormat; readonly schema?: Schema } = {},
): RecordingStats {
  const format = options.format ?? formatOf(bytes);
  if (!format) throw new TypeError('the file is not a recording of a known format');
  const replay = format.open({ ...(options.schema ? { schema: options.schema } : {}), parts: true });
  const stats = new RecordingStats(replay, options);
  for (const record of replay.feed(bytes)) stats.add(record);
  for (const record of replay.finish()) stats.add(record);
  stats.finish(bytes.length);
  return stats;
}
