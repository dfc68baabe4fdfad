import { DemoReader } from '../container/demo.ts';
import type { DemoHeader } from '../container/demo-header.ts';

/** A place where the reading of a demo can begin: a full snapshot. */
export interface Keyframe {
  readonly tick: number;
  /** Byte of the snapshot's chunk, behind its tick marker. */
  readonly offset: number;
}

/** Finds the keyframes of a demo that comes piece by piece, without decoding anything. */
export class KeyframeIndex {
  readonly #reader = new DemoReader();
  readonly keyframes: Keyframe[] = [];
  /** The last tick with a snapshot, -1 without any. */
  lastTick = -1;
  /** Whether framing was in order all along; ticks of a damaged demo are better looked for by decoding it. */
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

  #take(frames: ReturnType<DemoReader['feed']>): void {
    for (const { kind, tick, offset, severity, code } of frames) {
      if (kind === 'snapshot') this.keyframes.push({ tick, offset });
      if (kind === 'snapshot' || kind === 'delta') {
        if (tick < this.lastTick) this.sound = false;
        this.lastTick = tick;
      }
      if (kind === 'trouble' && (severity === 'error' || code === 'framing_lost') && code !== 'truncated_chunk') {
        this.sound = false;
      }
    }
  }
}
