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
  /** The bytes of the datagrams of each part. */
  readonly bytes: number[];

  constructor(count: number) {
    this.bytes = new Array(count).fill(0);
  }

  /**
   * The part of a new flow. Its client is the end that asks for a connection, or else the new one of the two: a server has many flows.
   * @param isRequest whether the first packet asks for a connection
   */
  add(sender: Endpoint, receiver: Endpoint, isRequest: boolean): number {
    const [client, server] = isRequest || !this.#ofEnd.has(sender) ? [sender, receiver] : [receiver, sender];
    const part = this.#ofEnd.get(client) ?? this.bytes.indexOf(Math.min(...this.bytes));
    for (const end of [client, server]) if (!this.#ofEnd.has(end)) this.#ofEnd.set(end, part);
    return part;
  }

  /** Whether all flows of a client belong to this part, as long as this is true of all its connections. */
  has(client: Endpoint, part: number): boolean {
    return this.#ofEnd.get(client) === part;
  }
}
