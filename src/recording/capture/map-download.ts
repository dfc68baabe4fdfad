import { hexText } from '../../wire/bytes/to-hex.ts';
import { type Message, valueNamed } from '../../wire/packet/message.ts';
import { MapSummary } from '../replay/map-summary.ts';

/** The maximum size of a map in bytes. Of a larger one nothing is kept: it is as one that was not sent. */
export const maxKeptMapBytes = 1 << 28;

/** A map as a server announces it. */
export interface AnnouncedMap {
  readonly name: string;
  readonly crc: number;
  readonly size: number;
  /** In hex; 0.6 has none, but DDNet. */
  readonly sha256: string | undefined;
}

/** Collects the map that a client is sent: its name and checksums, then its pieces. */
export class MapDownload {
  announced: AnnouncedMap = { name: '', crc: 0, size: 0, sha256: undefined };
  /** DDNet's message before the map change. */
  #details: string | undefined;
  #pieces: Uint8Array[] = [];
  #length = 0;

  /** Returns whether a message of the server announces a map. */
  add({ system, type, values }: Message): boolean {
    if (!system || !type || !/^map_(change|details|data)$/.test(type.name)) return false;
    const value = (name: string) => valueNamed(values, name);
    const bytes = (name: string) => {
      const found = value(name);
      return found instanceof Uint8Array ? found : undefined;
    };
    if (type.name === 'map_data') {
      this.#addPiece(Number(value('chunk') ?? this.#pieces.length), bytes('data'));
      return false;
    }
    const hash = bytes('sha256');
    if (type.name === 'map_details') {
      this.#details = hash && hexText(hash);
      return false;
    }
    this.announced = {
      name: String(value('name') ?? ''),
      crc: Number(value('crc') ?? 0) >>> 0,
      size: Number(value('size') ?? 0),
      sha256: hash ? hexText(hash) : this.#details,
    };
    this.#details = undefined;
    this.#pieces = [];
    this.#length = 0;
    return true;
  }

  get pieces(): number {
    return this.#pieces.length;
  }

  get isWhole(): boolean {
    const { size } = this.announced;
    return size > 0 && this.#length === size;
  }

  /**
   * The map as far as it is known, without pieces unless all of it was downloaded and is what was announced. They are
   * released.
   */
  finish(): AnnouncedMap & { readonly pieces: readonly Uint8Array[] } {
    const { announced, isWhole } = this;
    const pieces = isWhole ? this.#pieces : [];
    const sums = new MapSummary();
    for (const piece of pieces) sums.add(piece);
    const { sha256 = sums.sha256 } = announced;
    const isRight = isWhole && sums.crc === announced.crc && sums.sha256 === sha256;
    this.#pieces = [];
    return isRight ? { ...announced, sha256, pieces } : { ...announced, pieces: [] };
  }

  /** Clients request pieces one by one. Repeated pieces and those beyond the map's size are ignored. */
  #addPiece(chunk: number, piece: Uint8Array | undefined): void {
    if (!piece || chunk !== this.#pieces.length) return;
    const { size } = this.announced;
    if (size > maxKeptMapBytes || this.#length + piece.length > size) return;
    this.#pieces.push(piece.slice());
    this.#length += piece.length;
  }
}
