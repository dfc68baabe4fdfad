import { sha256 } from '@noble/hashes/sha2.js';
import { crc32 } from '../codec/crc32.ts';
import { hexText } from '../hex/index.ts';

/** Size and checksums of a map that comes piece by piece, as the header of a demo names them. */
export class MapSums {
  size = 0;
  crc = 0;
  readonly #hash = sha256.create();

  add(piece: Uint8Array): void {
    this.size += piece.length;
    this.crc = crc32(piece, this.crc);
    this.#hash.update(piece);
  }

  /** 64 hex digits; nothing can be added afterwards. */
  sha256(): string {
    return hexText(this.#hash.digest());
  }
}
