/** Acks that are remembered: packets are captured slightly out of order. */
const maxRecent = 8;
/** How far an ack may go ahead at once where the other side was not captured: a burst of messages. */
const maxAhead = 256;
/** Packets in a row with acks out of range, but in line with each other, that show that packets of the other side were not captured. */
const convincing = 16;
/** The largest step between these acks. */
const maxStep = 64;

const modulus = 1024;

/** Whether a packet acknowledges what its sender can have received. `changed` where that is shown to have moved. */
export type AckVerdict = 'right' | 'wrong' | 'changed';

/**
 * The range of acks that one side of a connection can send: from what it has acknowledged before to what the other side has sent. The
 * games drop all other packets, and that is all that protects a connection without tokens.
 * ```
 *   … 40 41 42 43 44 45 46 …     sequence numbers, modulo 1024
 *           └ acknowledged └ last sent by the other side
 * ```
 *
 * Source: `CNetConnection::Feed` in `src/engine/shared/network_conn.cpp` of the games.
 */
export class AckRange {
  #recent: number[] = [];
  /** Those out of range since the last one in range. */
  #outside: number[] = [];

  /** @param sent the last sequence number of the other side; undefined if that was not captured */
  check(ack: number, sent: number | undefined): AckVerdict {
    if (this.#has(ack, sent)) {
      this.#outside = [];
      this.#add(ack);
      return 'right';
    }
    const last = this.#outside.at(-1);
    if (last !== undefined && Math.abs(distance(last, ack)) > maxStep) this.#outside = [];
    this.#outside.push(ack);
    if (this.#outside.length < convincing) return 'wrong';
    this.#recent = this.#outside.slice(-maxRecent);
    this.#outside = [];
    return 'changed';
  }

  #has(ack: number, sent: number | undefined): boolean {
    const newest = this.#recent.at(-1);
    if (newest === undefined) return true;
    const ahead = distance(newest, ack);
    if (ahead < 0) return this.#recent.some((one) => distance(one, ack) >= 0);
    return ahead <= (sent === undefined ? maxAhead : Math.max(0, distance(newest, sent)));
  }

  /** Keeps the newest as the last one. */
  #add(ack: number): void {
    const newest = this.#recent.at(-1);
    if (this.#recent.length >= maxRecent) this.#recent.shift();
    if (newest !== undefined && distance(newest, ack) < 0) this.#recent.splice(-1, 0, ack);
    else this.#recent.push(ack);
  }
}

/** How far a number is after another one, negative before it. */
const distance = (from: number, to: number): number => ((to - from + 1.5 * modulus) % modulus) - modulus / 2;
