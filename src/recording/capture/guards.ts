import { stepsTo } from '../../wire/packet/sequence.ts';
import { convincing, maxAckAhead, maxAckStep, maxRecentAcks } from '../replay/limits.ts';

/*
 * The games drop a packet that an attacker could have sent: one with another token than its receiver expects, or with
 * an ack of what was never sent. Only the two ends know for certain what that is. A capture may begin in the middle,
 * lack packets, and have the end of one session and the beginning of the next between the same addresses. So each guard
 * infers what is expected, and believes something else once enough packets in a row agree on it.
 */

/** Whether a packet has the token that its receiver expects. A token of `undefined` means none. */
export type TokenVerdict = 'right' | 'wrong' | 'changed';

/**
 * The token that one end of a connection expects in every packet. It is known from the handshake or inferred from the
 * first packets. The games drop a packet with another token: it was forged, damaged, or belongs to an older session.
 */
export class ExpectedToken {
  #token: number | undefined;
  #state: 'unknown' | 'assumed' | 'known' = 'unknown';
  /** The last wrong token, and the number of consecutive packets with it. */
  #other: number | undefined;
  #others = 0;

  /** The token if it is certain; undefined if it is not, or if there is none. */
  get known(): number | undefined {
    return this.#state === 'known' ? this.#token : undefined;
  }

  get isThere(): boolean {
    return this.#token !== undefined;
  }

  set(token: number | undefined): void {
    this.#token = token;
    this.#state = 'known';
  }

  check(token: number | undefined): TokenVerdict {
    if (token === this.#token && this.#state !== 'unknown') {
      this.#state = 'known';
      this.#others = 0;
      return 'right';
    }
    if (this.#state !== 'known') {
      this.#token = token;
      this.#state = 'assumed';
      return 'right';
    }
    this.#others = token === this.#other ? this.#others + 1 : 1;
    this.#other = token;
    return this.#others >= convincing ? 'changed' : 'wrong';
  }
}

/** Whether a packet acknowledges what its sender can have received. `changed` where that is shown to have moved. */
type AckVerdict = 'right' | 'wrong' | 'changed';

/**
 * The range of acks that one side of a connection can send: from what it has acknowledged before to what the other side
 * has sent. The games drop all other packets, and that is all that protects a connection without tokens.
 * ```
 *   … 40 41 42 43 44 45 46 …     sequence numbers, modulo 1024
 *           └ acknowledged └ last sent by the other side
 * ```
 *
 * Source: `CNetConnection::Feed` in `src/engine/shared/network_conn.cpp` of the games.
 */
export class AckRange {
  #recent: number[];
  /** Those out of range since the last one in range. */
  #outside: number[] = [];

  /** @param first what is acknowledged before anything was taken, if that is known: a first packet may come late */
  constructor(first?: number) {
    this.#recent = first === undefined ? [] : [first];
  }

  /** @param sent the last sequence number of the other side; undefined if that was not captured */
  check(ack: number, sent: number | undefined): AckVerdict {
    if (this.#has(ack, sent)) {
      if (this.#outside.length > 0) this.#outside = [];
      this.#add(ack);
      return 'right';
    }
    const last = this.#outside.at(-1);
    if (last !== undefined && Math.abs(stepsTo(last, ack)) > maxAckStep) this.#outside = [];
    this.#outside.push(ack);
    if (this.#outside.length < convincing) return 'wrong';
    this.#recent = this.#outside.slice(-maxRecentAcks);
    this.#outside = [];
    return 'changed';
  }

  #has(ack: number, sent: number | undefined): boolean {
    const newest = this.#recent.at(-1);
    if (newest === undefined) return true;
    const ahead = stepsTo(newest, ack);
    if (ahead < 0) return this.#recent.some((recent) => stepsTo(recent, ack) >= 0);
    return ahead <= (sent === undefined ? maxAckAhead : Math.max(0, stepsTo(newest, sent)));
  }

  /** Keeps the newest as the last one. */
  #add(ack: number): void {
    const newest = this.#recent.at(-1);
    if (this.#recent.length >= maxRecentAcks) this.#recent.shift();
    if (newest !== undefined && stepsTo(newest, ack) < 0) this.#recent.splice(-1, 0, ack);
    else this.#recent.push(ack);
  }
}
