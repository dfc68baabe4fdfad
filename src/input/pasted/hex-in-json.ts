import { AppendBuffer } from '../../wire/bytes/buffers.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import { addPart, type ByteString, badHex, type Form, findPattern, shifted } from './form.ts';
import { readPlain } from './plain.ts';

/**
 * The keys of a packet's bytes: of tshark the outermost layer first, the frame with `-x`; then those of other programs.
 */
const keys = 'frame_raw udp.payload data.data udp_udp_payload data_data_data payload packet raw hex data'.split(' ');
const hexField = new RegExp(
  `"(${keys.join('|').replaceAll('.', '\\.')})"\\s*:\\s*\\[?\\s*"((?:[0-9a-f]{2}[ :]?){4,})"`,
  'gi',
);

/**
 * `tshark -T json -x`, `-T json`, `-T jsonraw`, `-T ek`, and JSON of other programs with bytes in it
 *
 *     [{"_source": {"layers": {"frame_raw": ["00000000000008004500…", 0, 90, 0, 1], …}}}]
 *     {"time":1.5,"payload":"10050228"}
 */
const json: Form = {
  name: 'JSON',
  read({ text }) {
    // JSON of this program has a kind; it is read as such.
    if (/"kind"\s*:/.test(text)) return undefined;
    const found = new Map<string, ByteString[]>();
    for (const { index, 0: all, 1: key, 2: digits } of text.matchAll(hexField)) {
      const start = index + all.length - 1 - digits!.length;
      const parts = getOr(found, key!.toLowerCase(), () => []);
      addPart(parts, { bytes: readPlain(digits!, true)!, start }, text);
    }
    const outermost = keys.find((key) => found.has(key));
    if (!outermost && text.includes('"layers"'))
      throw badHex(text, 0, 'packets with bytes (tshark -x)', 'JSON of tshark without bytes');
    return outermost === undefined ? undefined : { parts: found.get(outermost)! };
  },
};

const sign = /<(?:Slow)?Buffer\b|"Buffer"|\{\s*"0"\s*:\s*\d/;
/** One that ends without `>` is an error. */
const printed = /<(?:Slow)?Buffer(?= [0-9a-f]{2}\b)([^>]*)(>?)/gi;
/** What `JSON.stringify` makes of a Buffer, and of a Uint8Array: its indices are keys. */
const inJson =
  /"type"\s*:\s*"Buffer"\s*,\s*"data"\s*:\s*\[([\d\s,]*)\]|\{(\s*"0"\s*:\s*\d+\s*(?:,\s*"\d+"\s*:\s*\d+\s*)*)\}/g;

/**
 * Buffers and arrays as Node prints them:
 *
 *     <Buffer 10 05 02 28>      {"type":"Buffer","data":[16,5,2,40]}      {"0":16,"1":5,"2":2,"3":40}
 */
export const buffer: Form = {
  name: 'Buffer',
  read({ text }) {
    if (!sign.test(text)) return undefined;
    const listed: ByteString[] = [];
    const bytes = new AppendBuffer();
    for (const { index, 0: all, 1: values, 2: keyed } of text.matchAll(inJson)) {
      const list = values ?? keyed!;
      for (const [i, entry] of list.split(',').entries()) {
        const [number, key] = entry.split(':').reverse();
        const isNext = key === undefined || key.trim() === `"${i}"`;
        if (!isNext || !(Number(number) <= 255))
          throw badHex(text, index + all.length - 1 - list.length, 'bytes, 0 to 255');
        bytes.byte(Number(number));
      }
      addPart(listed, { bytes: bytes.flush(), start: index }, text);
    }
    return listed.length > 0 ? { parts: listed } : readPrinted(text);
  },
  inLine: findPattern(/<(?:Slow)?Buffer(?: [0-9a-f]{2})+[^>]{0,40}>/gi),
};

function readPrinted(text: string) {
  const parts: ByteString[] = [];
  for (const { index, 0: all, 1: content = '', 2: close = '' } of text.matchAll(printed)) {
    const from = index + all.length - close.length - content.length;
    if (close === '') throw badHex(text, text.length, '>');
    const cut = content.indexOf('...');
    if (cut >= 0) throw badHex(text, from + cut, 'all the bytes');
    const bytes = shifted(from, () => readPlain(content, true));
    if (!bytes) throw badHex(text, from, 'two hex digits for each byte');
    addPart(parts, { bytes, start: index }, text);
  }
  return parts.length > 0 ? { parts } : undefined;
}

/** The forms that JSON may have. Other texts and numbers in JSON are not packets. */
export const jsonForms: readonly Form[] = [json, buffer];
