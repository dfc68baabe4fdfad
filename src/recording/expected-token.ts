/** Packets in a row with one other token that show that the token is another one now. */
const convincing = 16;

/** Whether a packet has the token that its receiver expects. `undefined` as a token stands for none. */
export type TokenVerdict = 'right' | 'wrong' | 'changed';

/**
 * The token that one end of a connection expects in every packet: known from the handshake, or else learnt from the first packets.
 * The games drop a packet with another one: it was forged, is a remnant of an older session, or damaged.
 */
export class ExpectedToken {
  #token: number | undefined;
  #state: 'unknown' | 'assumed' | 'known' = 'unknown';
  /** The last wrong one, and how often it came in a row. */
  #other: number | undefined;
  #others = 0;

  /** The token, where it is certain and there is one. */
  get known(): number | undefined {
    return this.#state === 'known' ? this.#token : undefined;
  }

  /** A handshake announced the token. */
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
