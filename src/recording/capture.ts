import { type CaptureFormat, type CaptureFrame, CaptureReader } from '../container/capture/reader.ts';
import type { LocatedDiagnostic } from '../decode/findings.ts';
import {
  Connection,
  type ConnectionOptions,
  type Direction,
  type Endpoint,
  type Event,
  unconnected,
} from './connection.ts';
import { connectRequestOf, isConnless, readHandshake } from './handshake.ts';

/** What a capture holds, in its order. Valid only until the next record is asked for. */
export type CaptureRecord =
  | Event
  | { readonly event: 'connection'; readonly time: number; readonly connection: Connection; readonly number: number }
  | { readonly event: 'finding'; readonly time: number; readonly number: number; readonly finding: LocatedDiagnostic };

/** The packets of a connection that go one way. */
interface Flow {
  readonly connection: Connection;
  readonly direction: Direction;
}

/** Follows the connections of a capture that comes piece by piece, and rebuilds each client's snapshots. */
export class CaptureReplay {
  readonly #reader = new CaptureReader();
  readonly #options: ConnectionOptions;
  readonly #flows = new Map<string, Flow>();
  readonly connections: Connection[] = [];
  /** UDP datagrams in all, and those of no connection. */
  datagrams = 0;
  connless = 0;
  other = 0;

  constructor(options: ConnectionOptions = {}) {
    this.#options = options;
  }

  /** Known with the first record. */
  get format(): CaptureFormat | undefined {
    return this.#reader.format;
  }

  feed(piece: Uint8Array): Generator<CaptureRecord, void> {
    return this.#records(this.#reader.feed(piece));
  }

  /** The capture has ended. */
  *finish(): Generator<CaptureRecord, void> {
    yield* this.#records(this.#reader.finish());
    for (const connection of this.connections) yield* connection.finish();
  }

  *#records(frames: Iterable<CaptureFrame>): Generator<CaptureRecord, void> {
    for (const frame of frames) {
      const { time, number, offset } = frame;
      if (frame.kind === 'trouble') {
        const { severity, code, args } = frame;
        yield { event: 'finding', time, number, finding: { severity, code, offset, args } };
      } else if (frame.kind === 'datagram') {
        this.datagrams++;
        yield* this.#datagram(frame);
      }
    }
  }

  *#datagram(frame: CaptureFrame): Generator<CaptureRecord, void> {
    const { time, number } = frame;
    const bytes = frame.bytes.subarray(frame.start, frame.end);
    if (isConnless(bytes)) {
      this.connless++;
      this.#options.onPacket?.(unconnected(bytes, time));
      return;
    }
    let flow = this.#flows.get(`${frame.source} ${frame.sourcePort} ${frame.destination} ${frame.destinationPort}`);
    if (!flow || (flow.direction === 'to_server' && connectRequestOf(bytes) && flow.connection.beginsAnew(time))) {
      flow = this.#begin(frame, bytes);
      if (!flow) {
        this.other++;
        this.#options.onPacket?.(unconnected(bytes, time));
        return;
      }
      yield { event: 'connection', time, connection: flow.connection, number };
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
    const connection = new Connection(client, server, frame.time, first, this.#options);
    const sent: Flow = { connection, direction: isFromClient ? 'to_server' : 'to_client' };
    const answered: Flow = { connection, direction: isFromClient ? 'to_client' : 'to_server' };
    this.#flows.set(`${source} ${sourcePort} ${destination} ${destinationPort}`, sent);
    this.#flows.set(`${destination} ${destinationPort} ${source} ${sourcePort}`, answered);
    this.connections.push(connection);
    return sent;
  }
}

function endpoint(address: string, port: number): Endpoint {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}
