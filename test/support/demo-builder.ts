import { DemoWriter } from '../../src/container/demo/writer.ts';

/** A tick of a demo that is made: its full snapshot, compressed, and messages as they are. */
interface MadeTick {
  readonly tick: number;
  readonly snapshot: Uint8Array;
  readonly messages: readonly Uint8Array[];
}

/** A demo of version 4: the header (and the map) of another, then these ticks, each with a keyframe. */
export function demoFile(head: Uint8Array, ticks: readonly MadeTick[]): Uint8Array {
  const writer = new DemoWriter(4);
  writer.map(head);
  for (const { tick, snapshot, messages } of ticks) {
    writer.tick(tick, true);
    writer.chunk('snapshot', snapshot);
    for (const message of messages) writer.chunk('message', packed(message));
  }
  return writer.flush();
}

/** Bytes that are ints (little-endian), packed and compressed. */
export const packed = (message: Uint8Array): Uint8Array =>
  new DemoWriter(4).encode(new Int32Array(message.slice().buffer)).slice();
