// Writes demos of any size: a repeated recording, or a given number of items.
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { encode, Snapshot } from 'tw-snap';
import { createDelta, protocolOf } from 'tw-snap/codec';
import { DemoReader, DemoWriter } from 'tw-snap/unstable';

/**
 * A demo with this many snapshots of this many projectiles, half of which move from each to the next; without map and
 * markers.
 */
export function demoOfItems(items, snapshots) {
  const { sizeOf } = protocolOf('0.7');
  const [type, size] = [2, 6];
  const writer = new DemoWriter(4);
  writer.header({
    netVersion: '0.7 802f1be60a05665f',
    mapName: 'dm1',
    mapSize: 0,
    mapCrc: 0,
    type: 'client',
    length: 0,
    timestamp: '2026-11-20_11-08-13',
    markers: [],
  });
  let last;
  for (let k = 0; k < snapshots; k++) {
    const now = Snapshot.withRoom(items, items * size);
    for (let i = 0; i < items; i++) {
      const moved = i % 2 === 0 ? k : 0;
      now.append((type << 16) | i, size);
      now.data.set([1000 + i + 3 * moved, 2000 - i - 5 * moved, 100 + i, 40, i % 6, 9000], i * size);
    }
    writer.tick(9000 + 2 * k, k === 0);
    writer.chunk(last ? 'delta' : 'snapshot', encode(last ? createDelta(last, now, sizeOf) : now, 'huffman'));
    last = now;
  }
  return writer.flush();
}

/** Where a demo's header has its length in seconds, and the ticks of a second. */
const [lengthAt, ticksPerSecond] = [152, 50];

/**
 * Writes a demo of at least this many bytes: the chunks of a recording, repeated with increasing ticks, and the length of
 * all in the header.
 */
export function writeRepeated(from, to, bytes) {
  const file = new Uint8Array(readFileSync(from));
  const { start, marks, span } = marksOf(file);
  const chunks = file.slice(start);
  const view = new DataView(chunks.buffer);
  const out = openSync(to, 'w');
  let written = writeSync(out, file.subarray(0, start));
  let time = 0;
  for (; written < bytes; time++) {
    for (const { at, tick } of marks) view.setInt32(at - start, tick + time * span);
    for (let at = 0; at < chunks.length; ) at += writeSync(out, chunks, at);
    written += chunks.length;
  }
  // Between two repetitions are two ticks more than in one.
  const length = Buffer.alloc(4);
  length.writeInt32BE(Math.floor((time * span - 2) / ticksPerSecond));
  writeSync(out, length, 0, length.length, lengthAt);
  closeSync(out);
  return written;
}

/** The start of its chunks, the absolute ticks, and its length in ticks. */
function marksOf(file) {
  const reader = new DemoReader();
  const marks = [];
  let [start, first, last] = [-1, -1, -1];
  for (const { kind, tick, offset } of reader.feed(file)) {
    if (kind === 'header' || kind === 'map') continue;
    if (start < 0) [start, first] = [offset, tick];
    last = tick;
    const step = file[offset] & (reader.header.version >= 5 ? 0x20 : 0x3f);
    if (kind === 'tick' && step === 0) marks.push({ at: offset + 1, tick });
  }
  return { start, marks, span: last - first + 2 };
}
