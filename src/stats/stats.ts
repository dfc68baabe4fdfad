/**
 * Counts how the bytes of a recording are used.
 *
 * `statsOf(bytes)` counts a whole file at once. {@link RecordingStats} counts a long file piece by piece while its records are also
 * used for other purposes. Both provide
 * - `tally`; `tally.bits` is exactly `8 * bytes` and is the sum over
 *   - `tally.items.all`: an {@link ItemTally} for each kind of item, with the times it was sent (`full`, `new`, `updated`),
 *     `changed` and `removed`, the compressed size in `bits`, the `estimate` of the games' debug screen, and the sizes of `fields`;
 *   - `tally.messages`: times and bits by name;
 *   - `tally.parts`: everything else in the file, by {@link PartName};
 * - the same bits in other groups: `tally.players.all` (items by client) and `tally.seconds.all` (everything over time);
 * - `tally.peaks`: the largest snapshots and their ticks; `tally.snapshots`: the number of snapshots;
 * - `modes`: the rates at which servers sent snapshots, if the recording is a capture.
 *
 * Sizes in bits refer to the file: in a compressed stream, the size of a byte is the length of its Huffman code.
 */

import type { Schema } from '../protocol/schema.ts';
import { formatOf } from '../recording/all-formats.ts';
import type { RecordingFormat } from '../recording/formats.ts';
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
