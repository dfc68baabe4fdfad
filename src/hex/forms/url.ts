import { findPattern } from '../find-pattern.ts';
import { type ByteString, type Form, shifted } from '../form.ts';
import { readPlain } from './plain.ts';

/** A URL parameter with a hex value: digits, pairs separated by `+` or `%20`, or percent-encoded bytes. */
const parameter = /[?&#](?:d|data|hex|packet|p|payload)=((?:[\w.~!*'()+-]|%[0-9a-f]{2})+)/gi;
/** Percent-encoded bytes alone, of which characters of URLs stay as they are. */
const encoded = /^\s*((?:[\w.~!*'()/-]*%[0-9a-f]{2}){4,}[\w.~!*'()/-]*)\s*$/i;

/**
 * Links to decoders on the web:
 *
 *     https://example.org/decode?v=6&d=10050228      …?d=10+05+02+28      …?data=%10%05%02%28      %10%05%02(%9D
 */
export const url: Form = {
  name: 'URL',
  example: 'https://…?v=6&d=10050228',
  detect: ({ text }) => /^\S{1,300}[?&#](?:d|data|hex|packet|p|payload)=/i.test(text.trimStart()) || encoded.test(text),
  read({ text }) {
    const alone = encoded.exec(text)?.[1];
    if (alone) return { parts: [{ bytes: decoded(alone), start: text.indexOf(alone) }] };
    const parts: ByteString[] = [];
    for (const { index, 0: whole, 1: value } of text.matchAll(parameter)) {
      const start = index + whole.length - value!.length;
      const bytes = shifted(start, () => bytesOf(value!));
      if (bytes) parts.push({ bytes, start });
    }
    return parts.length > 0 ? { parts } : undefined;
  },
  inLine: findPattern(/[?&#](?:d|data|hex|packet|p|payload)=(?:[0-9a-f+]|%[0-9a-f]{2}){8,}/gi),
};

/** The bytes of a value: hex, perhaps with escaped separators, or bytes that are escaped unless URLs permit them. */
function bytesOf(value: string): Uint8Array | undefined {
  const hex = value.replace(/%(?:20|2b|2c|3a|0a|0d)/gi, '   ');
  return /^[0-9a-f+ ]*$/i.test(hex) ? readPlain(hex, true) : value.includes('%') ? decoded(value) : undefined;
}

const decoded = (text: string) =>
  Uint8Array.from(text.match(/%[0-9a-f]{2}|./gi)!, (one) =>
    one.length === 3 ? Number.parseInt(one.slice(1), 16) : one.charCodeAt(0),
  );
