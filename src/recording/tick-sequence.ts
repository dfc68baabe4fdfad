import { ticksPerSecond } from '../protocol/ticks.ts';
import type { SentSnapshot } from './received-snapshot.ts';

/**
 * Ticks that the next snapshot may be ahead, without and with the time that passed: servers are never much faster than 50 a second.
 */
const [slackTicks, ticksInSecond] = [ticksPerSecond, 1.5 * ticksPerSecond];
/** Messages and bytes that are held. */
const [maxHeld, maxHeldBytes] = [64, 256 << 10];

const nothing: readonly SentSnapshot[] = [];

/**
 * Holds snapshots whose tick is out of line with those before: far ahead, long ago, or one that was announced with another sum.
 * The next one decides: a capture with a gap goes on from there, and after a forged packet the honest ones go on as before.
 */
export class TickSequence {
  readonly #keptTicks: number;
  /** The tick that the next one is expected to follow, and when its snapshot came. */
  #last: number | undefined;
  #lastTime = Number.NaN;
  readonly #held: SentSnapshot[] = [];
  #heldBytes = 0;
  /** Ticks of the snapshots that were set aside. */
  readonly setAside: { readonly found: number; readonly last: number }[] = [];

  /** @param keptTicks how far behind the last one a tick may be */
  constructor(keptTicks: number) {
    this.#keptTicks = keptTicks;
  }

  /**
   * Whether a snapshot is in line with those before, and may be read: then what was held was not.
   * @param isAgain whether its tick was announced with another checksum before
   */
  accepts(tick: number, isAgain: boolean, time: number): boolean {
    if (isAgain || tick < 0 || !this.#follows(tick, time)) return false;
    if (this.#held.length > 0) this.#setAsideHeld();
    this.#advance(tick, time);
    return true;
  }

  /** Takes a snapshot message that is not in line; gives those that may be read now, in order. */
  add(sent: SentSnapshot, time: number): readonly SentSnapshot[] {
    const { tick } = sent.received;
    if (tick < 0) {
      this.setAside.push({ found: tick, last: this.#last ?? -1 });
      return nothing;
    }
    const first = this.#held[0]?.received.tick;
    const isConfirmed = first !== undefined && tick > first && tick - first <= this.#keptTicks;
    if (isConfirmed) {
      this.#last = undefined;
      this.#advance(tick, time);
      return [...this.#release(), sent];
    }
    if (first !== undefined && first !== tick) this.#setAsideHeld();
    this.#hold(sent);
    return nothing;
  }

  /** The ticks start again: gives what was held. */
  restart(): readonly SentSnapshot[] {
    this.#last = undefined;
    return this.#release();
  }

  /** No more will come. Without times nothing speaks against a jump. */
  finish(): readonly SentSnapshot[] {
    if (Number.isNaN(this.#lastTime)) return this.#release();
    this.#setAsideHeld();
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
    if (this.#held.length >= maxHeld || this.#heldBytes > maxHeldBytes) this.#setAsideHeld();
    this.#held.push({ received, part, bytes: bytes?.slice(), error });
    this.#heldBytes += bytes?.length ?? 0;
  }

  #release(): readonly SentSnapshot[] {
    this.#heldBytes = 0;
    return this.#held.splice(0);
  }

  #setAsideHeld(): void {
    const last = this.#last ?? -1;
    for (const { received } of this.#release()) this.setAside.push({ found: received.tick, last });
  }
}
