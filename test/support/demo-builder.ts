import { DemoWriter } from '../../src/recording/container/demo/demo-writer.ts';

/** A tick of a constructed demo: its compressed full snapshot, and its messages as they are. */
interface MadeTick {
  readonly tick: number;
  readonly snapshot: Uint8Array;
  readonly messages: readonly Uint8Array[];
}

/** A demo of version 4: the header and the map of another demo, then these ticks, each with a keyframe. */
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

/** Little-endian ints, packed and compressed. */
export const packed = (message: Uint8Array): Uint8Array =>
  new DemoWriter(4).encode(new Int32Array(message.slice().buffer)).slice();
