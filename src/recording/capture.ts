import { type CaptureFormat, type CaptureFrame, CaptureReader } from '../container/capture/reader.ts';
import { isConnless, isWrittenByGames } from '../packet/connectionless.ts';
import { Connection, unconnected } from './connection.ts';
import { connectRequestOf, readHandshake } from './handshake.ts';
import type { Direction, Endpoint, ReadOptions, RecordingEntry, Replay } from './record.ts';

/** The packets of a connection that go one way. */
interface Flow {
  readonly connection: Connection;
  readonly direction: Direction;
}

/** Follows the connections of a capture that comes piece by piece, and rebuilds each client's snapshots. */
export class CaptureReplay implements Replay {
  readonly #reader = new CaptureReader();
  readonly #options: ReadOptions;
  readonly #flows = new Map<string, Flow>();
  readonly streams: Connection[] = [];
  readonly datagrams = { total: 0, connless: 0, other: 0 };

  constructor(options: ReadOptions = {}) {
    this.#options = options;
  }

  /** Known with the first record. */
  get container(): CaptureFormat | undefined {
    return this.#reader.format;
  }

  feed(piece: Uint8Array): Generator<RecordingEntry, void> {
    return this.#records(this.#reader.feed(piece));
  }

  /** The capture has ended. */
  *finish(): Generator<RecordingEntry, void> {
    yield* this.#records(this.#reader.finish());
    for (const connection of this.streams) yield* connection.finish();
  }

  *#records(frames: Iterable<CaptureFrame>): Generator<RecordingEntry, void> {
    for (const frame of frames) {
      const { time, number } = frame;
      if (frame.kind === 'diagnostic') {
        yield { record: 'diagnostic', stream: undefined, time, frame: number, diagnostic: frame.diagnostic! };
      } else if (frame.kind === 'datagram') {
        this.datagrams.total++;
        yield* this.#datagram(frame);
      }
    }
  }

  *#datagram(frame: CaptureFrame): Generator<RecordingEntry, void> {
    const { time, number } = frame;
    const bytes = frame.bytes.subarray(frame.start, frame.end);
    if (isConnless(bytes)) {
      this.datagrams[isWrittenByGames(bytes) ? 'connless' : 'other']++;
      if (this.#options.parts) yield unconnected(bytes, time, number);
      return;
    }
    let flow = this.#flows.get(`${frame.source} ${frame.sourcePort} ${frame.destination} ${frame.destinationPort}`);
    if (!flow || (flow.direction === 'to_server' && connectRequestOf(bytes) && flow.connection.beginsAnew(time))) {
      flow = this.#begin(frame, bytes);
      if (!flow) {
        this.datagrams.other++;
        if (this.#options.parts) yield unconnected(bytes, time, number);
        return;
      }
      yield { record: 'connection', stream: flow.connection, time, frame: number };
    }
    const { connection, direction } = flow;
    yield* connection.add(bytes, direction, time, number);
  }

  /** Begins a connection with its first packet, where that is one of the games'. */
  #begin(frame: CaptureFrame, bytes: Uint8Array): Flow | undefined {
    const first = readHandshake(bytes);
    if (!first) return undefined;
    const { source, sourcePort, destination, destinationPort } = frame;
    // Systems give out high ports to those who don't ask for one.
    const isFromClient = first.sender ? first.sender === 'client' : sourcePort > destinationPort;
    const [from, to] = [endpoint(source, sourcePort), endpoint(destination, destinationPort)];
    const [client, server] = isFromClient ? [from, to] : [to, from];
    const connection = new Connection(this.streams.length + 1, client, server, frame.time, first, this.#options);
    const sent: Flow = { connection, direction: isFromClient ? 'to_server' : 'to_client' };
    const answered: Flow = { connection, direction: isFromClient ? 'to_client' : 'to_server' };
    this.#flows.set(`${source} ${sourcePort} ${destination} ${destinationPort}`, sent);
    this.#flows.set(`${destination} ${destinationPort} ${source} ${sourcePort}`, answered);
    this.streams.push(connection);
    return sent;
  }
}

function endpoint(address: string, port: number): Endpoint {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}
