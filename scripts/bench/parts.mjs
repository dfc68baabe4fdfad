// Measures each part of reading separately, on all payloads of a demo or capture, alternating with peers that do the
// same part. `npm run build` first. Usage: node scripts/bench/parts.mjs FILE [ROUNDS]; prints JSON.
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { Bench } from 'tinybench';
import { Delta, Snapshot } from 'tw-snap';
import { applyInto, CaptureReader, DemoReader, isDemo } from 'tw-snap/unstable';
import { ByteBuffer, decodeWhole, decompress, IntBuffer, unpackHuffman, unpackInts } from './internals.mjs';
import { median } from './median.mjs';
import { inflateOf, teeworlds } from './peers.mjs';
import { ignore, recorded } from './recorded.mjs';

const [path, rounds = '5'] = process.argv.slice(2);
const file = new Uint8Array(readFileSync(path));
const { compressed, unpacked, steps, rebuilt } = recorded(file);
const peer = teeworlds();
const [bytes, ints, delta, full] = [new ByteBuffer(), new IntBuffer(), new Delta(), new Snapshot()];
const empty = new Snapshot();
const ring = Array.from({ length: 1 + Math.max(...steps.map(({ back }) => back)) }, () => new Snapshot());
const copied = new Int32Array(Math.max(...rebuilt.map(({ intCount }) => intCount)));
const sum = (list, bytesOf) => list.reduce((all, entry) => all + bytesOf(entry), 0);
const unpackedBytes = sum(unpacked, ({ length }) => length);
const packedBytes = sum(steps, ({ packed }) => packed.length);
const intBytes = sum(steps, ({ ints }) => 4 * ints.length);
const rebuiltBytes = sum(rebuilt, ({ intCount }) => 4 * intCount);

/** The name, the data to which the speed refers, and the work. */
const parts = [
  ['read the file', 'file', file.length, () => readFileSync(path)],
  ['chunks', 'file', file.length, chunks],
  ['Huffman', 'decompressed', unpackedBytes, huffman],
  ['Huffman: step by step', 'decompressed', unpackedBytes, huffmanInSteps],
  ...(peer ? [['Huffman: npm teeworlds', 'decompressed', unpackedBytes, huffmanOfPeer]] : []),
  ['(zlib inflate)', 'decompressed', unpackedBytes, inflateOf(unpacked)],
  ['varint', 'packed', packedBytes, varint],
  // Only some bytes of a packet are ints.
  ...(isDemo(file) ? [['Huffman and varint together', 'decompressed', unpackedBytes, huffmanAndVarint]] : []),
  ...(peer ? [['varint: npm teeworlds', 'packed', packedBytes, varintOfPeer]] : []),
  ['parse', 'ints', intBytes, parse],
  ['apply, checksum by differences', 'snapshots', rebuiltBytes, applyAll],
  ['checksum of all ints', 'snapshots', rebuiltBytes, checksum],
  ['(a copy)', 'snapshots', rebuiltBytes, copy],
];

applyAll();
if (ring[(steps.length - 1) % ring.length].checksum() !== rebuilt.at(-1).checksum()) {
  throw new Error('the parts do not make what the whole makes');
}
if (huffman() !== unpackedBytes || huffmanInSteps() !== unpackedBytes) throw new Error('bytes are missing');

// Each round runs all parts, so that they run under the same conditions.
const benchmark = new Bench({ time: 60, iterations: 3, warmupTime: 100, warmupIterations: 3 });
for (const [name, , , work] of parts) benchmark.add(name, work);
const times = parts.map(() => []);
for (let round = 0; round < Number(rounds); round++) {
  benchmark.runSync();
  for (const [i, { result }] of benchmark.tasks.entries()) {
    if (result.state !== 'completed') throw result.error ?? new Error(`${parts[i][0]}: ${result.state}`);
    times[i].push(result.latency.p50 / 1000);
  }
}
const figures = parts.map(([part, of, bytes], i) => {
  const seconds = median(times[i]);
  return { part, of, bytes, seconds, megabytesPerSecond: bytes / seconds / 1e6 };
});
console.log(JSON.stringify({ snapshots: steps.length, rounds: Number(rounds), parts: figures }));

function chunks() {
  const reader = isDemo(file) ? new DemoReader() : new CaptureReader();
  let count = 0;
  for (const _ of reader.feed(file)) count++;
  for (const _ of reader.finish()) count++;
  return count;
}

/** Like the replay, it decodes unusual payloads step by step. */
function huffman() {
  let length = 0;
  for (const payload of compressed) {
    const whole = decodeWhole(payload, 0, payload.length);
    if (!whole) decompress(payload, 0, payload.length, bytes, ignore, 1 << 20);
    length += (whole ?? bytes).length;
  }
  return length;
}

function huffmanAndVarint() {
  let length = 0;
  for (const payload of compressed) {
    unpackHuffman(payload, 0, payload.length, bytes, ints, ignore, 1 << 20);
    length += ints.length;
  }
  return length;
}

function huffmanInSteps() {
  let length = 0;
  for (const payload of compressed) {
    decompress(payload, 0, payload.length, bytes, ignore, 1 << 20);
    length += bytes.length;
  }
  return length;
}

function huffmanOfPeer() {
  let length = 0;
  for (const payload of compressed) length += peer.huffman.decompress(payload).length;
  return length;
}

function varint() {
  let length = 0;
  for (const { packed } of steps) {
    unpackInts(packed, 0, packed.length, ints, ignore);
    length += ints.length;
  }
  return length;
}

function varintOfPeer() {
  let count = 0;
  for (const { packed } of steps) {
    // For a Buffer, slice is a view; for other arrays the peer would copy the rest for each int.
    const unpacker = new peer.MsgUnpacker(Buffer.from(packed.buffer, packed.byteOffset, packed.length));
    for (; unpacker.remaining.length > 0; count++) unpacker.unpackInt();
  }
  return count;
}

function parse() {
  for (const { isFull, ints, sizeOf } of steps) (isFull ? full : delta).read(ints, ints.length, sizeOf, ignore);
}

/** Bases are kept in a ring of the required length, as in the replay. Full snapshots are only read. */
function applyAll() {
  const room = ring.length;
  for (const [i, { isFull, ints, sizeOf, delta, back }] of steps.entries()) {
    const into = ring[i % room];
    if (isFull) into.read(ints, ints.length, sizeOf, ignore);
    else applyInto(back === 0 ? empty : ring[(i - back) % room], delta, into, ignore);
  }
}

function checksum() {
  let all = 0;
  for (const snapshot of rebuilt) all = (all + snapshot.checksum()) | 0;
  return all;
}

/** The least that making snapshots can take: the ints of each, from where they are in memory. */
function copy() {
  for (const { data, intCount } of rebuilt) copied.set(data.subarray(0, intCount));
}
