import { ignore } from '../../wire/bytes/diagnostic.ts';
import { endOfInt, unpackInt } from '../../wire/codec/varint.ts';
import type { MessageEntry } from '../replay/record.ts';

/** What a connection shows of lag: inputs that came after their tick, and clients that took no snapshot. */
export interface Lag {
  /**
   * The inputs that the server timed, those of them that came after their tick, and by how many milliseconds the
   * latest.
   */
  readonly timed: number;
  readonly late: number;
  readonly worst: number;
  /**
   * The longest time in which the client sent inputs that acknowledged no newer snapshot, and when it began; NaN
   * without times.
   */
  readonly stall: { readonly seconds: number; readonly from: number };
}

/**
 * ```
 * server   snap 100   snap 102   snap 104 ×   input_timing −20 ms: the input came after its tick
 * client        input, ack 100   input, ack 102   input, ack 102   …   input, ack 108
 *                                └─────────── no newer snapshot ───────────┘
 * ```
 */
export class InputTiming implements Lag {
  timed = 0;
  late = 0;
  worst = 0;
  stall = { seconds: 0, from: Number.NaN };
  #ack: number | undefined;
  #since = Number.NaN;

  add(entry: MessageEntry): void {
    const name = entry.head.type?.name;
    if (name === 'input_timing') this.#onTiming(entry);
    else if (name === 'input') this.#onInput(entry);
  }

  /** Its second int is the time that was left when an input arrived, negative if its tick was over. */
  #onTiming({ bytes }: MessageEntry): void {
    const left = intAt(bytes, 1);
    if (left === undefined) return;
    this.timed++;
    if (left < 0) this.late++;
    this.worst = Math.max(this.worst, -left);
  }

  /** Its first int is the tick of the last snapshot that the client took. */
  #onInput({ bytes, time = Number.NaN }: MessageEntry): void {
    const ack = intAt(bytes, 0);
    if (ack === undefined) return;
    if (ack !== this.#ack) this.#since = time;
    this.#ack = ack;
    const seconds = time - this.#since;
    // Before the first snapshot it is -1.
    if (ack >= 0 && seconds > this.stall.seconds) this.stall = { seconds, from: this.#since };
  }
}

/**
 * One of the ints after the number of a message, which is a byte: these messages are most of a connection, and are not
 * read for it.
 */
function intAt(bytes: Uint8Array, index: number): number | undefined {
  let start = 1;
  for (let i = 0; ; i++) {
    const end = endOfInt(bytes, start, bytes.length);
    if (end < 0) return undefined;
    if (i === index) return unpackInt(bytes, start, end, ignore);
    start = end;
  }
}
