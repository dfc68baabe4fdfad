import { toHex } from '../../../src/wire/bytes/to-hex.ts';
import { tcpdump } from '../../../test/support/packet-builder.ts';
import type { Random } from '../random.ts';

/** Untrusted text: characters that a terminal interprets, or that break JSON, CSV, tables or a page. */
const hostile = [
  '\u001b[31mred\u001b[0m',
  '\u001b]0;title\u0007',
  '\u001b]8;;http://x\u001b\\link',
  '\u009b31m',
  '\u202eevil\u202c',
  '\u200b\u200d\ufeff',
  '\u2028\u2029',
  '"\\"\\\\',
  "';--",
  '=1+1,2',
  '<img src=x onerror=alert(1)>',
  '__proto__',
  'constructor',
  '\r\n0000  ff',
  '\ud800',
  '👩‍👩‍👧‍👦',
  '名前',
  '\t\u0001\u007f',
  'A'.repeat(10_000),
  '%s%n{}',
  '',
];

export const untrustedText = (random: Random): string => random.pick(hostile);

/** Bytes as text in one of the supported forms. */
export function pasted(random: Random, bytes: Uint8Array): string {
  const pairs = toHex(bytes).split(' ');
  switch (random.below(13)) {
    case 0:
      return pairs.join('');
    case 1:
      return pairs.join(random.pick([' ', ':', '-', ', ', '\n']));
    case 2:
      return `{ ${pairs.map((pair) => `0x${pair}`).join(', ')} };`;
    case 3:
      return `"${pairs.map((pair) => `\\x${pair}`).join('')}"`;
    case 4:
      return `b'${pairs.map((pair) => `\\x${pair}`).join('')}'`;
    case 5:
      return rows(pairs, (at, row) => `${at.toString(16).padStart(8, '0')}: ${pasteXxd(row)}  ${dots(row)}`);
    case 6:
      return rows(
        pairs,
        (at, row) => `${at.toString(16).padStart(8, '0')}  ${row.join(' ').padEnd(48)} |${dots(row)}|`,
      );
    case 7:
      return tcpdump([...bytes]);
    case 8:
      return `data:application/octet-stream;base64,${Buffer.from(bytes).toString('base64')}`;
    case 9:
      return `https://example.org/decode?v=6&d=${pairs.join(random.pick(['', '+']))}`;
    case 10:
      return rows(pairs, (at, row) => `0x${(0x7fffe3f0 + at).toString(16)} <data+${at}>:\t0x${row.join('\t0x')}`);
    case 11:
      return `> \`\`\`\n${rows(pairs, (at, row) => `> ${at.toString(16).padStart(4, '0')}  ${row.join(' ')}   ${dots(row)}`)}> \`\`\`\n`;
    default:
      return `[${Array.from(bytes).join(', ')}]`;
  }
}

const rows = (pairs: readonly string[], row: (at: number, pairs: readonly string[]) => string) =>
  Array.from(
    { length: Math.ceil(pairs.length / 16) },
    (_, i) => `${row(16 * i, pairs.slice(16 * i, 16 * i + 16))}\n`,
  ).join('');

function pasteXxd(row: readonly string[]): string {
  const groups: string[] = [];
  for (let i = 0; i < row.length; i += 2) groups.push(row.slice(i, i + 2).join(''));
  return groups.join(' ').padEnd(39);
}

const dots = (row: readonly string[]) =>
  row
    .map((pair) => Number.parseInt(pair, 16))
    .map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.'))
    .join('');

/** Pieces of text with a meaning in hex or JSON. */
const words = [
  ...['0x', '\\x', '00', 'ff', 'g', '{', '}', '[', ']', '(', ')', '"', "'", ',', ':', ';', '//', '/*', '*/', '#', '$ '],
  ...['```', '~~~', '\n', '\r\n', '\t', ' ', '|', '-', '\\', '\\u0000', '\\n', '0000:', '00000010  ', 'char a[] = '],
  ...[
    'null',
    'true',
    '-1',
    '1e309',
    '1.5',
    '4294967296',
    '-2147483649',
    '"type":',
    '"data":[',
    '"id":',
    '"__proto__":',
  ],
  ...['\u001b[0m', '\ufeff', '\u00a0', '\u2028', '…', 'b"', 'IP 1.2.3.4.5 > 6.7.8.9.10: UDP, length 9'],
  ...[
    '> ',
    '0x7fffffffe3f0:\t',
    'data:;base64,',
    '?d=',
    '│',
    '==',
    '[12:00:01][net]: ',
    '"layers"',
    ' <repeats 9 times>',
  ],
];

/** Damaged text: with inserted words, and with lost, doubled or often repeated ranges. */
export function damagedText(random: Random, text: string): string {
  let result = text;
  for (let left = random.few(); left > 0; left--) {
    const at = random.below(result.length + 1);
    const size = random.oneIn(4) ? random.below(result.length) : random.between(1, 8);
    const [before, after] = [result.slice(0, at), result.slice(at)];
    switch (random.below(7)) {
      case 0:
        result = before;
        break;
      case 1:
        result = before + after.slice(size);
        break;
      case 2:
        result = before + after.slice(0, size) + after;
        break;
      case 3:
        result = before + untrustedText(random) + after;
        break;
      case 4:
        result = before + random.pick(words).repeat(random.oneIn(50) ? 5000 : random.few()) + after;
        break;
      case 5:
        result = before + String(random.int()) + after;
        break;
      default:
        result = before + random.pick(words) + after.slice(size);
    }
  }
  return result;
}
