import { i32 } from '../bytes/fixed-int.ts';

/**
 * Vital chunks: those that arrive in any case, each once and in order. They have numbers, modulo 1024, counted from 1
 * in each direction of a connection. Every packet says the last number that its sender has taken: the ack.
 * ```
 * sent       1  2  3  4  5      3  4  5  6        a copy is kept until it is acknowledged, and sent again after a second,
 *                  ×                              or as soon as the receiver asks for it
 * arrives    1  2     4  5      3  4  5  6
 * taken      1  2     ·  ·      3  4  5  6        only the next number; what is early is dropped and asked for again
 * acks       1  2     2  2      3  4  5  6
 * ```
 * There are two policies. {@link VitalReceiver} and {@link VitalSender} are an end of a live connection, and do as the
 * games do. {@link CapturedSequence} watches from outside. What passes there has been sent, but may not arrive, and the
 * order of a file need not be that of arrival: a chunk waits for those before it, and its receiver's acks tell when it
 * was taken.
 *
 * Source: `CNetRecvUnpacker::FetchChunk` in `src/engine/shared/network.cpp`, and `Feed`, `AckChunks`, `Update` and
 * `IsSeqInBackroom` of `CNetConnection` in `network_conn.cpp` beside it.
 */

const modulus = 1024;
const half = modulus / 2;

/** The seconds after which a sender repeats what is not acknowledged. Until then nobody can say that it is lost. */
export const resendSeconds = 1;

/**
 * The seconds after which a vanilla game gives up a connection: without a packet, or with a chunk that is not
 * acknowledged.
 */
export const timeoutSeconds = 10;

/** The steps from a number to another one: 1 to 511 ahead, 0 to -512 behind, where the games take it for an old one. */
export const stepsTo = (from: number, to: number): number => ((to - from + modulus + half) % modulus) - half;

const numberAfter = (sequence: number, steps = 1): number => (sequence + steps + modulus) % modulus;

/** What becomes of a chunk: it is the `next` one and taken, was here before, or comes before those that precede it. */
type Arrival = 'next' | 'again' | 'early';

/** What one end of a live connection takes: the next chunk only. */
export class VitalReceiver {
  /** The last number taken, which each packet acknowledges. */
  last = 0;
  /** Whether something came early, so that the next packet asks for what is missing. */
  asksAgain = false;

  take(sequence: number): Arrival {
    const steps = stepsTo(this.last, sequence);
    if (steps === 1) this.last = sequence;
    else if (steps > 1) this.asksAgain = true;
    return steps === 1 ? 'next' : steps > 1 ? 'early' : 'again';
  }
}

/** What one end of a live connection has sent, in order, until the other end acknowledges it. */
export class VitalSender<T> {
  #last = 0;
  #acknowledged = 0;
  readonly #waiting: T[] = [];

  /** Not yet acknowledged, the oldest first. */
  get waiting(): readonly T[] {
    return this.#waiting;
  }

  /** Adds what `make` returns for the next number. */
  add(make: (sequence: number) => T): T {
    this.#last = numberAfter(this.#last);
    const chunk = make(this.#last);
    this.#waiting.push(chunk);
    return chunk;
  }

  /**
   * Removes what a packet acknowledges; false if nothing with this number waits: then the games drop the whole packet.
   */
  acknowledge(ack: number): boolean {
    const count = (ack - this.#acknowledged + modulus) % modulus;
    if (count > this.#waiting.length) return false;
    this.#waiting.splice(0, count);
    this.#acknowledged = ack;
    return true;
  }
}

/** When and where something passed. */
export interface Passage {
  /** In seconds; NaN if it is not known. */
  readonly time: number;
  readonly frame: number;
}

/** A chunk that was sent, and not acknowledged so far. */
export interface SentVital extends Passage {
  readonly sequence: number;
  /** What it contains: its first bytes are those of a message. */
  readonly head: Uint8Array;
  readonly hash: number;
  /** How often it was sent. */
  times: number;
  /** When it was sent for the last time. */
  lastTime: number;
}

/** A chunk that was not acknowledged for some time, and how long. */
interface StuckChunk extends SentVital {
  readonly seconds: number;
}

// Bounds of memory for each direction of a connection. They are guesses; `node scripts/fuzz/memory.mjs` shows the peak.

/** Bytes of a message that are kept to name it: one for its number, and 16 for a UUID. */
const headBytes = 20;
/** Chunks that are remembered until they are acknowledged: without their receiver in the capture, none ever is. */
const maxUnacknowledged = 128;
/** Chunks with other content that are listed: one is enough to know of the fault. */
const maxChanged = 16;
/** Numbers that were acknowledged and may still follow, since files are not in the order of arrival. */
const maxMissed = 64;

/**
 * The vital chunks of one direction of a captured connection, in their order, each once.
 * - `next` is read at once, `early` waits for those before it, `again` is not read.
 * - What its receiver acknowledges was taken by it. Where it was never captured, those after it are read.
 * - What comes after that is read late: the file has another order, or the packet was in doubt.
 */
export class CapturedSequence {
  #last: number | undefined;
  #acknowledged: number | undefined;
  readonly #early = new Map<number, Uint8Array>();
  /** Acknowledged but not captured so far. */
  readonly #missed = new Set<number>();
  /** By number, in the order of sending. */
  readonly #unacknowledged = new Map<number, SentVital>();
  /** The number of repeated chunks. */
  resent = 0;
  /** The number of chunks that the receiver acknowledged and the capture lacks; results call them `lost`. */
  uncaptured = 0;
  /** The chunk that waited for its acknowledgement for longest, among those that got one. */
  slowest: StuckChunk | undefined;
  /** Chunks that were sent again with other content, the first ones: no game does that. */
  readonly changed: { readonly sequence: number; readonly frame: number }[] = [];

  /** @param last the number before the first: 0 if the beginning of the connection was captured */
  constructor(last?: number) {
    this.#last = last;
  }

  /** The last number that was sent, as far as is known. */
  get newest(): number | undefined {
    let newest = this.#last;
    if (this.#early.size === 0) return newest;
    for (const early of this.#early.keys()) if (stepsTo(newest!, early) > 0) newest = early;
    return newest;
  }

  /** What is not acknowledged, the oldest first. */
  get unacknowledged(): Iterable<SentVital> {
    return this.#unacknowledged.values();
  }

  /** Adds a chunk; each that is next in sequence is added to `ready`. One that has to wait is copied. */
  add(sequence: number, chunk: Uint8Array, passage: Passage, ready: Uint8Array[]): Arrival {
    this.#last ??= numberAfter(sequence, -1);
    const steps = stepsTo(this.#last, sequence);
    if (this.#missed.delete(sequence)) {
      this.uncaptured--;
      ready.push(chunk);
      return 'next';
    }
    if (steps <= 0 || this.#early.has(sequence)) {
      this.resent++;
      this.#sentAgain(sequence, chunk, passage);
      return 'again';
    }
    this.#await(sequence, chunk, passage);
    if (steps > 1) {
      this.#early.set(sequence, chunk.slice());
      return 'early';
    }
    this.#last = sequence;
    ready.push(chunk);
    this.#takeWaiting(ready);
    return 'next';
  }

  /**
   * Adds an acknowledgement of the receiver, which has all chunks up to `sequence`. It counts if two successive packets
   * agree: a single one may be damaged, or captured before the chunk that it acknowledges.
   */
  acknowledged(sequence: number, time: number, ready: Uint8Array[]): void {
    const before = this.#acknowledged ?? this.#last;
    this.#acknowledged = sequence;
    if (this.#unacknowledged.size > 0 && before !== undefined) {
      this.#taken(stepsTo(before, sequence) > 0 ? before : sequence, time);
    }
    if (this.#last === undefined || before === undefined) return;
    for (let ahead = Math.min(this.#ahead(before), this.#ahead(sequence)); ahead > 0; ahead--) {
      if (!this.#takeNext(ready)) this.#miss();
    }
    this.#takeWaiting(ready);
  }

  /** The chunks that still wait, in order, at the end of the recording. */
  finish(): Uint8Array[] {
    const waiting = [...this.#early].sort(([a], [b]) => this.#ahead(a) - this.#ahead(b));
    this.#early.clear();
    return waiting.map(([, chunk]) => chunk);
  }

  /** The distance of a number from the last one; 0 if it is not ahead. */
  #ahead(sequence: number): number {
    return Math.max(0, stepsTo(this.#last!, sequence));
  }

  #await(sequence: number, chunk: Uint8Array, { time, frame }: Passage): void {
    if (this.#unacknowledged.size >= maxUnacknowledged) return;
    const [head, hash] = [chunk.slice(0, headBytes), hashOf(chunk)];
    this.#unacknowledged.delete(sequence);
    this.#unacknowledged.set(sequence, { sequence, time, frame, head, hash, times: 1, lastTime: time });
  }

  #sentAgain(sequence: number, chunk: Uint8Array, { time, frame }: Passage): void {
    const first = this.#unacknowledged.get(sequence);
    if (!first) return;
    first.times++;
    first.lastTime = time;
    if (first.hash !== hashOf(chunk) && this.changed.length < maxChanged) this.changed.push({ sequence, frame });
  }

  #taken(upTo: number, time: number): void {
    for (const vital of this.#unacknowledged.values()) {
      if (stepsTo(vital.sequence, upTo) < 0) continue;
      this.#unacknowledged.delete(vital.sequence);
      const seconds = time - vital.time;
      if (seconds > (this.slowest?.seconds ?? 0)) this.slowest = { ...vital, seconds };
    }
  }

  #miss(): void {
    this.#last = numberAfter(this.#last!);
    this.uncaptured++;
    if (this.#missed.size >= maxMissed) this.#missed.clear();
    this.#missed.add(this.#last);
  }

  #takeWaiting(ready: Uint8Array[]): void {
    while (this.#early.size > 0 && this.#takeNext(ready));
  }

  #takeNext(ready: Uint8Array[]): boolean {
    const next = numberAfter(this.#last!);
    const chunk = this.#early.get(next);
    if (chunk === undefined) return false;
    this.#early.delete(next);
    this.#last = next;
    ready.push(chunk);
    return true;
  }
}

/**
 * Tells other content, of which nothing else is needed: FNV-1a of four bytes at a time, each then mixed into the lower
 * bits, which a product does not reach. Byte by byte it took a fifth of a capture with a map in it.
 */
function hashOf(bytes: Uint8Array): number {
  const { length } = bytes;
  const rest = length & ~3;
  let hash = 0x811c9dc5;
  for (let i = 0; i < rest; i += 4) {
    hash = Math.imul(hash ^ i32(bytes, i, true), 0x01000193);
    hash ^= hash >>> 15;
  }
  for (let i = rest; i < length; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  return hash;
}
