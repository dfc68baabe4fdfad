/**
 * Demos, captures and network logs: the parts of the files, written demos, the records of any recording, where its bytes go.
 *
 * @module tw-snap/recording
 */
import type { Schema } from '../protocol/registry.ts';
import { formatOf } from '../recording/all-formats.ts';
import type { RecordingFormat } from '../recording/formats.ts';
import { RecordingStats } from '../stats/recording-stats.ts';
import type { StatsOptions } from '../stats/tally.ts';
import { recordsIn } from './read-recording.ts';

export { PcapngWriter } from '../container/capture/pcapng-writer.ts';
export { type CaptureFrame, CaptureReader } from '../container/capture/reader.ts';
export { type DemoHeader, readDemoHeader } from '../container/demo/header.ts';
export { type DemoFrame, DemoReader } from '../container/demo/reader.ts';
export type { DemoHeaderFields } from '../container/demo/writer.ts';
export { type ChunkKind, DemoWriter } from '../container/demo/writer.ts';
export { isCapture, isDemo } from '../container/detect.ts';
export { formatOf, formats } from '../recording/all-formats.ts';
export { CaptureReplay } from '../recording/capture.ts';
export { DemoReplay } from '../recording/demo.ts';
export { type RecordingFormat, recordsOf } from '../recording/formats.ts';
export { RecordingSummary } from '../recording/recording-summary.ts';
export type { Replay } from '../recording/replay.ts';
export { RecordingStats } from '../stats/recording-stats.ts';
export type { StatsOptions } from '../stats/tally.ts';

/**
 * Counts a recording.
 * @param options.format the format of the file, if its first bytes do not show it
 * @throws TypeError if the format is neither stated nor detected
 */
export function statsOf(
  bytes: Uint8Array,
  options: StatsOptions & { readonly format?: RecordingFormat; readonly schema?: Schema } = {},
): RecordingStats {
  const format = options.format ?? formatOf(bytes);
  if (!format) throw new TypeError('the file is not a recording of a known format');
  const replay = format.open({ ...(options.schema ? { schema: options.schema } : {}), parts: true });
  const stats = new RecordingStats(replay, options);
  for (const record of recordsIn(bytes, replay, 'statsOf')) stats.add(record);
  stats.finish(bytes.length);
  return stats;
}
