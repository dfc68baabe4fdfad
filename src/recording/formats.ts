import { isNetlog } from '../container/capture/netlog.ts';
import { isCapture } from '../container/capture/reader.ts';
import { isDemo } from '../container/demo/header.ts';
import { CaptureReplay } from './capture.ts';
import { DemoReplay } from './demo.ts';
import { NetlogReplay } from './netlog.ts';
import type { RecordingEntry } from './record.ts';
import type { ReadOptions, Replay } from './replay.ts';

/**
 * A kind of file that contains a recording.
 *
 * @example
 * ```ts
 * import { formatOf, type RecordingFormat } from 'tw-snap/recording';
 *
 * const format: RecordingFormat | undefined = formatOf(bytes);
 * const replay = format?.open({ messages: false });
 * ```
 */
export interface RecordingFormat {
  /** The name for `--from`. */
  readonly name: string;
  /** Whether these first bytes of a file, at most 64, are those of this format. */
  detect(first: Uint8Array): boolean;
  open(options: ReadOptions): Replay;
}

/** The number of first bytes that is enough to detect any format. */
export const detectionBytes = 64;

/**
 * All formats, in the order in which they are tried.
 *
 * @example
 * ```ts
 * import { formats } from 'tw-snap/recording';
 *
 * console.log(formats.map(({ name }) => name)); // demo, pcap, netlog
 * ```
 */
export const formats: readonly RecordingFormat[] = [
  { name: 'demo', detect: isDemo, open: (options) => new DemoReplay(options) },
  { name: 'pcap', detect: isCapture, open: (options) => new CaptureReplay(options) },
  {
    name: 'netlog',
    // A network log has no magic bytes, and fewer bytes would be no evidence of a sequence of records.
    detect: (first) => first.length >= detectionBytes && isNetlog(first),
    open: (options) => new NetlogReplay(options),
  },
];

/**
 * The format of a file by its first bytes; undefined if it is not a recording.
 *
 * @example
 * ```ts
 * import { formatOf } from 'tw-snap/recording';
 *
 * console.log(formatOf(bytes.subarray(0, 64))?.name);
 * ```
 */
export const formatOf = (first: Uint8Array): RecordingFormat | undefined => formats.find(({ detect }) => detect(first));

/**
 * The records of a recording whose bytes arrive in pieces.
 *
 * @example
 * ```ts
 * import { DemoReplay, recordsOf } from 'tw-snap/recording';
 *
 * async function* pieces() {
 *   yield bytes;
 * }
 * for await (const { record } of recordsOf(pieces(), new DemoReplay())) console.log(record);
 * ```
 */
export async function* recordsOf(
  pieces: AsyncIterable<Uint8Array>,
  replay: Pick<Replay, 'feed' | 'finish'>,
): AsyncGenerator<RecordingEntry, void> {
  for await (const piece of pieces) yield* replay.feed(piece);
  yield* replay.finish();
}
