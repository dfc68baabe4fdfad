import { join } from '../../wire/bytes/copy.ts';

/** What a file has besides one whole recording. */
export interface OddEnds {
  /** From where on there are only zeros: a file whose size was reserved, and which was not written to its end. */
  readonly zerosFrom: number | undefined;
  readonly size: number;
  /** Where a second demo begins: two files that were put together. */
  readonly secondAt: number | undefined;
}

/** The fewest zeros at an end that are told: compressed chunks have no such run. */
const fewestZeros = 512;

const magic = [...'TWDEMO\0'].map((character) => character.charCodeAt(0));

/** By itself: a function with variables of the loop would be made anew for each byte that fits. */
const isMagic = (bytes: Uint8Array, at: number): boolean => magic.every((byte, i) => bytes[at + i] === byte);

/** Looks at the pieces of a recording while they are read. */
export class EndWatch implements OddEnds {
  readonly #isDemo: boolean;
  size = 0;
  secondAt: number | undefined;
  #zeros = 0;
  /** The last bytes of the piece before: a beginning may be in two pieces. */
  #before: Uint8Array = new Uint8Array();

  /** @param isDemo otherwise no demo is looked for: a capture may have one in its packets */
  constructor(isDemo: boolean) {
    this.#isDemo = isDemo;
  }

  add(piece: Uint8Array): void {
    if (this.#isDemo && this.secondAt === undefined) this.#search(piece);
    let zeros = 0;
    while (zeros < piece.length && piece[piece.length - 1 - zeros] === 0) zeros++;
    this.#zeros = zeros === piece.length ? this.#zeros + zeros : zeros;
    this.size += piece.length;
  }

  #search(piece: Uint8Array): void {
    const seam = join([this.#before, piece.subarray(0, magic.length - 1)]);
    this.secondAt = this.#found(seam, this.size - this.#before.length) ?? this.#found(piece, this.size);
    this.#before = join([this.#before, piece.subarray(-magic.length)]).slice(-(magic.length - 1));
  }

  #found(bytes: Uint8Array, from: number): number | undefined {
    for (let at = bytes.indexOf(magic[0]!); at >= 0; at = bytes.indexOf(magic[0]!, at + 1))
      if (bytes[at + 1] === magic[1] && from + at > 0 && isMagic(bytes, at)) return from + at;
    return undefined;
  }

  get zerosFrom(): number | undefined {
    return this.#zeros >= fewestZeros ? this.size - this.#zeros : undefined;
  }
}
