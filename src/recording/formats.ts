import { containsNetlog, isCapture, isDemo, isNetlog } from '../container/detect.ts';
import type { RecordingEntry } from './record.ts';
import type { ReadOptions, Replay } from './replay.ts';

/** A kind of file that contains a recording, before its reader is loaded. */
export interface Format {
  /** The name for `--from`. */
  readonly name: string;
  /** Whether it consists of packets: they have numbers, belong to connections, and announce checksums. */
  readonly hasPackets: boolean;
  /** Whether its data are in ticks, one after the other: what one player saw, which can be cut and edited. */
  readonly hasTicks: boolean;
  /** Whether it has keyframes, at which reading can begin. */
  readonly isDivisible: boolean;
  /** Whether its blocks can be written again, with comments. */
  readonly hasBlocks: boolean;
  /** Whether these first bytes of a file, at most 64, are those of this format. */
  detect(first: Uint8Array): boolean;
  /** Whether a file with these first bytes can be read in this format, if the user says that it has it. */
  accepts(first: Uint8Array): boolean;
}

/** A kind of file that contains a recording. */
export interface RecordingFormat extends Format {
  open(options: ReadOptions): Replay;
}

type Reader = new (options: ReadOptions) => Replay;

/** A format whose reader is loaded when a file has it. */
export interface KnownFormat extends Format {
  load(): Promise<Reader>;
}

export const withReader = (format: Format, Reader: Reader): RecordingFormat => ({
  ...format,
  open: (options) => new Reader(options),
});

/** The number of first bytes that is enough to detect any format. */
export const detectionBytes = 64;

export const demoFormat: KnownFormat = {
  name: 'demo',
  hasPackets: false,
  hasTicks: true,
  isDivisible: true,
  hasBlocks: false,
  detect: isDemo,
  accepts: isDemo,
  load: async () => (await import('./demo.ts')).DemoReplay,
};

export const captureFormat: KnownFormat = {
  name: 'pcap',
  hasPackets: true,
  hasTicks: false,
  isDivisible: false,
  hasBlocks: true,
  detect: isCapture,
  accepts: isCapture,
  load: async () => (await import('./capture.ts')).CaptureReplay,
};

export const netlogFormat: KnownFormat = {
  name: 'netlog',
  hasPackets: true,
  hasTicks: false,
  isDivisible: false,
  hasBlocks: false,
  // A network log has no magic bytes, and fewer bytes would be no evidence of a sequence of records.
  detect: (first) => first.length >= detectionBytes && isNetlog(first),
  accepts: containsNetlog,
  load: async () => (await import('./netlog.ts')).NetlogReplay,
};

export const knownFormats: readonly KnownFormat[] = [demoFormat, captureFormat, netlogFormat];

/** The records of a recording whose bytes arrive in pieces. */
export async function* recordsOf(
  pieces: AsyncIterable<Uint8Array>,
  replay: Pick<Replay, 'feed' | 'finish'>,
): AsyncGenerator<RecordingEntry, void> {
  for await (const piece of pieces) yield* replay.feed(piece);
  yield* replay.finish();
}
