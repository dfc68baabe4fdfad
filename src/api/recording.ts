/**
 * Demos, captures and network logs: the parts of the files, written demos, the records of any recording, where its bytes go.
 *
 * @module tw-snap/recording
 */
export { PcapngWriter } from '../container/capture/pcapng-writer.ts';
export { type CaptureFrame, CaptureReader } from '../container/capture/reader.ts';
export { type DemoHeader, readDemoHeader } from '../container/demo/header.ts';
export { type DemoFrame, DemoReader } from '../container/demo/reader.ts';
export type { DemoHeaderFields } from '../container/demo/write-header.ts';
export { type ChunkKind, DemoWriter } from '../container/demo/writer.ts';
export { isCapture, isDemo } from '../container/detect.ts';
export { formatOf, formats } from '../recording/all-formats.ts';
export { CaptureReplay } from '../recording/capture.ts';
export { DemoReplay } from '../recording/demo.ts';
export { type RecordingFormat, recordsOf } from '../recording/formats.ts';
export { RecordingSummary } from '../recording/recording-summary.ts';
export type { Replay } from '../recording/replay.ts';
export { RecordingStats } from '../stats/recording-stats.ts';
export { statsOf } from '../stats/stats.ts';
export type { StatsOptions } from '../stats/stats-options.ts';
