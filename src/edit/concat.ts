import type { DemoHeader } from '../container/demo/header.ts';
import type { HeaderEntry, MessageEntry, RecordingEntry } from '../recording/record.ts';
import { MovedTicks } from './moved-ticks.ts';
import type { Emit } from './slice.ts';
import { copyOfMessage } from './state-messages.ts';

/** Why a demo can't follow another. */
export type Mismatch = 'protocol' | 'map';

/** Messages before the first tick of a demo that are kept until it comes. */
const maxWaiting = 100_000;

/**
 * Puts demos after one another: the first as it is, the others without header and map, moved so that they begin one tick after the
 * last tick of those before.
 *
 * @example
 * ```ts
 * import { readDemo } from 'tw-snap';
 * import { Concat, writeDemo } from 'tw-snap/edit';
 *
 * const twice = writeDemo((emit) => {
 *   const concat = new Concat(emit);
 *   for (const demo of [bytes, bytes]) {
 *     concat.begin();
 *     for (const entry of readDemo(demo, { reuse: true })) concat.add(entry);
 *   }
 * });
 * ```
 */
export class Concat {
  /** The markers of all demos so far, moved. */
  readonly markers: number[] = [];
  /** Where each demo begins, in ticks of the result. */
  readonly starts: number[] = [];
  readonly #emit: Emit;
  #first: HeaderEntry | undefined;
  #header: DemoHeader | undefined;
  #lastTick = -1;
  /** What moves the demo at hand; undefined while its first tick is not known. */
  #moved: MovedTicks | undefined;
  #by = 0;
  #waiting: MessageEntry[] = [];

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  /** The next demo begins. */
  begin(): void {
    this.#moved = undefined;
    this.#waiting = [];
  }

  /** Why a demo with this header can't follow the first; undefined where it can, or is the first. */
  mismatch({ header, stream }: HeaderEntry): Mismatch | undefined {
    if (!this.#first) return undefined;
    const { header: first, stream: firstStream } = this.#first;
    if (stream.protocol.version !== firstStream.protocol.version) return 'protocol';
    const sameHash = !header.sha256 || !first.sha256 || header.sha256 === first.sha256;
    return header.mapCrc === first.mapCrc && sameHash ? undefined : 'map';
  }

  add(entry: RecordingEntry): void {
    if (entry.record === 'header') {
      if (!this.#first) this.#emit(entry);
      this.#first ??= entry;
      this.#header = entry.header;
    } else if (entry.record === 'map') {
      if (this.#header === this.#first?.header) this.#emit(entry);
    } else if (entry.record === 'tick' && !this.#moved) {
      this.#start(entry.tick);
      this.#move(entry);
    } else if (this.#moved) this.#move(entry);
    else if (entry.record === 'message' && this.#header === this.#first?.header) this.#emit(entry);
    else if (entry.record === 'message' && this.#waiting.length < maxWaiting) this.#waiting.push(copyOfMessage(entry));
  }

  /** The first tick of a demo. */
  #start(tick: number): void {
    const isFirst = this.#lastTick < 0;
    this.#by = isFirst ? 0 : this.#lastTick + 1 - tick;
    this.#moved = new MovedTicks(this.#by, this.#emit);
    this.starts.push(tick + this.#by);
    this.markers.push(...this.#header!.markers.map((marker) => marker + this.#by));
    for (const message of this.#waiting) this.#moved.add(message);
    this.#waiting = [];
  }

  #move(entry: RecordingEntry): void {
    if (entry.record === 'tick') this.#lastTick = entry.tick + this.#by;
    this.#moved!.add(entry);
  }
}
