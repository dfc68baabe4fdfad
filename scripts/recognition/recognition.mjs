// How many packets of captures are recognised as packets of their version, and how many snapshots and deltas of demos, in all
// encodings, as what they are: whole, with one bit flipped, and cut.
// `npm run build` first. Usage: node scripts/recognition/recognition.mjs FOLDER [--every N] [--cut N] [--seed S]; prints JSON.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ByteBuffer, decompress, IntBuffer, protocolOf, unpackInts, writeInts } from 'tw-snap/codec';
import { CaptureReplay, DemoReplay, readPacket, recogniseInput } from 'tw-snap/unstable';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Only every Nth packet is used. */
    every: { type: 'string', default: '1' },
    /** The index of the first one, from 0. */
    from: { type: 'string', default: '0' },
    /** Packets of which every truncation is taken. */
    cut: { type: 'string', default: '200' },
    /** Snapshots and deltas that are taken of each demo, at most. */
    payloads: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    /** Inputs that were not recognised are printed to standard error, this many at most. */
    show: { type: 'string', default: '0' },
  },
});
const [folder] = positionals;
const random = mulberry32(Number(values.seed));

/** All packets of a capture with the version of their connection. */
function packetsOf(file) {
  const replay = new CaptureReplay({ parts: true, messages: false, ticks: false });
  const found = [];
  const addAll = (records) => {
    for (const { record, stream, bytes } of records)
      if (record === 'packet') found.push({ stream, bytes: bytes.slice() });
  };
  addAll(replay.feed(new Uint8Array(readFileSync(file))));
  addAll(replay.finish());
  const version = ({ stream, bytes }) => (stream ? stream.version : bytes[0] === 0x21 ? '0.7' : '0.6');
  return found.map((one) => ({ bytes: one.bytes, version: version(one) })).filter(({ version }) => version);
}

const captures = readdirSync(folder, { recursive: true }).filter((name) => /\.pcap(?:ng)?$/.test(name));
const packets = captures.flatMap((name) => packetsOf(join(folder, name)));
const taken = packets.filter((_, i) => i % Number(values.every) === Number(values.from));

/** Some snapshots and deltas of a demo in all encodings. */
function payloadsOf(file) {
  const replay = new DemoReplay({ messages: false, ticks: false });
  const found = [];
  const addAll = (records) => {
    for (const one of records)
      if (one.record === 'snapshot') found.push({ kind: one.kind, huffman: one.payload.slice() });
  };
  addAll(replay.feed(new Uint8Array(readFileSync(file))));
  addAll(replay.finish());
  const every = Math.ceil(found.length / Number(values.payloads));
  return found.filter(({ kind }, i) => kind !== 'empty' && i % every === 0).map(inEncodings);
}

function inEncodings({ kind, huffman }) {
  const [packed, ints, wide] = [new ByteBuffer(), new IntBuffer(), new ByteBuffer()];
  decompress(huffman, 0, huffman.length, packed, () => {}, 1 << 18);
  unpackInts(packed.bytes, 0, packed.length, ints, () => {});
  writeInts(ints.ints, 0, ints.length, wide);
  return { kind, huffman, packed: packed.bytes.slice(0, packed.length), ints: wide.bytes.slice(0, wide.length) };
}

const demos = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.demo'));
const payloads = demos.flatMap((name) => payloadsOf(join(folder, name)));

const headerSize = ({ bytes, version }) => {
  try {
    return readPacket(bytes, version, () => {}).headSize;
  } catch {
    return version === '0.7' ? 7 : 3;
  }
};

/** What became of inputs, by kind: right, or what else. */
const results = {};
let shown = Number(values.show);
function count(kind, bytes, expected, note = '') {
  const found = recogniseInput(bytes, {}, (one) => protocolOf(one));
  const what = nameOf(found);
  results[kind] ??= { inputs: 0, right: 0 };
  const result = results[kind];
  result.inputs++;
  const isRight = what.startsWith(expected);
  if (isRight) result.right++;
  else result[what] = (result[what] ?? 0) + 1;
  if (!isRight && shown-- > 0) {
    const hex = Buffer.from(bytes).toString('hex');
    console.error(`${kind}, ${expected}: ${what} ${note} ${hex} (${bytes.length})`);
  }
}

/** `packet 0.7`, `huffman delta 0.6` */
function nameOf(found) {
  if (found.kind === 'packet') return `${found.contents.kind} ${found.contents.protocol.version}`;
  const { layers, kind, types } = found.payload;
  return `${layers.encoding} ${kind} ${types.protocol.version}`;
}

function flippedBit(bytes) {
  const bit = Math.floor(random() * 8 * bytes.length);
  const flipped = bytes.slice();
  flipped[bit >> 3] ^= 1 << (bit & 7);
  return { flipped, byte: bit >> 3, bit: bit & 7 };
}

const time = Date.now();
for (const packet of taken) {
  const { bytes, version } = packet;
  count('packet', bytes, `packet ${version}`);
  const { flipped, byte, bit } = flippedBit(bytes);
  const where = byte < headerSize(packet) ? 'in the header' : 'after the header';
  count(`packet, a bit flipped ${where}`, flipped, `packet ${version}`, `${byte}.${bit}`);
}
const step = Math.max(1, Math.floor(packets.length / Number(values.cut)));
for (let i = 0, done = 0; i < packets.length && done < Number(values.cut); i += step, done++) {
  const { bytes, version } = packets[i];
  const header = headerSize(packets[i]);
  for (let length = 1; length < bytes.length; length++) {
    const where = length <= header ? 'in the header' : 'after the header';
    count(`packet, cut ${where}`, bytes.subarray(0, length), `packet ${version}`, `of ${bytes.length}`);
  }
}
for (const payload of payloads) {
  const { kind } = payload;
  for (const encoding of ['huffman', 'packed', 'ints']) {
    const bytes = payload[encoding];
    const expected = `${encoding} ${kind}`;
    count(`${encoding} ${kind}`, bytes, expected);
    count(`${encoding} ${kind}, a bit flipped`, flippedBit(bytes).flipped, expected);
    count(`${encoding} ${kind}, cut`, bytes.subarray(0, 1 + Math.floor(random() * (bytes.length - 1))), expected);
  }
}
for (const result of Object.values(results)) result.share = Number((result.right / result.inputs).toFixed(4));
const seconds = (Date.now() - time) / 1000;
const inputs = { captures: captures.length, packets: packets.length, demos: demos.length, payloads: payloads.length };
console.log(JSON.stringify({ ...inputs, seed: values.seed, seconds, results }, null, 1));

/** A small generator of random numbers with a seed, from 0 to below 1. */
function mulberry32(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
