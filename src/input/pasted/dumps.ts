import { AppendBuffer } from '../../wire/bytes/buffers.ts';
import { attempt, DecodeError } from '../../wire/bytes/diagnostic.ts';
import { foldedRows } from '../../wire/bytes/to-hex.ts';
import { addPart, badHex, type Form, type Reading } from './form.ts';
import { hexDigit, isBlank, lineEnd, linesOf } from './hex-digits.ts';
import { maxBytes } from './limits.ts';
import { isCutMark } from './surroundings.ts';

/*
 * Bytes from dumps that people paste. All have rows: an address, bytes as hex, often the same bytes as characters.
 *
 *   0x0000:  4500 0047 0000 4000  E..G..@.
 *   └ row: address and what follows it ┘└ readCells: where do the bytes end, and the characters begin?
 *
 * The characters are the trap: text such as `4d` or `be` may be more bytes. Each format ends its bytes in its own way:
 * two blanks, a bar, or a fixed shape of number. The addresses are the proof: each row must begin where the one before
 * ended, in one of the bases that the format can have (`bases`). A gap is an error, unless `*` says that rows repeat.
 *
 *   readRows ─▶ rowAfter: the first row, certain or not ─▶ readFrom: each base ─▶ rowsFrom: rows, folds, end addresses ─▶ parts
 *
 * "1984: 22 people" looks like a row. Where the number can't be told from one in a sentence, a second row has to
 * follow. An address that begins again begins another byte string: a text may have many packets.
 */

/** The format of a dump's rows: an address, followed by the bytes. */
interface RowLayout {
  readonly name: string;
  /** A sticky pattern of a row up to its first byte. Group 1 is the address, group 2 separates it from the bytes. */
  readonly row: RegExp;
  /** The possible bases of the address, the usual one first. */
  bases(address: string): readonly number[];
  /** Appends the bytes of `text[from]` up to `text[end]`. */
  readCells(text: string, from: number, end: number, bytes: AppendBuffer): void;
  /** Whether a row at any other address begins another byte string, as two variables in a debugger do. */
  readonly isMemory?: boolean;
  /** Whether a line with only an address marks the end of the bytes. */
  readonly hasEndAddress?: boolean;
  /** A sticky pattern that matches a row with a mistake. */
  readonly brokenRow?: RegExp;
  /** A sticky pattern that matches a line that represents rows equal to the row above, beside `*`. */
  readonly repeatedRows?: RegExp;
  /** A sticky pattern of a row of Wireshark's "Follow Stream": each packet begins a row. */
  readonly followed?: RegExp;
  /** The number of bytes by which the last word may exceed the end address. */
  readonly padding?: number;
}

/**
 * `tcpdump -x`, `-X`, `-XX`
 *
 *     12:00:00.000000 IP 127.0.0.1.8303 > 127.0.0.1.40012: UDP, length 43
 *     	0x0000:  4500 0047 0000 4000  E..G..@.
 */
const tcpdump: RowLayout = {
  name: 'tcpdump',
  row: /[ \t]*0x([0-9a-f]{4})(:[ \t]+)(?=[0-9a-f]{4}(?:\s|$)|[0-9a-f]{2}(?: {2}|\s*$|\s*\n))/iy,
  bases: () => [16],
  readCells: pairs(true, 2),
};

/**
 * Memory as gdb's `x/xb`, `x/xw` and `x/tb` print it, and lldb's `memory read -f x`: numbers of 1 to 8 bytes
 *
 *     0x7ffffffde3f0:	0x10	0x05	0x02	0x28
 *     0x5555555580a0 <packet+8>:	0x28020510	0xed4ae19d
 *     0x5555555580a0 <packet>:	00010000	00000101
 */
const memory: RowLayout = {
  name: "a debugger's memory",
  row: /[ \t]*(?:=> )?0x([0-9a-f]{4,16})((?: <[^>\n]{0,200}>)?:[ \t]*)(?=0x[0-9a-f]|[01]{8}[ \t])/iy,
  bases: () => [16],
  isMemory: true,
  readCells: numbers('a number of 1, 2, 4 or 8 bytes', (cell) =>
    cell.startsWith('0x') ? (hexWord(cell.slice(2)) ?? shortByte(cell.slice(2))) : bits(cell),
  ),
};

/**
 * Memory as WinDbg's `db`, `dw`, `dd` and `dq` print it; of single bytes the ninth follows a dash
 *
 *     000000f2`1a2ff5c0  00 04 02 41 04 09 06 00-03 67 67 20 77 70 20 e2   ...A.....gg wp .
 *     000000f2`1a2ff5c0  41020400 00060904 20676703 e2207077
 */
const winDbg: RowLayout = {
  name: "WinDbg's memory",
  row: /[ \t]*([0-9a-f]{8}`[0-9a-f]{8}|[0-9a-f]{8}(?= {2}(?:[0-9a-f]{2} ){7}[0-9a-f]{2}-))( {2})(?=[0-9a-f]{2})/iy,
  bases: () => [16],
  isMemory: true,
  readCells: numbers(
    'a number of 1, 2, 4 or 8 bytes',
    (cell) => (/^[0-9a-f]{2}(?:-[0-9a-f]{2})?$/i.test(cell) ? pairsOf(cell) : hexWord(cell.replace('`', ''))),
    2,
  ),
};

/**
 * Bits as `xxd -b` prints them. In four bytes as hex, `xxd -g 4`, the characters beside them are more than the cells.
 *
 *     00000000: 00010000 00000101 00000010 00101000 10011101 11100001  ...(..
 */
const xxdBits: RowLayout = {
  name: 'xxd -b',
  row: /[ \t]*([0-9a-f]{4,16})(:[ \t]+)(?=((?:[01]{8} )*[01]{8})(?: *$| *\n| {2,}(\S[^\n]{0,7})?(?:\n|$)))/iy,
  bases: () => [16, 10],
  readCells: numbers('eight bits', (cell) => bits(cell), 2),
};

/**
 * `xxd` with any number of bytes per group and row; Emacs' hexl-mode; lldb's `memory read`
 *
 *     00000000: 1005 0228 9de1 4aed  ...(..J.
 */
const xxd: RowLayout = {
  name: 'xxd',
  row: /[ \t]*(?:0x)?([0-9a-f]{4,16})(:[ \t]+)(?=[0-9a-f]{2,}(?:\s|$))/iy,
  // Addresses are decimal with `-d`.
  bases: () => [16, 10],
  brokenRow: /([0-9a-z]{4,12}):[ \t]*\S/iy,
  readCells: pairs(true, 2),
};

/**
 * Words of `hexdump`, `hexdump -x`, `od -x`, `od -t x4`, in the byte order of the machine that printed them:
 * little-endian
 *
 *     0000000 0510 2802 e19d ed4a
 *     0000000 28020510 ed4ae19d
 */
const hexWords = (size: 2 | 4 | 8): RowLayout => ({
  name: 'hexdump or od',
  // Decimal words of `od` have two blanks before them.
  row: new RegExp(`[ \\t]*(0[0-9a-f]{5}|[0-9a-f]{7})( | {3,}|\\t)(?=[0-9a-f]{${2 * size}}(?:\\s|$))`, 'iy'),
  bases: () => [16, 8, 10],
  hasEndAddress: true,
  brokenRow: /([0-9a-z]{6,12})[ \t]+\S/iy,
  padding: size - 1,
  readCells: numbers(`a number of ${size} bytes`, (cell) => (cell.length === 2 * size ? hexWord(cell) : undefined)),
});

/**
 * Octal numbers of one or two bytes: `od`, `od -b`, `hexdump -b`
 *
 *     0000000 002420 024002 160635          0000000 020 005 002 050
 */
const octalNumbers: RowLayout = {
  name: 'od',
  row: /[ \t]*(0[0-9a-f]{5,6}|[0-9a-f]{7})( )(?=(?:[01][0-7]{5}|[0-3][0-7]{2})(?:\s|$))/iy,
  bases: () => [8, 16, 10],
  hasEndAddress: true,
  padding: 1,
  readCells: numbers('an octal number', octal),
};

/** The columns of a number with and without a sign, and of `hexdump -d`. */
const widths = { 1: [4, 5], 2: [6, 7, 8] };

/** Numbers that end where their columns end. */
const columnsOf = (width: number) => {
  const number = Array.from({ length: width - 1 }, (_, i) => ` {${i + 1}}[\\d-]\\d{${width - i - 2}}`);
  return `(?:${number.join('|')})+`;
};

/**
 * Decimal numbers of one or two bytes in columns: `od -t u1`, `od -t d1`, `od -t u2`, `od -t d2`, `hexdump -d`. The
 * columns tell them from bytes in hex, and the addresses of two rows how many bytes a number has.
 *
 *     0000000  16   5   2  40 157 225  74 237          0000000   01296   10242   57757
 */
const decimalNumbers = (size: 1 | 2): RowLayout => ({
  name: 'od',
  row: new RegExp(
    `[ \\t]*(0[0-9a-f]{5,6}|[0-9a-f]{7})()(?=(?:${widths[size].map(columnsOf).join('|')})[ \\t\\r]*(?:\\n|$))`,
    'y',
  ),
  bases: () => [8, 16, 10],
  hasEndAddress: true,
  padding: size - 1,
  readCells: numbers(`a number of ${size === 1 ? '1 byte' : '2 bytes'}`, (cell) => decimal(cell, size)),
});

/**
 * The table of hexyl
 *
 *     │00000000│ 10 05 02 28 9d e1 4a ed ┊ be f9 29 13 e9 bb 68 8a │•••(××J×┊××)•××h×│
 */
const hexyl: RowLayout = {
  name: 'hexyl',
  row: /[ \t]*[│|]([0-9a-f]{8})([│|] )(?=[0-9a-f]{2}\s)/iy,
  bases: () => [16],
  readCells: (text, from, end, bytes) => {
    const cells = /^(?:[0-9a-f]{2}\s+(?:[│┊|] (?=[0-9a-f]{2}\s))?)+/i.exec(text.slice(from, end))?.[0] ?? '';
    for (const pair of cells.match(/[0-9a-f]{2}/gi) ?? []) bytes.byte(Number.parseInt(pair, 16));
  },
};

/**
 * Single bytes of `hexdump -C`, `hd`, `od -t x1`
 *
 *     00000000  10 05 02 28 9d e1 4a ed  be f9 29 13 e9 bb 68 8a  |...(..J...)...h.|
 *     000000 10 05 02 28 9d e1 4a ed be f9 29 13 e9 bb 68 8a  >...(..J...)...h.<      od -A x -t x1z
 *     00000000  10 05 02 28 9d e1 4a ed  be f9 29 13 e9 bb 68 8a   ...(..J. ..)...h.   Wireshark: Follow UDP Stream
 */
const hexdump: RowLayout = {
  name: 'hexdump',
  // Decimal bytes of `od` have two blanks before them, after an address of six or seven digits.
  row: /[ \t]*([0-9a-f]{6,7}(?= [^ ]|\t)|[0-9a-f]{8,12})([ \t]+)(?=[0-9a-f]{2}(?:\s|$))/iy,
  // Addresses of seven digits are od's: octal by default, or decimal.
  bases: ({ length }) => (length === 7 ? [8, 10, 16] : [16, 10]),
  hasEndAddress: true,
  brokenRow: /([0-9a-z]{6,12})[ \t]+\S/iy,
  followed: / *[0-9A-F]{8} {2}(?:[0-9a-f]{2} {1,2}){1,16} {1,50}(?!\|)\S{1,8}(?: \S{1,8})?\r?(?=\n|$)/y,
  readCells: pairs(false),
};

/**
 * The hexdump of this program, of Wireshark and of `tshark -x`
 *
 *      file  unpacked
 *       0.0  0000  00 03 00 06  ....  removed_items=0 num_item_deltas=3 _zero=0 type=6 obj_game_data
 *
 *     0000   45 00 00 47   E..G
 */
const twSnap: RowLayout = {
  name: 'tw-snap',
  row: /[ \t]*(?:[\da-f,]{1,12}\.\d[ \t]+)?([0-9a-f]{4,5})( {2,}|\t)(?=[0-9a-f]{2}(?:\s|$))/iy,
  bases: () => [16],
  repeatedRows: new RegExp(`[ \\t]*… [\\d,]+ bytes ${foldedRows}`, 'y'),
  readCells: pairs(false, 2),
};

const formOfRows = (layout: RowLayout): Form => ({
  name: layout.name,
  read: ({ text }) => readRows(text, layout),
});

/**
 * Rows that other numbers fit by chance: they count if each begins where the one before ended, so two are needed, or
 * the row itself must prove it.
 */
const ifStepping = (layouts: readonly RowLayout[], isProof: (row: string) => boolean = () => false): Form => ({
  name: layouts[0]!.name,
  read: ({ text }) => {
    for (const layout of layouts) {
      const first = rowAfter(text, layout.row, 0);
      if (!first) continue;
      const result = readFrom(text, layout, first);
      if (result instanceof DecodeError) continue;
      if (result.rows > 1 || isProof(text.slice(first.at, lineEnd(text, first.at))))
        return { parts: result.parts, isDump: true };
    }
    return undefined;
  },
});

export const dumps: readonly Form[] = [
  formOfRows(tcpdump),
  formOfRows(memory),
  formOfRows(winDbg),
  // With a character for each cell, not for each byte of a cell of four.
  ifStepping([xxdBits], (row) => {
    const [, cells = '', characters = ''] = /:[ \t]+((?:[01]{8} )*[01]{8}) {2,}(\S.*?)\r?$/.exec(row) ?? [];
    return characters !== '' && characters.length <= (cells.length + 1) / 9;
  }),
  formOfRows(xxd),
  ifStepping([octalNumbers]),
  ...([2, 4, 8] as const).map((size): Form => {
    const layout = hexWords(size);
    return {
      name: 'little-endian words',
      read: ({ text }) => {
        const isUsual = /^0+$|^.{7}$/.test(rowAfter(text, layout.row, 0)?.address ?? '-');
        return isUsual ? readRows(text, layout) : undefined;
      },
    };
  }),
  ifStepping([decimalNumbers(1), decimalNumbers(2)]),
  formOfRows(hexyl),
  formOfRows(hexdump),
  formOfRows(twSnap),
  { name: 'dump', read: ({ text }) => readStepping(text) },
];

/**
 * Reads pairs of hex digits, alone or in groups: `10 05 02 28`, `1005 0228`.
 * @param groups whether a group may have more than 2 digits, always an even number
 * @param gapThatEnds the number of blanks that end the bytes, since the text after them may look like bytes; undefined
 *   if `|` or `>` does
 */
function pairs(groups: boolean, gapThatEnds?: number): RowLayout['readCells'] {
  return (text, from, end, bytes) => {
    const before = bytes.length;
    for (let at = from; at < end; ) {
      const start = at;
      while (at < end && hexDigit(text.charCodeAt(at)) >= 0) at++;
      const isWhole = (at - start) % 2 === 0 && (groups || at - start <= 2);
      if (at === start || !isWhole) {
        const expected = groups ? 'an even number of hex digits' : 'two hex digits for each byte';
        throw badHex(text, start, at === start ? 'hex digits' : expected);
      }
      for (let pair = start; pair < at; pair += 2) {
        bytes.byte((hexDigit(text.charCodeAt(pair)) << 4) | hexDigit(text.charCodeAt(pair + 1)));
      }
      const gap = at;
      while (at < end && isBlank(text.charCodeAt(at))) at++;
      if (at === end || text[at] === '#' || text.startsWith('//', at)) return;
      if (gapThatEnds === undefined && (text[at] === '|' || text[at] === '>')) return;
      if (gapThatEnds !== undefined && (at - gap >= gapThatEnds || text[gap] === '\t')) return;
      // Two blanks before no more characters than bytes begin the same bytes as text, as in PowerShell. Wireshark's
      // "Follow Stream" has three, and a blank after the eighth character.
      const isFollowed = at - gap >= 3;
      const most = bytes.length - before + (isFollowed ? 1 : 0);
      if (at - gap >= 2 && end - at <= most && (isFollowed || !isPair(text, at))) return;
      if (at === gap) throw badHex(text, start, 'hex digits');
    }
  };
}

const isPair = (text: string, at: number) => /^[0-9a-f]{2}(?:\s|$)/i.test(text.slice(at, at + 3));

/**
 * Reads numbers, up to a `|` or `>` that begins their repetition as characters.
 * @param gapThatEnds the number of blanks that end the numbers, since the text after them may look like numbers
 */
function numbers(
  expected: string,
  bytesOf: (cell: string) => readonly number[] | undefined,
  gapThatEnds = Number.POSITIVE_INFINITY,
): RowLayout['readCells'] {
  return (text, from, end, bytes) => {
    let before = from;
    for (const { index, 0: cell } of text.slice(from, end).matchAll(/\S+/g)) {
      const at = from + index;
      if (cell[0] === '|' || cell[0] === '>' || (at > from && at - before >= gapThatEnds)) return;
      const number = bytesOf(cell);
      if (!number) throw badHex(text, at, expected);
      for (const byte of number) bytes.byte(byte);
      before = at + cell.length;
    }
  };
}

const pairsOf = (hex: string) => (hex.match(/[0-9a-f]{2}/gi) ?? []).map((pair) => Number.parseInt(pair, 16));

/** A number of 1, 2, 4 or 8 bytes with all its digits. Its machine, as nearly all, has the lowest byte first. */
const hexWord = (cell: string) => (/^(?:[0-9a-f]{2}){1,8}$/i.test(cell) ? pairsOf(cell).reverse() : undefined);

const shortByte = (cell: string) => (/^[0-9a-f]$/i.test(cell) ? [Number.parseInt(cell, 16)] : undefined);

const bits = (cell: string) => (/^[01]{8}$/.test(cell) ? [Number.parseInt(cell, 2)] : undefined);

function octal(cell: string): number[] | undefined {
  if (!/^(?:[01][0-7]{5}|[0-3][0-7]{2})$/.test(cell)) return undefined;
  const number = Number.parseInt(cell, 8);
  return cell.length === 3 ? [number] : [number & 0xff, number >> 8];
}

/** A number with or without a sign, of so many bytes. */
function decimal(cell: string, size: 1 | 2): number[] | undefined {
  const number = Number(cell);
  const limit = 1 << (8 * size);
  if (!/^-?\d+$/.test(cell) || number >= limit || number < -limit / 2) return undefined;
  return size === 1 ? [number & 0xff] : [number & 0xff, (number >> 8) & 0xff];
}

/**
 * The bytes of a dump whose rows begin with addresses; other lines are ignored. If an address cannot be distinguished
 * from a number in a sentence, a second row must follow the first: `1984: 22 people` is not a dump.
 */
function readRows(text: string, layout: RowLayout): Reading | undefined {
  const first = rowAfter(text, layout.row, 0);
  if (!first) return undefined;
  let result = readFrom(text, layout, { ...first, at: 0 });
  if (!first.isSure && (result instanceof DecodeError || result.rows === 1)) {
    const sure = rowAfter(text, layout.row, first.at, true);
    if (!sure) return undefined;
    result = readFrom(text, layout, sure);
  }
  if (!(result instanceof DecodeError)) return { parts: result.parts, isDump: true };
  const stepping = readStepping(text);
  if (stepping) return stepping;
  throw result;
}

/** The first row from an offset on; with `sure` the first where the number before the bytes can only be an address. */
function rowAfter(text: string, row: RegExp, from: number, sure = false) {
  for (const [at] of linesOf(text, from)) {
    const [, address, gap] = matchAt(row, text, at) ?? [];
    if (address === undefined) continue;
    const isSure = /^0+$/.test(address) || address.length === 7 || (address.length > 7 && gap !== ' ');
    if (isSure || !sure) return { at, address, isSure };
  }
  return undefined;
}

/** Chooses the base in which each row follows the preceding one. */
function readFrom(text: string, layout: RowLayout, { address, at }: { readonly address: string; readonly at: number }) {
  let first: DecodeError | undefined;
  for (const base of layout.bases(address)) {
    const result = attempt(() => rowsFrom(text, layout, base, at));
    if (!(result instanceof DecodeError)) return result;
    first ??= result;
  }
  return first!;
}

const bareAddress = /[ \t]*([0-9a-f]{6,12})[ \t\r]*(?=\n|$)/iy;
/** Reads the rows from an offset on; their addresses are in this base. */
function rowsFrom(text: string, layout: RowLayout, base: number, from: number) {
  const bytes = new AppendBuffer();
  /** Where each part begins in the text and in the bytes, its address, and where it ends. */
  const parts: { start: number; from: number; address: number; to?: number; cutAt?: number }[] = [];
  let rows = 0;
  let rowLength = 0;
  let expected = -1;
  let hasEnd = false;
  /** The last line in place of rows: `*` for rows like the one above, or a fold. */
  let omitted: { readonly at: number; readonly isRepeat: boolean } | undefined;

  function beginPart(start: number, address: number): void {
    if (rows > 0) endPart();
    else if (omitted) throw badHex(text, omitted.at, 'all rows', 'a fold: bytes are missing');
    addPart(parts, { start, from: bytes.length, address }, text);
    hasEnd = false;
  }

  /** After the last row of a part, repeated rows without their end and a fold mean that the rest was left out. */
  function endPart(): void {
    if (omitted) parts.at(-1)!.cutAt = omitted.at;
    omitted = undefined;
  }

  function moveTo(place: number, at: number, address: string): void {
    const gap = place - expected;
    if (omitted?.isRepeat ? gap <= 0 || gap % rowLength !== 0 : gap !== 0) {
      const what = gap > 0 ? `${gap} bytes are missing` : `${-gap} bytes too early`;
      const next = expected.toString(base).padStart(address.length, '0');
      throw badHex(text, at, `offset ${next}`, `offset ${address}, ${what}`);
    }
    if (bytes.length + gap > maxBytes) throw badHex(text, at, `at most ${maxBytes} bytes`, `${gap} repeated bytes`);
    const row = bytes.view().slice(-rowLength);
    for (let left = gap; left > 0; left -= row.length) bytes.bytes(row);
    omitted = undefined;
    expected = place;
  }

  function endAt(place: number, at: number, address: string): void {
    const excess = expected - place;
    if (!omitted?.isRepeat && excess > 0 && excess <= (layout.padding ?? 0)) {
      parts.at(-1)!.to = bytes.length - excess;
      expected = place;
    }
    moveTo(place, at, address);
    hasEnd = true;
  }

  /** Adds a line that is not a row: `*`, a fold, the end address, or text. */
  function addOther(at: number, end: number): void {
    const line = text.slice(at, end);
    if (rows > 0 && (line === '*' || matchAt(layout.repeatedRows, text, at))) omitted = { at, isRepeat: true };
    else if (/^(?:…|\.{3})(?:\s|$)/.test(line) || isCutMark(line)) {
      // A fold changes nothing if the rows around it are consecutive.
      if (!omitted?.isRepeat) omitted = { at, isRepeat: false };
    } else if (rows > 0) {
      const address = layout.hasEndAddress && !hasEnd ? matchAt(bareAddress, text, at)?.[1] : undefined;
      if (address !== undefined) endAt(Number.parseInt(address, base), at, address);
      else refuseBroken(text, layout, at);
    }
  }

  /** In a followed stream, where the next row of the other end begins; each end counts its own bytes. */
  let other = -1;

  for (const [at, end] of linesOf(text, from)) {
    const found = matchAt(layout.row, text, at);
    if (!found) {
      addOther(at, end);
      continue;
    }
    const place = Number.parseInt(found[1]!.replace('`', ''), base);
    const isFollowed = rows > 0 && matchAt(layout.followed, text, at) !== null;
    const isOtherEnd = isFollowed && place !== expected && (other < 0 || place === other);
    if (isOtherEnd) other = expected;
    const isNextPacket = isOtherEnd || (isFollowed && place === expected && rowLength < 16);
    const isOther = rows === 0 || hasEnd || isNextPacket || place === parts.at(-1)!.address;
    if (isOther || (layout.isMemory && place !== expected)) beginPart(at, place);
    else moveTo(place, at, found[1]!);
    const before = bytes.length;
    layout.readCells(text, at + found[0].length, end, bytes);
    rows++;
    rowLength = bytes.length - before;
    expected = place + rowLength;
  }
  endPart();
  const all = bytes.view();
  const strings = parts.map(({ start, from: first, to, cutAt }, i) => {
    return { start, bytes: all.slice(first, to ?? parts[i + 1]?.from), ...(cutAt !== undefined && { cutAt }) };
  });
  return { rows, parts: strings };
}

/** A row of any dump: an address and bytes, one or several in a cell. Chats and forms turn its blanks into one. */
const anyRow = /^([0-9a-f]{4,16}):? ((?:(?:[0-9a-f]{2})+(?: (?! )|$))+)(.*)$/i;

/**
 * Rows whose blanks were lost, so that nothing shows where the bytes end and their characters begin. Numbers before
 * them are addresses if each row begins where the one before ended: as many bytes of a row count.
 *
 *     0000 10 05 02 28 9d e1 4a ed ...(..J.
 *     0008 be f9 29 13 e9 bb 68 8a ..)...h.
 */
function readStepping(text: string): Reading | undefined {
  const rows = [...linesOf(text)].flatMap(([start, end]) => {
    const [, address, cells = '', rest = ''] = anyRow.exec(text.slice(start, end)) ?? [];
    return address === undefined ? [] : [{ start, at: Number.parseInt(address, 16), cells: cells.trim(), rest }];
  });
  const [first, second] = rows;
  if (!first || !second) return undefined;
  const step = second.at - first.at;
  const isStepping = rows.every(({ at, cells }, i) => {
    const isEnough = i === rows.length - 1 || bytesIn(cells) >= step;
    return at === first.at + i * step && isEnough;
  });
  if (step < 2 || !isStepping) return undefined;
  const hasCharacters = rows.some(({ cells, rest }) => rest !== '' || bytesIn(cells) > step);
  const bytes = new AppendBuffer();
  for (const [i, { cells, rest }] of rows.entries()) {
    // Of the last row as many as there are characters for: each byte has one, and blanks among them may be lost.
    const isLast = i === rows.length - 1;
    const length = isLast && hasCharacters ? longestWithCharacters(cells, rest, step) : step;
    for (const byte of pairsOf(cells).slice(0, length)) bytes.byte(byte);
  }
  return { parts: [{ bytes: bytes.flush(), start: first.start }], isDump: true };
}

const bytesIn = (cells: string) => cells.replaceAll(' ', '').length / 2;

/** The most bytes of a row, at most `step`, after which there are no more characters than bytes. */
function longestWithCharacters(cells: string, rest: string, step: number): number {
  const tokens = cells.split(' ');
  for (let end = tokens.length; end > 0; end--) {
    const length = bytesIn(tokens.slice(0, end).join(' '));
    const characters = [...tokens.slice(end), rest].join('').length;
    if (length <= step && characters > 0 && characters <= length) return length;
  }
  return Math.min(step, bytesIn(cells));
}

function refuseBroken(text: string, { brokenRow, name }: RowLayout, at: number): void {
  const token = matchAt(brokenRow, text, at)?.[1] ?? '';
  const digits = token.replace(/[^0-9a-f]/gi, '').length;
  if (/\d/.test(token) && digits * 4 >= token.length * 3) throw badHex(text, at, `a row of ${name}`);
}

function matchAt(pattern: RegExp | undefined, text: string, at: number): RegExpExecArray | null {
  if (!pattern) return null;
  pattern.lastIndex = at;
  return pattern.exec(text);
}
