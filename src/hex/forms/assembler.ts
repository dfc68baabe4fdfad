import { ByteSink } from '../byte-sink.ts';
import { linesOf } from '../characters.ts';
import { type ByteString, badHex, type Form } from '../form.ts';

const value = String.raw`(?:0x[\da-f]+|-?\d[\da-f]*h?|'[^'\n]*'|"[^"\n]*"|\?)`;
const element = String.raw`(?:${value}|\d+h?[ \t]+dup[ \t]*\([ \t]*${value}[ \t]*\))`;
/** Group 1 is the names before the directive, group 2 the directive. */
const head = /[ \t]*((?:[^\s"',]{1,80}[ \t]+){0,2})(db|\.byte)[ \t]+/iy;
/** A row of hex digits alone is a hex dump with the byte `db`: `0000060 00 db 00`. */
const notOnlyHex = String.raw`(?=[^;\n]*[^\da-f:;\s])`;
const row = new RegExp(
  `^${notOnlyHex}${head.source}${element}(?:[ \\t]*,[ \\t]*${element})*[ \\t]*(?:;.*)?\\r?$`,
  'im',
);
const oneElement = new RegExp(`(${value})(?:[ \\t]+dup[ \\t]*\\([ \\t]*(${value})[ \\t]*\\))?[ \\t]*`, 'iy');
/** The segment with the address that IDA prints, and the names that it makes up from addresses. */
const noName = /^(?:[\w.]+:[\da-f]{4,16}|[\da-f]{6,16}|(?:unk|byte|asc|stru|off)_[\da-f]+)$/i;
const maxRepeated = 1 << 16;

/**
 * Bytes in assembler code, as printed by IDA and compilers. A name begins another byte string:
 *
 *     .data:00403000 packet db 10h, 5, 2, 28h, 9Dh, 0E1h      packet: db 0x10, 'J', 4 dup(0)      .byte 16, 0x5
 */
export const assembler: Form = {
  name: 'assembler',
  example: 'db 10h, 5, 0FFh',
  detect: ({ code }) => row.test(code),
  read({ code }) {
    const parts: { readonly start: number; readonly bytes: ByteSink }[] = [];
    for (const [start, end] of linesOf(code)) {
      head.lastIndex = start;
      const found = head.exec(code);
      if (!found) continue;
      const names = found[1]!.split(/[ \t]+/).filter((name) => name !== '' && !noName.test(name));
      if (parts.length === 0 || names.length > 0) parts.push({ start, bytes: new ByteSink(16) });
      readElements(code, head.lastIndex, end, found[2]!.startsWith('.'), parts.at(-1)!.bytes);
    }
    return { parts: parts.map(({ start, bytes }): ByteString => ({ start, bytes: bytes.result() })) };
  },
};

/** @param isGnu whether a leading zero means octal, as in the GNU assembler */
function readElements(text: string, from: number, end: number, isGnu: boolean, bytes: ByteSink): void {
  for (let at = from; at < end && text[at] !== ';'; ) {
    oneElement.lastIndex = at;
    const found = oneElement.exec(text);
    if (!found) throw badHex(text, at, 'a byte such as 10h, 0FFh or 255');
    const [, first, repeated] = found;
    const before = bytes.length;
    pushValue(text, at, repeated ?? first!, isGnu, bytes);
    if (repeated !== undefined) repeat(text, at, numberOf(text, at, first!, isGnu), bytes.length - before, bytes);
    at = oneElement.lastIndex;
    if (at < end && text[at] !== ';' && text[at] !== ',') throw badHex(text, at, 'a comma');
    if (text[at] === ',') at = skipComma(text, at);
  }
}

function skipComma(text: string, at: number): number {
  let next = at + 1;
  while (text[next] === ' ' || text[next] === '\t') next++;
  return next;
}

function pushValue(text: string, at: number, written: string, isGnu: boolean, bytes: ByteSink): void {
  if (written[0] === "'" || written[0] === '"') {
    for (const character of written.slice(1, -1)) {
      if (character < ' ' || character > '~') throw badHex(text, at, 'ASCII between quotes');
      bytes.push(character.charCodeAt(0));
    }
    return;
  }
  const number = numberOf(text, at, written, isGnu);
  if (number < -128 || number > 255) throw badHex(text, at, 'a byte, 0 to 255');
  bytes.push(number & 0xff);
}

function numberOf(text: string, at: number, written: string, isGnu: boolean): number {
  if (written === '?') throw badHex(text, at, 'a byte; ? has no value');
  if (/^0x/i.test(written)) return Number.parseInt(written, 16);
  if (/h$/i.test(written)) return Number.parseInt(written, 16);
  if (!/^-?\d+$/.test(written)) throw badHex(text, at, 'an h after hex digits, as in 0FFh');
  if (isGnu && /^-?0\d/.test(written)) throw badHex(text, at, 'a number without a leading zero, which may be octal');
  return Number(written);
}

function repeat(text: string, at: number, times: number, size: number, bytes: ByteSink): void {
  if (!(times > 0 && times * size <= maxRepeated)) throw badHex(text, at, `at most ${maxRepeated} repeated bytes`);
  for (let i = 1; i < times; i++) bytes.repeat(size, 1);
}
