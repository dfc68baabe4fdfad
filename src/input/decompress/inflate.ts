import { noBytes } from '../../wire/bytes/buffers.ts';

/*
 * Deflate, RFC 1951, for browsers. Node's zlib says where the data end; `DecompressionStream` does not, and gives
 * nothing of what is before damage. Files of the games are packed and cut, so both are needed.
 *
 *   block     1 bit: the last one?  2 bits: stored, fixed codes, own codes
 *   symbol    0–255 a byte · 256 the end of the block · 257–285 a length, then a distance: copy what was written before
 *
 * Input comes in pieces and may end inside a step. A step is then undone (`wait`) and taken again with the next piece.
 * That is simple, and slow if done for each symbol; so `#readSymbols` runs while 8 bytes and the longest match are
 * certain to be there, with all state in local variables and nothing to undo. What is special (the end, damage, a match
 * that reaches too far back) is left to `#readSymbol`.
 *
 * Errors are thrown as texts, in the words of zlib, so that browsers and Node report the same.
 *
 *   #output   │ last 32 KiB, which matches refer to │ not returned yet, up to 64 KiB │ 258 │
 */

/**
 * Reads raw deflate data (RFC 1951) that arrives in pieces. What a piece contains is returned, even if it is damaged
 * further on.
 */
export interface Inflater {
  /** @returns the contents of `piece`, and where the data end in it or are damaged */
  add(piece: Uint8Array): Inflated | Promise<Inflated>;
  close(): void;
}

export interface Inflated {
  readonly contents: readonly Uint8Array[];
  /** The number of bytes of the piece that belong to the data, if these end in it. */
  readonly used?: number;
  /** Why the data are damaged. */
  readonly damage?: string;
}

/** The order in which the lengths of the codes of lengths are stored. */
const lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** The least lengths or distances of codes that double their step every `each` codes: 3, 4, 5, … 11, 13, 15, … */
function bases(first: number, count: number, plain: number, each: number, last: readonly number[] = []) {
  const [base, extra]: [number[], number[]] = [[], []];
  for (let i = 0, next = first; i < count; i++) {
    extra[i] = i < plain ? 0 : Math.floor((i - plain) / each) + 1;
    base[i] = next;
    next += 2 ** extra[i]!;
  }
  return { base: [...base, ...last], extra: [...extra, ...last.map(() => 0)] };
}
const lengths = bases(3, 28, 8, 4, [258]);
const distances = bases(1, 30, 4, 2);

/**
 * A Huffman code: for the next `bits` bits, the symbol that they begin with, and the length of its code below
 * (`symbol << 4 | length`).
 */
interface Code {
  readonly bits: number;
  readonly table: Uint16Array;
}

const longest = 15;

/** Undefined if there are too many codes, or too few of more than one. */
function codeOf(lengthOf: ArrayLike<number>): Code | undefined {
  const counts = new Uint16Array(longest + 1);
  for (let i = 0; i < lengthOf.length; i++) counts[lengthOf[i]!]!++;
  const total = lengthOf.length - counts[0]!;
  counts[0] = 0;
  const next = new Uint16Array(longest + 2);
  let left = 1;
  let bits = 1;
  for (let length = 1; length <= longest; length++) {
    left = 2 * left - counts[length]!;
    if (left < 0) return undefined;
    if (counts[length]! > 0) bits = length;
    next[length + 1] = (next[length]! + counts[length]!) << 1;
  }
  if (left > 0 && total > 1) return undefined;
  const table = new Uint16Array(1 << bits);
  for (let symbol = 0; symbol < lengthOf.length; symbol++) {
    const length = lengthOf[symbol]!;
    if (length === 0) continue;
    // The bits of a code come from its highest on.
    let reversed = 0;
    for (let code = next[length]!++, i = 0; i < length; i++, code >>= 1) reversed = (reversed << 1) | (code & 1);
    for (let at = reversed; at < table.length; at += 1 << length) table[at] = (symbol << 4) | length;
  }
  return { bits, table };
}

let fixed: readonly [Code, Code] | undefined;
const fixedCodes = () => {
  const ofSymbol = (i: number) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8);
  fixed ??= [codeOf(Array.from({ length: 288 }, (_, i) => ofSymbol(i)))!, codeOf(new Uint8Array(32).fill(5))!];
  return fixed;
};

/** Thrown to wait for the next piece; what was read of the current step is read again then. */
const wait = Symbol('wait');

const windowBytes = 1 << 15;
/** The contents are returned in pieces of at least this size, before at most one match of 258 bytes more. */
const pieceBytes = 1 << 16;

/** The inflater for platforms without one that says where the data end: browsers have only `DecompressionStream`. */
export class PlainInflater implements Inflater {
  #input: Uint8Array = noBytes;
  /** The next byte, and the bits that were taken from those before it. */
  #at = 0;
  #bits = 0;
  #count = 0;
  /** The last 32 KiB, then what is not returned yet. */
  #output = new Uint8Array(windowBytes + pieceBytes + 258);
  #end = 0;
  #from = 0;
  #contents: Uint8Array[] = [];
  #codes: readonly [Code, Code] | undefined;
  /** The bytes of a stored block that are still to come. */
  #stored = 0;
  #isLast = false;
  #isInBlock = false;

  add(piece: Uint8Array): Inflated {
    const kept = this.#input.subarray(this.#at);
    const input = new Uint8Array(kept.length + piece.length);
    input.set(kept);
    input.set(piece, kept.length);
    this.#input = input;
    this.#at = 0;
    this.#contents = [];
    try {
      while (this.#isInBlock || !this.#isLast) this.#step();
    } catch (error) {
      this.#unreadBytes();
      if (error === wait) return { contents: this.#take() };
      if (typeof error === 'string') return { contents: this.#take(), damage: error };
      throw error;
    }
    this.#unreadBytes();
    return { contents: this.#take(), used: piece.length - (input.length - this.#at) };
  }

  close(): void {}

  /** Whole bytes among the bits are read again. */
  #unreadBytes(): void {
    this.#at -= this.#count >> 3;
    this.#count &= 7;
    this.#bits &= (1 << this.#count) - 1;
  }

  #take(): readonly Uint8Array[] {
    this.#flush();
    return this.#contents;
  }

  #flush(): void {
    if (this.#end > this.#from) this.#contents.push(this.#output.slice(this.#from, this.#end));
    const kept = Math.min(this.#end, windowBytes);
    this.#output.copyWithin(0, this.#end - kept, this.#end);
    this.#end = kept;
    this.#from = kept;
  }

  /** Reads one header, symbol or stretch of stored bytes. A step that the input ends in is undone. */
  #step(): void {
    const at = this.#at;
    const bits = this.#bits;
    const count = this.#count;
    try {
      if (this.#end >= windowBytes + pieceBytes) this.#flush();
      if (!this.#isInBlock) this.#beginBlock();
      else if (!this.#codes) this.#copyStored();
      else if (!this.#readSymbols(this.#codes)) this.#readSymbol(this.#codes);
    } catch (error) {
      if (error === wait) {
        this.#at = at;
        this.#bits = bits;
        this.#count = count;
      }
      throw error;
    }
  }

  #read(count: number): number {
    while (this.#count < count) {
      if (this.#at >= this.#input.length) throw wait;
      this.#bits |= this.#input[this.#at++]! << this.#count;
      this.#count += 8;
    }
    const value = this.#bits & ((1 << count) - 1);
    this.#bits >>>= count;
    this.#count -= count;
    return value;
  }

  #symbol({ bits, table }: Code): number {
    while (this.#count < bits && this.#at < this.#input.length) {
      this.#bits |= this.#input[this.#at++]! << this.#count;
      this.#count += 8;
    }
    const entry = table[this.#bits & (table.length - 1)]!;
    const length = entry & 15;
    if (length > this.#count || (length === 0 && this.#count < bits)) throw wait;
    if (length === 0) throw 'invalid code';
    this.#bits >>>= length;
    this.#count -= length;
    return entry >> 4;
  }

  #beginBlock(): void {
    const isLast = this.#read(1) === 1;
    const kind = this.#read(2);
    let codes: readonly [Code, Code] | undefined;
    let stored = 0;
    if (kind === 0) {
      this.#read(this.#count & 7);
      stored = this.#read(16);
      if (stored !== (~this.#read(16) & 0xffff)) throw 'invalid stored block lengths';
      this.#unreadBytes();
    } else if (kind === 1) codes = fixedCodes();
    else if (kind === 2) codes = this.#readCodes();
    else throw 'invalid block type';
    this.#codes = codes;
    this.#stored = stored;
    this.#isLast = isLast;
    this.#isInBlock = kind !== 0 || stored > 0;
  }

  /** How often a code length is repeated: 16 repeats the one before, 17 and 18 repeat 0. */
  #timesOf(symbol: number): number {
    if (symbol === 16) return 3 + this.#read(2);
    return symbol === 17 ? 3 + this.#read(3) : 11 + this.#read(7);
  }

  #readCodes(): readonly [Code, Code] {
    const literals = this.#read(5) + 257;
    const distanceCodes = this.#read(5) + 1;
    const codes = this.#read(4) + 4;
    if (literals > 286 || distanceCodes > 30) throw 'too many length or distance symbols';
    const ofLengths = new Uint8Array(19);
    for (let i = 0; i < codes; i++) ofLengths[lengthOrder[i]!] = this.#read(3);
    const code = codeOf(ofLengths);
    if (!code) throw 'invalid code lengths set';
    const all = new Uint8Array(literals + distanceCodes);
    for (let i = 0; i < all.length; ) {
      const symbol = this.#symbol(code);
      if (symbol < 16) {
        all[i++] = symbol;
        continue;
      }
      if (symbol === 16 && i === 0) throw 'invalid bit length repeat';
      const times = this.#timesOf(symbol);
      if (i + times > all.length) throw 'invalid bit length repeat';
      all.fill(symbol === 16 ? all[i - 1]! : 0, i, i + times);
      i += times;
    }
    if (all[256] === 0) throw 'invalid code -- missing end-of-block';
    const literal = codeOf(all.subarray(0, literals));
    const distance = codeOf(all.subarray(literals));
    if (!literal) throw 'invalid literal/lengths set';
    if (!distance) throw 'invalid distances set';
    return [literal, distance];
  }

  /**
   * Reads symbols while a longest one, of 48 bits, is in the input, and the longest match fits into the output. Nothing
   * is undone here, and all is in local variables: this is five times as fast as symbol by symbol.
   * @returns whether there was one; what is special about the next one is left to {@link #readSymbol}
   */
  #readSymbols([literal, distance]: readonly [Code, Code]): boolean {
    const input = this.#input;
    const output = this.#output;
    const literals = literal.table;
    const literalMask = literal.table.length - 1;
    const fars = distance.table;
    const farMask = distance.table.length - 1;
    let at = this.#at;
    let bits = this.#bits;
    let count = this.#count;
    let end = this.#end;
    const lastAt = input.length - 8;
    const lastEnd = windowBytes + pieceBytes;
    const before = end;
    while (at < lastAt && end < lastEnd) {
      const startAt = at;
      const startBits = bits;
      const startCount = count;
      for (; count < 15; count += 8) bits |= input[at++]! << count;
      const symbol = literals[bits & literalMask]!;
      bits >>>= symbol & 15;
      count -= symbol & 15;
      const value = symbol >> 4;
      if (value < 256 && symbol !== 0) {
        output[end++] = value;
        continue;
      }
      const base = lengths.base[value - 257];
      let back = 0;
      let length = 0;
      if (base !== undefined) {
        const extra = lengths.extra[value - 257]!;
        for (; count < extra; count += 8) bits |= input[at++]! << count;
        length = base + (bits & ((1 << extra) - 1));
        bits >>>= extra;
        count -= extra;
        for (; count < 15; count += 8) bits |= input[at++]! << count;
        const far = fars[bits & farMask]!;
        bits >>>= far & 15;
        count -= far & 15;
        const near = far === 0 ? 0 : (distances.base[far >> 4] ?? 0);
        const more = near === 0 ? 0 : distances.extra[far >> 4]!;
        for (; count < more; count += 8) bits |= input[at++]! << count;
        back = near + (bits & ((1 << more) - 1));
        bits >>>= more;
        count -= more;
      }
      if (back === 0 || back > end) {
        at = startAt;
        bits = startBits;
        count = startCount;
        break;
      }
      for (const to = end + length; end < to; end++) output[end] = output[end - back]!;
    }
    this.#at = at;
    this.#bits = bits;
    this.#count = count;
    this.#end = end;
    return end > before;
  }

  #readSymbol([literal, distance]: readonly [Code, Code]): void {
    const symbol = this.#symbol(literal);
    if (symbol < 256) {
      this.#output[this.#end++] = symbol;
      return;
    }
    if (symbol === 256) {
      this.#isInBlock = false;
      return;
    }
    const base = lengths.base[symbol - 257];
    if (base === undefined) throw 'invalid literal/length code';
    const length = base + this.#read(lengths.extra[symbol - 257]!);
    const far = this.#symbol(distance);
    const near = distances.base[far];
    if (near === undefined) throw 'invalid distance code';
    const back = near + this.#read(distances.extra[far]!);
    if (back > this.#end) throw 'invalid distance too far back';
    const output = this.#output;
    for (let to = this.#end, end = to + length; to < end; to++) output[to] = output[to - back]!;
    this.#end += length;
  }

  #copyStored(): void {
    const room = windowBytes + pieceBytes - this.#end;
    const size = Math.min(this.#stored, room, this.#input.length - this.#at);
    if (size === 0) throw wait;
    this.#output.set(this.#input.subarray(this.#at, this.#at + size), this.#end);
    this.#at += size;
    this.#end += size;
    this.#stored -= size;
    this.#isInBlock = this.#stored > 0;
  }
}
