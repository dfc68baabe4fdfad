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
 * {@link VitalReceiver} and {@link VitalSender} are the two ends, and do as the games do. {@link CapturedSequence} watches
 * from outside: it gives a receiver what was captured. What passes there has been sent, but may not arrive, and the order
 * of a file need not be that of arrival. So the acks decide what was taken, and the receiver only explains which copy: one
 * that is shown not to be taken is left out, any other waits for those before it.
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

export const numberAfter = (sequence: number, steps = 1): number => (sequence + steps + modulus) % modulus;

/** What becomes of a chunk: it is the `next` one and taken, was here before, or comes before those that precede it. */
type Arrival = 'next' | 'again' | 'early';

/**
 * What became of a captured copy of a chunk:
 * - `taken`: its receiver acknowledges it;
 * - `again`: its receiver had taken another copy;
 * - `early`: it came before the one that was next, was dropped, and asked for again;
 * - `lost`: it did not arrive, and was sent again;
 * - `late`: a part of a snapshot, after its receiver had acknowledged a newer one;
 * - `open`: nothing shows it, as at the end of a capture.
 */
export type Fate = 'taken' | 'again' | 'early' | 'lost' | 'late' | 'open';

/** A fate, and the number of the packet that shows it. */
export interface CopyFate {
  readonly fate: Fate;
  /**
   * The packet that acknowledges a taken copy, asks again for an early one, has the next copy of a lost one, or
   * acknowledges the snapshot after which one is late; for `again` that with the copy before, as long as it is known.
   */
  readonly frame?: number | undefined;
}

/** What one end of a connection takes: the next chunk only. */
export class VitalReceiver {
  /** The last number taken, which each packet acknowledges. */
  last: number;
  /** Whether something came early, so that the next packet asks for what is missing. */
  asksAgain = false;

  constructor(last = 0) {
    this.last = last;
  }

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
  /** Not yet acknowledged, the oldest first. */
  readonly waiting: T[] = [];

  /** Adds what `make` returns for the next number. */
  add(make: (sequence: number) => T): T {
    this.#last = numberAfter(this.#last);
    const chunk = make(this.#last);
    this.waiting.push(chunk);
    return chunk;
  }

  /**
   * Removes what a packet acknowledges; false if nothing with this number waits: then the games drop the whole packet.
   */
  acknowledge(ack: number): boolean {
    const count = (ack - this.#acknowledged + modulus) % modulus;
    if (count > this.waiting.length) return false;
    this.waiting.splice(0, count);
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
interface SentVital extends Passage {
  readonly sequence: number;
  /** What it contains: its first bytes are those of a message. */
  readonly head: Uint8Array;
  /** Of the last copy. */
  hash: number;
  /** How often it was sent. */
  times: number;
  /** When it was sent for the last time. */
  lastTime: number;
  /** What became of the copy that was taken, or of the last one that was not. */
  fate: CopyFate;
  /** The number of the packet with that copy. */
  frameOfFate: number;
}

/** A chunk that is to be read now: `bytes[start, end)`, since a view of them takes longer than most messages. */
export interface ReadyChunk {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  /** Undefined for a chunk that is not vital. */
  readonly sequence: number | undefined;
  /** Undefined for a chunk that is not vital, and where no packet of the receiver was captured. */
  readonly fate: CopyFate | undefined;
}

/** Where chunks go that are to be read. */
interface ReadyChunks {
  push(chunk: ReadyChunk): unknown;
}

interface VitalChunk extends ReadyChunk {
  readonly sequence: number;
}

/** A chunk that was sent again with other content. */
interface ChangedChunk {
  readonly sequence: number;
  /** The number of the packet with the other content. */
  readonly frame: number;
  /** That of the copy before, and what became of it. */
  readonly before: number;
  readonly fate: Fate;
}

/** A chunk that was not acknowledged for some time, and how long. */
export interface StuckChunk extends SentVital {
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
/** Captures have packets out of order by less than these seconds: a chunk of later was acknowledged before it was sent. */
const outOfOrder = 0.1;
/** Numbers before the first one captured that may follow it. */
const maxUnseen = 16;

/**
 * The vital chunks of one direction of a captured connection, in their order, each once.
 * - A copy that is `early` or `lost` was not taken, so it is not read.
 * - Of all others, the `next` is read at once, an `early` one waits for those before it, `again` is not read.
 * - What its receiver acknowledges was taken by it. Where it was never captured, those after it are read.
 * - What comes after that is read late: the file has another order, or the packet was in doubt.
 */
export class CapturedSequence {
  /** Undefined until its first number is known. */
  #receiver: VitalReceiver | undefined;
  #newest: number | undefined;
  #acknowledged: number | undefined;
  readonly #early = new Map<number, ReadyChunk>();
  /** Acknowledged but not captured so far, and when. */
  readonly #missed = new Map<number, number>();
  /** Those before the first one of a capture that begins later, as long as they may follow. */
  readonly #unseen = new Set<number>();
  /** By number, in the order of sending. */
  readonly #unacknowledged = new Map<number, SentVital>();
  resent = 0;
  /** The number of chunks that the receiver acknowledged and the capture lacks; results call them `lost`. */
  uncaptured = 0;
  /** The chunk that waited for its acknowledgement for longest, among those that got one. */
  slowest: StuckChunk | undefined;
  /** Chunks that were sent again with other content, the first ones: no game does that. */
  readonly changed: ChangedChunk[] = [];
  /**
   * Chunks that were acknowledged before they were sent, and the packet with the first: the games drop such acks. That of
   * a packet which the capture lost is no proof, so one counts when it is sent for the first time.
   */
  readonly tooSoon = { chunks: 0, frame: 0 };
  /** The copies that were captured, those that the receiver is known to have taken, and those that it may have. */
  readonly copies = { sent: 0, taken: 0, open: 0 };

  /** @param last the number before the first: 0 if the beginning of the connection was captured */
  constructor(last?: number) {
    if (last !== undefined) this.#receiver = new VitalReceiver(last);
    this.#newest = last;
    this.#acknowledged = last;
  }

  /** The last number that the receiver acknowledged. */
  get lastAck(): number | undefined {
    return this.#acknowledged;
  }

  /** The last number that was sent, as far as is known. */
  get newest(): number | undefined {
    return this.#newest;
  }

  /** Whether numbers are missing that may still follow: some were sent, or acknowledged, and are not read. */
  get hasHole(): boolean {
    if (!this.#receiver) return false;
    return this.#ahead(this.#newest!) > 0 || (this.#acknowledged !== undefined && this.#ahead(this.#acknowledged) > 0);
  }

  /** What is not acknowledged, the oldest first. */
  get unacknowledged(): Iterable<SentVital> {
    return this.#unacknowledged.values();
  }

  /**
   * Adds a copy of a chunk, with what became of it as far as later packets show; each that is next in sequence is added
   * to `ready`. One that has to wait is copied.
   * @param isResent whether its sender says that it was sent before
   * @returns what becomes of it; undefined if its receiver's packets are not captured
   */
  add(
    chunk: VitalChunk,
    passage: Passage,
    ready: ReadyChunks,
    isResent = false,
  ): { readonly arrival: Arrival; readonly fate: CopyFate | undefined } {
    const { sequence, fate } = chunk;
    this.copies.sent++;
    if (!this.#receiver) {
      this.#receiver = new VitalReceiver(numberAfter(sequence, -1));
      for (let before = 1; before <= maxUnseen; before++) this.#unseen.add(numberAfter(sequence, -before));
    }
    this.#newest ??= sequence;
    if (stepsTo(this.#newest, sequence) > 0) this.#newest = sequence;
    const known = this.#unacknowledged.get(sequence);
    const dropped = known && isDropped(known.fate) ? known : undefined;
    if (fate && isDropped(fate)) {
      this.#passed(chunk, passage, fate, dropped);
      return { arrival: 'early', fate };
    }
    const isWaiting = this.#early.has(sequence);
    // Numbers come again after 1,024.
    const isBehind = stepsTo(this.#receiver.last, sequence) <= 0;
    const missedAt = this.#missed.get(sequence);
    const isMissed = this.#missed.delete(sequence) && isBehind;
    const isUnseen = this.#unseen.delete(sequence) && isBehind;
    const arrival = isMissed ? 'late' : isUnseen ? 'next' : isWaiting ? 'again' : this.#receiver.take(sequence);
    if (arrival === 'again') {
      const isTaken = known ? known.fate.fate === 'taken' : !isWaiting;
      const again = known ? { fate: 'again' as const, frame: known.frameOfFate } : { fate: 'again' as const };
      if (known) this.#sentAgain(known, chunk, passage);
      else this.resent++;
      if (!fate || !isTaken) this.copies.open++;
      return { arrival, fate: fate && (isTaken ? again : open) };
    }
    this.copies[fate?.fate === 'taken' ? 'taken' : 'open']++;
    if (arrival === 'late') {
      this.uncaptured--;
      if (!isResent && passage.time - missedAt! > outOfOrder && this.tooSoon.chunks++ === 0)
        this.tooSoon.frame = passage.frame;
      ready.push(chunk);
      return { arrival: 'next', fate };
    }
    this.#passed(chunk, passage, fate ?? open, dropped);
    if (arrival === 'early') this.#early.set(sequence, copyOf(chunk));
    else {
      ready.push(chunk);
      this.#takeWaiting(ready);
    }
    return { arrival, fate };
  }

  /** Whether a copy was captured that is not acknowledged. */
  isWaitedFor(sequence: number): boolean {
    return this.#unacknowledged.has(sequence);
  }

  /** Whether a number is neither read nor waits. */
  expects(sequence: number): boolean {
    if (!this.#receiver || this.#unseen.has(sequence)) return true;
    return stepsTo(this.#receiver.last, sequence) > 0 && !this.#early.has(sequence);
  }

  /**
   * Adds an acknowledgement of the receiver, which has all chunks up to `sequence`. It counts if two successive packets
   * agree: a single one may be damaged, or captured before the chunk that it acknowledges.
   */
  acknowledged(sequence: number, time: number, ready: ReadyChunks): void {
    const before = this.#acknowledged ?? this.#receiver?.last;
    this.#acknowledged = sequence;
    if (this.#unseen.size > 0) this.#forgetUnseen(sequence);
    if (this.#unacknowledged.size > 0 && before !== undefined) {
      this.#taken(stepsTo(before, sequence) > 0 ? before : sequence, time);
    }
    if (!this.#receiver || before === undefined) return;
    for (let ahead = Math.min(this.#ahead(before), this.#ahead(sequence)); ahead > 0; ahead--) {
      if (!this.#takeNext(ready)) this.#miss(time);
    }
    this.#takeWaiting(ready);
  }

  #forgetUnseen(upTo: number): void {
    for (const unseen of this.#unseen) if (stepsTo(unseen, upTo) >= 0) this.#unseen.delete(unseen);
  }

  /** The chunks that still wait, in order, at the end of the recording. */
  finish(): ReadyChunk[] {
    const waiting = [...this.#early].sort(([a], [b]) => this.#ahead(a) - this.#ahead(b));
    this.#early.clear();
    return waiting.map(([, chunk]) => chunk);
  }

  /** The distance of a number from the last one; 0 if it is not ahead. */
  #ahead(sequence: number): number {
    return Math.max(0, stepsTo(this.#receiver!.last, sequence));
  }

  /** Notes a copy that is the first one of its number, or comes after one that was not taken. */
  #passed(chunk: VitalChunk, passage: Passage, fate: CopyFate, dropped?: SentVital): void {
    if (!dropped) {
      this.#await(chunk, passage, fate);
      return;
    }
    this.#sentAgain(dropped, chunk, passage);
    dropped.fate = fate;
    dropped.frameOfFate = passage.frame;
  }

  #await(chunk: VitalChunk, { time, frame }: Passage, fate: CopyFate): void {
    if (this.#unacknowledged.size >= maxUnacknowledged) return;
    const { bytes, start, end, sequence } = chunk;
    const head = bytes.slice(start, Math.min(start + headBytes, end));
    const hash = hashOf(chunk);
    this.#unacknowledged.delete(sequence);
    const sent = { sequence, time, frame, head, hash, times: 1, lastTime: time, fate, frameOfFate: frame };
    this.#unacknowledged.set(sequence, sent);
  }

  #sentAgain(sent: SentVital, chunk: ReadyChunk, { time, frame }: Passage): void {
    this.resent++;
    const hash = hashOf(chunk);
    if (sent.hash !== hash && this.changed.length < maxChanged) {
      this.changed.push({ sequence: sent.sequence, frame, before: sent.frameOfFate, fate: sent.fate.fate });
    }
    sent.hash = hash;
    sent.times++;
    sent.lastTime = time;
  }

  #taken(upTo: number, time: number): void {
    for (const vital of this.#unacknowledged.values()) {
      if (stepsTo(vital.sequence, upTo) < 0) continue;
      this.#unacknowledged.delete(vital.sequence);
      const seconds = time - vital.time;
      if (seconds > (this.slowest?.seconds ?? 0)) this.slowest = { ...vital, seconds };
    }
  }

  #miss(time: number): void {
    const receiver = this.#receiver!;
    receiver.last = numberAfter(receiver.last);
    if (stepsTo(this.#newest!, receiver.last) > 0) this.#newest = receiver.last;
    this.uncaptured++;
    if (this.#missed.size >= maxMissed) this.#missed.clear();
    this.#missed.set(receiver.last, time);
  }

  #takeWaiting(ready: ReadyChunks): void {
    while (this.#early.size > 0 && this.#takeNext(ready));
  }

  #takeNext(ready: ReadyChunks): boolean {
    const next = numberAfter(this.#receiver!.last);
    const chunk = this.#early.get(next);
    if (chunk === undefined) return false;
    this.#early.delete(next);
    this.#receiver!.last = next;
    ready.push(chunk);
    return true;
  }
}

const open: CopyFate = { fate: 'open' };
const isDropped = ({ fate }: CopyFate) => fate === 'early' || fate === 'lost';

function copyOf({ bytes, start, end, sequence, fate }: ReadyChunk): ReadyChunk {
  return { bytes: bytes.slice(start, end), start: 0, end: end - start, sequence, fate };
}

/**
 * Tells other content, of which nothing else is needed: FNV-1a of four bytes at a time, each then mixed into the lower
 * bits, which a product does not reach. Byte by byte it took a fifth of a capture with a map in it.
 */
function hashOf({ bytes, start, end }: ReadyChunk): number {
  const rest = end - ((end - start) & 3);
  let hash = 0x811c9dc5;
  for (let i = start; i < rest; i += 4) {
    hash = Math.imul(hash ^ i32(bytes, i, true), 0x01000193);
    hash ^= hash >>> 15;
  }
  for (let i = rest; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  return hash;
}
