import type { DemoHeader } from '../../../src/container/demo/header.ts';
import { DemoReplay } from '../../../src/recording/demo.ts';
import {
  type DemoRange,
  KeyframeSearch,
  type RangeEnd,
  type RangeStart,
  replayRange,
} from '../../../src/recording/demo-range.ts';
import type { DemoVersions } from '../../../src/recording/demo-stream.ts';
import { formats } from '../../../src/recording/formats.ts';
import { CommandError } from '../errors.ts';
import { type OpenedRecording, openInput, statedVersion, unlessRefused } from '../input/open.ts';
import type { Io } from '../io.ts';
import type { InputOptions } from '../options.ts';
import { refuseMeaningless } from '../refuse-options.ts';

/** How a command divides a demo that is its only input, so that threads can read parts of it. */
export interface Division {
  /** Demos with fewer bytes to read are read as one, unless `--jobs` is given: the threads would start in vain. */
  readonly minBytes: number;
  /** Whether messages are skipped. Then only the other bytes have to be read, which are few in the demo of a server. */
  readonly skipsMessages?: boolean;
  /** The maximum size of a part, whose output may have to be kept; each thread has several parts in any case. */
  readonly partBytes?: number;
  accepts?(header: DemoHeader): boolean;
}

/** Parts take different times to read, and no thread shall wait long for the last one. */
const partsPerThread = 4;

type DivisionOptions = Pick<InputOptions, 'from' | 'protocol'> & { readonly jobs?: number; readonly follow?: boolean };

/** The parts of a demo; undefined for any other input, and for a demo that is not worth it. */
export async function dividedDemo(
  file: string,
  { minBytes, skipsMessages, partBytes = Infinity, accepts }: Division,
  options: DivisionOptions,
  io: Io,
): Promise<readonly DemoRange[] | undefined> {
  const size = io.size(file);
  const jobs = options.jobs ?? (size < minBytes ? 1 : await io.cores());
  if (file === '-' || options.follow || jobs === 1) return;
  const step = Math.min(partBytes, Math.ceil(size / (partsPerThread * jobs)));
  try {
    const opened = await openInput(file, options, io);
    refuseMeaningless([opened], options);
    if (opened.format?.name !== 'demo' || !opened.canSeek) return;
    const beginning = new Beginning(options);
    for await (const piece of opened.pieces) if (beginning.feed(piece)) break;
    const { header, versions, firstTick, messageShare } = beginning;
    if (!header || accepts?.(header) === false) return;
    const readShare = skipsMessages ? 1 - messageShare : 1;
    if (options.jobs === undefined && size * readShare < minBytes) return;
    const starts: RangeStart[] = [];
    for (let at = 0; at + step < size; ) {
      const keyframe = await nextKeyframe(file, header, at + step, io);
      if (!keyframe) break;
      starts.push({ ...keyframe, header, versions, firstTick });
      at = keyframe.endOffset;
    }
    return starts.length > 0
      ? [undefined, ...starts].map((start, i) => ({ start, end: starts[i]?.endOffset }))
      : undefined;
  } catch (error) {
    // It is reported when the file is read as one.
    if (!(error instanceof CommandError)) throw error;
    return;
  }
}

async function nextKeyframe(file: string, header: DemoHeader, offset: number, io: Io) {
  const search = new KeyframeSearch(header, offset);
  for await (const piece of io.open(file, offset, false, () => true)) {
    const keyframe = search.feed(piece);
    if (keyframe) return keyframe;
  }
  return search.finish();
}

/** The number of bytes after the first snapshot that are read as a sample: messages to clients of 0.7 come soon, or never. */
const sampleBytes = 1 << 20;

/** The beginning of a demo, which decides how its items and messages are read, and shows what most of its bytes are. */
class Beginning {
  readonly #replay: DemoReplay;
  header: DemoHeader | undefined;
  firstTick = -1;
  #bytesLeft = sampleBytes;
  readonly #payloadBytes = { snapshot: 0, message: 0 };

  constructor(options: Pick<InputOptions, 'protocol'>) {
    this.#replay = new DemoReplay(statedVersion(options));
  }

  get versions(): DemoVersions {
    return this.#replay.versions;
  }

  /** The share of messages in the bytes of all payloads. */
  get messageShare(): number {
    const { snapshot, message } = this.#payloadBytes;
    return message / (snapshot + message);
  }

  /** @returns whether it is over */
  feed(piece: Uint8Array): boolean {
    for (const entry of this.#replay.feed(piece)) {
      if (entry.record === 'header') this.header = entry.header;
      if (entry.record === 'tick' && this.firstTick < 0) this.firstTick = entry.tick;
      if (entry.record === 'snapshot' || entry.record === 'message') {
        this.#payloadBytes[entry.record] += entry.payload!.length;
      }
    }
    if (this.#payloadBytes.snapshot > 0) this.#bytesLeft -= piece.length;
    return this.#bytesLeft < 0;
  }
}

/** A part of a demo as a recording of its own. */
export interface OpenedRange extends OpenedRecording {
  /** The offset of its first piece. */
  readonly start: number;
  /** Known when all records were read. */
  readonly end: RangeEnd;
}

export function openRange(file: string, range: DemoRange, io: Io): OpenedRange {
  let replay: DemoReplay | undefined;
  async function* pieces() {
    const read = io.open(file, range.start?.offset, false, () => true);
    for await (const piece of unlessRefused(file, read)) {
      yield piece;
      if (replay?.isEndReached) return;
    }
  }
  const format = formats.find(({ name }) => name === 'demo')!;
  return {
    name: file,
    path: file,
    canSeek: true,
    start: range.start?.offset ?? 0,
    format: {
      ...format,
      open(options) {
        replay = replayRange(range, options);
        return replay;
      },
    },
    pieces: pieces(),
    get end() {
      const { isEndReached: isReached, versions } = replay!;
      return { isReached, versions };
    },
  };
}
