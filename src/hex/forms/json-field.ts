import { type ByteString, type Form, shifted } from '../form.ts';
import { readPlain } from './plain.ts';

/** The hex in a field of this name. */
const field = /"(?:payload|data|packet|raw|hex)"\s*:\s*"((?:[0-9a-f]{2}[ :]?){4,})"/gi;
/** A typed array as JSON: its bytes by their indexes. */
const indexed = /^\s*\{\s*"0"\s*:\s*\d{1,3}\s*[,}]/;

/**
 * JSON of other programs with bytes in it:
 *
 *     {"time":1.5,"payload":"10050228"}      {"0":16,"1":5,"2":2,"3":40}
 */
export const jsonField: Form = {
  name: 'JSON',
  example: '{"payload": "10050228…"}',
  // JSON of this program has a kind; it is read as such.
  detect: ({ text }) =>
    /^\s*[[{]/.test(text) && !/"kind"\s*:/.test(text) && (indexed.test(text) || text.search(field) >= 0),
  read({ text }) {
    if (indexed.test(text)) return bytesByIndex(text);
    const parts = [...text.matchAll(field)].flatMap(({ index, 0: whole, 1: digits }): ByteString[] => {
      const start = index + whole.length - digits!.length - 1;
      const bytes = shifted(start, () => readPlain(digits!, true));
      return bytes ? [{ bytes, start }] : [];
    });
    return { parts };
  },
};

function bytesByIndex(text: string) {
  const values = [...text.matchAll(/"(\d{1,7})"\s*:\s*(\d{1,3})\s*(?=[,}])/g)].map(([, index, value]) => [
    Number(index),
    Number(value),
  ]);
  if (values.some(([index, value], i) => index !== i || value! > 255)) return undefined;
  return { parts: [{ bytes: Uint8Array.from(values, ([, value]) => value!), start: text.indexOf('{') }] };
}
