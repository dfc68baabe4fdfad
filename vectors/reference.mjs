// A decoder of its own, of the layers below messages and items, with a switch for each usual mistake. The suite's test
// shows that the vectors alone catch every one. It is short rather than fast, and no line of tw-snap is in it.
//
//   node check.mjs -- node reference.mjs            every vector, or a skip
//   node check.mjs -- node reference.mjs varint-minus
import { Buffer, isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { bitsOf, compress, flags, fromHex, packInt, sizes, toHex } from './encode.mjs';
import { codes, eof } from './huffman-codes.mjs';

/** What a decoder refuses. Any other exception is a fault of the decoder. */
class Refused extends Error {}

const refuse = (why) => {
  throw new Refused(why);
};

/** The mistakes, by the layer that shows most of it. `like` names the game for which it is one. */
export const mistakes = {
  varint: [
    'varint-no-sign',
    'varint-minus',
    'varint-first-byte-7-bits',
    'varint-float',
    'varint-four-bytes',
    'varint-sixth-byte',
    'varint-overlong-refused',
    'varint-truncated-ok:ddnet',
    'varint-padding-kept:ddnet',
    'varint-padding-masked:teeworlds',
    'varint-padding-kept-if-more-follows:ddnet',
  ],
  pack: ['pack-zigzag', 'pack-minus'],
  huffman: [
    'huffman-eof-optional',
    'huffman-eof-as-byte',
    'huffman-zero-padding-asked',
    'huffman-rest-refused',
    'huffman-highest-bit-first',
    'huffman-no-limit',
    'huffman-past-end-ok',
  ],
  string: ['string-no-nul-ok', 'string-latin1', 'string-any-bytes:ddnet', 'string-sanitised', 'string-spaces-skipped'],
  values: ['values-data-clamped', 'values-boolean-any-int:ddnet'],
  head: [
    'head-system-inverted',
    'head-no-shift',
    'head-no-uuid',
    'head-one-byte',
    'head-id-7-bits',
    'head-unsigned',
    'head-any-id:ddnet',
  ],
  packet: [
    'packet-flags-of-0.7',
    'packet-resend-compression-swapped',
    'packet-always-0.6',
    'packet-always-0.7',
    'packet-head-always-3',
    'packet-ack-8-bits',
    'packet-ack-12-bits',
    'packet-compression-ignored',
    'packet-no-limit',
    'packet-token-little-endian',
    'packet-token-flag-ignored:ddnet',
    'packet-no-chunks-ok:ddnet',
    'packet-chunks-in-control-ok:ddnet',
    'packet-no-control-ok:ddnet',
    'packet-compressed-control-ok:ddnet',
    'packet-connless-always-6',
    'packet-connless-3',
    'packet-connless-any-version:teeworlds',
    'packet-connless-asks-for-ff',
    'packet-compressed-empty-refused',
  ],
  chunk: [
    'chunk-flags-swapped',
    'chunk-split-of-0.6',
    'chunk-split-of-0.7',
    'chunk-size-4-bits',
    'chunk-always-3',
    'chunk-sequence-8-bits',
    'chunk-sequence-low-bits-twice',
    'chunk-sequence-low-bits-once',
    'chunk-resend-if-vital',
  ],
  chunks: [
    'chunks-cut-refused',
    'chunks-cut-kept',
    'chunks-count-ignored',
    'chunks-missing-refused',
    'chunks-end-at-empty',
  ],
  control: [
    'control-reason-needs-nul',
    'control-excess-refused',
    'control-reason-any-bytes:ddnet',
    'control-short-reason-is-token',
    'control-reason-raw:ddnet',
    'control-reason-of-127:ddnet',
    'control-reason-not-cut:ddnet',
  ],
  connection: [
    'connection-any-token',
    'connection-any-ack',
    'connection-ack-backwards',
    'connection-early-taken',
    'connection-early-waits',
    'connection-early-ends-packet',
    'connection-again-taken',
    'connection-again-asks',
    'connection-last-copy-counts',
    'connection-no-wrap',
    'connection-never-asks',
    'connection-others-in-order',
    'connection-any-close',
    'connection-goes-on',
    'connection-no-timeout',
    'connection-never-weak',
    'connection-cut-refused',
    'connection-close-any-ack',
    'connection-resend-asks',
    'connection-forged-is-heard',
  ],
  demowrite: [
    'demowrite-two-bytes-from-31',
    'demowrite-three-bytes-from-255',
    'demowrite-size-big-endian',
    'demowrite-any-ints:ddnet',
    'demowrite-ints-below-64-kib',
    'demowrite-last-byte-twice:ddnet',
  ],
  delta: [
    'delta-sizes-of-0.6',
    'delta-always-sized',
    'delta-damage-5',
    'delta-no-third-int',
    'delta-id-first',
    'delta-negative-updates-refused',
    'delta-negative-removed-ok:ddnet',
    'delta-any-type',
    'delta-type-above-ok:ddnet',
    'delta-any-id:ddnet',
    'delta-negative-size-ok',
    'delta-size-in-bytes',
    'delta-no-size-beyond-table',
    'delta-truncated-zero',
    'delta-excess-refused',
  ],
  apply: [
    'apply-key-swapped',
    'apply-untouched-dropped',
    'apply-removed-wins',
    'apply-removed-is-new',
    'apply-size-change-ok:ddnet',
    'apply-registration-twice',
    'apply-twice-sums',
    'apply-replaces',
    'apply-no-wrap',
    'apply-no-item-limit:ddnet',
    'apply-no-byte-limit:ddnet',
    'apply-sorted',
    'apply-unknown-removed-refused',
    'apply-last-of-key',
    'checksum-with-keys',
    'checksum-no-wrap',
    'checksum-unsigned',
  ],
  snapshot: [
    'snapshot-offsets-from-start',
    'snapshot-offsets-in-ints',
    'snapshot-size-by-table',
    'snapshot-excess-ok',
    'snapshot-truncated-ok',
    'snapshot-offset-order-ignored',
    'snapshot-any-alignment:ddnet',
    'snapshot-negative-items-ok:ddnet',
    'snapshot-duplicate-refused',
    'snapshot-no-limit',
  ],
  uuid: ['uuid-sha1', 'uuid-no-namespace', 'uuid-no-version', 'uuid-latin1'],
  names: [
    'names-uuid-little-endian',
    'names-fixed-numbers',
    'names-by-order',
    'names-late-ignored',
    'names-short',
    'names-last',
  ],
  inttext: [
    'inttext-no-128',
    'inttext-last-byte-kept',
    'inttext-latin1',
    'inttext-last-byte-refused',
    'inttext-nul-inside',
  ],
  // Made by others: libtw2, teeworlds_network, teeworlds-go, ddnet_protocol, npm's teeworlds, DDNet. Most are mended.
  others: [
    'varint-one-byte-positive',
    'varint-fifth-byte-64-bits',
    'varint-without-end',
    'varint-fifth-byte-5-bits:ddnet',
    'pack-groups-from-end',
    'string-last-letter-lost',
    'string-without-bom',
    'values-data-not-at-end',
    'packet-connless-by-bit',
    'packet-payload-of-1400',
    'packet-payload-of-1390:ddnet',
    'packet-token-signed',
    'packet-head-of-7-not-asked',
    'chunk-sequence-if-not-vital',
    'control-accept-is-3',
    'control-reason-with-code',
    'delta-cut-update-kept',
    'delta-size-wraps:ddnet',
    'apply-twice-listed',
    'apply-saturates',
    'demochunk-step-0-has-tick',
  ],
  demochunk: [
    'demochunk-ticks-of-3',
    'demochunk-tick-little-endian',
    'demochunk-no-31',
    'demochunk-size-big-endian',
    'demochunk-longer-refused',
  ],
};

/** Reads bytes from the first on. */
class Reader {
  at = 0;

  constructor(bytes, mistake) {
    this.bytes = bytes;
    this.has = (name) => name === mistake;
  }

  get isAtEnd() {
    return this.at >= this.bytes.length;
  }

  byte() {
    return this.isAtEnd ? refuse('end') : this.bytes[this.at++];
  }

  take(count) {
    if (count < 0 || this.at + count > this.bytes.length) refuse('end');
    this.at += count;
    return this.bytes.slice(this.at - count, this.at);
  }

  /** `ESDD DDDD`, then up to four bytes `EDDD DDDD`, of which the last has four data bits. */
  int() {
    const { has } = this;
    const left = this.bytes.length - this.at;
    const isKept = has('varint-padding-kept') || (has('varint-padding-kept-if-more-follows') && left > 5);
    let byte = this.byte();
    const isInverted = (byte & 0x40) !== 0;
    let value = byte & 0x3f;
    let shift = has('varint-first-byte-7-bits') ? 7 : 6;
    const longest = has('varint-sixth-byte') ? 6 : 5;
    let count = 1;
    for (; byte & 0x80 && (count < longest || has('varint-without-end')); count++, shift += 7) {
      if (this.isAtEnd && has('varint-truncated-ok')) break;
      byte = this.byte();
      if (has('varint-float') || has('varint-without-end')) value += (byte & 0x7f) * 2 ** shift;
      else if (count === 4 && has('varint-fifth-byte-64-bits')) value += (byte & 0x7f) * 2 ** shift;
      else if (count === 4 && has('varint-fifth-byte-5-bits')) value |= (byte & 0x1f) << shift;
      else if (count === 4 && has('varint-four-bytes')) continue;
      else if (count === 4 && !isKept) value |= (byte & 0x0f) << shift;
      else value |= (byte & 0x7f) << shift;
    }
    if (has('varint-overlong-refused') && count > 1 && (byte & 0x7f) === 0) refuse('overlong');
    const isWide = has('varint-float') || has('varint-without-end') || has('varint-fifth-byte-64-bits');
    if (isWide) return isInverted ? -1 - value : value;
    if (!isInverted || has('varint-no-sign') || (count === 1 && has('varint-one-byte-positive'))) return value | 0;
    return has('varint-minus') ? -value | 0 : ~value;
  }

  text() {
    const { has } = this;
    const nul = this.bytes.indexOf(0, this.at);
    if (nul < 0 && !has('string-no-nul-ok') && !has('string-last-letter-lost')) refuse('no NUL');
    const end = nul >= 0 ? nul : this.bytes.length - (has('string-last-letter-lost') ? 1 : 0);
    let bytes = this.bytes.slice(this.at, end);
    this.at = end + 1;
    if (has('string-sanitised')) bytes = bytes.map((byte) => Math.max(byte, 32));
    if (has('string-spaces-skipped'))
      bytes = bytes.slice(
        Math.max(
          bytes.findIndex((byte) => byte > 32),
          0,
        ),
      );
    if (has('string-without-bom')) return new TextDecoder().decode(bytes);
    if (has('string-latin1')) return Buffer.from(bytes).toString('latin1');
    return has('string-any-bytes') ? Buffer.from(bytes).toString() : strictText(bytes);
  }
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

const strictText = (bytes) => (isUtf8(bytes) ? utf8.decode(bytes) : refuse('not UTF-8'));

const symbols = new Map(codes.map((code, symbol) => [code, symbol]));

function decompress(bytes, has, room = 1 << 16) {
  const out = [];
  const end = 8 * bytes.length;
  // Zeros after the end are no bits: a code is cut, also where only zeros are missing.
  const bitAt = (at) => (bytes[at >> 3] >> (has('huffman-highest-bit-first') ? 7 - (at & 7) : at & 7)) & 1;
  for (let at = 0; ; ) {
    let code = '';
    let symbol;
    while (symbol === undefined) {
      if (at >= end) {
        if (has('huffman-eof-optional')) return out;
        if (has('huffman-past-end-ok') && symbols.get(code.padEnd(codes[eof].length, '0')) === eof) return out;
        refuse('no end');
      }
      code += bitAt(at++);
      symbol = symbols.get(code);
    }
    if (symbol === eof) {
      const lastByte = (at + 7) >> 3;
      if (has('huffman-eof-as-byte') && lastByte < bytes.length) {
        out.push(0);
        continue;
      }
      for (let bit = at; bit < 8 * lastByte; bit++) if (has('huffman-zero-padding-asked') && bitAt(bit)) refuse('bits');
      if (has('huffman-rest-refused') && lastByte < bytes.length) refuse('bytes after the end');
      return out;
    }
    if (out.length >= room && !has('huffman-no-limit')) refuse('no room');
    out.push(symbol);
  }
}

/** The groups of seven bits in the order of a text, where the first has six. */
function packedFromEnd(value) {
  const bits = (value < 0 ? ~value : value).toString(2);
  const groups = [bits.slice(0, 6).padStart(6, '0'), ...(bits.slice(6).match(/.{1,7}/g) ?? [])].reverse();
  return groups.map((group, i) => {
    const head = (i < groups.length - 1 ? 0x80 : 0) | (i === 0 && value < 0 ? 0x40 : 0);
    return head | (Number.parseInt(group, 2) & (i === 0 ? 0x3f : 0x7f));
  });
}

function pack(value, has) {
  if (has('pack-groups-from-end')) return packedFromEnd(value);
  if (has('pack-minus') && value < 0) return packInt(-value).map((byte, i) => (i === 0 ? byte | 0x40 : byte));
  if (!has('pack-zigzag')) return packInt(value);
  const bytes = [];
  for (let rest = ((value << 1) ^ (value >> 31)) >>> 0; ; rest >>>= 7) {
    if (rest < 0x80) return [...bytes, rest];
    bytes.push((rest & 0x7f) | 0x80);
  }
}

const bigEndian = (bytes, at) => toHex(bytes.slice(at, at + 4));
const signed = (bytes, at) =>
  Buffer.from(bytes.slice(at, at + 4))
    .readInt32BE()
    .toString(16)
    .padStart(8, '0');
const littleEndian = (bytes, at) => toHex(bytes.slice(at, at + 4).reverse());

const tokenFlag = 2;

/** A header has a version's flags in the upper six bits of its first byte, then the ack, the number of chunks, a token. */
function packet(bytes, stated, has) {
  if (bytes.length < 3) refuse('shorter than its header');
  if (bytes.length > 1400 && !has('packet-no-limit')) refuse('longer than a datagram');
  const protocol = has('packet-always-0.6') ? '0.6' : has('packet-always-0.7') ? '0.7' : stated;
  const is07 = protocol === '0.7';
  const bit = { ...flags[has('packet-flags-of-0.7') ? '0.7' : protocol] };
  if (has('packet-resend-compression-swapped')) [bit.resend, bit.compressed] = [bit.compressed, bit.resend];
  const readToken = has('packet-token-little-endian') ? littleEndian : has('packet-token-signed') ? signed : bigEndian;
  const tokenAt = (at) => readToken(bytes, at);
  const set = bytes[0] >> 2;
  if (set & bit.connless && !has('packet-connless-by-bit')) return connless(bytes, is07, tokenAt, has);
  // Servers of Teeworlds 0.6.5 have a token after such a header; DDNet refuses it.
  if (!is07 && set & tokenFlag && !has('packet-token-flag-ignored')) refuse('token flag');

  const headSize = is07 && !has('packet-head-always-3') ? 7 : 3;
  if (bytes.length < headSize && !has('packet-head-of-7-not-asked')) refuse('shorter than its header');
  const room = has('packet-payload-of-1400') ? 1400 : has('packet-payload-of-1390') ? 1390 : 1397;
  const ackBits = has('packet-ack-8-bits') ? 0 : has('packet-ack-12-bits') ? 15 : 3;
  const isCompressed = (set & bit.compressed) !== 0;
  const payload = bytes.slice(headSize);
  const decompressed = () => {
    const out = decompress(payload, has, room);
    return out.length === 0 && has('packet-compressed-empty-refused') ? refuse('empty') : out;
  };
  const isControl = (set & bit.control) !== 0;
  // DDNet since 19.4.
  if (!isControl && bytes[2] === 0 && !(set & bit.resend) && !has('packet-no-chunks-ok')) refuse('no chunks');
  if (isControl && bytes[2] > 0 && !has('packet-chunks-in-control-ok')) refuse('chunks');
  if (isControl && payload.length === 0 && !has('packet-no-control-ok')) refuse('no code');
  if (isControl && isCompressed && !has('packet-compressed-control-ok')) refuse('compressed');
  return {
    kind: isControl ? 'control' : 'normal',
    resend: (set & bit.resend) !== 0,
    compressed: isCompressed,
    ack: ((bytes[0] & ackBits) << 8) | bytes[1],
    chunks: bytes[2],
    ...(is07 ? { token: tokenAt(3) } : {}),
    payload: toHex(isCompressed && !has('packet-compression-ignored') ? decompressed() : payload),
  };
}

function connless(bytes, is07, tokenAt, has) {
  const headSize = has('packet-connless-3') ? 3 : is07 && !has('packet-connless-always-6') ? 9 : 6;
  if (bytes.length < headSize) refuse('shorter than its header');
  if (!is07 && has('packet-connless-asks-for-ff') && bytes.slice(0, 6).some((byte) => byte !== 0xff)) refuse('mark');
  if (is07 && (bytes[0] & 3) !== 1 && !has('packet-connless-any-version')) refuse('version');
  const tokens = is07 ? { token: tokenAt(1), response: tokenAt(5) } : {};
  return { kind: 'connless', ...tokens, payload: toHex(bytes.slice(headSize)) };
}

function chunkHead(reader, stated) {
  const { has } = reader;
  const first = reader.byte();
  const second = reader.byte();
  const isSwapped = has('chunk-flags-swapped');
  const vital = (first & (isSwapped ? 0x80 : 0x40)) !== 0;
  const resend = (first & (isSwapped ? 0x40 : 0x80)) !== 0 && (vital || !has('chunk-resend-if-vital'));
  const protocol = has('chunk-split-of-0.6') ? '0.6' : has('chunk-split-of-0.7') ? '0.7' : stated;
  const lowBits = protocol === '0.7' ? 6 : 4;
  const low = (1 << lowBits) - 1;
  const size = ((first & (has('chunk-size-4-bits') ? 0x0f : 0x3f)) << lowBits) | (second & low);
  const hasSequence = has('chunk-sequence-if-not-vital') ? !vital : vital || has('chunk-always-3');
  if (!hasSequence) return { vital, resend, size, header: 2 };
  const third = reader.byte();
  const high = second & ~low & (has('chunk-sequence-low-bits-once') ? 0xc0 : 0xff);
  // In 0.6 the second byte has bits 9 to 6 of the number, the third bits 7 to 0: two of them occur twice.
  const whole = has('chunk-sequence-low-bits-twice') ? (high << 4) | third : ((high << 2) | third) & 0x3ff;
  return { vital, resend, size, header: 3, sequence: has('chunk-sequence-8-bits') ? third : whole };
}

/** The chunks of a packet: reading ends at the first that does not fit, and those before it count. */
function chunks(bytes, protocol, count, mistake) {
  const reader = new Reader(bytes, mistake);
  const { has } = reader;
  const read = [];
  for (let i = 0; i < count || (has('chunks-count-ignored') && !reader.isAtEnd); i++) {
    if (bytes.length - reader.at < 2 && has('chunks-missing-refused')) refuse('missing');
    try {
      const { vital, resend, size, sequence } = chunkHead(reader, protocol);
      if (size === 0 && has('chunks-end-at-empty')) break;
      const isCut = reader.at + size > bytes.length;
      if (isCut && has('chunks-cut-refused')) refuse('cut');
      const data = reader.take(isCut && has('chunks-cut-kept') ? bytes.length - reader.at : size);
      read.push([vital, resend, sequence ?? null, toHex(data)]);
    } catch (error) {
      if (!(error instanceof Refused) || has('chunks-cut-refused')) throw error;
      break;
    }
  }
  return { chunks: read };
}

const modulus = 1024;
/** What DDNet waits for an answer. */
const patience = 100;

/** One end that is online: which messages of the packets to it are taken, each once and in their order. */
function connection({ protocol, token, last, sent, packets, seconds, mistake, has }) {
  let [ack, acknowledged, resend, heard, isClosed] = [last, 0, false, 0, false];
  const taken = [];
  const waiting = new Map();
  const wait = (now) => {
    const isWeak = now > patience && acknowledged < sent && !has('connection-never-weak');
    if (isWeak || (now - heard > patience && !has('connection-no-timeout'))) isClosed = true;
  };
  const take = (i, { vital, sequence }, hex) => {
    if (!vital && !has('connection-others-in-order')) return taken.push([i, hex]);
    const ahead = has('connection-no-wrap') ? sequence - ack : (sequence - ack + modulus) % modulus;
    if (ahead === 1 || (has('connection-early-taken') && ahead > 1 && ahead < modulus / 2)) {
      taken.push([i, hex]);
      ack = sequence;
      if (waiting.has(ack + 1)) take(...waiting.get(ack + 1));
    } else if (ahead > 1 && ahead < modulus / 2) {
      resend = !has('connection-never-asks');
      if (has('connection-early-waits')) waiting.set(sequence, [i, { vital, sequence }, hex]);
      return !has('connection-early-ends-packet');
    } else if (has('connection-again-taken')) taken.push([i, hex]);
    else if (has('connection-again-asks')) resend = true;
    else if (has('connection-last-copy-counts') && taken.length > 0) taken[taken.length - 1][1] = hex;
    return true;
  };
  for (const [i, [now, hex]] of packets.entries()) {
    wait(now);
    if (isClosed && !has('connection-goes-on')) break;
    const read = packet(fromHex(hex), protocol, has);
    let payload = read.payload;
    if (protocol === '0.6' && token) payload = payload.slice(0, -8);
    const own = protocol === '0.7' ? read.token : read.payload.slice(-8);
    const isForged = token && own !== token;
    const isClose = read.kind === 'control' && payload.startsWith('04');
    if (isForged && has('connection-forged-is-heard')) heard = now;
    if (isForged && !has('connection-any-token') && !(isClose && has('connection-any-close'))) continue;
    const steps = (read.ack - acknowledged + modulus) % modulus;
    const isBackwards = steps > modulus / 2 && has('connection-ack-backwards');
    const isAnyAck = has('connection-any-ack') || (isClose && has('connection-close-any-ack'));
    if (steps > sent - acknowledged && !isAnyAck && !isBackwards) continue;
    acknowledged = read.ack;
    heard = now;
    if (isClose) isClosed = true;
    if (read.resend && has('connection-resend-asks')) resend = true;
    if (read.kind === 'control') continue;
    const reader = new Reader(fromHex(payload), mistake);
    try {
      for (let k = 0; k < read.chunks; k++) {
        const head = chunkHead(reader, protocol);
        if (!take(i, head, toHex(reader.take(head.size)))) break;
      }
    } catch (error) {
      // What is whole before the end of the packet is taken.
      if (!(error instanceof Refused) || has('connection-cut-refused')) throw error;
    }
  }
  wait(seconds);
  return isClosed ? { state: 'closed', taken } : { state: 'online', taken, ack, resend };
}

const controlNames = {
  0.6: ['keepalive', 'connect', 'connectaccept', 'accept', 'close'],
  0.7: ['keepalive', 'connect', 'accept', undefined, 'close', 'token'],
};

/** The payload of a control packet: a code, and the reason of an end or, in 0.7, a token. */
function control(bytes, protocol, has) {
  if (bytes.length === 0) refuse('no code');
  const isOther = has('control-accept-is-3') && protocol === '0.7' && (bytes[0] === 2 || bytes[0] === 3);
  const name = isOther ? controlNames[protocol][5 - bytes[0]] : controlNames[protocol][bytes[0]];
  if (name === undefined) return { name: null };
  if (has('control-excess-refused') && name === 'keepalive' && bytes.length > 1) refuse('excess');
  if (name === 'token') return bytes.length < 5 ? refuse('no token') : { name, token: bigEndian(bytes, 1) };
  const isShort = bytes.length <= 5 && has('control-short-reason-is-token');
  if (name !== 'close' || bytes.length === 1 || isShort) return { name };
  const nul = bytes.indexOf(0, 1);
  if (nul < 0 && has('control-reason-needs-nul')) refuse('no NUL');
  const whole = bytes.slice(has('control-reason-with-code') ? 0 : 1, nul < 0 ? bytes.length : nul);
  const most = has('control-reason-of-127') ? 127 : has('control-reason-not-cut') ? whole.length : 255;
  const cut = whole.slice(0, most);
  const reason = has('control-reason-raw') ? cut : cut.map((byte) => Math.max(byte, 32));
  if (has('control-reason-any-bytes')) return { name, reason: Buffer.from(reason).toString() };
  return { name, reason: isUtf8(reason) ? utf8.decode(reason) : '(Invalid error message)' };
}

function head(bytes, mistake) {
  const reader = new Reader(bytes, mistake);
  const { has } = reader;
  const first = has('head-one-byte') ? reader.byte() : reader.int();
  const system = ((first & 1) === 1) !== has('head-system-inverted');
  const shifted = has('head-unsigned') ? first >>> 1 : first >> 1;
  const id = has('head-no-shift') ? first : has('head-id-7-bits') ? shifted & 0x7f : shifted;
  const isKnown = (id >= 0 && id < 0x10000) || has('head-any-id') || has('head-unsigned');
  if (!isKnown) refuse('number');
  const isUuid = id === 0 && !has('head-no-uuid');
  const which = isUuid ? { uuid: uuidText(reader.take(16)) } : { id };
  return { system, ...which, rest: toHex(bytes.slice(reader.at)) };
}

function values(bytes, kinds, mistake) {
  const reader = new Reader(bytes, mistake);
  const { has } = reader;
  const read = {
    i: () => reader.int(),
    s: () => reader.text(),
    b: () => {
      const value = reader.int();
      return value === 0 || value === 1 || has('values-boolean-any-int') ? value : refuse('no boolean');
    },
    d: () => {
      const size = reader.int();
      const left = bytes.length - reader.at;
      if (has('values-data-not-at-end') && size === left) refuse('end');
      return toHex(reader.take(has('values-data-clamped') ? Math.max(0, Math.min(size, left)) : size));
    },
  };
  return { values: kinds.map((kind) => read[kind]()) };
}

/** The agreed sizes as this decoder believes them. */
function sizesFor(protocol, has) {
  if (has('delta-always-sized')) return [];
  const own = sizes[has('delta-sizes-of-0.6') ? '0.6' : protocol];
  return has('delta-damage-5') && protocol === '0.7' ? (own.with?.(22, 5) ?? [...own.slice(0, 22), 5]) : own;
}

function delta(bytes, protocol, mistake) {
  const reader = new Reader(bytes, mistake);
  const { has } = reader;
  const agreed = sizesFor(protocol, has);
  const removedCount = reader.int();
  const updateCount = reader.int();
  if (!has('delta-no-third-int')) reader.int();
  if (removedCount < 0 && !has('delta-negative-removed-ok')) refuse('negative number of removed items');
  if (updateCount < 0 && has('delta-negative-updates-refused')) refuse('negative number of updates');
  const removed = [];
  for (let i = 0; i < removedCount; i++) removed.push(reader.int());
  const updates = [];
  for (let i = 0; i < updateCount; i++) {
    const first = reader.int();
    const second = reader.int();
    const [type, id] = has('delta-id-first') ? [second, first] : [first, second];
    const isAboveOk = has('delta-type-above-ok') && type > 0;
    if ((type < 0 || type > 0x7fff) && !has('delta-any-type') && !isAboveOk) refuse('type');
    if ((id < 0 || id > 0xffff) && !has('delta-any-id')) refuse('id');
    const size = sizeOfUpdate(reader, type, agreed);
    const data = [];
    for (let k = 0; k < size; k++) {
      if (reader.isAtEnd && has('delta-cut-update-kept')) break;
      data.push(reader.isAtEnd && has('delta-truncated-zero') ? 0 : reader.int());
    }
    updates.push([type, id, data]);
  }
  if (has('delta-excess-refused') && !reader.isAtEnd) refuse('excess');
  return { removed, updates };
}

function sizeOfUpdate(reader, type, agreed) {
  const { has } = reader;
  if (agreed[type] > 0) return agreed[type];
  if (has('delta-no-size-beyond-table') && type >= agreed.length && type < 64) return 0;
  const stated = reader.int();
  const size = has('delta-size-wraps') ? (stated << 2) >> 2 : stated;
  if (size < 0) return has('delta-negative-size-ok') ? 0 : refuse('size');
  return has('delta-size-in-bytes') ? size >> 2 : size;
}

/** Items that are kept come first, in the order of the base; what is new, or was removed, comes after them. */
function apply(base, { removed, updates }, has) {
  const keyOf = (type, id) => (has('apply-key-swapped') ? (id << 16) | type : (type << 16) | id);
  const gone = new Set(removed);
  // Of a key that is there twice, the first is found.
  const found = has('apply-last-of-key') ? (all) => all : (all) => all.reverse();
  const old = new Map(found(base.map(([type, id, data]) => [keyOf(type, id), data])));
  if (has('apply-unknown-removed-refused') && removed.some((key) => !old.has(key))) refuse('unknown');
  const updated = new Set(updates.map(([type, id]) => keyOf(type, id)));
  const isKept = ([type, id]) => {
    const key = keyOf(type, id);
    return !gone.has(key) && (updated.has(key) || !has('apply-untouched-dropped'));
  };
  const items = base.filter(isKept).map(([type, id, data]) => [type, id, [...data]]);
  const kept = items.length;
  const places = new Map(found(items.map(([type, id], place) => [keyOf(type, id), place])));
  for (const [type, id, data] of updates) {
    const key = keyOf(type, id);
    if (gone.has(key) && has('apply-removed-wins')) continue;
    const from = gone.has(key) && has('apply-removed-is-new') ? undefined : old.get(key);
    let place = places.get(key);
    const others = [place === undefined ? undefined : items[place][2], from];
    if (others.some((other) => other && other.length !== data.length) && !has('apply-size-change-ok')) refuse('size');
    const isListedAgain = (type === 0 && has('apply-registration-twice')) || has('apply-twice-listed');
    if (place === undefined || (isListedAgain && (type === 0 || items.indexOf(items[place]) >= kept))) {
      place = items.length;
      places.set(key, place);
      items.push([type, id, []]);
    }
    const before = has('apply-twice-sums') && items[place][2].length > 0 ? items[place][2] : from;
    items[place][2] = data.map((int, i) => {
      if (before === undefined || has('apply-replaces')) return int;
      const sum = int + (before[i] ?? 0);
      if (has('apply-saturates')) return Math.min(Math.max(sum, -(2 ** 31)), 2 ** 31 - 1);
      return has('apply-no-wrap') ? sum : sum | 0;
    });
  }
  if (items.length > 1024 && !has('apply-no-item-limit')) refuse('too many items');
  const bytes = 8 + items.reduce((sum, [, , data]) => sum + 8 + 4 * data.length, 0);
  if (bytes > 1 << 16 && !has('apply-no-byte-limit')) refuse('too large');
  return has('apply-sorted') ? items.sort((a, b) => keyOf(a[0], a[1]) - keyOf(b[0], b[1])) : items;
}

function checksum(items, has) {
  let sum = 0;
  const add = (int) => {
    sum += int;
    if (!has('checksum-no-wrap')) sum = has('checksum-unsigned') ? sum >>> 0 : sum | 0;
  };
  for (const [type, id, data] of items) {
    if (has('checksum-with-keys')) add((type << 16) | id);
    for (const int of data) add(int);
  }
  return sum;
}

/** `data_size num_items offset… { key data… }…`, offsets in bytes from the first key on. */
function snapshot({ bytes, protocol, mistake, unpacked }) {
  const reader = new Reader(bytes, mistake);
  const { has } = reader;
  const ints = [];
  while (!reader.isAtEnd) ints.push(unpacked ? Buffer.from(reader.take(4)).readInt32LE() : reader.int());
  const [dataSize, stated] = ints;
  if (stated === undefined) refuse('shorter than its header');
  if (stated < 0 && !has('snapshot-negative-items-ok')) refuse('negative number of items');
  const count = Math.max(stated, 0);
  const isAligned = has('snapshot-any-alignment') ? () => true : (size) => size % 4 === 0;
  if (dataSize < 0 || !isAligned(dataSize)) refuse('size of the data');
  if (!has('snapshot-no-limit') && (count > 1024 || 8 + 4 * count + dataSize > 1 << 16)) refuse('too large');
  const first = 2 + count;
  const expected = first + (dataSize >> 2);
  if (ints.length < expected && !has('snapshot-truncated-ok')) refuse('truncated');
  if (ints.length > expected && !has('snapshot-excess-ok')) refuse('excess');
  const unit = has('snapshot-offsets-in-ints') ? 1 : 4;
  const offsets = ints.slice(2, first);
  const starts = [...offsets.map((offset) => Math.floor(offset / unit)), dataSize >> 2];
  const items = [];
  for (let i = 0; i < count; i++) {
    if (offsets[i] < 0 || offsets[i] > dataSize || !isAligned(offsets[i])) refuse('offset');
    if (starts[i + 1] <= starts[i] && !has('snapshot-offset-order-ignored')) refuse('order of offsets');
    const at = (has('snapshot-offsets-from-start') ? 0 : first) + starts[i];
    const key = ints[at];
    const type = key >>> 16;
    const size = has('snapshot-size-by-table') ? sizes[protocol][type] : undefined;
    const end = size === undefined ? (has('snapshot-offsets-from-start') ? 0 : first) + starts[i + 1] : at + 1 + size;
    if (has('snapshot-duplicate-refused') && items.some((item) => item[0] === type && item[1] === (key & 0xffff)))
      refuse('duplicate');
    items.push([type, key & 0xffff, ints.slice(at + 1, end)]);
  }
  return { items, crc: checksum(items, has) };
}

const uuidText = (bytes) => toHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

const namespace = fromHex('e05ddaaac4e64cfbb6425d48e80c0029');

/** A UUID of version 3: MD5 of the namespace and the name. */
function uuidOf(name, has) {
  const hash = createHash(has('uuid-sha1') ? 'sha1' : 'md5');
  if (!has('uuid-no-namespace')) hash.update(namespace);
  const bytes = hash
    .update(name, has('uuid-latin1') ? 'latin1' : 'utf8')
    .digest()
    .subarray(0, 16);
  if (!has('uuid-no-version')) {
    bytes[6] = (bytes[6] & 0x0f) | 0x30;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
  }
  return uuidText(bytes);
}

/** What an item is: its number below 0x4000, else the UUID that an item of type 0 with its number as id registers. */
function names(items, has) {
  const registered = new Map();
  const register = ([type, id, data]) => {
    if (type !== 0 || id < 0x4000) return;
    if (registered.has(id) && !has('names-last')) return;
    if (data.length < 4 && !has('names-short')) {
      registered.set(id, null);
      return;
    }
    const bytes = Buffer.alloc(16);
    const write = has('names-uuid-little-endian') ? 'writeInt32LE' : 'writeInt32BE';
    for (const [i, int] of data.slice(0, 4).entries()) bytes[write](int, 4 * i);
    registered.set(id, uuidText(bytes));
  };
  const nameOf = ([type]) => {
    if (type < 0x4000 || has('names-fixed-numbers')) return String(type);
    const found = has('names-by-order') ? [...registered.values()][0x7fff - type] : registered.get(type);
    return found ?? null;
  };
  if (!has('names-late-ignored')) {
    for (const item of items) register(item);
    return items.map(nameOf);
  }
  return items.map((item) => {
    register(item);
    return nameOf(item);
  });
}

function intText(ints, has) {
  if (has('inttext-last-byte-refused') && ints.at(-1) & 0xff) refuse('last byte');
  const bytes = ints.flatMap((int) => [24, 16, 8, 0].map((shift) => (int >> shift) & 0xff));
  const decoded = has('inttext-no-128') ? bytes : bytes.map((byte) => byte ^ 0x80);
  if (!has('inttext-last-byte-kept')) decoded[decoded.length - 1] = 0;
  const nul = has('inttext-nul-inside') ? decoded.findLastIndex((byte) => byte !== 0) + 1 : decoded.indexOf(0);
  const text = Uint8Array.from(nul < 0 ? decoded : decoded.slice(0, nul));
  return has('inttext-latin1') ? Buffer.from(text).toString('latin1') : strictText(text);
}

const chunkKinds = ['none', 'snapshot', 'message', 'delta'];

/**
 * ```
 * 1KID DDDD  [tick[4]]         K keyframe · I, from version 5 on: D ticks later, no tick follows
 * 1KDD DDDD  [tick[4]]         before: D ticks later; a tick follows where D is 0
 * 0TTS SSSS  [size[1 or 2]]    T kind · S size; 30: a byte follows, 31: two, the low one first
 * ```
 */
function demoChunk(bytes, stated, mistake) {
  const reader = new Reader(bytes, mistake);
  const { has } = reader;
  const first = reader.byte();
  const isOld = stated < 5 || has('demochunk-ticks-of-3');
  if (first & 0x80) {
    const keyframe = (first & 0x40) !== 0;
    const later = first & (isOld ? 0x3f : 0x1f);
    const isStep = isOld ? later !== 0 : first & 0x20 && (later !== 0 || !has('demochunk-step-0-has-tick'));
    if (isStep) return { tick: 'delta', keyframe, delta: later, header: reader.at };
    const tick = Buffer.from(reader.take(4));
    const at = has('demochunk-tick-little-endian') ? tick.readInt32LE() : tick.readInt32BE();
    return { tick: 'full', keyframe, at, header: reader.at };
  }
  let size = first & 0x1f;
  const coded = size;
  if (size === 30) size = reader.byte();
  else if (size === 31 && !has('demochunk-no-31')) {
    const [low, high] = has('demochunk-size-big-endian') ? reader.take(2).reverse() : reader.take(2);
    size = low | (high << 8);
  }
  const least = coded === 31 ? 256 : coded === 30 ? 30 : 0;
  if (size < least && has('demochunk-longer-refused')) refuse('longer than needed');
  return { chunk: chunkKinds[(first >> 5) & 3], size, header: reader.at };
}

/** A chunk of a demo, as a recorder writes it, and no larger than 16 bits say. */
function demoWrite({ chunk, int, times, has }) {
  const bytes = new Array(times).fill(packInt(int)).flat();
  const most = has('demowrite-ints-below-64-kib') ? (1 << 14) - 1 : 1 << 14;
  if (bytes.length > 1 << 16 || (times > most && !has('demowrite-any-ints')))
    refuse('larger than a reader has room for');
  const last = has('demowrite-last-byte-twice') && bitsOf(bytes).length % 8 === (-codes[eof].length & 7) ? 1 : 0;
  const size = compress(bytes).length + last;
  const type = chunkKinds.indexOf(chunk) << 5;
  const [low, high] = [size & 0xff, (size >> 8) & 0xff];
  if (size < (has('demowrite-two-bytes-from-31') ? 31 : 30)) return { head: toHex([type | size]), size };
  if (size < (has('demowrite-three-bytes-from-255') ? 255 : 256)) return { head: toHex([type | 30, low]), size };
  return { head: toHex([type | 31, ...(has('demowrite-size-big-endian') ? [high, low] : [low, high])]), size };
}

const layers = {
  connection,
  demowrite: demoWrite,
  varint: ({ bytes, reader }) => ({ value: reader.int(bytes), size: reader.at }),
  ints: ({ reader }) => {
    const ints = [];
    while (!reader.isAtEnd) ints.push(reader.int());
    return { ints };
  },
  pack: ({ value, has }) => ({ hex: toHex(pack(value, has)) }),
  huffman: ({ bytes, has, room }) => ({ hex: toHex(decompress(bytes, has, room)) }),
  string: ({ reader }) => ({ text: reader.text(), size: reader.at }),
  packet: ({ bytes, protocol, has }) => packet(bytes, protocol, has),
  chunk: ({ reader, protocol }) => chunkHead(reader, protocol),
  chunks: ({ bytes, protocol, count, mistake }) => chunks(bytes, protocol, count, mistake),
  control: ({ bytes, protocol, has }) => control(bytes, protocol, has),
  head: ({ bytes, mistake }) => head(bytes, mistake),
  values: ({ bytes, kinds, mistake }) => values(bytes, kinds, mistake),
  delta: ({ bytes, protocol, mistake }) => delta(bytes, protocol, mistake),
  apply: ({ bytes, base, protocol, mistake, has }) => {
    const items = apply(base, delta(bytes, protocol, mistake), has);
    return { items, crc: checksum(items, has) };
  },
  snapshot,
  uuid: ({ name, has }) => ({ uuid: uuidOf(name, has) }),
  names: ({ items, has }) => ({ names: names(items, has) }),
  inttext: ({ ints, has }) => ({ text: intText(ints, has) }),
  demochunk: ({ bytes, version, mistake }) => demoChunk(bytes, version, mistake),
};

/**
 * The answer to a question, with one of the {@link mistakes} or none.
 * @param {Record<string, any>} question
 * @param {string} [mistake]
 */
export function answer(question, mistake) {
  const { id } = question;
  const layer = layers[question.layer];
  if (!layer) return { id, skip: true };
  const bytes = fromHex(question.in ?? '');
  const has = (name) => name === mistake;
  try {
    return { id, out: layer({ ...question, bytes, mistake, has, reader: new Reader(bytes, mistake) }) };
  } catch (error) {
    if (error instanceof Refused) return { id, error: error.message };
    return { id, died: error.message };
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , name] = process.argv;
  if (name && !Object.values(mistakes).some((names) => names.some((known) => known.split(':')[0] === name))) {
    process.stderr.write(`reference.mjs: no mistake ${name}; its head lists them\n`);
    process.exit(2);
  }
  for await (const line of createInterface({ input: process.stdin })) {
    console.log(JSON.stringify(answer(JSON.parse(line), process.argv[2])));
  }
}
