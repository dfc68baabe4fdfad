import { DemoReader } from '../../../src/recording/container/demo/demo-reader.ts';
import type { DemoHeader } from '../../../src/recording/container/demo/header.ts';
import { type DemoRange, firstKeyframe, type RangeEnd, replayRange } from '../../../src/recording/demo/demo-range.ts';
import { DemoReplay, type DemoVersions } from '../../../src/recording/demo/demo-replay.ts';
import { demoFormat } from '../../../src/recording/formats.ts';
import type { ReadOptions } from '../../../src/recording/replay/replay.ts';
import { type Input, type Opened, openInput, refuseMeaningless, unlessRefused } from '../input/inputs.ts';
import { CommandError } from '../options/errors.ts';
import type { Io } from '../platform/io.ts';

/** How a command divides a demo that is its only input, so that threads can read parts of it. */
export interface Division {
  /** Smaller demos are read as one, unless `--jobs` is given: starting threads costs more than it saves. */
  readonly minBytes: number;
  /** Whether messages are skipped. Then only the other bytes have to be read, which are few in the demo of a server. */
  readonly skipsMessages?: boolean;
  /**
   * The maximum size of all parts that are read while the one before them is written, since their output may have to be
   * kept; each thread has several parts in any case.
   */
  readonly aheadBytes?: number;
  accepts?(versions: DemoVersions): boolean;
}

/** Parts take different times to read. With several per thread, no thread waits long for the last one. */
const partsPerThread = 4;

/** The parts of a demo; undefined for any other input, and for a demo that is not worth it. */
export async function demoParts(
  file: string,
  division: Division,
  input: Input,
  stated: number | undefined,
): Promise<readonly DemoRange[] | undefined> {
  const { io } = input;
  const jobs = stated ?? (io.size(file) < division.minBytes ? 1 : await io.cores());
  if (file === '-' || input.follow || jobs === 1) return undefined;
  try {
    const opened = await openInput(file, input);
    refuseMeaningless([opened], input);
    if (!opened.canSeek || !opened.format?.isDivisible) return undefined;
    return await dividedAtKeyframes(opened, division, jobs, stated !== undefined, input);
  } catch (error) {
    // It is reported when the file is read as one.
    if (!(error instanceof CommandError)) throw error;
    return undefined;
  }
}

/**
 * The number of bytes after the first snapshot that are read as a sample: messages to clients of 0.7 come soon, or
 * never.
 */
const sampleBytes = 1 << 20;

async function dividedAtKeyframes(
  { path, pieces }: Opened,
  { minBytes, skipsMessages, aheadBytes = Infinity, accepts }: Division,
  jobs: number,
  isStated: boolean,
  { version, io }: Input,
): Promise<readonly DemoRange[] | undefined> {
  const size = io.size(path);
  const step = Math.min(Math.ceil(aheadBytes / (jobs - 1)), Math.ceil(size / (partsPerThread * jobs)));
  // The beginning decides how items and messages are read, and shows what most bytes are.
  const replay = new DemoReplay({ version });
  let header: DemoHeader | undefined;
  let firstTick = -1;
  let bytesLeft = sampleBytes;
  const sampled = { snapshot: 0, message: 0 };
  for await (const piece of pieces) {
    for (const entry of replay.feed(piece)) {
      // The ticks after damage may be wrong, and the parts begin with them.
      if (entry.record === 'diagnostic' && entry.diagnostic.severity === 'error') return undefined;
      if (entry.record === 'header') header = entry.header;
      if (entry.record === 'tick' && firstTick < 0) firstTick = entry.tick;
      if (entry.record === 'snapshot' || entry.record === 'message') sampled[entry.record] += entry.payload!.length;
    }
    if (sampled.snapshot > 0) bytesLeft -= piece.length;
    if (bytesLeft < 0) break;
  }
  const { versions } = replay;
  // Without a tick in the sample the parts would not know from where to count.
  if (!header || firstTick < 0 || accepts?.(versions) === false) return undefined;
  const readShare = skipsMessages ? sampled.snapshot / (sampled.snapshot + sampled.message) : 1;
  if (!isStated && size * readShare < minBytes) return undefined;
  const starts: DemoRange['start'][] = [];
  for (let at = 0; at + step < size; ) {
    const keyframe = await nextKeyframe(path, header, firstTick, at + step, io);
    if (!keyframe) break;
    starts.push({ ...keyframe, header, versions, firstTick });
    at = keyframe.endOffset;
  }
  if (starts.length === 0) return undefined;
  return [undefined, ...starts].map((start, i) => ({ start, end: starts[i]?.endOffset }));
}

/** No piece is needed after the next one. */
const isReusing = () => true;

async function nextKeyframe(file: string, header: DemoHeader, firstTick: number, offset: number, io: Io) {
  const reader = DemoReader.searchingFrom(header, firstTick, offset);
  for await (const piece of io.open(file, offset, false, isReusing)) {
    const keyframe = firstKeyframe(reader.feed(piece));
    if (keyframe) return keyframe;
  }
  return firstKeyframe(reader.finish());
}

export type OpenedRange = ReturnType<typeof openRange>;

/** A part of a demo as a recording of its own. */
export function openRange(file: string, range: DemoRange, io: Io) {
  let replay: DemoReplay | undefined;
  async function* pieces() {
    const read = io.open(file, range.start?.offset, false, isReusing);
    for await (const piece of unlessRefused(file, read)) {
      yield piece;
      if (replay?.isEndReached) return;
    }
  }
  return {
    name: file,
    path: file,
    canSeek: true,
    range,
    start: range.start?.offset ?? 0,
    format: {
      ...demoFormat,
      open(options: ReadOptions) {
        replay = replayRange(range, options);
        return replay;
      },
    },
    pieces: pieces(),
    /** Known when all records were read. */
    get end(): RangeEnd {
      const { isEndReached: isReached, versions } = replay!;
      return { isReached, versions };
    },
  };
}

/**
 * What is left to read after a part that did not end where the next one begins, or not as that one expects; undefined
 * to go on.
 */
export function restAfter({ isReached, versions }: RangeEnd, next: DemoRange): readonly DemoRange[] | undefined {
  if (!isReached) return [];
  const stated = next.start!.versions;
  const { hasSizesOf06, mixesVersions = stated.mixesVersions } = versions;
  if (stated.hasSizesOf06 === hasSizesOf06 && stated.mixesVersions === mixesVersions) return undefined;
  // The header changed the versions: one thread reads the rest.
  return [{ start: { ...next.start!, versions }, end: undefined }];
}
