import { join } from '../../wire/bytes/copy.ts';

export async function* inPieces(data: Uint8Array): AsyncIterable<Uint8Array> {
  yield data;
}

/** At most `limit` bytes. */
export async function readAll(pieces: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const read: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    read.push(piece);
    length += piece.length;
    if (length >= limit) break;
  }
  return join(read).subarray(0, limit);
}
