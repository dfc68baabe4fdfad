import { join } from '../../wire/bytes/copy.ts';
import { attempt, DecodeError } from '../../wire/bytes/diagnostic.ts';
import { array, decimals } from './array.ts';
import { base64 } from './base64.ts';
import { dumps } from './dumps.ts';
import {
  addPart,
  type ByteString,
  badHex,
  type Form,
  type Paste,
  type Reading,
  shifted,
  type TextRange,
} from './form.ts';
import { linesOf } from './hex-digits.ts';
import { buffer, jsonForms } from './hex-in-json.ts';
import { plain } from './plain.ts';
import { string } from './string.ts';
import { blankComments, cleaned, cutMarkAfter, fencedBlocks } from './surroundings.ts';

/** All forms of pasted text in the order in which they are tried, those that are easiest to recognise first. */
const forms: readonly Form[] = [buffer, ...dumps, array, string, decimals, plain, base64];
const lastDump = dumps.at(-1);

/** One of the byte strings in a pasted text. */
export interface PastedBytes {
  readonly bytes: Uint8Array;
  /** The line where it begins, from 1. */
  readonly line: number;
  /** The line with a mark such as `...` or `[snip]` that replaces the rest of the bytes. */
  readonly cutLine?: number;
}

/** The byte strings of a pasted text: one or several packets, snapshots or deltas. */
export interface PastedText {
  readonly form: string;
  readonly parts: readonly PastedBytes[];
  /** The other reading of the text: the end of a line may either end a byte string or only wrap it. */
  readonly other?: readonly PastedBytes[];
}

/** Decides how {@link readPastedText} reads text that may be words. */
interface PasteOptions {
  /** Whether to accept letters alone (`dead`) and text that is too short to be recognised (`ff`). */
  readonly force?: boolean;
}

/**
 * Reads the bytes of pasted text: hex, dumps, literals of programming languages, base64, also inside other text.
 * Undefined if it contains none.
 *
 * @throws DecodeError `bad_hex` if the text has a known form but is broken, with the offset of the character, colours
 *   not counted
 */
export function readPastedText(text: string, { force = false }: PasteOptions = {}): PastedText | undefined {
  const clean = cleaned(text);
  if (clean.trim() === '') return undefined;
  const read = (block: string) => readWhole(block, force);
  const found = attempt(() => joined(clean, fencedBlocks(clean), read) ?? read(clean));
  if (found instanceof DecodeError) throw located(clean, found);
  return found && withLines(clean, found);
}

/** The reason why a text contains no bytes, with its beginning. */
export function refusal(text: string): DecodeError {
  const clean = cleaned(text);
  const offset = Math.max(0, clean.search(/\S/));
  if (/^[\sa-f]+$/i.test(clean))
    return located(clean, badHex(clean, offset, 'digits, too: letters alone are hex only with -f hex'));
  const error = badHex(clean, offset, 'hex, a dump, an array, a string, base64 or JSON');
  return located(clean, new DecodeError(error.code, offset, { ...error.args, what: 'text' }));
}

interface Found extends Reading {
  readonly form: Form;
}

function joined<Range extends TextRange>(
  text: string,
  ranges: Iterable<Range>,
  read: (text: string, range: Range) => Found | undefined,
): Found | undefined {
  let all: Found | undefined;
  const parts: ByteString[] = [];
  for (const range of ranges) {
    const { from, to } = range;
    const found = shifted(from, () => read(text.slice(from, to), range));
    if (!found) continue;
    const next = moved(found, from);
    for (const part of next.parts) addPart(parts, part, text);
    all = all ? { form: all.form, ...(all.isDump && { isDump: true }), parts } : next;
  }
  return all;
}

function readWhole(text: string, force: boolean): Found | undefined {
  if (text.trim() === '') return undefined;
  const paste = pasteOf(text, force);
  const isJson = json.test(text);
  for (const form of isJson ? jsonForms : forms) {
    const found = readForm(form, paste);
    if (found) return found;
    if (form === lastDump) refuseRows(text);
  }
  return isJson ? undefined : readLines(text, force);
}

/**
 * The address of a row in a form that is not read: octal or decimal numbers, longer words, other marks around it.
 *
 *     0000000 002420 024002      0x5555555580a0 <packet>: 0x28020510      │00000000│ 10 05      00007ff6`1e3ab0c0  10 05
 */
const address =
  /^[ \t]*(?:0{6,7}[ \t]+\S|(?:=> )?0x[0-9a-f]{6,16}(?: <[^>\n]{0,200}>)?:|[0-9a-f]{8}:|[│|][0-9a-f]{8}[│|]|[0-9a-f]{8}`[0-9a-f]{8}[ \t])/im;

/** Without this, the addresses and a part of the bytes would be read as hex. */
function refuseRows(text: string): void {
  const at = text.search(address);
  if (at >= 0) throw badHex(text, at, 'bytes in hex after an address, as from xxd, hexdump -C or od -t x1');
}

const hasBytes = ({ bytes }: ByteString) => bytes.length > 0;

function readForm(form: Form, paste: Paste): Found | undefined {
  const reading = shifted(0, () => form.read(paste), { form: form.name });
  return reading?.parts.some(hasBytes) ? { form, ...reading } : undefined;
}

const readLines = (text: string, force: boolean): Found | undefined =>
  joined(text, rangesInLines(text), (range, { form }) => readForm(form, pasteOf(range, force)));

/** Bytes in a text with other lines: a range of one line, or several lines that contain nothing else. */
interface FoundRange extends TextRange {
  readonly form: Form;
  /** Whether its line contains nothing else. */
  readonly isWhole: boolean;
}

/**
 * Finds the bytes in chat, logs and other text line by line. Consecutive lines that contain only bytes are one range.
 */
function* rangesInLines(text: string): Generator<FoundRange, void> {
  let open: FoundRange | undefined;
  for (const [start, end] of linesOf(text)) {
    const found = inLine(text.slice(start, end)).map((range) => ({
      ...range,
      from: start + range.from,
      to: start + range.to,
    }));
    const [first] = found;
    if (open && first?.isWhole && first.form === open.form) {
      open = { ...first, from: open.from };
      continue;
    }
    if (open) yield open;
    open = first?.isWhole ? first : undefined;
    if (!open) yield* found;
  }
  if (open) yield open;
}

/** The text that may separate the byte strings of a list: `[b'\x10…', b'\x20…']`. */
const betweenStrings = /^["'`,;\s()[\]{}]*$/;

/** The longest range that has a form, in the first such form, with the further byte strings of a list. */
function inLine(line: string): FoundRange[] {
  for (const form of forms) {
    const found = form.inLine?.(line) ?? [];
    if (found.length === 0) continue;
    let best = 0;
    for (const [i, { from, to }] of found.entries()) if (to - from > found[best]!.to - found[best]!.from) best = i;
    const isListed = (i: number) => betweenStrings.test(line.slice(found[i - 1]!.to, found[i]!.from));
    let first = best;
    let last = best;
    while (first > 0 && isListed(first)) first--;
    while (last + 1 < found.length && isListed(last + 1)) last++;
    return found.slice(first, last + 1).map(({ from, to }) => {
      return { form, from, to, isWhole: from === 0 && to === line.length };
    });
  }
  return [];
}

/** JSON of other programs or of this one. Its texts and numbers are not packets. */
const json = /^\s*(?:\{\s*["}]|\[\s*(?:[{[]|\]\s*$))/;

const pasteOf = (text: string, isForced: boolean): Paste => ({ text, code: blankComments(text), isForced });

function moved(found: Found, by: number): Found {
  const move = (parts: readonly ByteString[]) =>
    parts.map((part) => ({
      ...part,
      start: part.start + by,
      ...(part.cutAt !== undefined && { cutAt: part.cutAt + by }),
    }));
  const { parts, other } = found;
  return { ...found, parts: move(parts), ...(other && { other: move(other) }) };
}

function withLines(text: string, { form, parts, other, isDump }: Found): PastedText {
  const lined = (strings: readonly ByteString[]): PastedBytes[] => {
    const line = lineCounter(text);
    // Parts of one array take half the memory of many small arrays.
    const all = join(strings.map(({ bytes }) => bytes));
    let from = 0;
    return strings.filter(hasBytes).map(({ bytes: { length }, start, cutAt }, i, others) => {
      const end = others[i + 1]?.start ?? text.length;
      const mark = isDump ? cutAt : cutMarkAfter(text, start, end);
      const bytes = all.subarray(from, from + length);
      from += length;
      return { bytes, line: line(start), ...(mark !== undefined && { cutLine: line(mark) }) };
    });
  };
  return { form: form.name, parts: lined(parts), ...(other && { other: lined(other) }) };
}

/** Returns the line numbers of offsets that are asked in their order. */
function lineCounter(text: string): (offset: number) => number {
  let line = 1;
  let at = 0;
  return (offset) => {
    for (let end = text.indexOf('\n', at); end >= 0 && end < offset; end = text.indexOf('\n', at)) {
      at = end + 1;
      line++;
    }
    return line;
  };
}

function located(clean: string, { code, offset, args }: DecodeError): DecodeError {
  const lines = clean.slice(0, offset).split('\n');
  return new DecodeError(code, offset, { ...args, line: lines.length, column: lines.at(-1)!.length + 1 });
}
