import type { DemoHeader } from '../container/demo/header.ts';
import { type DemoFrame, DemoReader } from '../container/demo/reader.ts';
import { DemoReplay } from './demo.ts';
import type { DemoVersions } from './demo-stream.ts';
import { type Keyframe, KeyframeReader } from './keyframes.ts';
import type { ReadOptions } from './replay.ts';

/**
 * A part of a demo that can be read on its own, as plain data: from the end of a keyframe to the end of the keyframe after which the
 * next part begins. Both parts read that keyframe: the first yields its record, which needs the snapshot before it; the next one only
 * rebuilds it. The records of all parts, one after the other, are those of the demo.
 */
export interface DemoRange {
  /** Undefined for the first part, which begins with the header. */
  readonly start: RangeStart | undefined;
  /** The offset where the next part begins; undefined for the last part. */
  readonly end: number | undefined;
}

/** The keyframe before a part. */
export interface RangeStart extends Keyframe {
  /** The offset after the chunk of the keyframe. */
  readonly endOffset: number;
  readonly header: DemoHeader;
  /** The first tick of the demo. */
  readonly firstTick: number;
  /** The versions in the demo up to here, as far as its beginning shows them. */
  readonly versions: DemoVersions;
}

/** How the reading of a part ended. */
export interface RangeEnd {
  /**
   * Whether it ended where the next part begins. Otherwise it went on to the end of the file: damage had hidden that place, as a reader
   * of the whole demo finds as well.
   */
  readonly isReached: boolean;
  readonly versions: DemoVersions;
}

type FoundKeyframe = Pick<RangeStart, 'tick' | 'offset' | 'endOffset'>;

/** Finds the first keyframe from an offset on, which need not be the beginning of a chunk. */
export class KeyframeSearch {
  readonly #reader: DemoReader;
  readonly #keyframes = new KeyframeReader();

  constructor(header: DemoHeader, offset: number) {
    this.#reader = DemoReader.searchingFrom(header, offset);
  }

  /** @returns undefined if more pieces are needed */
  feed(piece: Uint8Array): FoundKeyframe | undefined {
    return this.#first(this.#reader.feed(piece));
  }

  finish(): FoundKeyframe | undefined {
    return this.#first(this.#reader.finish());
  }

  #first(frames: Iterable<DemoFrame>): FoundKeyframe | undefined {
    for (const frame of frames) {
      const { kind, tick, offset, dataOffset, start, end } = frame;
      if (kind === 'snapshot' && this.#keyframes.isReadable(frame)) {
        return { tick, offset, endOffset: dataOffset + end - start };
      }
    }
    return undefined;
  }
}

/** Replays one part: its pieces are those of the file from the offset of its keyframe on. */
export function replayRange({ start, end }: DemoRange, options: ReadOptions): DemoReplay {
  const reader = start ? DemoReader.startingAt(start.header, start.tick, start.offset) : new DemoReader();
  if (end !== undefined) reader.endOffset = end;
  return new DemoReplay(options, reader, start?.versions);
}

/** The demo whose parts were replayed, for those who need its stream: a replay without records. */
export function replayOfParts(header: DemoHeader, { versions }: RangeEnd, options: ReadOptions): DemoReplay {
  return new DemoReplay(options, DemoReader.startingAt(header, -1, 0), versions);
}
