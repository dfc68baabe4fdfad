import type { Form } from '../form.ts';

/** The same mark before or after each pair. */
const marks = /^\s*(?:[[{(]\s*)?(\$|%|=|\\?x|&H|#\$|16#|)[0-9a-f]{2}(h|\.|\||)/i;

/**
 * Pairs with the same mark at each, as assemblers and older languages write them:
 *
 *     $10,$05,$02      10h 05h 02h      x10 x05 x02      &H10, &H05      10.05.02.28      10|05|02|28
 */
export const marked: Form = {
  name: 'hex with marks',
  example: '$10,$05 or 10h 05h',
  detect: ({ code }) => {
    const [, before = '', after = ''] = marks.exec(code) ?? [];
    return before !== '' || after !== '';
  },
  read({ code }) {
    const [, before = '', after = ''] = marks.exec(code)!;
    const mark = (text: string) => text.replace(/[$\\|.]/g, '\\$&');
    const pairs =
      code.match(new RegExp(`${mark(before)}0?[0-9a-f]{2}(?:${mark(after)}|(?=\\s*[\\]})]*\\s*$))`, 'gi')) ?? [];
    const rest = pairs.reduce((text, pair) => text.replace(pair, ''), code);
    const digits = pairs.map((pair) =>
      pair
        .slice(before.length)
        .replace(/^0(?=[0-9a-f]{2}(?:h|$))/i, '')
        .slice(0, 2),
    );
    // Versions and dates have dots, too.
    const isEvident = pairs.length >= fewest && digits.some((pair) => /[a-f]/i.test(pair));
    if (!isEvident || !/^[\s,;[\]{}()]*$/.test(rest)) return undefined;
    const bytes = Uint8Array.from(digits, (pair) => Number.parseInt(pair, 16));
    return { parts: [{ bytes, start: code.search(/\S/) }] };
  },
};

const fewest = 6;
