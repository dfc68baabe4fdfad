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

/** A datagram that waits until those before it are read. Once it is read, another one takes its object. */
export type WaitingDatagram = { -readonly [Key in keyof DatagramPlace]: DatagramPlace[Key] } & { bytes: Uint8Array };

/** A copy of its own for each datagram would be memory outside of V8's heap, which takes longer than the copying. */
const sharedBytes = 1 << 16;

/** The datagrams that are not read yet, in order. */
export class Ahead {
  readonly #all: WaitingDatagram[] = [];
  /** Where the first one is, and the next one goes: moving all of them for each one that is read would cost more. */
  #first = 0;
  #last = 0;
  #bytes = 0;
  #newestTime = Number.NaN;
  /** The memory of the newest copies, and where the next one goes. */
  #memory = noBytes;
  #end = 0;

  get length(): number {
    return this.#last - this.#first;
  }

  /** The first one, if there is any, or those after it. */
  at(index: number): WaitingDatagram {
    return this.#all[this.#first + index]!;
  }

  /** Whether it may have become known with the newest one what became of the first: only its receiver shows that. */
  get mayBeRead(): boolean {
    const { length } = this;
    return length === 1 || wayOf(this.at(0), this.at(length - 1)) === 'back' || this.isOverdue;
  }

  /** Whether the first one may not wait any longer. */
  get isOverdue(): boolean {
    const waits = this.#newestTime - this.at(0).time;
    return waits > aheadSeconds || this.length > maxAhead || this.#bytes > maxAheadBytes;
  }

  /** Adds one, whose bytes are not copied before {@link keep}. */
  push({ source, sourcePort, destination, destinationPort, time, number }: DatagramPlace, bytes: Uint8Array): void {
    const free = this.#all[this.#last];
    if (free) {
      free.source = source;
      free.sourcePort = sourcePort;
      free.destination = destination;
      free.destinationPort = destinationPort;
      free.time = time;
      free.number = number;
      free.bytes = bytes;
    } else this.#all.push({ source, sourcePort, destination, destinationPort, time, number, bytes });
    this.#last++;
    this.#bytes += bytes.length;
    this.#newestTime = time;
  }

  shift(): void {
    this.#bytes -= this.at(0).bytes.length;
    this.#first++;
    if (this.length === 0) {
      this.#first = 0;
      this.#last = 0;
    } else if (this.#first >= maxAhead) {
      this.#all.push(...this.#all.splice(0, this.#first));
      this.#last -= this.#first;
      this.#first = 0;
    }
  }

  /** Copies the newest one, if it still waits. */
  keep(): void {
    const { length } = this;
    if (length === 0) return;
    const newest = this.at(length - 1);
    const { bytes } = newest;
    if (length === 1) this.#end = 0;
    if (this.#end + bytes.length > this.#memory.length) {
      this.#memory = new Uint8Array(Math.max(sharedBytes, bytes.length));
      this.#end = 0;
    }
    this.#memory.set(bytes, this.#end);
    newest.bytes = this.#memory.subarray(this.#end, this.#end + bytes.length);
    this.#end += bytes.length;
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
