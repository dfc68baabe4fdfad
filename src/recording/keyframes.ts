import { type Code, DecodeError } from '../bytes/diagnostic.ts';
import type { DemoHeader } from '../container/demo/header.ts';
import { type DemoFrame, DemoReader } from '../container/demo/reader.ts';
import { PayloadReader } from '../decode/payload-reader.ts';
import { Snapshot } from '../snapshot/snapshot.ts';

/** A place where the reading of a demo can begin: a full snapshot. */
export interface Keyframe {
  readonly tick: number;
  /** Byte of the snapshot's chunk, behind its tick marker. */
  readonly offset: number;
}

/**
 * Finds the keyframes of a demo that comes piece by piece. Of the data only full snapshots are decoded: where one is damaged,
 * the one before it holds.
 */
export class KeyframeIndex {
  readonly #reader = new DemoReader();
  // Sizes of items only matter to deltas.
  readonly #payload = new PayloadReader(() => 0);
  readonly #snapshot = new Snapshot();
  readonly keyframes: Keyframe[] = [];
  /** The last tick with a snapshot, -1 without any. */
  lastTick = -1;
  /** Whether all was in order; ticks of a damaged demo are better looked for by decoding it. */
  sound = true;

  get header(): DemoHeader | undefined {
    return this.#reader.header;
  }

  feed(piece: Uint8Array): void {
    this.#take(this.#reader.feed(piece));
  }

  finish(): void {
    this.#take(this.#reader.finish());
  }

  /** The last keyframe at or before a tick. */
  before(tick: number): Keyframe | undefined {
    return this.keyframes.findLast((keyframe) => keyframe.tick <= tick);
  }

  #take(frames: Iterable<DemoFrame>): void {
    for (const frame of frames) {
      const { kind, tick, offset } = frame;
      if (kind === 'diagnostic' && !harmless.has(frame.diagnostic!.code)) this.sound = false;
      if (kind !== 'snapshot' && kind !== 'delta') continue;
      if (tick < this.lastTick) this.sound = false;
      this.lastTick = tick;
      if (kind === 'delta') continue;
      if (this.#isReadable(frame)) this.keyframes.push({ tick, offset });
      else this.sound = false;
    }
  }

  #isReadable({ bytes, start, end }: DemoFrame): boolean {
    try {
      this.#payload.readSnapshot(bytes.subarray(start, end), 'huffman', this.#snapshot);
      return true;
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      return false;
    }
  }
}

/** What is odd about a header, and an end inside a chunk, tell nothing of the ticks. */
const harmless: ReadonlySet<Code> = new Set([
  'truncated_chunk',
  'demo_type',
  'negative_length',
  'marker_count',
  'no_sha256',
]);
