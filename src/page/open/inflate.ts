import { join } from '../../bytes/copy.ts';

/** Decompresses zlib data; undefined if it is damaged or its size is not `size`. */
export const inflate = (data: Uint8Array, size: number): Promise<Uint8Array | undefined> =>
  unpack(data, 'deflate', size).then(
    (whole) => (whole.length === size ? whole : undefined),
    () => undefined,
  );

/**
 * Decompresses data.
 * @throws if the data is damaged or its size exceeds `limit`, as soon as the limit is passed
 */
export async function unpack(data: Uint8Array, format: CompressionFormat, limit: number): Promise<Uint8Array> {
  const stream = new Blob([data as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream(format));
  const reader = stream.getReader();
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return join(pieces);
    bytes += value.length;
    pieces.push(value);
    if (bytes <= limit) continue;
    await reader.cancel();
    throw new Error(`more than ${limit} bytes`);
  }
}
