import { sha256 } from '@noble/hashes/sha2.js';
import { crc32 } from '../codec/crc32.ts';
import { hexText } from '../hex/index.ts';

/** Computes the size and the checksums of a map piece by piece, as in the header of a demo. */
export class MapChecksums {
  size = 0;
  crc = 0;
  readonly #hash = sha256.create();

  add(piece: Uint8Array): void {
    this.size += piece.length;
    this.crc = crc32(piece, this.crc);
    this.#hash.update(piece);
  }

  /** The hash in 64 hex digits; ends the computation. */
  sha256(): string {
    return hexText(this.#hash.digest());
  }
}
