import { ByteBuffer, IntBuffer } from '../../src/bytes/buffers.ts';
import { compress } from '../../src/codec/huffman.ts';
import { readInts } from '../../src/codec/int32.ts';
import { packInts } from '../../src/codec/varint.ts';

/** A tick of a demo that is made: its full snapshot, compressed, and messages as they are. */
export interface MadeTick {
  readonly tick: number;
  readonly snapshot: Uint8Array;
  readonly messages: readonly Uint8Array[];
}

const snapshotType = 1;
const messageType = 2;

/** A demo of version 4 behind the header (and the map) of another. */
export function demoFile(head: Uint8Array, ticks: readonly MadeTick[]): Uint8Array {
  const bytes = [...head];
  for (const { tick, snapshot, messages } of ticks) {
    // 11ss ssss: an absolute tick, and a keyframe.
    bytes.push(0xc0, tick >>> 24, (tick >>> 16) & 0xff, (tick >>> 8) & 0xff, tick & 0xff);
    bytes.push(...chunk(snapshotType, snapshot));
    for (const message of messages) bytes.push(...chunk(messageType, packed(message)));
  }
  return Uint8Array.from(bytes);
}

function chunk(type: number, data: Uint8Array): number[] {
  const size = data.length;
  if (size < 30) return [(type << 5) | size, ...data];
  if (size < 256) return [(type << 5) | 30, size, ...data];
  return [(type << 5) | 31, size & 0xff, size >>> 8, ...data];
}

/** Bytes that are ints (little-endian), packed and compressed. */
export function packed(message: Uint8Array): Uint8Array {
  const [ints, out, compressed] = [new IntBuffer(), new ByteBuffer(), new ByteBuffer()];
  readInts(message, 0, message.length, ints);
  packInts(ints.ints, 0, ints.length, out);
  compress(out.bytes, 0, out.length, compressed, 'extra');
  return compressed.bytes.slice(0, compressed.length);
}
