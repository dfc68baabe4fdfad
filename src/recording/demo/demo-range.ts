import { attempt, type Code, DecodeError } from '../../wire/bytes/diagnostic.ts';
import { PayloadReader } from '../../wire/payload/payload-reader.ts';
import { maxDraftSnapshotBytes } from '../../wire/snapshot/key.ts';
import { Snapshot } from '../../wire/snapshot/snapshot.ts';
import { type DemoFrame, DemoReader } from '../container/demo/demo-reader.ts';
import type { DemoHeader } from '../container/demo/header.ts';
import type { ReadOptions } from '../replay/replay.ts';
import { CheckedDemoReplay } from './checked-demo.ts';
import { DemoReplay, type DemoVersions } from './demo-replay.ts';

/** A position at which the reading of a demo can begin: a full snapshot. */
export interface Keyframe {
  readonly tick: number;
  /** The offset of the snapshot's chunk, after its tick marker. */
  readonly offset: number;
}

/**
 * Finds the last keyframe of a demo up to a tick, piece by piece. Only full snapshots are decoded; a damaged one is
 * skipped.
 */
export class KeyframeSearch {
  readonly #tick: number;
  readonly #reader = new DemoReader();
  // The replay that begins at a keyframe checks the limit of its version.
  readonly #isReadable = keyframeTest(maxDraftSnapshotBytes);
  found: Keyframe | undefined;
  lastTick = -1;
  /** Whether the demo is undamaged; in a damaged one, ticks are found more reliably by decoding it. */
  sound = true;

  constructor(tick: number) {
    this.#tick = tick;
  }

  get header(): DemoHeader | undefined {
    return this.#reader.header;
  }

  feed(piece: Uint8Array): void {
    this.#addFrames(this.#reader.feed(piece));
  }

  finish(): void {
    this.#addFrames(this.#reader.finish());
  }

  #addFrames(frames: Iterable<DemoFrame>): void {
    for (const frame of frames) {
      const { kind, tick, offset } = frame;
      if (kind === 'diagnostic' && !harmless.has(frame.diagnostic!.code)) this.sound = false;
      if (kind !== 'snapshot' && kind !== 'delta') continue;
      if (tick < this.lastTick) this.sound = false;
      this.lastTick = tick;
      if (kind === 'delta') continue;
      if (!this.#isReadable(frame)) this.sound = false;
      else if (tick <= this.#tick) this.found = { tick, offset };
    }
  }
}

/** Makes a test whether a full snapshot can be read. Only deltas need the sizes of items. */
function keyframeTest(maxSnapshotBytes?: number): (frame: DemoFrame) => boolean {
  const payload = new PayloadReader(() => 0);
  payload.maxSnapshotBytes = maxSnapshotBytes;
  const snapshot = new Snapshot();
  return ({ bytes, start, end }) =>
    !(attempt(() => payload.readSnapshot(bytes, 'huffman', snapshot, start, end)) instanceof DecodeError);
}

/** Diagnostics of the header, and an end inside a chunk, do not affect the ticks. */
const harmless: ReadonlySet<Code> = new Set([
  'truncated_chunk',
  'header_text',
  'net_version',
  'other_net_version',
  'map_size',
  'marker_outside',
  'marker_twice',
  'no_keyframe',
  'empty_demo',
  'demo_type',
  'negative_length',
  'other_length',
  'marker_count',
  'no_sha256',
  'draft_version',
]);

/**
 * A part of a demo that can be read on its own, as plain data: from the end of a keyframe to the end of the keyframe
 * after which the next part begins. Both parts read that keyframe: the first yields its record, which needs the
 * snapshot before it; the next one only rebuilds it. The records of all parts, one after the other, are those of the
 * demo.
 */
export interface DemoRange {
  readonly start: RangeStart | undefined;
  /** The offset where the next part begins; undefined for the last part. */
  readonly end: number | undefined;
}

export interface RangeStart extends Keyframe {
  readonly endOffset: number;
  readonly header: DemoHeader;
  readonly firstTick: number;
  /** The versions in the demo up to here, as far as its beginning shows them. */
  readonly versions: DemoVersions;
}

export interface RangeEnd {
  /**
   * Whether it ended where the next part begins. Otherwise it went on to the end of the file: damage had hidden that
   * place, as a reader of the whole demo finds as well.
   */
  readonly isReached: boolean;
  readonly versions: DemoVersions;
}

/** The first keyframe among frames that need not begin at one. */
export function firstKeyframe(
  frames: Iterable<DemoFrame>,
): Pick<RangeStart, 'tick' | 'offset' | 'endOffset'> | undefined {
  const isReadable = keyframeTest();
  for (const frame of frames) {
    const { kind, tick, offset, dataOffset, start, end } = frame;
    if (kind === 'snapshot' && isReadable(frame)) return { tick, offset, endOffset: dataOffset + end - start };
  }
  return undefined;
}

/** Replays one part: its pieces are those of the file from the offset of its keyframe on. */
export function replayRange({ start, end }: DemoRange, options: ReadOptions): DemoReplay {
  const reader = start ? DemoReader.startingAt(start.header, start.tick, start.offset) : new DemoReader();
  if (start) reader.followFrom(start.firstTick);
  if (end !== undefined) reader.endOffset = end;
  return new CheckedDemoReplay(options, reader, start?.versions);
}

/** The demo whose parts were replayed, for those who need its stream: a replay without records. */
export function replayOfParts(header: DemoHeader, { versions }: RangeEnd, options: ReadOptions): DemoReplay {
  return new DemoReplay(options, DemoReader.startingAt(header, -1, 0), versions);
}
