// Demos of any size: a recording repeated, or made of so many items.
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { createDelta, DemoReader, encode, protocolOf, Snapshot } from '../../dist/index.js';

/** A demo's header of 0.7, version 4: no map, no markers. */
function header() {
  const bytes = new Uint8Array(436);
  const text = (at, words) => bytes.set(new TextEncoder().encode(words), at);
  text(0, 'TWDEMO\0\u0004');
  text(8, '0.7 802f1be60a05665f');
  text(72, 'dm1');
  text(144, 'client');
  text(156, '2026-11-20_11-08-13');
  return bytes;
}

/** `1K00 0000 tick i32be` */
function tickMarker(tick, keyframe) {
  const bytes = new Uint8Array(5);
  bytes[0] = keyframe ? 0xc0 : 0x80;
  new DataView(bytes.buffer).setInt32(1, tick);
  return bytes;
}

/** `0TTL LLLL [size8 | size16le]` and the data. */
function chunk(type, data) {
  const { length } = data;
  const head = [(type << 5) | Math.min(length, length < 30 ? length : length < 256 ? 30 : 31)];
  if (length >= 256) head.push(length & 0xff, length >> 8);
  else if (length >= 30) head.push(length);
  return [Uint8Array.from(head), data];
}

/** So many snapshots of so many projectiles, of which every second one moves from each to the next. */
export function demoOfItems(items, snapshots) {
  const { sizeOf } = protocolOf('0.7');
  const [type, size] = [2, 6];
  const pieces = [header()];
  let last;
  for (let k = 0; k < snapshots; k++) {
    const now = Snapshot.withRoom(items, items * size);
    for (let i = 0; i < items; i++) {
      const moved = i % 2 === 0 ? k : 0;
      now.append((type << 16) | i, size);
      now.data.set([1000 + i + 3 * moved, 2000 - i - 5 * moved, 100 + i, 40, i % 6, 9000], i * size);
    }
    pieces.push(tickMarker(9000 + 2 * k, k === 0));
    const isFull = last === undefined;
    pieces.push(...chunk(isFull ? 1 : 3, encode(isFull ? now : createDelta(last, now, sizeOf), 'huffman')));
    last = now;
  }
  return new Uint8Array(Buffer.concat(pieces));
}

/** Writes a demo of at least so many bytes: the chunks of a recording again and again, ticks going on. */
export function writeRepeated(from, to, bytes) {
  const file = new Uint8Array(readFileSync(from));
  const { start, marks, span } = marksOf(file);
  const chunks = file.slice(start);
  const view = new DataView(chunks.buffer);
  const out = openSync(to, 'w');
  let written = writeSync(out, file.subarray(0, start));
  for (let time = 0; written < bytes; time++) {
    for (const { at, tick } of marks) view.setInt32(at - start, tick + time * span);
    for (let at = 0; at < chunks.length; ) at += writeSync(out, chunks, at);
    written += chunks.length;
  }
  closeSync(out);
  return written;
}

/** Where its chunks start, the ticks that are written out, and how many ticks it lasts. */
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
