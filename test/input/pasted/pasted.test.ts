import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type PastedText, readPastedText } from '../../../src/input/pasted/pasted-text.ts';
import { textOf } from '../../../src/input/pasted/text-encoding.ts';
import { partsOf } from '../../../src/input/source/byte-strings.ts';
import { findDatagram } from '../../../src/recording/container/net/link-layer.ts';
import { DecodeError } from '../../../src/wire/bytes/diagnostic.ts';
import { hexText, toHex } from '../../../src/wire/bytes/to-hex.ts';

/** A packet of a 0.7 server (frame 442 of the recording 07-vanilla-dm1): input_timing and snap_single. */
const packet = '100502289de14aedbef92913e9bb688aa54cf45cadd04651518f76d994e8aa027aba7cdefe2badef5bfe1ef5fe153700';
const bytes = Uint8Array.from(Buffer.from(packet, 'hex'));
const pairs = toHex(bytes).split(' ');
/** The packets of frames 409 and 413. */
const before = [
  '100502289de14aedbec1f511baab630aae8f50b0d4d08d3562004ca21e2daa14d8d0d1cff07fc50d',
  '100502289de14aedbe41f511d2b79a82ea23141a69d9b884982650eb51d42cf0f8ce2fdbe32b6e00',
];
const three = [...before, packet];

/** The output of tools (scripts/pasted-forms.sh). Files whose name begins with "three" contain further packets. */
const folder = fileURLToPath(new URL('pasted/', import.meta.url));
const printed = readdirSync(folder).map(
  (name) => [name, textOf(new Uint8Array(readFileSync(folder + name)))!] as const,
);
const xxd = readFileSync(`${folder}xxd.txt`, 'utf8');
const quoted = (text: string) => text.replace(/^/gm, '> ');
const base64 = Buffer.from(bytes).toString('base64');
const c = pairs.map((pair) => `0x${pair}`).join(', ');

const signed = new Int8Array(bytes);
const char = (byte: number) => String.fromCharCode(byte);
const isLetter = (byte: number) => /[A-Za-z]/.test(char(byte));
const hex0x = (byte: number) => `0x${byte.toString(16).padStart(2, '0')}`;
/** The bytes as characters; those that are not `plain` are escaped. */
const escaped = (escapeOf: (byte: number) => string, plain = /[ !#-[\]-~]/) =>
  Array.from(bytes, (byte) => (plain.test(char(byte)) ? char(byte) : escapeOf(byte))).join('');
const percent = (byte: number) => `%${byte.toString(16).padStart(2, '0')}`;
/** Words of so many bytes, the lowest first in memory. */
const lowestFirst = (row: readonly number[], size: number) =>
  hexText(Uint8Array.from(row))
    .match(new RegExp(`.{${2 * size}}`, 'g'))!
    .map((word) => word.match(/../g)!.reverse().join(''))
    .join(' ');
/** Lines of at most `size` bytes. */
const rowsOf = (size: number, show: (row: number[], at: number) => string) =>
  Array.from({ length: bytes.length / size }, (_, i) =>
    show([...bytes.subarray(size * i, size * (i + 1))], size * i),
  ).join('\n');

/** The surroundings of bytes in chats, logs and programs. */
const written: readonly (readonly [name: string, text: string])[] = [
  ['hex', packet],
  ['plus signs', pairs.join('+')],
  ['a permalink', `https://example.org/decode?v=6&d=${packet}`],
  ['a permalink in a sentence', `look at https://example.org/decode?v=6&d=${packet} please`],
  ['a permalink with plus signs', `https://example.org/decode?v=6&d=${pairs.join('+')}`],
  ['a number', `0x${packet}`],
  ['joined 0x', pairs.map((pair) => `0x${pair}`).join('')],
  ['a chat line', `<robin> got ${packet}`],
  ['a chat line of pairs', `robin: why does the client drop ${toHex(bytes)} here?`],
  ['backquotes', `The server sends \`${packet}\` twice.`],
  ['a sentence and a line', `Here is the packet:\n\n${packet}\n\nThe client says "error unpacking snapshot".`],
  ["DDNet's log", `2026-11-20 12:00:01 I net: packet ${packet}`],
  ["Teeworlds' log", `[663fe6e1][net]: ${toHex(bytes)}`],
  ['a log with a dump', xxd.replace(/^/gm, '[2026-11-20 12:00:01.123][net]: ')],
  ['a mail quoted twice', quoted(quoted(`see\n${xxd}`))],
  ['a fence', `Decoding fails:\n\n\`\`\`\n${toHex(bytes)}\n\`\`\`\n\nThe log says nothing.`],
  ['a fence with a language', `Decoding fails:\n~~~c\nchar data[] = {${c}};\n~~~\n`],
  ['a quoted fence', quoted(`\`\`\`\n${xxd}\`\`\`\nworks for me`)],
  ['a dump in a sentence', `It begins as\n${xxd}and then the connection is lost.`],
  ['a data URL', `data:application/octet-stream;base64,${base64}`],
  ['base64 in a sentence', `the packet is ${base64} in base64`],
  ['a JSON value in a log', `12:00:01 recv {"from":"127.0.0.1:8303","data":"${packet}"}`],
  ['C in a sentence', `It is\nunsigned char packet[] = {\n${c.replaceAll('0x9d', '\n0x9d')}\n};\nin my test.`],
  ["Wireshark's C array", `/* Frame (48 bytes) */\nstatic const unsigned char pkt442[48] = {\n${c}\n};`],
  ["Wireshark's escaped string", `"\\x${pairs.slice(0, 16).join('\\x')}" \\\n"\\x${pairs.slice(16).join('\\x')}"`],
  ["Go's print", `[${bytes.join(' ')}]`],
  ['decimal, with spaces', bytes.join(' ')],
  ['a list in a sentence', `received [${bytes.join(', ')}] from the server`],
  ["Python's list of hex numbers", `[${Array.from(bytes, (byte) => `'0x${byte.toString(16)}'`).join(', ')}]`],
  ["Rust's dbg!", `[src/main.rs:3:5] packet = [\n${Array.from(bytes, (byte) => `    ${byte},\n`).join('')}]`],
  [
    'C with comments in each row',
    `{\n${rowsOf(8, (row, at) => `    /* ${at} */ ${row.map(hex0x).join(', ')}, // row`)}\n};`,
  ],
  ['C with negative numbers', `char packet[] = {${[...signed].join(',')}};`],
  ['Go without leading zeros', `[]byte{${Array.from(bytes, (byte) => `0x${byte.toString(16)}`).join(', ')}}`],
  ['Java', `byte[] packet = {${[...signed].join(', ')}};`],
  [
    'Java with casts',
    `new byte[] {${Array.from(bytes, (byte) => (byte > 127 ? `(byte) ${hex0x(byte)}` : hex0x(byte))).join(', ')}}`,
  ],
  [
    'Kotlin',
    `byteArrayOf(${Array.from(bytes, (byte) => (byte > 127 ? `${hex0x(byte)}.toByte()` : hex0x(byte))).join(', ')})`,
  ],
  ['Scala', `val packet = Array[Byte](${[...signed].join(', ')})`],
  ['Scala with a type', `val packet: Array[Byte] = Array(${pairs.map((pair) => `0x${pair}.toByte`).join(', ')})`],
  ["Python's struct.pack", `packet = struct.pack('<48B', ${bytes.join(', ')})`],
  ["Perl's escapes", `my $packet = "${escaped((byte) => `\\x{${byte.toString(16)}}`)}";`],
  ['Rust with suffixes', `const PACKET: [u8; 48] = [${pairs.map((pair) => `0x${pair}_u8`).join(', ')}];`],
  ['Nim', `@[${pairs.map((pair, i) => `0x${pair}${i === 0 ? "'u8" : ''}`).join(', ')}]`],
  ['Erlang', `<<${bytes.join(',')}>>`],
  ['C with octal escapes', `"${escaped((byte) => `\\${byte.toString(8).padStart(3, '0')}`)}"`],
  ['escapes with commas', pairs.map((pair) => `\\x${pair}`).join(', ')],
  ["Postgres' bytea", `\\x${packet}`],
  ['SQL', `INSERT INTO packets VALUES (442, X'${packet}');`],
  [
    "gdb's print of characters",
    `$1 = {${Array.from(bytes, (byte) => `${byte} '\\${byte.toString(8).padStart(3, '0')}'`).join(', ')}}`,
  ],
  [
    "a browser's console",
    `Uint8Array(48) [${bytes.join(', ')}, buffer: ArrayBuffer(48), byteLength: 48, byteOffset: 0, length: 48]`,
  ],
  ['JSON with hex', `{"time": 1.5, "payload": "${packet}"}`],
  ["Discord's spoiler", `look: ||${packet}|| why?`],
  [
    'WinDbg db',
    rowsOf(
      16,
      (row, at) =>
        `00007ff6\`1e3ab0${at.toString(16).padStart(2, '0')}  ${toHex(Uint8Array.from(row)).replace(/^(.{23}) /, '$1-')}  ...`,
    ),
  ],
  [
    'WinDbg db of 32 bits, with its prompt',
    `0:000> db 0012ff40 L30\n${rowsOf(16, (row, at) => `0012ff${(0x40 + at).toString(16)}  ${toHex(Uint8Array.from(row)).replace(/^(.{23}) /, '$1-')}  ...`)}`,
  ],
  ['WinDbg dd', rowsOf(16, (row, at) => `00007ff6\`1e3ab0${at.toString(16).padStart(2, '0')}  ${lowestFirst(row, 4)}`)],
  [
    'gdb x/2xg',
    rowsOf(16, (row, at) => `0x7fffffffd1${(0x20 + at).toString(16)}:\t0x${lowestFirst(row, 8).replace(' ', '\t0x')}`),
  ],
  ['od -A x -t x4', rowsOf(16, (row, at) => `${at.toString(16).padStart(6, '0')} ${lowestFirst(row, 4)}`)],
  ['percent-encoded', bytes.reduce((text, byte) => text + (isLetter(byte) ? char(byte) : percent(byte)), '')],
  ...['xxd-u-g-1.txt', 'hexdump-C.txt', 'tshark-x.txt', 'od-A-x-t-x1z.txt'].map((name): [string, string] => [
    `${name} with single blanks`,
    readFileSync(folder + name, 'utf8').replace(/[ \t]+/g, ' '),
  ]),
  ['percent-encoded, all bytes', Array.from(bytes, percent).join('')],
  [
    'characters of C',
    `char packet[48] = { ${Array.from(bytes, (byte) => `'${isLetter(byte) ? char(byte) : `\\x${hex0x(byte).slice(2)}`}'`).join(', ')} };`,
  ],
  [
    'characters among numbers, as in Go',
    `u.Reset([]byte{${Array.from(bytes, (byte) => (isLetter(byte) ? `'${char(byte)}'` : hex0x(byte))).join(', ')}})`,
  ],
  ['bytes in a structure of C', `SHA256_DIGEST Sha256 = {{${rowsOf(16, (row) => `${row.map(hex0x).join(', ')},`)}}};`],
  [
    "Wireshark's Follow UDP Stream",
    rowsOf(16, (row, at) => {
      const cells = [row.slice(0, 8), row.slice(8)];
      const [hex, text] = [
        cells.map((cell) => toHex(Uint8Array.from(cell))).join('  '),
        cells.map((cell) => cell.map((byte) => (byte > 31 && byte < 127 ? char(byte) : '.')).join('')).join(' '),
      ];
      return `    ${at.toString(16).padStart(8, '0')}  ${hex}   ${text}`;
    }),
  ],
  [
    "PowerShell's Format-Hex",
    `           00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F\n\n${rowsOf(16, (row, at) => `${at.toString(16).padStart(8, '0')}   ${toHex(Uint8Array.from(row)).toUpperCase()}  ${row.map((byte) => (byte > 31 && byte < 127 ? char(byte) : '.')).join('')}`)}`,
  ],
];

const read = (text: string) => readPastedText(text)!;
/** The bytes of each part, without the headers of the network. */
const payloads = (text: PastedText) =>
  text.parts.map(({ bytes: part }) => {
    const datagram = findDatagram(part);
    return hexText(datagram ? part.subarray(datagram.start, datagram.end) : part);
  });

describe('one packet', () => {
  const list = printed.filter(([name]) => !name.startsWith('three'));
  const all = [...list, ...written];

  it.each(all)('%s', (_, text) => expect(payloads(read(text))).toEqual([packet]));

  it.each<[string, (text: string) => string, typeof written]>([
    ['quoted', quoted, written],
    ['in a fence between sentences', (text) => `It looks so:\n\`\`\`\n${text}\n\`\`\`\nWhat is wrong?`, all],
    ['with line ends of Windows', (text) => text.replaceAll('\n', '\r\n'), all],
  ])('in each form, %s', (_, surround, texts) => {
    for (const [name, text] of texts) expect([name, ...payloads(read(surround(text)))]).toEqual([name, packet]);
  });
});

it('text of Windows-1252 with round quotes is read, binary bytes with the same signs are not', async () => {
  const round = Uint8Array.from(Buffer.from(`the packet is \x93${pairs.join(' ')}\x94 \x96 why?`, 'latin1'));
  expect((await partsOf(round, {})).parts.map((part) => hexText(part.bytes))).toEqual([packet]);
  const binary = Uint8Array.of(0x93, ...bytes.subarray(0, 20));
  expect((await partsOf(binary, {})).parts).toEqual([{ bytes: binary, line: 1 }]);
});

describe('several packets', () => {
  const several = printed.filter(([name]) => name.startsWith('three-t'));
  it.each(several)('%s', (_, text) => expect(payloads(read(text))).toEqual(three));

  it.each<[string, string, number[]]>([
    ['one per line', three.join('\n'), [1, 2, 3]],
    ['one per line, in pairs', three.map((text) => text.replace(/..(?!$)/g, '$& ')).join('\n'), [1, 2, 3]],
    ['between blank lines', three.join('\n\n'), [1, 3, 5]],
    ['in a log', three.map((text, i) => `12:00:0${i} recv ${text}`).join('\n'), [1, 2, 3]],
    ['in fences', three.map((text) => `\`\`\`\n${text}\n\`\`\`\n`).join('and\n'), [2, 6, 10]],
    [
      'C arrays',
      three.map((text, i) => `char peer0_${i}[] = { /* Packet */\n${text.replace(/../g, '0x$&, ')}};\n`).join(''),
      [1, 3, 5],
    ],
    ['links', three.map((text) => `https://example.org/?v=7&d=${text}`).join('\n'), [1, 2, 3]],
    ['base64', three.map((text) => Buffer.from(text, 'hex').toString('base64')).join('\n'), [1, 2, 3]],
    ['decimal', three.map((text) => Buffer.from(text, 'hex').join(' ')).join('\n'), [1, 2, 3]],
    ['Buffers', three.map((text) => `<Buffer ${text.replace(/..(?!$)/g, '$& ')}>`).join('\n'), [1, 2, 3]],
    ['xxd', `${xxd}\n${xxd}`, [1, 5]],
  ])('%s', (name, text, lines) => {
    const pasted = read(text);
    expect(payloads(pasted)).toEqual(name === 'xxd' ? [packet, packet] : three);
    expect(pasted.parts.map(({ line }) => line)).toEqual(lines);
  });

  it('JSON of tshark', () => {
    const [entry] = JSON.parse(readFileSync(`${folder}tshark-T-json-x.txt`, 'utf8'));
    expect(payloads(read(JSON.stringify([entry, entry, entry])))).toEqual([packet, packet, packet]);
  });

  it('of Python, one repr per line', () => {
    const text = printed.find(([name]) => name === 'three-python-bytes.txt')![1];
    expect(payloads(read(text))).toEqual([packet, packet.slice(0, 40), packet]);
  });

  it('of Python in a list: also those before and after the longest', () => {
    const list = [packet.slice(0, 8), packet, packet.slice(8, 20)];
    const texts = list.map((text) => `b'${text.replace(/../g, '\\x$&')}'`);
    expect(payloads(read(`[${texts.join(', ')}]`))).toEqual(list);
  });

  it('a dump with a hash beside it is read without the hash', () => {
    expect(payloads(read(`${xxd}\nsha1 ${'a1'.repeat(20)}`))).toEqual([packet]);
  });

  it('lines of equal length are one wrapped text, or else a packet each', () => {
    const pasted = read(`${before[0]}\n${before[1]}`);
    expect(pasted.parts.map((part) => hexText(part.bytes))).toEqual([before.join('')]);
    expect(pasted.other?.map((part) => hexText(part.bytes))).toEqual(before);
  });

  it('lines of other lengths are a packet each, or else one wrapped text', () => {
    expect(read(three.join('\n')).other?.map((part) => hexText(part.bytes))).toEqual([three.join('')]);
  });
});

describe('forms that are not read are refused, and never taken for another', () => {
  const byHand: readonly (readonly [name: string, text: string])[] = [
    [
      'IDA',
      `.data:00403000 packet db ${pairs
        .slice(0, 8)
        .map((pair) => `0${pair}h`)
        .join(', ')}`,
    ],
    ['IDA, a byte in each line', pairs.map((pair, i) => `byte_40300${i} db 0${pair}h`).join('\n')],
    ['assembler code', `first: db 0x10, 'J;'\nsecond: db 4 dup(0FFh), 10`],
    ['od -c', '0000000 026 214   a  \\0   h 242 237 200\n0000010\n'],
    ['od -t u2 of four digits', '0000000  1296  1024  5775  6073\n0000010\n'],
    ['od -A x', '000000 002420 024002 160635 166512\n000010\n'],
    ['od -A n', ' 001400 003000 011633 106220\n'],
    ['a URL with escapes', `https://example.org/?data=%${pairs.join('%')}`],
    ['a URL with escaped blanks', `https://example.org/?data=${pairs.join('%20')}`],
    [
      'a link with escapes in a sentence',
      `see https://example.org/?d=${Array.from(bytes, percent).join('')}&v=7 please`,
    ],
    ['Pascal and assemblers with $', pairs.map((pair) => `$${pair}`).join(',')],
    ['assemblers with h', pairs.map((pair) => `${pair}h`).join(' ')],
    ['dots', pairs.join('.')],
    ['bars', pairs.join('|')],
    ['an address in a line of an assembler', '.data:0040A3F0 packet db 10h, 5, 2'],
    ['a checksum in a sentence', 'loaded map dm1, crc c0ffee12'],
    [
      'a net version in a log',
      "[2026-11-28 19:55:01][server]: client dropped. reason='Wrong version. Server is running '0.6 626fce9a778df4d4' and client '0.7 802f1be60a05665f''",
    ],
    [
      'a map in a log',
      `2026-11-28 10:28:29 I client: loading map, map=dm1 wanted sha256=${'5f2b'.repeat(16)} crc=f2159e6e`,
    ],
    ['od -t u1 -A x of two digits', '000000  26  15  12  50\n000004\n'],
    ['quoted-printable', '=16=8Ca=00h=A2=9F\n'],
    ['quoted-printable with a run of hex', '=16=8Cabcdef012345=A2=9F=00\n'],
    ['base32', 'C2GGCADIUKPYAJVSAQ2JCWJ4\n'],
    ['uuencode', 'begin 644 x\n#%HQA\n`\nend\n'],
    ['a YAML list of small numbers', '- 16\n- 5\n- 2\n- 40\n'],
    ["Python's struct.pack of other sizes", `struct.pack('<48H', ${bytes.join(', ')})`],
    ['an array of numbers in JavaScript', `new Array(${bytes.join(', ')})`],
    ["Perl's escapes of characters", `"${pairs.map((pair) => `\\x{26${pair}}`).join('')}"`],
    ['decimal escapes of Lua', `local packet = "${escaped((byte) => `\\${String(byte).padStart(3, '0')}`)}"`],
  ];

  const isRefused = (text: string) => {
    try {
      return readPastedText(text)?.parts ?? 'refused';
    } catch (error) {
      return error instanceof DecodeError && error.code === 'bad_hex' ? 'refused' : error;
    }
  };

  const all = byHand;

  it.each(all)('%s', (_, text) => expect(isRefused(text)).toBe('refused'));

  it.each<[string, (text: string) => string]>([
    ['among sentences', (text) => `It looks so:\n\n${text}\n\nWhat is wrong?`],
    ['in a quoted fence', (text) => quoted(`I see\n\`\`\`\n${text}\n\`\`\`\nWhat is wrong?`)],
    ['with line ends of Windows', (text) => text.replaceAll('\n', '\r\n')],
  ])('each, %s', (_, surround) => {
    for (const [name, text] of all) expect([name, isRefused(surround(text))]).toEqual([name, 'refused']);
  });
});

it.each([
  ['data:application/octet-stream;base64,AQAAAAEAAAAAAAAAAAAVAAoAAAABAAAA', 24],
  ['data:application/octet-stream;base64,gAcAfodXKKm4AQ==', 10],
])('the base64 of %s is not read as hex', (text, length) => {
  const [part] = readPastedText(text)!.parts;
  expect(part!.bytes).toEqual(new Uint8Array(Buffer.from(text.split(',')[1]!, 'base64')));
  expect(part!.bytes.length).toBe(length);
});

it('numbers beyond a byte are ints of 32 bits, where nothing says that they are bytes', () => {
  const [part] = read('FIRST: &[i32] = &[0, 1, 0, 17, 5, 784, -304];').parts;
  expect(new Int32Array(part!.bytes.slice().buffer)).toEqual(Int32Array.of(0, 1, 0, 17, 5, 784, -304));
  for (const text of ['[0, 18, 300]', '[0, 1, 0, 3000000000]', 'u8 a[] = {300, 1, 2, 3}', '{0x12, 300, 4, 5}'])
    expect(() => read(text), text).toThrow(expect.objectContaining({ code: 'bad_hex' }));
});

it("each packet of Wireshark's Follow Stream is one, of either end", () => {
  const rows = [
    '00000000  10 06 01 57 d3 ed f3 4d  8b 29 4b a6 3c 6a 3e 0b   ...W...M .)K.<j>.',
    '00000010  5f 53                                              _S',
    '    00000000  04 06 00 57 d3 ed f3 04                            ...W....',
    '    00000008  04 06 00 57 d3 ed f3 05                            ...W....',
    '00000012  04 06 00 57 d3 ed f3 06                            ...W....',
    '    00000010  04 06 00 57 d3 ed f3 04  66 6f 6f 00               ...W.... foo.',
  ];
  const sizes = read(rows.join('\n')).parts.map(({ bytes: part }) => part.length);
  expect(sizes).toEqual([18, 8, 8, 8, 12]);
});
