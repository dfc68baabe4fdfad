import type { RecordingEntry, Stream } from '../../../src/recording/record.ts';
import type { DatagramCounts, Replay } from '../../../src/recording/replay.ts';
import { newFile } from './growing.ts';

/** The replay of a growing file. If another file replaces the file, connections continue and a demo begins again. */
export class FollowedReplay implements Replay {
  readonly #open: () => Replay;
  readonly #earlier: Stream[] = [];
  #replay: Replay;

  constructor(open: () => Replay) {
    this.#open = open;
    this.#replay = open();
  }

  get container(): string | undefined {
    return this.#replay.container;
  }

  get streams(): readonly Stream[] {
    return [...this.#earlier, ...this.#replay.streams];
  }

  get datagrams(): DatagramCounts | undefined {
    return this.#replay.datagrams;
  }

  feed(piece: Uint8Array): Iterable<RecordingEntry> {
    return piece === newFile ? this.#restart() : this.#replay.feed(piece);
  }

  finish(): Iterable<RecordingEntry> {
    return this.#replay.finish();
  }

  *#restart(): Generator<RecordingEntry, void> {
    if (this.#replay.restart) {
      yield* this.#replay.restart();
      return;
    }
    yield* this.#replay.finish();
    this.#earlier.push(...this.#replay.streams);
    this.#replay = this.#open();
  }
}
