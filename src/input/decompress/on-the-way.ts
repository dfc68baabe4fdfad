import { ofBase64 } from '../../wire/bytes/copy.ts';

/*
 * What becomes of a recording on its way from one machine to another. Four kinds can be undone byte for byte, and are:
 *
 *   text mode      every line feed got a carriage return      0a ─▶ 0d 0a
 *   byte order     an editor put its mark in front            ef bb bf …
 *   Latin-1        read as Latin-1, saved as UTF-8            d4 ─▶ c3 94
 *   base64         a mail or an API had text only             54 57 44 45 4d 4f ─▶ VFdERU1P
 *
 * One cannot: bytes that are no UTF-8 were replaced by U+FFFD, `ef bf bd`, all by the same.
 */

/** How a recording was changed on the way. */
export type Change = 'carriage_returns' | 'byte_order_mark' | 'latin1' | 'base64' | 'replaced';

/** A change that was found, with the bytes as they were before it; undefined where they can't be had. */
interface Undo {
  readonly change: Change;
  readonly undone: ((pieces: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>) | undefined;
}

/** The beginnings of recordings and of what compresses them, as Latin-1. */
const magics = [
  'TWDEMO\0',
  'TWGHOST\0',
  '\xd4\xc3\xb2\xa1',
  '\xa1\xb2\xc3\xd4',
  '\x4d\x3c\xb2\xa1',
  '\n\r\r\n',
  '\x1f\x8b\x08',
  '\x28\xb5\x2f\xfd',
  'PK\x03\x04',
];

const latin1 = (bytes: Uint8Array) => {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
};

const beginsAs = (text: string) => magics.some((magic) => text.startsWith(magic));

/** The fewest signs of a change that are no chance: one line feed in 256 has a carriage return before it by chance. */
const fewestSigns = 4;

const mark = '\xef\xbb\xbf';

/**
 * How the bytes of a recording were changed on the way, by the first of them; undefined if they were not.
 * @param first at least some hundred bytes, unless there are fewer
 */
export function changeOf(first: Uint8Array): Undo | undefined {
  const start = latin1(first.subarray(0, 16));
  if (start.startsWith(mark) && beginsAs(start.slice(mark.length))) {
    return { change: 'byte_order_mark', undone: (pieces) => without(pieces, mark.length) };
  }
  if (isBase64(start)) return { change: 'base64', undone: fromBase64 };
  const isText = hasUtf8(first);
  if (isText === 'latin1') return { change: 'latin1', undone: fromUtf8 };
  if (isText === 'replaced') return { change: 'replaced', undone: undefined };
  if (beginsAs(start.replaceAll('\r\n', '\n')) && hasOnlyCrLf(first)) {
    return { change: 'carriage_returns', undone: withoutCarriageReturns };
  }
  return undefined;
}

function hasOnlyCrLf(first: Uint8Array): boolean {
  let found = 0;
  for (let at = first.indexOf(0x0a); at >= 0; at = first.indexOf(0x0a, at + 1)) {
    if (first[at - 1] !== 0x0d) return false;
    found++;
  }
  return found >= fewestSigns;
}

/** Takes the carriage return before each line feed away; one at the end of a piece waits for the next. */
async function* withoutCarriageReturns(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let isWaiting = false;
  for await (const piece of pieces) {
    const out = new Uint8Array(piece.length + 1);
    let length = 0;
    for (const byte of piece) {
      if (isWaiting && byte !== 0x0a) out[length++] = 0x0d;
      isWaiting = byte === 0x0d;
      if (!isWaiting) out[length++] = byte;
    }
    yield out.subarray(0, length);
  }
  if (isWaiting) yield Uint8Array.of(0x0d);
}

async function* without(pieces: AsyncIterable<Uint8Array>, length: number): AsyncIterable<Uint8Array> {
  let left = length;
  for await (const piece of pieces) {
    yield piece.subarray(Math.min(left, piece.length));
    left -= Math.min(left, piece.length);
  }
}

/**
 * Whether bytes are a recording as UTF-8: with each byte from 80 on as a character of two bytes, or with replacements.
 * A recording has so many such bytes, and of those so few in a valid order, that the text is no chance.
 */
function hasUtf8(first: Uint8Array): 'latin1' | 'replaced' | undefined {
  if (first.length < 64) return undefined;
  let text: string;
  try {
    // A character at the end may go on in the next piece.
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(first, { stream: true });
  } catch {
    return undefined;
  }
  if (!beginsAs(text.slice(0, 16)) && !text.startsWith('TWDEMO')) return undefined;
  const beyond: readonly string[] = text.match(/[^\0-\x7f]/g) ?? [];
  if (beyond.length < fewestSigns) return undefined;
  if (beyond.includes('\ufffd')) return 'replaced';
  return beyond.every((character) => character <= '\xff') ? 'latin1' : undefined;
}

async function* fromUtf8(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for await (const piece of pieces) {
    const text = decoder.decode(piece, { stream: true });
    yield Uint8Array.from(text, (character) => character.charCodeAt(0));
  }
}

/** The beginnings in base64; four characters are three bytes, so the last ones of a beginning may differ. */
const inBase64 = magics.map((magic) => btoa(magic).slice(0, Math.floor((magic.length * 4) / 3)));

const isBase64 = (start: string) => inBase64.some((begin) => start.startsWith(begin)) && /^[\w+/=\s-]+$/.test(start);

/** Whole groups of four characters are decoded, the rest waits; line ends are left out. */
async function* fromBase64(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let rest = '';
  for await (const piece of pieces) {
    const text = rest + latin1(piece).replace(/\s/g, '').replaceAll('-', '+').replaceAll('_', '/');
    const length = text.length - (text.length % 4);
    rest = text.slice(length);
    if (length > 0) yield ofBase64(text.slice(0, length));
  }
  if (rest.length > 1) yield ofBase64(rest);
}
