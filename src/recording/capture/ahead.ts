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
export interface WaitingDatagram extends DatagramPlace {
  readonly bytes: Uint8Array;
}

/** The datagrams that are not read yet, in order. */
export class Ahead {
  #all: WaitingDatagram[] = [];
  /** Where the first one is: moving all of them for each one that is read would cost more than reading. */
  #first = 0;
  #bytes = 0;
  #newestTime = Number.NaN;

  get length(): number {
    return this.#all.length - this.#first;
  }

  /** The first one, if there is any, or those after it. */
  at(index: number): WaitingDatagram {
    return this.#all[this.#first + index]!;
  }

  /** Whether the first one may not wait any longer. */
  get isOverdue(): boolean {
    const waits = this.#newestTime - this.at(0).time;
    return waits > aheadSeconds || this.length > maxAhead || this.#bytes > maxAheadBytes;
  }

  /** Adds a copy. */
  push({ source, sourcePort, destination, destinationPort, time, number }: DatagramPlace, bytes: Uint8Array): void {
    this.#all.push({ source, sourcePort, destination, destinationPort, time, number, bytes: bytes.slice() });
    this.#bytes += bytes.length;
    this.#newestTime = time;
  }

  shift(): void {
    this.#bytes -= this.at(0).bytes.length;
    this.#first++;
    if (this.length > 0 && this.#first < maxAhead) return;
    this.#all = this.#all.slice(this.#first);
    this.#first = 0;
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
