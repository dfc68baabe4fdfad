/** The number of consecutive packets with the same other token after which the token counts as changed. */
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

  /** Whether there is a token, as far as is known. */
  get isThere(): boolean {
    return this.#token !== undefined;
  }

  /** Sets the token that a handshake announced. */
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
