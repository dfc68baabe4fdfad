/** An input that tells how many bytes of it were read. */
export interface CountedInput {
  readonly pieces: AsyncIterable<Uint8Array>;
  readonly bytes: number;
}

export function countedInput(pieces: AsyncIterable<Uint8Array>): CountedInput {
  const input = { pieces: count(), bytes: 0 };
  return input;

  async function* count() {
    for await (const piece of pieces) {
      input.bytes += piece.length;
      yield piece;
    }
  }
}
