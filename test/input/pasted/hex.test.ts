import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPastedText, refusal } from '../../../src/input/pasted/pasted-text.ts';
import { textOf } from '../../../src/input/pasted/text-encoding.ts';
import { DecodeError } from '../../../src/wire/bytes/diagnostic.ts';
import { toHex } from '../../../src/wire/bytes/to-hex.ts';
import { hasTool, spawnSync, tool } from '../../support/host.ts';

/** The first byte string of a text, and the number of further ones. */
function readFirst(text: string) {
  const read = readPastedText(text);
  return read && { bytes: read.parts[0]!.bytes, form: read.form, more: read.parts.length - 1 };
}

/** The 43 packed bytes of a 0.7 snapshot. */
const FIRST =
  '00 03 00 06 00 00 01 00 0a 00 9b 13 90 0c b1 04 00 80 02 00 00 00 40 00 00 90 0c b0 04 00 00 0a 00 0a 01 00 00 00 0b 00 08 00 00';

const XXD = `00000000: 0003 0006 0000 0100 0a00 9b13 900c b104  ................
00000010: 0080 0200 0000 4000 0090 0cb0 0400 000a  ......@.........
00000020: 000a 0100 0000 0b00 0800 00              ...........`;

const TCPDUMP = `reading from file a.pcap, link-type NULL (BSD loopback), snapshot length 262144
12:00:00.000000 IP 127.0.0.1.8303 > 127.0.0.1.40012: UDP, length 4
	0x0000:  4500 0020 0000 4000 4011 3cc7 7f00 0001  E.....@.@.<.....
	0x0010:  7f00 0001 206f 9c4c 000c fe1f 0003 0006  .....o.L........
`;
const IP = '45 00 00 20 00 00 40 00 40 11 3c c7 7f 00 00 01 7f 00 00 01 20 6f 9c 4c 00 0c fe 1f 00 03 00 06';

const TW_SNAP = `$ tw-snap decode samples/first.huff
samples/first.huff   huffman · delta · 0.7   25 bytes → 43 bytes → 39 ints   0 removed, 3 items

 file  unpacked
   0.0  0000  00 03 00 06  ....  removed_items=0 num_item_deltas=3 _zero=0 type=6 obj_game_data
   1.5  0004  00 00 01 00  ....  id=0 game_start_tick=0 game_state_flags=1 (warmup)
                                 game_state_end_tick=0
   3.1  0008  61 62 20 20  ab    type=10 obj_character id=0 tick=1243
  7.2   000c  08 00        ..    player_flags=8 (ready) score=0
  24.1        EOF, 7 bits of padding
  24.1  000e  ✗ truncated_varint: vel_y of obj_character 0 continues after the last byte
`;

type Case = [name: string, text: string, bytes: string, form: string, more?: number];

const plain: Case[] = [
  ['contiguous', '00030006', '00 03 00 06', 'hex'],
  ['spaced', '00 03 00 06', '00 03 00 06', 'hex'],
  ['the 43 bytes', FIRST, FIRST, 'hex'],
  ['grouped', '0003 0006', '00 03 00 06', 'hex'],
  ['commas', '00,03,00,06', '00 03 00 06', 'hex'],
  ['colons', '00:03:00:06', '00 03 00 06', 'hex'],
  ['dashes', '00-03-00-06', '00 03 00 06', 'hex'],
  ['semicolons', '00;03; 00;06;', '00 03 00 06', 'hex'],
  ['lines', '\n  00 03\r\n\t00\t06 \r\n\r\n', '00 03 00 06', 'hex'],
  ['upper case', '9B 13 90 0C', '9b 13 90 0c', 'hex'],
  ['single digits', '0 3 0 6 9b 13', '00 03 00 06 9b 13', 'hex'],
  ['byte order mark', '\ufeff00 03', '00 03', 'hex'],
  ['no-break spaces', '00\u00a003', '00 03', 'hex'],
  ['colours', '\u001b[1;32m00\u001b[0m \u001b[38;5;4m03\u001b[0m', '00 03', 'hex'],
  ['a fence', '```\n00 03\n```\n', '00 03', 'hex'],
  ['a fence with a language', '~~~hex\r\n00 03\r\n  ~~~', '00 03', 'hex'],
  ['a fence without its end', '```\n00 03\n', '00 03', 'hex'],
  ['a fence, text after it', '```\n00 03\n```\nand more', '00 03', 'hex'],
  ['a prompt', '$ xxd -p first.snap\n00030006\n', '00 03 00 06', 'hex'],
  ['a prompt in a fence', "```sh\n$ echo 'don\\'t'\n0003\n```", '00 03', 'hex'],
  ['comments', "# don't\n00 03 # removed_items\n00 06 // the face of dead\n", '00 03 00 06', 'hex'],
  ['letters only', 'ff ff ff ff', 'ff ff ff ff', 'hex'],
  ['letters only, in one', 'deadbeef', 'de ad be ef', 'hex'],
  ['a group that is a word', '0003 dead 0006', '00 03 de ad 00 06', 'hex'],
  ['a long number', '0x00030006', '00 03 00 06', 'hex'],
];

const arrays: Case[] = [
  ['bare', '0x00, 0x03, 0x00,\n  0x06', '00 03 00 06', 'array'],
  ['bare with spaces', '0x0 0x3 0xFF', '00 03 ff', 'array'],
  ['xxd -i', 'unsigned char a[] = {\n  0x00, 0x03\n};\nunsigned int a_len = 2;\n', '00 03', 'array'],
  ['C with a size', 'static const uint8_t aData[4] = { 0x00, 3, 0xffU, 10 }; // four', '00 03 ff 0a', 'array'],
  ['C with comments', 'char a[] = {0x00, /* one, } */ 0x03, // two }\n0x06};', '00 03 06', 'array'],
  ['two of C', 'uint8_t a[] = {0x00}; uint8_t b[] = {0x01};', '00', 'array', 1],
  ['includes', '#include <stdint.h>\nuint8_t a[] = {0x00, 0x03};', '00 03', 'array'],
  ['braces', '{0,3,0,6}', '00 03 00 06', 'array'],
  ['JSON', '[0, 3, 0, 6, 155, 19]\n', '00 03 00 06 9b 13', 'array'],
  ['two digits, decimal', '[10, 20, 30]', '0a 14 1e', 'array'],
  ['two digits, hex', '[00, 03, 10]', '00 03 10', 'array'],
  ['hex letters', '[0, 3, 9b, 10]', '00 03 9b 10', 'array'],
  ["Go's print", '[0 3 0 6 155 19]', '00 03 00 06 9b 13', 'array'],
  ['Go', 'data := []byte{0x00, 0x03}', '00 03', 'array'],
  ['Python bytes', 'bytes([0, 3])', '00 03', 'array'],
  ['Python bytearray', 'data = bytearray([0x00, 0x03])', '00 03', 'array'],
  ['node typed array', 'Uint8Array(4) [\n   0, 3,\n 155, 6\n]', '00 03 9b 06', 'array'],
  ['JavaScript', 'const data = new Uint8Array([0, 3]);', '00 03', 'array'],
  ['Buffer.from', 'Buffer.from([0x00, 0x03])', '00 03', 'array'],
  ['node Buffer', '<Buffer 00 03 00 06>', '00 03 00 06', 'Buffer'],
  ['Rust vec', 'let a: Vec<u8> = vec![0x00, 0x03u8];', '00 03', 'array'],
  ['Rust slice', 'let a: &[u8] = &[0x00, 0x03];', '00 03', 'array'],
  ['Rust array', 'let a: [u8; 2] = [0, 3];', '00 03', 'array'],
  ['Java', 'byte[] a = new byte[] {0x00, 0x03};', '00 03', 'array'],
  ['C++ vector', 'std::vector<uint8_t> a{0x00, 0x03};', '00 03', 'array'],
  ['Ruby pack', "[0, 3].pack('C*')", '00 03', 'array'],
];

const strings: Case[] = [
  ['Python', String.raw`b'\x00\x03abc\n\\\''`, '00 03 61 62 63 0a 5c 27', 'string'],
  ['Python, double quotes', String.raw`data = b"\x00'#//\x03"`, '00 27 23 2f 2f 03', 'string'],
  ['Python without escapes', "b'abc xyz'", '61 62 63 20 78 79 7a', 'string'],
  ['C', String.raw`const char *p = "\x00\x03";`, '00 03', 'string'],
  ['named escapes', String.raw`"\x00\a\b\t\n\v\f\r\e\"\'\\\#"`, '00 07 08 09 0a 0b 0c 0d 1b 22 27 5c 23', 'string'],
  ['octal', String.raw`"\0\3\1774\377"`, '00 03 7f 34 ff', 'string'],
  ['Ruby', String.raw`"\u0000\u0003a"`, '00 03 61', 'string'],
  ['Ruby, to bytes', String.raw`"\x00\x03".b`, '00 03', 'string'],
  ['adjacent', '(b"\\x00"\n  b"\\x03" # next\n  b"abc")', '00 03 61 62 63', 'string'],
  ['added', '"\\x00" +\n  "\\x03"', '00 03', 'string'],
  ['printf', String.raw`printf '\x00\x03'`, '00 03', 'string'],
  ['no quotes', '\\x00\\x03\n\\x9B', '00 03 9b', 'string'],
  ['Buffer.from', "Buffer.from('00030006', 'hex')", '00 03 00 06', 'string'],
  ['Ruby pack', `["0003"].pack('H*')`, '00 03', 'string'],
  ['fromhex', 'data = bytes.fromhex("00 03 00 06")', '00 03 00 06', 'string'],
  ['hexlify', "b'00030006'", '00 03 00 06', 'string'],
  ['quoted hex', '"00030006"', '00 03 00 06', 'string'],
];

const dumps: Case[] = [
  ['xxd', XXD, FIRST, 'xxd'],
  ['xxd with CRLF', XXD.replaceAll('\n', '\r\n'), FIRST, 'xxd'],
  ['xxd upper case, in colours', XXD.toUpperCase().replace('0003', '\u001b[31m0003\u001b[0m'), FIRST, 'xxd'],
  ['xxd after a prompt and before the next', `$ xxd first\n${XXD}\n$`, FIRST, 'xxd'],
  ['xxd, text like hex', '00000000: 3030 3161  001a\n00000004: 6162       ab', '30 30 31 61 61 62', 'xxd'],
  ['xxd without text, with comments', '00000000: 0003 # removed\n00000002: 06 // type', '00 03 06', 'xxd'],
  ['xxd -d', '00000000: 0003 0006 0000 0100  ....\n00000008: 0a\n', '00 03 00 06 00 00 01 00 0a', 'xxd'],
  ['xxd from the middle', '00000010: 0003 0006  ....', '00 03 00 06', 'xxd'],
  ['xxd -a', '00000000: 0000  ..\n*\n00000006: 00ab  ..', '00 00 00 00 00 00 00 ab', 'xxd'],
  ['hexdump -C', '00000000  00 03  00 06 |00 1|\n00000004\n', '00 03 00 06', 'hexdump'],
  ['hexdump -C, repeated', '00000000  ff 00  |..|\n*\n00000006  01  |.|\n00000007', 'ff 00 ff 00 ff 00 01', 'hexdump'],
  ['hexdump -C, repeated to the end', '00000000  ff 00  |..|\n*\n00000004\n', 'ff 00 ff 00', 'hexdump'],
  ['od, octal', `0000000${' 00'.repeat(16)}\n0000020 03\n0000021\n`, `${'00 '.repeat(16)}03`, 'hexdump'],
  ['od, octal, repeated', `0000000${' 00'.repeat(16)}\n*\n0000140 ab\n0000141\n`, `${'00 '.repeat(96)}ab`, 'hexdump'],
  ['od -A x -t x1z', '000000 00 03 61  >..a<\n000003\n', '00 03 61', 'hexdump'],
  ['tcpdump', TCPDUMP, IP, 'tcpdump', 0],
  ['tcpdump, more packets', TCPDUMP + TCPDUMP + TCPDUMP, IP, 'tcpdump', 2],
  ['tcpdump, rows alone', TCPDUMP.split('\n').slice(2).join('\n'), IP, 'tcpdump', 0],
  ['tw-snap', TW_SNAP, '00 03 00 06 00 00 01 00 61 62 20 20 08 00', 'tw-snap'],
  ['tw-snap, packed', ' 0000  00 03  ..  a=0 b=3\n 0002  06     .   c=6\n', '00 03 06', 'tw-snap'],
  ['tw-snap, tabs', '0000\t00 03\t..\ta=0 b=3\n0002\t06\t.\tc=6', '00 03 06', 'tw-snap'],
  ['tw-snap, a harmless fold', ' 0000  00 03  ..  a=0\n  …\n 0002  06     .   c=6', '00 03 06', 'tw-snap'],
  ['hexdump', '0000000 0300 0600\n0000003\n', '00 03 00', 'little-endian words'],
  [
    'an article with a dump',
    `An article.\n\n## Dumps\n\nOne\n\n${TW_SNAP}`,
    '00 03 00 06 00 00 01 00 61 62 20 20 08 00',
    'tw-snap',
  ],
  ['xxd, text after it', `${XXD}\nand so on`, FIRST, 'xxd'],
  ['wireshark', '0000   45 00 00 20   E.. \n0004   7f 00                     ..', '45 00 00 20 7f 00', 'tw-snap'],
];

describe.each([
  ['hex', plain],
  ['array', arrays],
  ['string', strings],
  ['dump', dumps],
])('%s', (_, cases) => {
  it.each(cases)('%s', (_name, text, bytes, form, more = 0) => {
    const hex = readFirst(text)!;
    expect({ ...hex, bytes: toHex(hex.bytes) }).toEqual({ bytes, form, more });
  });
});

describe('no hex text', () => {
  it.each([
    '',
    ' \r\n\t',
    '```\n```',
    '# 00 03',
    'deadbeef zebra',
    'dead',
    'add a face',
    'dead add face',
    'add 2 faces',
    'The dead add a face, 12 of 34.',
    'a, b, c',
    '[a, b]',
    '[dead, add]',
    'name,team\nadd,red\n',
    '{"kind":"delta","items":[{"data":[0,3]}]}',
    '{}',
    '[]',
    '[1.5, 2]',
    '[[0, 3], [1, 2]]',
    '["a", "b"]',
    '["0003", "0006"]',
    '"hello\\n"',
    '"123"',
    "it's dead",
    '-1 -2',
    '127.0.0.1',
    'see items [1, 2, 3]',
    'uint8_t a[4];',
    'const char *names[] = {"add", "face"};',
    "import { add } from './face.ts';\nexport const dead = add(1, 2);\n",
    'function f(char *p) { return 3; }',
    '1984: 22 people',
    '00: 00 03\n10: 00 06',
    '"""A module\n"""\nred = "\\x1b[31m"\n',
    '2019  10 20 goals\n2020  11 21 goals\n',
    '00 03 and words',
  ])('%j', (text) => expect(readFirst(text)).toBeUndefined());
});

describe('broken hex', () => {
  const first = (text: string, mark: string) => text.indexOf(mark);
  it.each<[text: string, offset: number, found: string | RegExp, expected: string | RegExp]>([
    ['000', 0, '000', /even/],
    ['00 03 006', 6, '006', /even/],
    ['1, 20, 300', 7, '300', /even/],
    ['00 03 0g 06', 6, '0g 06', 'hex digits'],
    ['00030006g000', 0, '00030006g000', 'hex digits'],
    ['# why\n\u001b[31m00\u001b[0m 03 006 07', 12, '006 07', /even/],
    ['[0, 3, 256]', 7, '256]', /255/],
    ['[0, 3', 5, 'the end of the text', 'a closing bracket'],
    ['0x00, 0x0g', 6, '0x0g', 'a byte'],
    ['{0x00, 010}', 7, '010}', 'a byte'],
    ['[0, 03]', 4, '03]', /two hex digits/],
    ['Uint8Array(143) [0, 3, ... 141 more items]', 23, /^\.\.\. 141/, 'all the bytes'],
    ['<Buffer 00 03 ... 12 more bytes>', 14, /^\.\.\. 12/, 'all the bytes'],
    ['<Buffer 00 03', 13, 'the end of the text', '>'],
    ["b'\\x0", 2, '\\x0', /2 hex digits/],
    ["b'\\x00", 6, 'the end of the text', "a closing '"],
    ["b'\\x00\\q'", 6, "\\q'", 'a known escape'],
    ['"\\x00\\777"', 5, '\\777"', 'a single byte'],
    ['"\\x00\\u00e9"', 5, '\\u00e9"', 'a single byte'],
    ["Buffer.from('0003f', 'hex')", 13, '0003f', /even/],
    ['bytes.fromhex("zz")', 15, 'zz")', 'hex digits'],
    [XXD.replace('00000010', '00000020'), first(XXD, '00000010'), /00000020, 16 bytes are missing/, 'offset 00000010'],
    [XXD.replace('00000010', '00000008'), first(XXD, '00000010'), /00000008, 8 bytes too early/, 'offset 00000010'],
    [XXD.replace('0080', '008'), first(XXD, '0080'), /^008 /, /even/],
    [XXD.replace('0080', '00g0'), first(XXD, '00000010'), /^00000010/, 'a row of xxd'],
    [`${XXD}\n0000002g: 00`, XXD.length + 1, /^0000002g/, 'a row of xxd'],
    ['00000000: 0000  ..\n*\n00000005: 00', 21, /3 bytes are missing/, 'offset 00000002'],
    ['00000000: 00  .\n*\nffffffffff: 00', 18, /repeated bytes/, /at most/],
    ['00000000  00 03  |..|\n00000004\n', 22, /2 bytes are missing/, 'offset 00000002'],
    ['00000000  00 0003  |..|\n', 13, '0003  |..|', /two hex digits/],
    ['0000000 0300 0600\n00000104ca 139b\n0000008 0c90\n', 18, /^00000104ca/, 'a row of hexdump or od'],
    ['0000000 0300 0600\n0000008\n', 18, /4 bytes are missing/, 'offset 0000004'],
    [TCPDUMP.replace('0x0010:', '0x0020:'), first(TCPDUMP, '0x0010:'), /16 bytes are missing/, 'offset 0010'],
    [TW_SNAP.replace(/ +1.5.*\n.*\n/, '  …\n'), first(TW_SNAP, '1.5  0004') + 4, /4 bytes are missing/, 'offset 0004'],
    ['  …\n 0000  00 03  ..  a=0', 2, /missing/, 'all rows'],
  ])('%j', (text, offset, found, expected) => {
    const error = failure(text);
    expect(error).toMatchObject({ code: 'bad_hex', offset });
    expect(error?.args).toMatchObject({ found: like(found), expected: like(expected) });
  });
});

const like = (expectedText: string | RegExp) =>
  typeof expectedText === 'string' ? expectedText : expect.stringMatching(expectedText);

function failure(text: string): DecodeError | undefined {
  try {
    readFirst(text);
  } catch (error) {
    if (error instanceof DecodeError) return error;
    throw error;
  }
  return undefined;
}

describe('written hex is read back', () => {
  const hex = (byte: number) => byte.toString(16).padStart(2, '0');
  const ascii = (row: readonly number[]) =>
    row.map((byte) => (byte < 32 || byte > 126 ? '.' : String.fromCharCode(byte)));
  const rows = (bytes: readonly number[], length: number) =>
    Array.from({ length: Math.ceil(bytes.length / length) }, (_, row) => ({
      offset: (row * length).toString(16),
      bytes: bytes.slice(row * length, (row + 1) * length),
    }));
  const spaced = (bytes: readonly number[], width = 0) => bytes.map(hex).join(' ').padEnd(width);
  const escapes = (bytes: readonly number[]) =>
    ascii(bytes).map((sign, i) => (sign === '.' || `"'\\`.includes(sign) ? `\\x${hex(bytes[i]!)}` : sign));

  // Longer texts distinguish bytes from words that happen to be an even number of hex digits.
  const forms: Record<string, [string, (bytes: readonly number[]) => string]> = {
    contiguous: ['hex', (bytes) => bytes.map(hex).join('')],
    spaced: ['hex', (bytes) => spaced(bytes)],
    'C array': ['array', (bytes) => `char a[] = {${bytes.map((byte) => `0x${hex(byte)}`)}};`],
    JSON: ['array', (bytes) => JSON.stringify(bytes)],
    Python: ['string', (bytes) => `b'${escapes(bytes).join('')}\\x00'`],
    xxd: [
      'xxd',
      (bytes) =>
        rows(bytes, 6)
          .map((row) => `${row.offset.padStart(8, '0')}: ${spaced(row.bytes, 17)}  ${ascii(row.bytes).join('')}`)
          .join('\n'),
    ],
    'tw-snap': [
      'tw-snap',
      (bytes) =>
        rows(bytes, 4)
          .map((row) => ` ${row.offset.padStart(4, '0')}  ${spaced(row.bytes, 11)}  ${ascii(row.bytes).join('')}  id=0`)
          .join('\n'),
    ],
  };

  it.each(Object.entries(forms))('%s', (name, [form, render]) => {
    fc.assert(
      fc.property(fc.array(fc.nat(255), { minLength: 8, maxLength: 80 }), (bytes) => {
        const text = render(bytes);
        fc.pre(form !== 'hex' || /\d/.test(text));
        const end = name === 'Python' ? [0] : [];
        expect(readFirst(text)).toEqual({ bytes: Uint8Array.from([...bytes, ...end]), form, more: 0 });
      }),
    );
  });

  const tools: [form: string, command: string, ...options: string[]][] = [
    ['hex', 'xxd', '-p'],
    ['hex', 'od', '-A', 'n', '-v', '-t', 'x1'],
    ['xxd', 'xxd'],
    ['xxd', 'xxd', '-a'],
    ['xxd', 'xxd', '-u', '-g', '1', '-c', '5'],
    ['xxd', 'xxd', '-g', '0'],
    ['xxd', 'xxd', '-g', '4'],
    ['xxd', 'xxd', '-g', '3', '-c', '20', '-d'],
    ['array', 'xxd', '-i'],
    ['hexdump', 'hexdump', '-C'],
    ['hexdump', 'od', '-t', 'x1'],
    ['hexdump', 'od', '-A', 'd', '-v', '-t', 'x1'],
    ['hexdump', 'od', '-A', 'x', '-t', 'x1z'],
    ['little-endian words', 'hexdump'],
  ];
  const bytes = fc.uint8Array({ minLength: 8, maxLength: 100 });
  const sparse = fc.array(fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 48, 255), {
    minLength: 8,
    maxLength: 300,
  });
  const inputs = fc.oneof(
    bytes,
    sparse.map((list) => Uint8Array.from(list)),
  );

  for (const [form, command, ...options] of tools) {
    it.skipIf(!hasTool(command))(`${[command, ...options].join(' ')} (needs ${command})`, () => {
      const check = (input: Uint8Array) => {
        const { stdout } = spawnSync(tool(command), options, { input, encoding: 'utf8' });
        fc.pre(form !== 'hex' || /\d/.test(stdout));
        expect(readFirst(stdout)).toEqual({ bytes: input, form, more: 0 });
      };
      fc.assert(fc.property(inputs, check), { numRuns: 5 });
    });
  }

  it.skipIf(!hasTool('tcpdump')).each([
    ['-xx', 0],
    ['-x', ETHERNET],
    ['-X', ETHERNET],
  ])('tcpdump %s (needs tcpdump)', (option, from) => {
    const check = (payload: Uint8Array) => {
      const frame = udpFrame(payload);
      const input = pcap([frame, frame]);
      const { stdout } = spawnSync(tool('tcpdump'), ['-n', option, '-r', '-'], { input, encoding: 'utf8' });
      expect(readFirst(stdout)).toEqual({ bytes: frame.subarray(from), form: 'tcpdump', more: 1 });
    };
    fc.assert(fc.property(fc.uint8Array({ minLength: 18, maxLength: 100 }), check), { numRuns: 4 });
  });
});

const ETHERNET = 14;

function udpFrame(payload: Uint8Array): Uint8Array {
  const frame = new Uint8Array(ETHERNET + 28 + payload.length);
  const view = new DataView(frame.buffer);
  view.setUint16(12, 0x0800);
  view.setUint16(ETHERNET, 0x4500);
  view.setUint16(ETHERNET + 2, 28 + payload.length);
  view.setUint16(ETHERNET + 8, 0x4011);
  view.setUint16(ETHERNET + 20, 8303);
  view.setUint16(ETHERNET + 22, 40012);
  view.setUint16(ETHERNET + 24, 8 + payload.length);
  frame.set(payload, ETHERNET + 28);
  return frame;
}

function pcap(packets: readonly Uint8Array[]): Uint8Array {
  const header = new Uint32Array([0xa1b2c3d4, 0x00040002, 0, 0, 65535, 1]);
  const parts = packets.flatMap(({ length }, i) => [new Uint32Array([0, 0, length, length]), packets[i]!]);
  return Buffer.concat([header, ...parts].map(({ buffer }) => new Uint8Array(buffer)));
}

describe('any text', () => {
  const holds = (text: string) => {
    const error = failure(text);
    if (error) {
      expect(error.code).toBe('bad_hex');
      expect(error.offset).toBeGreaterThanOrEqual(0);
      expect(error.offset).toBeLessThanOrEqual(text.length);
    }
  };

  it('causes no other error than bad_hex, with an offset within the text', () => {
    fc.assert(fc.property(fc.string({ maxLength: 200, unit: 'binary-ascii' }), holds), { numRuns: 500 });
  });

  it('made of the characters of the known forms causes no other error than bad_hex', () => {
    const sign = fc.constantFrom(...'0123456789abcdef0000xx\\\'"[]{}<>(),:;-*|.#/`$\n\n  \t\r\u001b[m…=u');
    fc.assert(fc.property(fc.string({ maxLength: 80, unit: sign }), holds), { numRuns: 1500 });
  });

  it('with some characters of a known form changed causes no other error than bad_hex', () => {
    const texts = [...plain, ...arrays, ...strings, ...dumps].map(([, text]) => text);
    const change = fc.tuple(fc.constantFrom(...texts), fc.nat(1000), fc.nat(3), fc.string({ maxLength: 3 }));
    const changed = change.map(
      ([text, at, cut, add]) => text.slice(0, at % text.length) + add + text.slice((at % text.length) + cut),
    );
    fc.assert(fc.property(changed, holds), { numRuns: 600 });
  });

  it.each([
    ['digits', '00030006'],
    ['spaced', '00 03 00 06 '],
    ['array', '0x00, '],
    ['bracket', '['],
    ['string', '\\x00'],
    ['quotes', "'"],
    ['open comments', '/* '],
    ['lines', '\n'],
    ['blanks', ' '],
    ['escapes', '\u001b['],
    ['words', 'face '],
    ['backslashes', '\\'],
  ])('takes linear time: %s', (_, part) => {
    const text = part.repeat(Math.floor(50_000 / part.length));
    const start = process.cpuUsage();
    for (const begin of ['', '[0,', "b'\\x00", '00000000: 00\n', '0000  00\n']) holds(begin + text);
    // Computing time, not the clock. A tenth of a second is usual; 50,000 squared steps, five times, are ten seconds.
    expect(process.cpuUsage(start).user).toBeLessThan(4_000_000);
  });
});

describe('a mark that replaces the rest of the bytes', () => {
  const C = '00000000  00 03 00 06  |....|';
  it.each<[string, string, string, number]>([
    ['rows like the one above, without their end', '00000000: 0000  ..\n*\n', '00 00', 2],
    ["a fold of this program's dump", ' 0000  00 03  ..  a=0\n  …\n', '00 03', 2],
    ['dots after a dump', `${C}\n...\n`, '00 03 00 06', 2],
    ['dots and words after a dump', `It is:\n${C}\n... and so on`, '00 03 00 06', 3],
    ['snip', `${C}\n[snip]\n`, '00 03 00 06', 2],
    ['a number of bytes', `${C}\n-- 20 more bytes --\n`, '00 03 00 06', 2],
    ['in a fence', `\`\`\`\n${C}\n<snip>\n\`\`\`\n`, '00 03 00 06', 3],
    ['dots after hex, in the same line', '00030006 9b13900c...', '00 03 00 06 9b 13 90 0c', 1],
    ['an ellipsis after pairs', '00 03 00 06 9b 13…', '00 03 00 06 9b 13', 1],
    ['in a sentence', 'got 000300069b13900c... from the server', '00 03 00 06 9b 13 90 0c', 1],
    ['dots in the line after hex', '000300069b13900c\n...\n', '00 03 00 06 9b 13 90 0c', 2],
    ['after a literal', String.raw`b'\x00\x03\x00\x06'...`, '00 03 00 06', 1],
  ])('%s', (_, text, bytes, cutLine) => {
    const [part, ...more] = readPastedText(text)!.parts;
    expect({ bytes: toHex(part!.bytes), cutLine: part!.cutLine, more }).toEqual({ bytes, cutLine, more: [] });
  });

  it.each([
    ['dots among the characters of a dump', '00000000  61 62 2e 2e 2e 62  |ab...b|\n00000006\n', '61 62 2e 2e 2e 62'],
    ['a fold between consecutive rows', ' 0000  00 03  ..  a=0\n  …\n 0002  06     .   c=6', '00 03 06'],
    ['dots after a blank line', '00 03 00 06 9b 13\n\n...\n', '00 03 00 06 9b 13'],
    ['dots in a string', String.raw`"\x00\x03..."`, '00 03 2e 2e 2e'],
  ])('is not %s', (_, text, bytes) => {
    const { parts } = readPastedText(text)!;
    expect(parts.map((part) => [toHex(part.bytes), 'cutLine' in part])).toEqual([[bytes, false]]);
  });
});

describe('words in rows without addresses', () => {
  it('pairs with characters beside them are one dump: od -An -t x1z', () => {
    const row = ` 00 03 00 06 23 23 23 23 00 03 00 06 23 23 23 23  >....####....####<\n`;
    const { form, parts } = readPastedText(row + row)!;
    expect({ form, sizes: parts.map(({ bytes }) => bytes.length) }).toEqual({ form: 'hex', sizes: [32] });
  });
});

describe('the byte db in a hex dump', () => {
  const bytes = (...values: number[]) => Uint8Array.from([...new Array(16).fill(0), ...values]);
  const first = '00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00';

  it.each<[string, string, ...number[]]>([
    ['od', `0000000 ${first}\n0000020 00 db 10\n0000023\n`, 0, 0xdb, 0x10],
    ['od at the beginning of a row', `0000000 ${first}\n0000020 db 10\n0000022\n`, 0xdb, 0x10],
    ['od without addresses', ` ${first}\n 00 db 10\n`, 0, 0xdb, 0x10],
    ['xxd with a semicolon', `00000000: ${first}  ................\n00000010: 3b db 10  ;..\n`, 0x3b, 0xdb, 0x10],
    ['hex alone', `${first}\ndb 10\n`, 0xdb, 0x10],
  ])('is no directive: %s', (_, text, ...values) => {
    expect(readFirst(text)?.bytes).toEqual(bytes(...values));
  });
});

describe('with -f hex', () => {
  it.each([
    ['ff', 'ff'],
    ['ababab', 'ab ab ab'],
    ['dead', 'de ad'],
    ['add a face be', undefined],
  ])('%s', (text, bytes) => {
    expect(readPastedText(text)).toBeUndefined();
    if (bytes === undefined) expect(() => readPastedText(text, { force: true })).toThrow('bad hex');
    else expect(toHex(readPastedText(text, { force: true })!.parts[0]!.bytes)).toBe(bytes);
  });
});

describe('a text without bytes is refused', () => {
  it.each<[string, number, string]>([
    ['Hello, world!', 1, 'hex, a dump'],
    ['\n\n  Hello', 3, 'hex, a dump'],
    ['dead beef', 1, 'digits, too'],
  ])('%j: names the line, and what is read', (text, line, expected) => {
    const { code, args } = refusal(text);
    expect(code).toBe('bad_hex');
    expect(args).toMatchObject({ line, found: text.trim().slice(0, 16), expected: expect.stringContaining(expected) });
  });

  it('counts lines and columns as they are seen, without colour codes', () => {
    const broken = failure('\u001b[1m# packet\u001b[0m\n\u001b[31m10 05\u001b[0m 02 2g 9d e1');
    expect(broken?.args).toMatchObject({ found: '2g 9d e1', line: 2, column: 10 });
  });
});

describe('textOf', () => {
  const utf16 = (text: string, mark = '') => new Uint8Array(Buffer.from(mark + text, 'utf16le'));
  const swapped = (bytes: Uint8Array) => new Uint8Array(Buffer.from(bytes).swap16());
  it.each<[string, Uint8Array, string | undefined]>([
    ['UTF-8', new TextEncoder().encode('10 05 ·'), '10 05 ·'],
    ['UTF-16 of PowerShell', utf16('10 05', '\ufeff'), '10 05'],
    ['UTF-16, the high byte first', swapped(utf16('10 05', '\ufeff')), '10 05'],
    ['UTF-16 without a mark', utf16('10 05 02 28\r\n'), undefined],
    [
      'a connectionless packet',
      Uint8Array.of(255, 255, 255, 255, 255, 255, 255, 255, 0x67, 0x69, 0x65, 0x33),
      undefined,
    ],
    ['ints', Uint8Array.of(0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0), undefined],
    ['a mark before no text', Uint8Array.of(0xff, 0xfe, 0, 0), undefined],
  ])('%s', (_, bytes, text) => expect(textOf(bytes)).toBe(text));
});

describe('bytes that look like text', () => {
  const encode = (text: string) => new TextEncoder().encode(text);
  const window = (text: string) => encode('a'.repeat(4095) + text);
  it.each<[string, Uint8Array, boolean]>([
    ['hex', encode('00 03\r\n\t06'), true],
    ['colours', encode('\u001b[1m00'), true],
    ['a byte order mark', encode('\ufeff00'), true],
    ['UTF-8', encode('· → ✗ 𝟘 é'), true],
    ['a character over the end of the window', window('✗ and on'), true],
    ['nothing', new Uint8Array(), true],
    ['snapshot bytes', Uint8Array.of(0, 3, 0, 6), false],
    ['a demo', encode('TWDEMO\0'), false],
    ['a control', encode('a\u0001'), false],
    ['delete', encode('a\u007f'), false],
    ['Latin-1', Uint8Array.of(0x61, 0xe9, 0x62), false],
    ['half a character', Uint8Array.of(0x61, 0xe2, 0x9c), false],
    ['an overlong form', Uint8Array.of(0xc0, 0x80), false],
    ['an overlong form of three', Uint8Array.of(0xe0, 0x80, 0x80), false],
    ['a surrogate', Uint8Array.of(0xed, 0xa0, 0x80), false],
    ['beyond Unicode', Uint8Array.of(0xf4, 0x90, 0x80, 0x80), false],
  ])('%s', (_, bytes, expected) => expect(textOf(bytes) !== undefined).toBe(expected));
});

describe('toHex', () => {
  const bytes = Uint8Array.of(0, 3, 0x9b, 255);
  it('is spaced and in lower case', () => expect(toHex(bytes)).toBe('00 03 9b ff'));
  it('accepts a range', () => expect(toHex(bytes, 1, 3)).toBe('03 9b'));
  it('is empty for no bytes', () => expect(toHex(bytes, 2, 2)).toBe(''));
});
