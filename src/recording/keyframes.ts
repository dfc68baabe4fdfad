import { attempt, type Code, DecodeError } from '../bytes/diagnostic.ts';
import type { DemoHeader } from '../container/demo/header.ts';
import { type DemoFrame, DemoReader } from '../container/demo/reader.ts';
import { PayloadReader } from '../decode/payload-reader.ts';
import { maxDraftSnapshotBytes } from '../snapshot/key.ts';
import { Snapshot } from '../snapshot/snapshot.ts';

/** A position at which the reading of a demo can begin: a full snapshot. */
export interface Keyframe {
  readonly tick: number;
  /** The offset of the snapshot's chunk, after its tick marker. */
  readonly offset: number;
}

/** Finds the keyframes of a demo piece by piece. Only full snapshots are decoded; a damaged one is skipped. */
export class KeyframeIndex {
  readonly #reader = new DemoReader();
  // The replay that begins at a keyframe checks the limit of its version.
  readonly #keyframes = new KeyframeReader(maxDraftSnapshotBytes);
  readonly keyframes: Keyframe[] = [];
  /** The last tick with a snapshot, -1 without any. */
  lastTick = -1;
  /** Whether the demo is undamaged; in a damaged one, ticks are found more reliably by decoding it. */
  sound = true;

  get header(): DemoHeader | undefined {
    return this.#reader.header;
  }

  feed(piece: Uint8Array): void {
    this.#addFrames(this.#reader.feed(piece));
  }

  finish(): void {
    this.#addFrames(this.#reader.finish());
  }

  /** The last keyframe at or before a tick. */
  before(tick: number): Keyframe | undefined {
    return this.keyframes.findLast((keyframe) => keyframe.tick <= tick);
  }

  #addFrames(frames: Iterable<DemoFrame>): void {
    for (const frame of frames) {
      const { kind, tick, offset } = frame;
      if (kind === 'diagnostic' && !harmless.has(frame.diagnostic!.code)) this.sound = false;
      if (kind !== 'snapshot' && kind !== 'delta') continue;
      if (tick < this.lastTick) this.sound = false;
      this.lastTick = tick;
      if (kind === 'delta') continue;
      if (this.#keyframes.isReadable(frame)) this.keyframes.push({ tick, offset });
      else this.sound = false;
    }
  }
}

/** Tells whether full snapshots can be read. */
export class KeyframeReader {
  // Only deltas need the sizes of items.
  readonly #payload = new PayloadReader(() => 0);
  readonly #snapshot = new Snapshot();

  /** @param maxSnapshotBytes by default what every version accepts */
  constructor(maxSnapshotBytes?: number) {
    if (maxSnapshotBytes !== undefined) this.#payload.maxSnapshotBytes = maxSnapshotBytes;
  }

  isReadable({ bytes, start, end }: DemoFrame): boolean {
    const result = attempt(() => this.#payload.readSnapshot(bytes, 'huffman', this.#snapshot, start, end));
    return !(result instanceof DecodeError);
  }
}

/** Diagnostics of the header, and an end inside a chunk, do not affect the ticks. */
const harmless: ReadonlySet<Code> = new Set([
  'truncated_chunk',
  'demo_type',
  'negative_length',
  'marker_count',
  'no_sha256',
  'draft_version',
]);
