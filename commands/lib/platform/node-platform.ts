import type { Transform } from 'node:stream';
import type { Platform } from '../../../src/input/decompress/decompress.ts';
import type { Inflated, Inflater } from '../../../src/input/decompress/inflate.ts';

/** Node's own is several times as fast as ours. */
class ZlibInflater implements Inflater {
  readonly #inflate: Transform & { readonly bytesWritten: number };
  #contents: Uint8Array[] = [];

  constructor(inflate: Transform & { readonly bytesWritten: number }) {
    this.#inflate = inflate;
    inflate.on('data', (chunk: Uint8Array) => this.#contents.push(chunk));
  }

  async add(piece: Uint8Array): Promise<Inflated> {
    const inflate = this.#inflate;
    const before = inflate.bytesWritten;
    const state = await new Promise<'goes on' | 'ended' | Error>((resolve) => {
      inflate.once('end', () => resolve('ended'));
      inflate.once('error', resolve);
      inflate.write(piece, () => resolve('goes on'));
    });
    inflate
      .removeAllListeners('end')
      .removeAllListeners('error')
      .on('error', () => {});
    const contents = this.#contents;
    this.#contents = [];
    if (state === 'goes on') return { contents };
    return state === 'ended' ? { contents, used: inflate.bytesWritten - before } : { contents, damage: state.message };
  }

  close(): void {
    this.#inflate.destroy();
  }
}

/** The contents of zstd data as far as they are readable; rejects at the first error. */
async function* unzstd(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  // Node's modules are loaded for compressed inputs only, to keep start-up fast.
  const [zlib, { Readable }] = [await import('node:zlib'), await import('node:stream')];
  const unpack = (zlib as { readonly createZstdDecompress?: () => Transform }).createZstdDecompress?.();
  if (!unpack) throw new Error('zstd data needs Node 22.15 or 23.8; or unpack it first: zstd -dc FILE | tw-snap …');
  const source = Readable.from(pieces, { objectMode: false });
  source.on('error', (error) => unpack.destroy(error));
  try {
    yield* source.pipe(unpack);
  } catch (error) {
    // The data before the damage is still buffered.
    const left = unpack.read();
    if (left) yield left;
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (code === 'Z_BUF_ERROR') throw new Error('the zstd data ends early');
    throw /^Z_|^ZSTD_/.test(code) ? new Error(`the zstd data is damaged: ${message}`) : error;
  } finally {
    unpack.destroy();
    source.destroy();
  }
}

export const nodePlatform: Platform = {
  inflater: async () => new ZlibInflater((await import('node:zlib')).createInflateRaw()),
  unzstd,
};
