/** An input that tells how many bytes of it were read. */
export interface Measured {
  readonly pieces: AsyncIterable<Uint8Array>;
  readonly bytes: number;
}

export function measured(pieces: AsyncIterable<Uint8Array>): Measured {
  const input = { pieces: count(), bytes: 0 };
  return input;

  async function* count() {
    for await (const piece of pieces) {
      input.bytes += piece.length;
      yield piece;
    }
  }
}
