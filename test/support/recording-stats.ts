import { RecordingStats } from '../../src/analysis/stats/recording-stats.ts';
import type { StatsOptions } from '../../src/analysis/stats/tally.ts';
import { formatOf } from '../../src/recording/all-formats.ts';
import type { RecordingFormat } from '../../src/recording/formats.ts';

/** The counts of a recording, as `stats` has them before they are described. */
export function recordingStats(
  bytes: Uint8Array,
  options: StatsOptions & { readonly format?: RecordingFormat } = {},
): RecordingStats {
  const replay = (options.format ?? formatOf(bytes)!).open({ parts: true });
  const stats = new RecordingStats(replay, options);
  for (const record of replay.feed(bytes)) stats.add(record);
  for (const record of replay.finish()) stats.add(record);
  stats.finish(bytes.length);
  return stats;
}
