import { sha256 } from '@noble/hashes/sha2.js';
import { attempt, type Diagnostic } from '../../wire/bytes/diagnostic.ts';
import { hexText } from '../../wire/bytes/to-hex.ts';
import { crc32, crcText } from '../../wire/codec/crc32.ts';
import type { DemoHeader } from '../container/demo/header.ts';
import { Datafile, datafileHeadBytes } from '../container/map/datafile.ts';

/** The size and the checksums of the map that a demo embeds, computed piece by piece. */
export class MapSummary {
  bytes = 0;
  crc = 0;
  readonly #hash = sha256.create();
  #sha256: string | undefined;

  add(piece: Uint8Array): void {
    this.bytes += piece.length;
    this.crc = crc32(piece, this.crc);
    this.#hash.update(piece);
  }

  /** In hex. The map must be complete. */
  get sha256(): string {
    this.#sha256 ??= hexText(this.#hash.digest());
    return this.#sha256;
  }

  matches({ mapCrc, sha256: stated }: Pick<DemoHeader, 'mapCrc' | 'sha256'>): boolean {
    return mapCrc === this.crc && (stated === undefined || stated === this.sha256);
  }
}

/** Compares the map of a demo with the header. */
export class MapCheck {
  readonly sums = new MapSummary();
  readonly #head = new Uint8Array(datafileHeadBytes);

  /**
   * Whether a game can open the map: all versions need its tables.
   * @param isExact whether a game compares its size with its header, too
   */
  opens(isExact: boolean): boolean {
    const { bytes } = this.sums;
    const file = attempt(() => new Datafile(this.#head.subarray(0, bytes), true));
    return file instanceof Datafile && (isExact ? file.end === bytes : file.dataStart <= bytes);
  }

  /** Adds a piece of the map; returns what is wrong after the last one. */
  add(piece: Uint8Array, header: DemoHeader): Diagnostic | undefined {
    const { sums } = this;
    const missing = this.#head.subarray(sums.bytes);
    missing.set(piece.subarray(0, missing.length));
    sums.add(piece);
    if (sums.bytes < header.chunksStart - header.mapStart || sums.matches(header)) return undefined;
    const args =
      sums.crc === header.mapCrc
        ? { what: 'sha256', found: sums.sha256, expected: header.sha256! }
        : { what: 'crc', found: crcText(sums.crc), expected: crcText(header.mapCrc) };
    return { severity: 'warning', code: 'other_map', offset: header.mapStart, args, isSuspect: true };
  }
}
