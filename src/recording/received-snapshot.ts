import { AppendBuffer } from '../bytes/buffers.ts';
import { join } from '../bytes/copy.ts';
import { ticksPerSecond } from '../protocol/ticks.ts';
import type { Delta } from '../snapshot/delta.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Loss, SnapshotEntry, SnapshotFacts, Verdict } from './record.ts';
import type { Stream } from './stream.ts';

/** A snapshot that a server sent to a client, with its announced and its rebuilt content. */
export class ReceivedSnapshot implements SnapshotFacts {
  readonly record = 'snapshot';
  readonly stream: Stream;
  /** The time of the packet that completed it. */
  time = Number.NaN;
  frame = 0;
  readonly tick: number;
  readonly base: number;
  readonly kind: SnapshotEntry['kind'];
  readonly announced: number | undefined;
  readonly parts: number;
  readonly payloadKind = 'delta';
  readonly encoding = 'packed';
  readonly offset = -1;
  readonly uncertain = false;
  bytes = 0;
  payload: Uint8Array | undefined;
  /** The end of each part in the payload, if it has several. */
  partEnds: readonly number[] | undefined;
  /** The snapshots that can be a base, by tick, while this one is valid. */
  stored: Iterable<readonly [tick: number, snapshot: Snapshot]> | undefined;
  before: Snapshot | undefined;
  delta: Delta | undefined;
  snapshot: Snapshot | undefined;
  verdict: Verdict = 'unchecked';
  cause: SnapshotEntry['cause'];

  constructor(stream: Stream, tick: number, base: number, announced: number | undefined, parts: number) {
    this.stream = stream;
    this.tick = tick;
    this.base = base;
    this.kind = announced === undefined ? 'empty' : base === -1 ? 'snapshot' : 'delta';
    this.announced = announced;
    this.parts = parts;
  }

  failed(loss: Loss, cause?: SnapshotEntry['cause']): this {
    this.verdict = loss;
    this.cause = cause;
    return this;
  }

  rebuilt(snapshot: Snapshot, delta?: Delta): this {
    this.snapshot = snapshot;
    this.delta = delta;
    if (this.announced !== undefined) this.verdict = snapshot.checksum() === this.announced ? 'ok' : 'mismatch';
    return this;
  }
}

/** A snapshot message as captured: a whole snapshot or one part of it. */
export interface SentSnapshot {
  readonly received: ReceivedSnapshot;
  readonly part: number;
  /** Undefined for `snap_empty`. */
  readonly bytes: Uint8Array | undefined;
  readonly error: ReceivedSnapshot['cause'];
}

export const maxParts = 64;

/** The parts of one snapshot as they arrive. The object is reused. */
export class SnapshotParts {
  /** The snapshot as announced by the first part that arrived. */
  received!: ReceivedSnapshot;
  missing = 0;
  cause: ReceivedSnapshot['cause'];
  /** The parts in the order of their arrival, and the position of each. */
  readonly #bytes = new AppendBuffer();
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  begin(received: ReceivedSnapshot): this {
    this.received = received;
    this.missing = received.parts;
    this.cause = undefined;
    this.#bytes.clear();
    this.#starts.length = 0;
    this.#ends.length = 0;
    return this;
  }

  get length(): number {
    return this.#bytes.length;
  }

  add(part: number, bytes: Uint8Array): void {
    if (part >= this.received.parts || this.#starts[part] !== undefined) return;
    this.#starts[part] = this.#bytes.length;
    this.#bytes.bytes(bytes);
    this.#ends[part] = this.#bytes.length;
    this.missing--;
  }

  /** All parts in their order; valid until the object is reused. */
  joined(): Uint8Array {
    const inOrder = this.#starts.every((start, i) => i === 0 || start === this.#ends[i - 1]);
    const bytes = this.#bytes.view();
    return inOrder ? bytes : join(this.#starts.map((start, i) => bytes.subarray(start, this.#ends[i])));
  }

  /** The end of each part in the joined bytes. */
  partEnds(): number[] {
    let end = 0;
    return this.#starts.map((start, i) => {
      end += this.#ends[i]! - start;
      return end;
    });
  }
}

/**
 * The ticks by which the next snapshot may be ahead: a constant part, and a part per second. Servers are never much
 * faster than 50 ticks per second.
 */
const [slackTicks, ticksInSecond] = [ticksPerSecond, 1.5 * ticksPerSecond];
/** The maximum number of messages and bytes that are held. */
const [maxHeld, maxHeldBytes] = [64, 256 << 10];

const nothing: readonly SentSnapshot[] = [];

/**
 * Holds snapshots whose tick does not fit the preceding ones: far ahead, too old, or announced with another checksum.
 * The next snapshot decides: after a gap the held ones are used; after a forged packet they are rejected.
 */
export class TickSequence {
  readonly #keptTicks: number;
  /** The tick that the next one should follow, and the time of its snapshot. */
  #last: number | undefined;
  #lastTime = Number.NaN;
  readonly #held: SentSnapshot[] = [];
  #heldBytes = 0;
  readonly rejected: { readonly found: number; readonly last: number }[] = [];

  /** @param keptTicks the maximum number of ticks between an older tick and the last one */
  constructor(keptTicks: number) {
    this.#keptTicks = keptTicks;
  }

  /** Whether a snapshot fits the preceding ones and may be read; then held snapshots are rejected. */
  accepts(tick: number, isAgain: boolean, time: number): boolean {
    if (isAgain || tick < 0 || !this.#follows(tick, time)) return false;
    if (this.#held.length > 0) this.#rejectHeld();
    this.#advance(tick, time);
    return true;
  }

  /** Adds a snapshot that was not accepted; returns the snapshots that may be read now, in order. */
  add(sent: SentSnapshot, time: number): readonly SentSnapshot[] {
    const { tick } = sent.received;
    if (tick < 0) {
      this.rejected.push({ found: tick, last: this.#last ?? -1 });
      return nothing;
    }
    const first = this.#held[0]?.received.tick;
    const isConfirmed = first !== undefined && tick > first && tick - first <= this.#keptTicks;
    if (isConfirmed) {
      this.#last = undefined;
      this.#advance(tick, time);
      return [...this.#release(), sent];
    }
    if (first !== undefined && first !== tick) this.#rejectHeld();
    this.#hold(sent);
    return nothing;
  }

  restart(): readonly SentSnapshot[] {
    this.#last = undefined;
    return this.#release();
  }

  /** Ends the sequence and returns the held snapshots that may be read. Without times, any jump is possible. */
  finish(): readonly SentSnapshot[] {
    if (Number.isNaN(this.#lastTime)) return this.#release();
    this.#rejectHeld();
    return nothing;
  }

  #follows(tick: number, time: number): boolean {
    const last = this.#last;
    if (last === undefined) return true;
    const seconds = time - this.#lastTime;
    const ahead = slackTicks + (seconds > 0 ? seconds * ticksInSecond : 0);
    return tick <= last + ahead && tick >= last - this.#keptTicks;
  }

  #advance(tick: number, time: number): void {
    if (this.#last !== undefined && tick < this.#last) return;
    this.#last = tick;
    this.#lastTime = time;
  }

  #hold({ received, part, bytes, error }: SentSnapshot): void {
    if (this.#held.length >= maxHeld || this.#heldBytes > maxHeldBytes) this.#rejectHeld();
    this.#held.push({ received, part, bytes: bytes?.slice(), error });
    this.#heldBytes += bytes?.length ?? 0;
  }

  #release(): readonly SentSnapshot[] {
    this.#heldBytes = 0;
    return this.#held.splice(0);
  }

  #rejectHeld(): void {
    const last = this.#last ?? -1;
    for (const { received } of this.#release()) this.rejected.push({ found: received.tick, last });
  }
}
