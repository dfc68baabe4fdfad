import { skipSpace } from '../characters.ts';
import { findPattern } from '../find-pattern.ts';
import { type ByteString, badHex, type Form, shifted } from '../form.ts';
import { readPlain } from './plain.ts';

const opening = /(?:[\w\s]{0,80}[:=])?\s*<(?:Slow)?Buffer\b/y;
const sign = /<(?:Slow)?Buffer\b|"Buffer"/;
const closing = /[\s;,)]*/y;
const inJson = /"type"\s*:\s*"Buffer"\s*,\s*"data"\s*:\s*\[([\d\s,]*)\]/g;

/**
 * Buffers as Node prints them:
 *
 *     <Buffer 10 05 02 28>      {"type":"Buffer","data":[16,5,2,40]}
 */
export const buffer: Form = {
  name: 'Buffer',
  example: '<Buffer 10 05 02 28>',
  detect: ({ text }) => sign.test(text),
  read({ text }) {
    const json = [...text.matchAll(inJson)].map(({ index, 0: whole, 1: list }) => ({
      bytes: bytesOf(text, list!, index + whole.length - 1 - list!.length),
      start: index,
    }));
    if (json.length > 0) return { parts: json };
    const parts: ByteString[] = [];
    for (let at = skipSpace(text, 0); at < text.length; ) {
      opening.lastIndex = at;
      if (!opening.test(text)) {
        if (parts.length === 0) return undefined;
        throw badHex(text, at, 'the end of the text');
      }
      const from = opening.lastIndex;
      const close = text.indexOf('>', from);
      if (close < 0) throw badHex(text, text.length, '>');
      const cut = text.indexOf('...', from);
      if (cut >= 0 && cut < close) throw badHex(text, cut, 'all the bytes');
      const bytes = shifted(from, () => readPlain(text.slice(from, close), true));
      if (!bytes) throw badHex(text, from, 'two hex digits for each byte');
      parts.push({ bytes, start: at });
      closing.lastIndex = close + 1;
      closing.test(text);
      at = closing.lastIndex;
    }
    return { parts };
  },
  inLine: findPattern(/<(?:Slow)?Buffer(?: [0-9a-f]{2})+[^>]{0,40}>/gi),
};

function bytesOf(text: string, list: string, at: number): Uint8Array {
  const numbers = list.split(',').map(Number);
  if (numbers.some((number) => !(number <= 255))) throw badHex(text, at, 'bytes, 0 to 255');
  return Uint8Array.from(numbers);
}
