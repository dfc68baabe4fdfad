import { readMessageHead } from '../../wire/packet/message.ts';
import { type StuckChunk, timeoutSeconds } from '../../wire/packet/sequence.ts';
import type { Protocol } from '../../wire/protocol/registry.ts';
import { maxSilences, silentSeconds, underWay } from '../replay/limits.ts';
import type { ChunkWait, ConnectionEnd, Direction, Heard } from '../replay/stream.ts';

/**
 * A session, as the games make it, and what is told of it:
 * ```
 *   client                                          server
 *     │  connect, or token (0.7)  ───────────────▶    │     handshake: its packets, tokens and time
 *     │  ◀───────────────  accept                     │
 *     │  info, ready, cl_startinfo  ─────────────▶    │     vital: numbered, sent again until acknowledged
 *     │  ◀───────  map_change, con_ready, …           │     … the slowest, and those that never were
 *     │  enter_game  ────────────────────────────▶    │
 *     │  input, with the last tick  ─────────────▶    │     late: input_timing says that its tick was over
 *     │  ◀───────────  snap, input_timing             │     silence: the longest time without a packet
 *     │  close, or nothing more  ────────────────▶    │     an end that the other one did not hear goes on,
 *     │  ◀──────────────  close (Timeout)             │     until it gives up after 10 s
 * ```
 */

/** Who closes a connection, as the other end sees it. */
export class Closes {
  readonly #byDirection = new Map<Direction, { -readonly [Key in keyof ConnectionEnd]: ConnectionEnd[Key] }>();
  /** The seconds for which packets may still come that were sent before a close was there. */
  #underWay = underWay;

  /** @param wait the longest time to an acknowledgement so far, in seconds */
  add(direction: Direction, reason: string, time: number, frame: number, wait = 0): void {
    this.onPacket(direction, time);
    this.#underWay = underWay + wait;
    if (!this.#byDirection.has(direction))
      this.#byDirection.set(direction, { direction, reason, time, frame, isHeard: true });
  }

  /** Forgets the close of an end that goes on by itself: it was forged. What was under way may come after it. */
  forgetFalse(direction: Direction, time: number): ConnectionEnd | undefined {
    const close = this.#byDirection.get(direction);
    if (!close || time - close.time <= this.#underWay) return undefined;
    this.#byDirection.delete(direction);
    return close;
  }

  has(direction: Direction): boolean {
    return this.#byDirection.has(direction);
  }

  get isEmpty(): boolean {
    return this.#byDirection.size === 0;
  }

  /** A packet shows that its sender is still there. */
  onPacket(direction: Direction, time: number): void {
    if (this.#byDirection.size === 0) return;
    const close = this.#byDirection.get(direction === 'to_client' ? 'to_server' : 'to_client');
    if (close && time - close.time > this.#underWay) close.isHeard = false;
  }

  /** In the order of time. */
  get all(): readonly ConnectionEnd[] {
    return [...this.#byDirection.values()];
  }

  /** What ended the connection: the first close that was heard, or else the last one. */
  get end(): ConnectionEnd | undefined {
    const { all } = this;
    return all.find(({ isHeard }) => isHeard) ?? all.at(-1);
  }
}

/** The packets of one end in time. */
export class Heartbeat implements Heard {
  first = Number.NaN;
  last = Number.NaN;
  silence: Heard['silence'] = { seconds: 0, from: Number.NaN };
  readonly silences: Heard['silence'][] = [];

  onPacket(time: number): void {
    if (Number.isNaN(this.first)) this.first = time;
    const seconds = time - this.last;
    if (seconds > this.silence.seconds) this.silence = { seconds, from: this.last };
    if (seconds >= silentSeconds && this.silences.length < maxSilences)
      this.silences.push({ seconds, from: this.last });
    // Files are not quite in the order of time.
    if (!(time < this.last)) this.last = time;
  }
}

/** What a chunk is that waits, or waited, for its acknowledgement. */
export function waitOf(chunk: StuckChunk, protocol: Protocol): ChunkWait {
  const { sequence, head, times, time, frame, seconds } = chunk;
  const { type, uuid, id } = readMessageHead(head, protocol);
  return { sequence, message: type?.name ?? `message ${uuid ?? id ?? '?'}`, times, seconds, time, frame };
}

/** Whether a vanilla game gives up the connection for a chunk. */
export const isGivenUp = ({ seconds }: Pick<ChunkWait, 'seconds'>): boolean => seconds >= timeoutSeconds;
