import { type LastByte, lastByteOf } from '../codec/huffman.ts';

/** Detects how the compressed streams of a recording end, so that new ones end alike. */
export class LastByteMode {
  /** Before the first payload: the ending that all software except newer DDNet writes. */
  lastByte: LastByte = 'extra';
  #isSeen = false;

  /** Whether a payload has shown the ending: about one in eight does. */
  get isSeen(): boolean {
    return this.#isSeen;
  }

  add(payload: Uint8Array | undefined): void {
    if (this.#isSeen || !payload) return;
    const seen = lastByteOf(payload, 0, payload.length);
    if (seen === undefined) return;
    this.lastByte = seen;
    this.#isSeen = true;
  }
}
