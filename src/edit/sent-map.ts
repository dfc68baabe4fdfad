import { hexText } from '../hex/index.ts';
import type { Message } from '../packet/message.ts';
import { MapChecksums } from '../recording/map-checksums.ts';
import { maxKeptMapBytes } from './slice.ts';

/** The map that a server announced, with the bytes that the client downloaded. */
export interface SentMap {
  readonly name: string;
  readonly crc: number;
  /** The hash of the whole map; undefined if no message contains it and the map was not downloaded. */
  readonly sha256: string | undefined;
  /** The whole map in pieces; empty if it was not downloaded completely. */
  readonly pieces: readonly Uint8Array[];
}

/** Collects the map that a client of a capture is sent: its name and checksums, then its pieces. */
export class MapDownload {
  #name = '';
  #crc = 0;
  #size = 0;
  #sha256: string | undefined;
  #pieces: Uint8Array[] = [];
  #length = 0;

  /**
   * Adds a message of the server.
   * @returns whether it announces a map
   */
  add({ system, type, values }: Message): boolean {
    if (!system || !type || !/^map_(change|details|data)$/.test(type.name)) return false;
    const value = (name: string) => values.find((one) => one.name === name)?.value;
    const bytes = (name: string) => {
      const found = value(name);
      return found instanceof Uint8Array ? found : undefined;
    };
    if (type.name === 'map_data') {
      this.#addPiece(Number(value('chunk') ?? this.#pieces.length), bytes('data'));
      return false;
    }
    const hash = bytes('sha256');
    // DDNet sends the SHA-256 in a separate message before the map change.
    if (type.name === 'map_details') {
      this.#sha256 = hash && hexText(hash);
      return false;
    }
    const details = this.#sha256;
    this.#name = String(value('name') ?? '');
    this.#crc = Number(value('crc') ?? 0) >>> 0;
    this.#size = Number(value('size') ?? 0);
    this.#sha256 = hash ? hexText(hash) : details;
    this.#pieces = [];
    this.#length = 0;
    return true;
  }

  /** The map as far as it is known. Its pieces are released. */
  finish(): SentMap {
    const isWhole = this.#size > 0 && this.#length === this.#size;
    const pieces = isWhole ? this.#pieces : [];
    const sums = new MapChecksums();
    for (const piece of pieces) sums.add(piece);
    const isRight = isWhole && sums.crc === this.#crc;
    const sha256 = this.#sha256 ?? (isRight ? sums.sha256() : undefined);
    this.#pieces = [];
    this.#sha256 = undefined;
    return { name: this.#name, crc: this.#crc, sha256, pieces: isRight ? pieces : [] };
  }

  /** Clients request pieces one by one. Repeated pieces and those beyond the map's size are ignored. */
  #addPiece(chunk: number, piece: Uint8Array | undefined): void {
    if (!piece || chunk !== this.#pieces.length) return;
    if (this.#length + piece.length > Math.min(this.#size, maxKeptMapBytes)) return;
    this.#pieces.push(piece.slice());
    this.#length += piece.length;
  }
}
