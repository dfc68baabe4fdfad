import { skipSpace } from './characters.ts';
import { type ByteString, badHex, type Form, findPattern, shifted } from './form.ts';
import { readPlain } from './plain.ts';

/** The keys of a packet's bytes, the outermost layer first: the frame with `-x`, otherwise the UDP payload. */
const layers = ['frame_raw', 'udp.payload', 'data.data', 'udp_udp_payload', 'data_data_data'] as const;
const layerHex = new RegExp(`"(${layers.join('|').replaceAll('.', '\\.')})"\\s*:\\s*\\[?\\s*"([0-9a-f:]*)"`, 'g');

/**
 * `tshark -T json -x`, `-T json`, `-T jsonraw`, `-T ek`
 *
 *     [{"_source": {"layers": {"frame_raw": ["00000000000008004500…", 0, 90, 0, 1], …}}}]
 */
const tshark: Form = {
  name: 'JSON of tshark',
  detect: ({ text }) => /^\s*[[{]/.test(text) && text.includes('"layers"'),
  read({ text }) {
    const found = [...text.matchAll(layerHex)];
    const layer = layers.find((name) => found.some(([, one]) => one === name));
    if (!layer) throw badHex(text, 0, 'packets with bytes (tshark -x)', 'JSON of tshark without bytes');
    return {
      parts: found
        .filter(([, name]) => name === layer)
        .flatMap(({ index, 0: all, 2: hex }) => hexIn(hex!, index + all.length - 1)),
    };
  },
};

/** The hex before a closing quote. */
function hexIn(digits: string, end: number): ByteString[] {
  const start = end - digits.length;
  const bytes = shifted(start, () => readPlain(digits, true));
  return bytes ? [{ bytes, start }] : [];
}

const sign = /<(?:Slow)?Buffer\b|"Buffer"/;
const opening = /(?:[\w\s]{0,80}[:=])?\s*<(?:Slow)?Buffer\b/y;
const closing = /[\s;,)]*/y;
const inJson = /"type"\s*:\s*"Buffer"\s*,\s*"data"\s*:\s*\[([\d\s,]*)\]/g;

/**
 * Buffers as Node prints them:
 *
 *     <Buffer 10 05 02 28>      {"type":"Buffer","data":[16,5,2,40]}
 */
export const buffer: Form = {
  name: 'Buffer',
  detect: ({ text }) => sign.test(text),
  read({ text }) {
    const listed = [...text.matchAll(inJson)].map(({ index, 0: all, 1: list }): ByteString => {
      const numbers = list!.split(',').map(Number);
      const from = index + all.length - 1 - list!.length;
      if (numbers.some((number) => !(number <= 255))) throw badHex(text, from, 'bytes, 0 to 255');
      return { bytes: Uint8Array.from(numbers), start: index };
    });
    return listed.length > 0 ? { parts: listed } : readPrinted(text);
  },
  inLine: findPattern(/<(?:Slow)?Buffer(?: [0-9a-f]{2})+[^>]{0,40}>/gi),
};

function readPrinted(text: string) {
  const parts: ByteString[] = [];
  for (let at = skipSpace(text, 0); at < text.length; at = closing.lastIndex) {
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
  }
  return { parts };
}

/** The hex in a field of this name. */
const field = /"(?:payload|data|packet|raw|hex)"\s*:\s*"((?:[0-9a-f]{2}[ :]?){4,})"/gi;
/** A typed array as JSON: its bytes by their indexes. */
const indexed = /^\s*\{\s*"0"\s*:\s*\d{1,3}\s*[,}]/;

/**
 * JSON of other programs with bytes in it:
 *
 *     {"time":1.5,"payload":"10050228"}      {"0":16,"1":5,"2":2,"3":40}
 */
const jsonField: Form = {
  name: 'JSON',
  // JSON of this program has a kind; it is read as such.
  detect: ({ text }) =>
    /^\s*[[{]/.test(text) && !/"kind"\s*:/.test(text) && (indexed.test(text) || text.search(field) >= 0),
  read({ text }) {
    if (!indexed.test(text)) {
      const found = [...text.matchAll(field)];
      return { parts: found.flatMap(({ index, 0: all, 1: hex }) => hexIn(hex!, index + all.length - 1)) };
    }
    const values = [...text.matchAll(/"(\d{1,7})"\s*:\s*(\d{1,3})\s*(?=[,}])/g)];
    if (values.some(([, index, value], i) => Number(index) !== i || Number(value) > 255)) return undefined;
    return { parts: [{ bytes: Uint8Array.from(values, ([, , value]) => Number(value)), start: text.indexOf('{') }] };
  },
};

/** The forms that JSON may have. Other texts and numbers in JSON are not packets. */
export const jsonForms: readonly Form[] = [tshark, buffer, jsonField];
