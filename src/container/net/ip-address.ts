import { i32, u16be } from '../../bytes/fixed-int.ts';

/** The text of an IP address of `size` bytes, 4 or 16, at `bytes[at]`. */
export function addressText(bytes: Uint8Array, at: number, size: number): string {
  return size === 4 ? v4Text(bytes, at) : v6Text(bytes, at);
}

function v4Text(bytes: Uint8Array, at: number): string {
  return `${bytes[at]}.${bytes[at + 1]}.${bytes[at + 2]}.${bytes[at + 3]}`;
}

/** RFC 5952: lower case, no leading zeros, and `::` for the first of the longest runs of at least two zeros. */
function v6Text(bytes: Uint8Array, at: number): string {
  const groups = Array.from({ length: 8 }, (_, i) => u16be(bytes, at + 2 * i));
  if (groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0))
    return `::ffff:${v4Text(bytes, at + 12)}`;
  let [runStart, runLength] = [0, 1];
  for (let i = 0, length = 0; i < 8; i++) {
    length = groups[i] === 0 ? length + 1 : 0;
    if (length > runLength) [runStart, runLength] = [i + 1 - length, length];
  }
  const text = (from: number, to: number) =>
    groups
      .slice(from, to)
      .map((group) => group.toString(16))
      .join(':');
  return runLength < 2 ? text(0, 8) : `${text(0, runStart)}::${text(runStart + runLength, 8)}`;
}

const slots = 1024;

/** A cache of address texts with a fixed number of slots. */
export class AddressTexts {
  readonly #v4 = new Array<string>(slots).fill('');
  readonly #v6 = new Array<string>(slots).fill('');
  /** The address in each slot. */
  readonly #v4Words = new Int32Array(slots);
  readonly #v6Words = new Int32Array(4 * slots);

  of(bytes: Uint8Array, at: number, size: number): string {
    return size === 4 ? this.#ofV4(bytes, at) : this.#ofV6(bytes, at);
  }

  #ofV4(bytes: Uint8Array, at: number): string {
    const word = i32(bytes, at, false);
    const slot = Math.imul(word, scatter) >>> slotShift;
    if (this.#v4Words[slot] !== word || this.#v4[slot] === '') {
      this.#v4Words[slot] = word;
      this.#v4[slot] = v4Text(bytes, at);
    }
    return this.#v4[slot]!;
  }

  #ofV6(bytes: Uint8Array, at: number): string {
    const words = this.#v6Words;
    const [a, b] = [i32(bytes, at, false), i32(bytes, at + 4, false)];
    const [c, d] = [i32(bytes, at + 8, false), i32(bytes, at + 12, false)];
    const slot = Math.imul(a ^ Math.imul(b ^ Math.imul(c ^ Math.imul(d, 31), 31), 31), scatter) >>> slotShift;
    const i = 4 * slot;
    if (words[i] !== a || words[i + 1] !== b || words[i + 2] !== c || words[i + 3] !== d || this.#v6[slot] === '') {
      words.set([a, b, c, d], i);
      this.#v6[slot] = v6Text(bytes, at);
    }
    return this.#v6[slot]!;
  }
}

/** The upper ten bits of a product with this number select the slot. */
const scatter = 0x9e3779b1;
const slotShift = 22;
