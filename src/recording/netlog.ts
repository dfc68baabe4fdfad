import { type NetlogFrame, NetlogReader } from '../container/capture/netlog.ts';
import { isConnless, isWrittenByGames } from '../packet/connectionless.ts';
import { Connection, unconnected } from './connection.ts';
import { type Handshake, readHandshake } from './handshake.ts';
import type { Direction, ReadOptions, RecordingEntry, Replay } from './record.ts';

/** A packet that waits until it is known who sends. */
interface Waiting {
  readonly bytes: Uint8Array;
  readonly number: number;
}

/** Packets of which one tells who sends them all. */
const maxWaiting = 32;

/**
 * Follows a log of the network that comes piece by piece: what one side sent, without addresses and times. It is taken for one
 * connection; of a server with several clients theirs can't be told apart.
 */
export class NetlogReplay implements Replay {
  readonly container = 'netlog';
  readonly #reader = new NetlogReader();
  readonly #options: ReadOptions;
  readonly streams: Connection[] = [];
  readonly datagrams = { total: 0, connless: 0, other: 0 };
  #direction: Direction | undefined;
  #first: Handshake | undefined;
  #waiting: Waiting[] = [];

  constructor(options: ReadOptions = {}) {
    this.#options = options;
  }

  feed(piece: Uint8Array): Generator<RecordingEntry, void> {
    return this.#records(this.#reader.feed(piece));
  }

  /** The log has ended. */
  *finish(): Generator<RecordingEntry, void> {
    yield* this.#records(this.#reader.finish());
    if (!this.#direction) yield* this.#begin('to_server');
    for (const connection of this.streams) yield* connection.finish();
  }

  *#records(frames: Iterable<NetlogFrame>): Generator<RecordingEntry, void> {
    for (const frame of frames) {
      const { number } = frame;
      if (frame.kind === 'diagnostic') {
        const diagnostic = frame.diagnostic!;
        yield { record: 'diagnostic', stream: undefined, time: Number.NaN, frame: number, diagnostic };
      }
      // The payloads are those of the packets, once more.
      if (frame.kind === 'packet') yield* this.#packet(frame.bytes.subarray(frame.start, frame.end), number);
    }
  }

  *#packet(bytes: Uint8Array, number: number): Generator<RecordingEntry, void> {
    this.datagrams.total++;
    if (isConnless(bytes)) {
      this.datagrams[isWrittenByGames(bytes) ? 'connless' : 'other']++;
      if (this.#options.parts) yield unconnected(bytes, Number.NaN, number);
      return;
    }
    if (this.#direction) {
      yield* this.streams[0]!.add(bytes, this.#direction, Number.NaN, number);
      return;
    }
    const first = readHandshake(bytes);
    this.#first ??= first;
    if (!this.#first) {
      this.datagrams.other++;
      if (this.#options.parts) yield unconnected(bytes, Number.NaN, number);
      return;
    }
    this.#waiting.push({ bytes: bytes.slice(), number });
    if (first?.sender) yield* this.#begin(first.sender === 'client' ? 'to_server' : 'to_client');
    else if (this.#waiting.length >= maxWaiting) yield* this.#begin('to_server');
  }

  *#begin(direction: Direction): Generator<RecordingEntry, void> {
    if (!this.#first) return;
    this.#direction = direction;
    const [{ number }] = this.#waiting as [Waiting];
    const connection = new Connection(1, 'client', 'server', Number.NaN, this.#first, this.#options);
    this.streams.push(connection);
    yield { record: 'connection', stream: connection, time: Number.NaN, frame: number };
    for (const { bytes, number } of this.#waiting.splice(0)) {
      yield* connection.add(bytes, direction, Number.NaN, number);
    }
  }
}
