import type { Endpoint } from './record.ts';

/**
 * A part of a capture that can be read on its own, as plain data: the connections of some of the clients. Every part reads all packets, but
 * decodes only those of its connections. Of everything else, such as diagnostics about the file, the first part yields the records.
 */
export interface CapturePart {
  readonly index: number;
  readonly count: number;
  /** The size of the capture when it was divided: all parts must end at the same packet. */
  readonly bytes: number;
}

/** The parts of a capture would not yield the same records as the whole: it has to be read as one. */
export class IndivisibleError extends Error {
  override readonly name = 'IndivisibleError';
}

/**
 * Decides which part reads which flow. Only the packets up to the first one of the flow count, so that all parts come to the same decision.
 * The flows of one client belong to one part, because its connections are numbered.
 */
export class FlowParts {
  readonly #ofEnd = new Map<Endpoint, number>();
  /** The cost of the datagrams of each part in bytes, and the number of its clients. */
  readonly bytes: number[];
  readonly #clients: number[];

  constructor(count: number) {
    this.bytes = new Array(count).fill(0);
    this.#clients = new Array(count).fill(0);
  }

  /** Counts a datagram of a part. */
  count(part: number, bytes: number): void {
    this.bytes[part]! += bytes + packetCost;
  }

  /**
   * The part of a new flow. Its client is the end that asks for a connection, or else the new one of the two: a server has many flows.
   * @param isRequest whether the first packet asks for a connection
   */
  add(sender: Endpoint, receiver: Endpoint, isRequest: boolean): number {
    const [client, server] = isRequest || !this.#ofEnd.has(sender) ? [sender, receiver] : [receiver, sender];
    const part = this.#ofEnd.get(client) ?? this.#least();
    for (const end of [client, server]) if (!this.#ofEnd.has(end)) this.#ofEnd.set(end, part);
    return part;
  }

  /** The part with the least to do if each of its clients goes on with as many bytes as all clients have had on average. */
  #least(): number {
    const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
    const expected = sum(this.bytes) / Math.max(1, sum(this.#clients));
    const all = this.bytes.map((bytes, part) => bytes + this.#clients[part]! * expected);
    const least = all.indexOf(Math.min(...all));
    this.#clients[least]!++;
    return least;
  }

  /** Whether all flows of a client belong to this part, as long as this is true of all its connections. */
  has(client: Endpoint, part: number): boolean {
    return this.#ofEnd.get(client) === part;
  }
}

/** A packet takes as much time as this many bytes, beside its own. */
const packetCost = 50;
