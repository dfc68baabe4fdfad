import { noBytes } from '../../wire/bytes/buffers.ts';
import { aheadSeconds, maxAhead, maxAheadBytes } from '../replay/limits.ts';
import type { DatagramPlace, FlowKey } from './flow-map.ts';

/*
 * What became of a packet shows in later ones: its receiver acknowledges it, or asks again. So a packet with vital chunks
 * waits for them, for about a round trip, and all after it wait with it, in the order of the file.
 *
 *   read │ 41 ◀─ is read: what became of its chunks?
 *        │ 42  of the same two ends: acknowledges them, so 41 is read, then 42 …
 *        │ 43  of others
 *        └───
 *
 * Most packets have no vital chunk, and nothing waits: they are read where they lie, without a copy.
 */

/** A datagram that waits until those before it are read. */
export type WaitingDatagram = DatagramPlace & { readonly bytes: Uint8Array };

/** A copy of its own for each datagram would be memory outside of V8's heap, which takes longer than the copying. */
const sharedBytes = 1 << 16;

/** The datagrams that are not read yet, in order. */
export class Ahead {
  readonly #all: WaitingDatagram[] = [];
  /** Where the first one is: moving all of them for each one that is read would cost more. */
  #first = 0;
  #bytes = 0;
  /** The memory of the newest copies, and where the next one goes. */
  #memory = noBytes;
  #end = 0;

  get length(): number {
    return this.#all.length - this.#first;
  }

  /** The first one, if there is any, or those after it. */
  at(index: number): WaitingDatagram {
    return this.#all[this.#first + index]!;
  }

  /** Whether it may have become known with the newest one what became of the first: only its receiver shows that. */
  get mayBeRead(): boolean {
    return wayOf(this.at(0), this.#all.at(-1)!) === 'back' || this.isOverdue;
  }

  /** Whether the first one may not wait any longer. */
  get isOverdue(): boolean {
    const waits = this.#all.at(-1)!.time - this.at(0).time;
    return waits > aheadSeconds || this.length > maxAhead || this.#bytes > maxAheadBytes;
  }

  /** Adds one, with a copy of its bytes. */
  push({ source, sourcePort, destination, destinationPort, time, number }: DatagramPlace, bytes: Uint8Array): void {
    this.#all.push({ source, sourcePort, destination, destinationPort, time, number, bytes: this.#copyOf(bytes) });
    this.#bytes += bytes.length;
  }

  shift(): void {
    this.#bytes -= this.at(0).bytes.length;
    this.#first++;
    if (this.length > 0 && this.#first < maxAhead) return;
    // Not another array in its place: V8 compiles anew what it compiled for the first one.
    this.#all.splice(0, this.#first);
    this.#first = 0;
  }

  #copyOf(bytes: Uint8Array): Uint8Array {
    if (this.length === 0) this.#end = 0;
    if (this.#end + bytes.length > this.#memory.length) {
      this.#memory = new Uint8Array(Math.max(sharedBytes, bytes.length));
      this.#end = 0;
    }
    const start = this.#end;
    this.#end += bytes.length;
    this.#memory.set(bytes, start);
    return this.#memory.subarray(start, this.#end);
  }
}

/** Whether one datagram goes the same way as another one, or back; undefined if it is between other ends. */
export function wayOf(one: FlowKey, other: FlowKey): 'same' | 'back' | undefined {
  // Ports first: nearly all differ in them.
  if (one.sourcePort === other.sourcePort && one.destinationPort === other.destinationPort) {
    return one.source === other.source && one.destination === other.destination ? 'same' : undefined;
  }
  if (one.sourcePort !== other.destinationPort || one.destinationPort !== other.sourcePort) return undefined;
  return one.source === other.destination && one.destination === other.source ? 'back' : undefined;
}
