import { ticksPerSecond } from '../protocol/ticks.ts';
import type { SentSnapshot } from './received-snapshot.ts';

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
