import { beginsNetlog, containsNetlog, isCapture, isDemo, isGhost, netlogDetectionBytes } from './container/detect.ts';
import type { RecordingEntry } from './replay/record.ts';
import type { ReadOptions, Replay } from './replay/replay.ts';

/** A kind of file that contains a recording, before its reader is loaded. */
interface Format {
  readonly name: string;
  /** Whether it consists of packets: they have numbers, belong to connections, and announce checksums. */
  readonly hasPackets: boolean;
  /** Whether its data are in ticks, one after the other: what one player saw, which can be cut and edited. */
  readonly hasTicks: boolean;
  /** Whether it has keyframes, at which reading can begin. */
  readonly hasKeyframes: boolean;
  /** Whether it is the run of one player: a character at a time, and nothing else. */
  readonly isRun?: boolean;
  /**
   * Whether it is a capture whose blocks, packets and all others, can be written again, with comments: pcap or pcapng.
   */
  readonly hasBlocks: boolean;
  /** The number of first bytes that show whether a file has this format; {@link detectionBytes} by default. */
  readonly shownBy?: number;
  /** Whether these first bytes of a file are those of this format. It depends on no more than `shownBy` of them. */
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
interface KnownFormat extends Format {
  load(): Promise<Reader>;
}

export const withReader = (format: Format, Reader: Reader): RecordingFormat => ({
  ...format,
  open: (options) => new Reader(options),
});

/** The number of first bytes that show most formats; of a network log, they show whether it may be one. */
export const detectionBytes = 64;

export const demoFormat: KnownFormat = {
  name: 'demo',
  hasPackets: false,
  hasTicks: true,
  hasKeyframes: true,
  hasBlocks: false,
  detect: isDemo,
  accepts: isDemo,
  load: async () => (await import('./demo/demo-replay.ts')).DemoReplay,
};

export const captureFormat: KnownFormat = {
  name: 'pcap',
  hasPackets: true,
  hasTicks: false,
  hasKeyframes: false,
  hasBlocks: true,
  detect: isCapture,
  accepts: isCapture,
  load: async () => (await import('./capture/capture-replay.ts')).CaptureReplay,
};

export const netlogFormat: KnownFormat = {
  name: 'netlog',
  hasPackets: true,
  hasTicks: false,
  hasKeyframes: false,
  hasBlocks: false,
  // A network log has no magic bytes, and fewer bytes would be no evidence of a sequence of records.
  shownBy: netlogDetectionBytes,
  detect: (first) => first.length >= detectionBytes && beginsNetlog(first.subarray(0, netlogDetectionBytes)),
  accepts: containsNetlog,
  load: async () => (await import('./capture/netlog-replay.ts')).NetlogReplay,
};

export const ghostFormat: KnownFormat = {
  name: 'ghost',
  hasPackets: false,
  hasTicks: false,
  hasKeyframes: false,
  hasBlocks: false,
  isRun: true,
  detect: isGhost,
  accepts: isGhost,
  load: async () => (await import('./demo/ghost-replay.ts')).GhostReplay,
};

/** Whether the first bytes of a file that goes on show which of some formats it has, or that it has none of them. */
export function isShown(first: Uint8Array, formats: readonly Format[]): boolean {
  const isEnough = ({ shownBy = detectionBytes }: Format) => first.length >= shownBy;
  return formats.every(isEnough) || formats.some((format) => isEnough(format) && format.detect(first));
}

/** {@link demoFormat} with a reader that also compares the map with the header. */
const checkedDemoFormat: KnownFormat = /* @__PURE__ */ Object.assign({}, demoFormat, {
  load: async () => (await import('./demo/checked-demo.ts')).CheckedDemoReplay,
});

export const knownFormats: readonly KnownFormat[] = [checkedDemoFormat, captureFormat, ghostFormat, netlogFormat];

/** The records of a recording whose bytes arrive in pieces. */
export async function* recordsOf(
  pieces: AsyncIterable<Uint8Array>,
  replay: Pick<Replay, 'feed' | 'finish'>,
): AsyncGenerator<RecordingEntry, void> {
  for await (const piece of pieces) yield* replay.feed(piece);
  yield* replay.finish();
}
