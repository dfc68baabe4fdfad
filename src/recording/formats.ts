import { beginsNetlog, containsNetlog, isCapture, isDemo, isGhost, netlogDetectionBytes } from './container/detect.ts';
import type { RecordingEntry } from './replay/record.ts';
import type { ReadOptions, Replay } from './replay/replay.ts';

/** A kind of file that contains a recording, before its reader is loaded. */
export interface Format {
  readonly name: string;
  /** Whether it consists of packets: they have numbers, belong to connections, and announce checksums. */
  readonly hasPackets: boolean;
  /** Whether its data are in ticks, one after the other: what one player saw, which can be cut and edited. */
  readonly hasTicks: boolean;
  /** Whether it has keyframes, at which reading can begin. */
  readonly isDivisible: boolean;
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
export interface KnownFormat extends Format {
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
  isDivisible: true,
  hasBlocks: false,
  detect: isDemo,
  accepts: isDemo,
  load: async () => (await import('./demo/demo-replay.ts')).DemoReplay,
};

export const captureFormat: KnownFormat = {
  name: 'pcap',
  hasPackets: true,
  hasTicks: false,
  isDivisible: false,
  hasBlocks: true,
  detect: isCapture,
  accepts: isCapture,
  load: async () => (await import('./capture/capture-replay.ts')).CaptureReplay,
};

export const netlogFormat: KnownFormat = {
  name: 'netlog',
  hasPackets: true,
  hasTicks: false,
  isDivisible: false,
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
  isDivisible: false,
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

const startsWith =
  (...start: readonly (number | string)[]) =>
  (first: Uint8Array) => {
    const bytes = start.flatMap((part) => (typeof part === 'string' ? [...part].map((c) => c.charCodeAt(0)) : part));
    return first.length >= bytes.length && bytes.every((byte, i) => byte === first[i]);
  };

const packed = (name: string, tool: string) =>
  `a file compressed with ${name}, which is not read; unpack it first: ${tool} -dc FILE | tw-snap …`;

/** `DATA`, or `ATAD` in files of big-endian machines, followed by version 3 or 4. */
export const isMap = (first: Uint8Array) =>
  (startsWith('DATA')(first) || startsWith('ATAD')(first)) && (first[4] === 3 || first[4] === 4) && first[5] === 0;

/** 699db17b-8efb-34ff-b1d8-da6f60c15dd1, the UUID of `teehistorian@ddnet.tw`. */
const teehistorian = [0x69, 0x9d, 0xb1, 0x7b, 0x8e, 0xfb, 0x34, 0xff, 0xb1, 0xd8, 0xda, 0x6f, 0x60, 0xc1, 0x5d, 0xd1];

/** What files are that are often stored together with demos and captures, with advice. */
const otherFileKinds: readonly (readonly [text: string, detect: (first: Uint8Array) => boolean])[] = [
  [packed('xz', 'xz'), startsWith(0xfd, '7zXZ', 0)],
  [
    packed('bzip2', 'bzip2'),
    (first) => startsWith('BZh')(first) && startsWith(0x31, 0x41, 0x59, 0x26, 0x53, 0x59)(first.subarray(4)),
  ],
  ['a teehistorian file, which records inputs and positions, not snapshots', startsWith(...teehistorian)],
  ['a map; demos, packets and captures are read', isMap],
  ['a PNG image; demos, packets and captures are read', startsWith(0x89, 'PNG\r\n', 0x1a, '\n')],
  ['a web page; copy the text with the bytes, or name the recording of a report', startsWith('<!doctype html')],
];

/** What a file is that is neither a recording nor a payload, by its first bytes; undefined for anything else. */
export const otherFileKind = (first: Uint8Array): string | undefined =>
  otherFileKinds.find(([, detect]) => detect(first))?.[0];
