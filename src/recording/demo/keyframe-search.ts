import { attempt, type Code, DecodeError } from '../../wire/bytes/diagnostic.ts';
import { PayloadReader } from '../../wire/payload/payload-reader.ts';
import { maxDraftSnapshotBytes } from '../../wire/snapshot/key.ts';
import { Snapshot } from '../../wire/snapshot/snapshot.ts';
import { type DemoFrame, DemoReader } from '../container/demo/demo-reader.ts';
import type { DemoHeader } from '../container/demo/header.ts';

/** A position at which the reading of a demo can begin: a full snapshot. */
interface Keyframe {
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
  readonly #isReadable = keyframeTest();
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
function keyframeTest(): (frame: DemoFrame) => boolean {
  const payload = new PayloadReader(() => 0);
  // The replay that begins at a keyframe checks the limit of its version.
  payload.maxSnapshotBytes = maxDraftSnapshotBytes;
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
  'demo_version',
  'draft_version',
]);
