import { findPattern } from '../find-pattern.ts';
import { type ByteString, type Form, shifted } from '../form.ts';
import { readPlain } from './plain.ts';

/** A URL parameter with a hex value: digits, pairs separated by `+` or `%20`, or percent-encoded bytes. */
const parameter = /[?&#](?:d|data|hex|packet|p|payload)=((?:[0-9a-f+]|%[0-9a-f]{2})+)/gi;

/**
 * Links to decoders on the web:
 *
 *     https://example.org/decode?v=6&d=10050228      …?d=10+05+02+28      …?data=%10%05%02%28
 */
export const url: Form = {
  name: 'URL',
  example: 'https://…?v=6&d=10050228',
  detect: ({ text }) => /^\S{1,300}[?&#](?:d|data|hex|packet|p|payload)=/i.test(text.trimStart()),
  read({ text }) {
    const parts: ByteString[] = [];
    for (const { index, 0: whole, 1: value } of text.matchAll(parameter)) {
      const start = index + whole.length - value!.length;
      const bytes = shifted(start, () => readPlain(hexOf(value!), true));
      if (bytes) parts.push({ bytes, start });
    }
    return parts.length > 0 ? { parts } : undefined;
  },
  inLine: findPattern(/[?&#](?:d|data|hex|packet|p|payload)=(?:[0-9a-f+]|%[0-9a-f]{2}){8,}/gi),
};

/** Turns each escape into two digits, except for blanks and other separators. */
function hexOf(value: string): string {
  const isEscaped = /^(?:%[0-9a-f]{2})+$/i.test(value);
  return isEscaped ? value.replaceAll('%', ' ') : value.replace(/%(?:20|2b|2c|3a|0a|0d)/gi, '   ');
}
