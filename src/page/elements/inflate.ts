/**
 * Decompresses zlib data with the browser's own decompressor, which is not in the page's bytes; undefined if it is
 * damaged or its size is not `size`.
 */
export async function unpackZlib(data: Uint8Array, size: number): Promise<Uint8Array | undefined> {
  const unpacked = new Uint8Array(size);
  let length = 0;
  try {
    const stream = new Response(data as Uint8Array<ArrayBuffer>).body!.pipeThrough(new DecompressionStream('deflate'));
    for (const reader = stream.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) return length === size ? unpacked : undefined;
      // More than what the map says is not kept.
      if (length + value.length > size) return undefined;
      unpacked.set(value, length);
      length += value.length;
    }
  } catch {
    return undefined;
  }
}
