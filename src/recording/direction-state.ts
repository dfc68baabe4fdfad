import type { SentPacket } from './record.ts';

/** The state and counts of one direction. */
export class DirectionState {
  sequence: VitalSequence<Uint8Array>;
  token = new ExpectedToken();
  acks = new AckRange();
  /** Packets with an ack out of range: the next ones show whether the games would drop them. */
  readonly held: SentPacket[] = [];
  packets = 0;
  bytes = 0;
  chunks = 0;

  constructor(last: number | undefined) {
    this.sequence = new VitalSequence(last);
  }

  /** Discards what was inferred from packets that were read in another version. */
  restart(): void {
    this.sequence = new VitalSequence();
    this.token = new ExpectedToken();
    this.acks = new AckRange();
    this.chunks = 0;
  }
}

/** The number of consecutive packets with the same other token, or with acks in line with each other, after which they are believed. */
const convincing = 16;

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

/** Acks that are remembered: packets are captured slightly out of order. */
const maxRecent = 8;
/** How far an ack may go ahead at once where the other side was not captured: a burst of messages. */
const maxAhead = 256;
/** The largest step between acks that are in line with each other: those show that packets of the other side were not captured. */
const maxStep = 64;

const modulus = 1024;
const half = modulus / 2;

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
const distance = (from: number, to: number): number => ((to - from + modulus + half) % modulus) - half;

export type Arrival = 'next' | 'again' | 'early';

/**
 * The vital chunks of one direction of a connection, as their receiver processes them: in sequence, each once. An early chunk waits
 * for those before it; the receiver's acknowledgements show that it has some that were never captured.
 */
export class VitalSequence<T> {
  #last: number | undefined;
  #acknowledged: number | undefined;
  readonly #early = new Map<number, T>();
  /** Repeated chunks, and chunks that the receiver has but the capture lacks. */
  resent = 0;
  lost = 0;

  /** @param last the number before the first: 0 if the beginning of the connection was captured */
  constructor(last?: number) {
    this.#last = last;
  }

  /** The last number that was sent, as far as is known. */
  get newest(): number | undefined {
    let newest = this.#last;
    if (this.#early.size === 0) return newest;
    for (const early of this.#early.keys()) if (this.#ahead(early) > this.#ahead(newest!)) newest = early;
    return newest;
  }

  /** Adds a chunk; `read` is called for each chunk that is next in sequence. `keep` copies a chunk that has to wait. */
  add(sequence: number, chunk: T, keep: (chunk: T) => T, read: (chunk: T) => void): Arrival {
    this.#last ??= (sequence + modulus - 1) % modulus;
    const ahead = this.#ahead(sequence);
    if (ahead === 0 || this.#early.has(sequence)) {
      this.resent++;
      return 'again';
    }
    if (ahead > 1) {
      this.#early.set(sequence, keep(chunk));
      return 'early';
    }
    this.#last = sequence;
    read(chunk);
    this.#readWaiting(read);
    return 'next';
  }

  /**
   * Adds an acknowledgement of the receiver, which has all chunks up to `sequence`. It counts if two successive packets agree: a
   * single one may be damaged, or captured before the chunk that it acknowledges.
   */
  acknowledged(sequence: number, read: (chunk: T) => void): void {
    const before = this.#acknowledged ?? this.#last;
    this.#acknowledged = sequence;
    if (this.#last === undefined || before === undefined) return;
    for (let ahead = Math.min(this.#ahead(before), this.#ahead(sequence)); ahead > 0; ahead--) {
      if (!this.#readNext(read)) {
        this.#last = (this.#last + 1) % modulus;
        this.lost++;
      }
    }
    this.#readWaiting(read);
  }

  /** Reads the chunks that still wait, in order, at the end of the recording. */
  finish(read: (chunk: T) => void): void {
    const waiting = [...this.#early].sort(([a], [b]) => this.#ahead(a) - this.#ahead(b));
    this.#early.clear();
    for (const [, chunk] of waiting) read(chunk);
  }

  /** The distance of a number from the last one; 0 if it is not ahead. */
  #ahead(sequence: number): number {
    const ahead = (sequence - this.#last! + modulus) % modulus;
    return ahead > half ? 0 : ahead;
  }

  #readWaiting(read: (chunk: T) => void): void {
    while (this.#readNext(read));
  }

  #readNext(read: (chunk: T) => void): boolean {
    const next = (this.#last! + 1) % modulus;
    const chunk = this.#early.get(next);
    if (chunk === undefined) return false;
    this.#early.delete(next);
    this.#last = next;
    read(chunk);
    return true;
  }
}
