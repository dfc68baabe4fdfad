import { chunkHead, compress, flags, fromHex, nulText, packetHead, toHex } from '../encode.mjs';
import { Seeded } from './seeded.ts';
import type { About, Deed, Vectors } from './vector.ts';

type Version = '0.6' | '0.7';
const versions = ['0.6', '0.7'] as const;

const source = 'CNetBase::UnpackPacket in network.cpp';
const huff = (hex: string, options = {}) => toHex(compress(fromHex(hex), options));
const row = (text: string): About => ({ source, row: `packet: ${text}` });

interface Head {
  readonly control?: boolean;
  readonly resend?: boolean;
  readonly compressed?: boolean;
  readonly ack?: number;
  readonly chunks?: number;
  readonly token?: string;
}

/** The header of a version, and what a reader finds in it. */
function headOf(version: Version, { control, resend = false, compressed = false, ack = 0, chunks = 1, token }: Head) {
  const bit = flags[version];
  const set = (control ? bit.control : 0) | (resend ? bit.resend : 0) | (compressed ? bit.compressed : 0);
  const own = version === '0.7' ? (token ?? '01020304') : undefined;
  const kind = control ? 'control' : 'normal';
  return {
    hex: packetHead(set, ack, chunks, own),
    out: { kind, resend, compressed, ack, chunks, ...(own !== undefined && { token: own }) },
  };
}

export function makePackets(vectors: Vectors): void {
  for (const version of versions) makeVersion(vectors, version);
  makeConnless(vectors);
  makeRandom(vectors);
  for (const version of versions) {
    makeChunkHeads(vectors, version);
    makeChunks(vectors, version);
    makeControls(vectors, version);
  }
}

function makeVersion(vectors: Vectors, protocol: Version): void {
  const read = (head: Head, payload: string, about: About = { source }) => {
    const { hex, out } = headOf(protocol, head);
    const sent = head.compressed ? huff(payload) : payload;
    vectors.valid('packet', { protocol, in: hex + sent }, { ...out, payload }, about);
  };
  /** Read by one game, or by neither. */
  const differ = (head: Head, sent: string, payload: string, deeds: [Deed | string, Deed | string], about: About) => {
    const { hex, out } = headOf(protocol, head);
    vectors.acceptable('packet', { protocol, in: hex + sent }, { ...out, payload }, deeds, about);
  };
  const message = chunkHead(protocol, { size: 1 });

  for (const ack of [0, 1, 255, 256, 513, 1023]) read({ ack }, `${message}02`);
  for (const chunks of [2, 255]) read({ chunks }, `${message}02${message}04`);
  read({ resend: true, ack: 5, chunks: 0 }, '', { note: 'a request to resend needs no chunk', source });
  read({ compressed: true, ack: 1 }, `${message}02`);
  read({ resend: true, compressed: true, ack: 700, chunks: 2 }, `${message}02${message}04`);
  read({ compressed: true }, '', { note: 'compressed, and no byte when it is decompressed', source });
  read({ token: 'fffefdfc' }, `${message}02`);
  for (const code of [0, 1, 2, 4]) read({ control: true, chunks: 0 }, toHex([code]));
  read({ control: true, resend: true, ack: 3, chunks: 0 }, '00', row('control packet with the resend flag'));

  const headSize = protocol === '0.7' ? 7 : 3;
  const cut = row('shorter than its header');
  for (let size = 0; size < headSize; size++)
    vectors.invalid('packet', { protocol, in: headOf(protocol, {}).hex.slice(0, 2 * size) }, cut);
  const unended = headOf(protocol, { compressed: true }).hex + huff('010203', { end: false });
  vectors.invalid('packet', { protocol, in: unended }, { note: 'compressed without an end', source });

  const fill = (size: number) => '00'.repeat(size);
  read({}, fill(1391), { note: 'as much as all games read', source });
  const tooLong = { ...row('longer than 1,400 bytes'), note: '1,401 bytes' };
  vectors.invalid('packet', { protocol, in: headOf(protocol, {}).hex + fill(1401 - headSize) }, tooLong);
  const payloadLimit = row('more than 1,397 bytes of payload, decompressed');
  for (const size of [1392, 1397])
    differ({ compressed: true }, huff(fill(size)), fill(size), ['accepted', 'refused'], {
      ...row('1,392 to 1,397 bytes of payload, decompressed'),
      note: `${size} bytes, decompressed`,
    });
  const tooMuch = headOf(protocol, { compressed: true }).hex + huff(fill(1398));
  vectors.invalid('packet', { protocol, in: tooMuch }, { ...payloadLimit, note: '1,398 bytes, decompressed' });

  const since194: [Deed, string] = [{ does: 'refused' }, 'accepted'];
  differ({ chunks: 0 }, '', '', since194, row('no chunks, and no resend flag'));
  differ({ chunks: 0 }, '00', '00', since194, row('no chunks, and no resend flag'));
  differ({ control: true, chunks: 3 }, '00', '00', since194, row('control packet with a number of chunks'));
  differ({ control: true, chunks: 0 }, '', '', since194, row('control packet without a code'));
  differ({ control: true, compressed: true, chunks: 0 }, huff('00'), '00', since194, row('compressed control packet'));
  // With a token of DDNet after the code.
  const withToken = '0012345678';
  read({ control: true, resend: true, chunks: 0 }, withToken, row('control packet with the resend flag'));
  const withChunks = row('control packet with a number of chunks');
  for (const chunks of [1, 255]) differ({ control: true, chunks }, withToken, withToken, since194, withChunks);
  const compressed = row('compressed control packet');
  differ({ control: true, compressed: true, chunks: 0 }, huff(withToken), withToken, since194, compressed);
  if (protocol === '0.7') {
    for (const bits of [0x80, 0x40, 0xc0]) {
      const { hex, out } = headOf(protocol, { ack: 700 });
      const first = toHex([fromHex(hex)[0]! | bits]);
      const about = row('0.7: bits 0x80 and 0x40');
      const question = { protocol, in: `${first}${hex.slice(2)}${message}02` };
      vectors.valid('packet', question, { ...out, payload: `${message}02` }, about);
    }
  } else makeTokensOf065(vectors, message);
}

/** Bit 0x08 of 0.6.5, after which a token follows, and bit 0x04, which no game writes. */
function makeTokensOf065(vectors: Vectors, message: string): void {
  const protocol = '0.6';
  const out = { kind: 'normal', resend: false, compressed: false, ack: 0, chunks: 1 };
  vectors.acceptable(
    'packet',
    { protocol, in: `080001deadbeef${message}02` },
    { ...out, token: 'deadbeef', payload: `${message}02` },
    ['refused', 'accepted'],
    row('0.6: bit 0x08 of the first byte, a token after the header'),
  );
  vectors.acceptable(
    'packet',
    { protocol, in: `040001${message}02` },
    { ...out, payload: `${message}02` },
    ['misread', 'ignored'],
    row('0.6: bit 0x04'),
  );
}

function makeConnless(vectors: Vectors): void {
  const connless = (protocol: Version, hex: string, out: object, note: string) =>
    vectors.valid('packet', { protocol, in: hex }, { kind: 'connless', ...out }, { note, source });
  connless('0.6', 'ffffffffffff67696533', { payload: '67696533' }, 'six bytes before the payload');
  connless('0.6', 'ffffffffffff', { payload: '' }, 'no payload');
  connless('0.6', '200000000000', { payload: '' }, 'one bit decides; six bytes are left out, whatever they are');
  connless('0.6', `ffffffffffff${'ab'.repeat(1394)}`, { payload: 'ab'.repeat(1394) }, '1,400 bytes');
  const tokens = { token: 'aabbccdd', response: '11223344' };
  connless('0.7', '21aabbccdd11223344ffffffff', { ...tokens, payload: 'ffffffff' }, 'token and response token');
  connless('0.7', '21aabbccdd11223344', { ...tokens, payload: '' }, 'no payload');
  const extremes = { token: '80000000', response: 'ffffffff' };
  connless('0.7', '2180000000ffffffff00', { ...extremes, payload: '00' }, 'the highest bit of a token');
  const cut = row('shorter than its header');
  for (const hex of ['ffffffff', 'ffffffffff']) vectors.invalid('packet', { protocol: '0.6', in: hex }, cut);
  for (const hex of ['21', '21aabbccdd112233']) vectors.invalid('packet', { protocol: '0.7', in: hex }, cut);
  for (const first of ['22', '20', '23'])
    vectors.acceptable(
      'packet',
      { protocol: '0.7', in: `${first}aabbccdd11223344ffffffff` },
      { kind: 'connless' },
      ['misread', 'refused'],
      row('connectionless packet of 0.7 with a version other than 1'),
    );
}

function makeRandom(vectors: Vectors): void {
  const random = new Seeded(3);
  for (let i = 0; i < 16; i++)
    for (const protocol of versions) {
      const [resend, compressed] = [random.next() < 0.5, random.next() < 0.5];
      const head = { resend, compressed, ack: random.below(1024), chunks: 1 + random.below(255) };
      const { hex, out } = headOf(protocol, { ...head, token: toHex(random.bytes(4)) });
      const payload = toHex(random.bytes(random.below(20)));
      const sent = compressed ? huff(payload) : payload;
      vectors.valid('packet', { protocol, in: hex + sent }, { ...out, payload }, { source });
    }
}

function makeChunkHeads(vectors: Vectors, protocol: Version): void {
  const about = { source: 'CNetChunkHeader::Unpack in network.cpp' };
  const random = new Seeded(4);
  const largest = protocol === '0.7' ? 4095 : 1023;
  const head = (vital: boolean, resend: boolean, size: number, sequence: number, after = '') => {
    const hex = chunkHead(protocol, { vital, resend, size, sequence });
    const out = { vital, resend, size, header: vital ? 3 : 2, ...(vital && { sequence }) };
    vectors.valid('chunk', { protocol, in: hex + after }, out, about);
  };
  for (const size of [0, 1, 15, 16, 63, 64, 255, 256, largest]) {
    head(false, false, size, 0, '00');
    head(true, false, size, 0);
    head(true, true, size, 1023);
  }
  for (const sequence of [1, 63, 64, 127, 128, 255, 256, 511, 512, 513, 960])
    for (const size of [0, 21]) head(true, false, size, sequence, 'aa');
  vectors.valid(
    'chunk',
    { protocol, in: '8000' },
    { vital: false, resend: true, size: 0, header: 2 },
    { note: 'sent again, though not vital', ...about },
  );
  if (protocol === '0.6')
    vectors.valid(
      'chunk',
      { protocol, in: '403000' },
      { vital: true, resend: false, size: 0, header: 3, sequence: 192 },
      { note: 'bits 7 and 6 of the number in the second byte only: both bytes count', ...about },
    );
  for (let i = 0; i < 10; i++) head(true, random.next() < 0.5, random.below(largest + 1), random.below(1024));
  vectors.invalid('chunk', { protocol, in: '40' }, { note: 'one byte', ...about });
  vectors.invalid('chunk', { protocol, in: '4001' }, { note: 'vital, without its third byte', ...about });
}

/** The chunks in the payload of a packet. `count` is the number that its header announces. */
function makeChunks(vectors: Vectors, protocol: Version): void {
  const about = { source: 'CPacketChunkUnpacker::UnpackNextChunk in network.cpp' };
  const plain = (data: string) => chunkHead(protocol, { size: data.length / 2 }) + data;
  const vital = (sequence: number, data: string, resend = false) =>
    chunkHead(protocol, { vital: true, resend, size: data.length / 2, sequence }) + data;
  const read = (payload: string, count: number, chunks: readonly unknown[], more: About = {}) =>
    vectors.valid('chunks', { protocol, in: payload, count }, { chunks }, { ...about, ...more });

  const first = [false, false, null, '0204'];
  const second = [true, false, 7, '0306'];
  read(plain('0204'), 1, [first]);
  read(plain('0204') + vital(7, '0306'), 2, [first, second]);
  read(vital(1023, '02', true) + vital(0, '04'), 2, [
    [true, true, 1023, '02'],
    [true, false, 0, '04'],
  ]);
  const empty = [false, false, null, ''];
  read('00000000', 2, [empty, empty], { note: 'chunks of no byte' });
  const long = 'ab'.repeat(300);
  read(plain(long) + plain('0204'), 2, [[false, false, null, long], first]);
  const missing = { row: 'packet: fewer chunks than announced' };
  read(plain('0204'), 3, [first], missing);
  const cut = { row: 'packet: chunk that does not fit in the packet' };
  read(plain('0204') + vital(7, '0306').slice(0, -2), 2, [first], cut);
  read(plain('0204') + vital(7, '0306').slice(0, 4), 2, [first], cut);
  read(`${plain('0204')}00`, 2, [first], { ...cut, note: 'one byte of a head' });
  read(plain('0204') + vital(7, '0306').slice(0, -2), 3, [first], { ...cut, note: 'later ones are lost' });
  const excess = { row: 'packet: bytes after the last chunk other than a token' };
  read(`${plain('0204')}aabb`, 1, [first], excess);
  read(plain('0204') + vital(7, '0306'), 1, [first], { ...excess, note: 'a chunk that is not announced' });
  if (protocol === '0.6')
    read(`${plain('0204')}deadbeef`, 1, [first], { note: "DDNet's token is after the last chunk", ...about });
}

/** The payload of a control packet: a code, and what follows it. */
function makeControls(vectors: Vectors, protocol: Version): void {
  const about = { source: 'CNetConnection::Feed in network_conn.cpp' };
  const read = (bytes: readonly number[], out: object, more: About = {}) =>
    vectors.valid('control', { protocol, in: toHex(bytes) }, out, { ...about, ...more });
  const names =
    protocol === '0.7'
      ? { 0: 'keepalive', 1: 'connect', 2: 'accept' }
      : { 0: 'keepalive', 1: 'connect', 2: 'connectaccept', 3: 'accept' };
  for (const [code, name] of Object.entries(names)) read([Number(code)], { name });
  read([4], { name: 'close' }, { note: 'without a reason' });
  read([4, ...nulText('')], { name: 'close', reason: '' });
  read([4, ...nulText('Timeout')], { name: 'close', reason: 'Timeout' });
  read([4, ...nulText('bye')], { name: 'close', reason: 'bye' }, { note: 'four bytes, with the NUL' });
  const shown = (bytes: readonly number[], text: string, [ddnet, teeworlds]: [string, string], more: About) => {
    const deed = (reason: string): Deed => ({ does: 'accepted', out: { name: 'close', reason } });
    const question = { protocol, in: toHex([4, ...bytes, 0]) };
    const out = { name: 'close', reason: text };
    vectors.acceptable('control', question, out, [deed(ddnet), deed(teeworlds)], { ...about, ...more });
  };
  // CNetConnection::Feed, str_sanitize_cc of DDNet, str_sanitize_strong of Teeworlds.
  const bits = 'Teeworlds takes the low seven bits of each byte';
  shown(nulText('größer').slice(0, -1), 'größer', ['größer', 'grC6C er'], { note: bits });
  shown(nulText('a\nb').slice(0, -1), 'a\nb', ['a b', 'a b'], { note: 'control characters are shown as spaces' });
  for (const length of [128, 256]) {
    const [text, ddnet, teeworlds] = [length, Math.min(length, 255), 127].map((size) => 'a'.repeat(size));
    const note = `${length} letters: DDNet shows the first 255, Teeworlds the first 127`;
    shown(nulText(text!).slice(0, -1), text!, [ddnet!, teeworlds!], { note });
  }
  const unended = { row: 'packet: close reason without a NUL' };
  read([4, ...nulText('bye').slice(0, -1)], { name: 'close', reason: 'bye' }, unended);
  const excess = { row: 'packet: bytes after a control message' };
  read([0, 9, 9], { name: 'keepalive' }, excess);
  read([4, ...nulText('bye'), 9], { name: 'close', reason: 'bye' }, excess);
  shown([0xff], '\ufffd', ['(Invalid error message)', '\x7f'], { row: 'packet: close reason that is not UTF-8' });
  const unknown = { row: 'packet: unknown control code', ...about };
  for (const code of protocol === '0.7' ? [3, 6, 255] : [5, 255])
    vectors.acceptable('control', { protocol, in: toHex([code]) }, { name: null }, ['ignored', 'ignored'], unknown);
  if (protocol === '0.6') return;
  const token = [0xde, 0xad, 0xbe, 0xef];
  const zeros = new Array(508).fill(0);
  read([5, ...token, ...zeros], { name: 'token', token: 'deadbeef' });
  const short = { row: 'packet: 0.7: request for a token of less than 512 bytes' };
  vectors.acceptable(
    'control',
    { protocol, in: toHex([5, ...token]) },
    { name: 'token', token: 'deadbeef' },
    ['ignored', 'ignored'],
    { ...short, ...about, note: 'read, and not answered' },
  );
  vectors.acceptable('control', { protocol, in: toHex([2, ...token]) }, { name: 'accept' }, ['ignored', 'ignored'], {
    row: "connection: accept of 0.7 that repeats the server's token as another one",
    source: 'CNetServer::OnSixupCtrlMsg in network_server.cpp, CNetConnection::Feed in network_conn.cpp',
  });
  const missing = { row: 'packet: 0.7: token message without its token', ...about };
  for (const bytes of [[5], [5, 1, 2, 3]])
    vectors.acceptable('control', { protocol, in: toHex(bytes) }, { name: 'token' }, ['ignored', 'ignored'], missing);
}
