import { type LastByte, lastByteOf } from '../codec/huffman.ts';

/** How the compressed streams of a recording end: seen in its payloads, so that new ones end alike. */
export class LastByteMode {
  /** Until it is seen, as all software but newer DDNet ends them. */
  lastByte: LastByte = 'extra';
  #isSeen = false;

  add(payload: Uint8Array | undefined): void {
    if (this.#isSeen || !payload) return;
    const seen = lastByteOf(payload, 0, payload.length);
    if (seen === undefined) return;
    this.lastByte = seen;
    this.#isSeen = true;
  }
}
