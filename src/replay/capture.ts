import { type CaptureFrame, CaptureReader } from '../container/capture.ts';
import type { PacketVersion } from '../container/packet.ts';
import { fitPacket } from '../container/packet-version.ts';
import type { Finding } from '../model/findings.ts';
import { Connection, type Direction, type Endpoint, type Event } from './connection.ts';

/** What a capture holds, in its order. Valid only until the next record is asked for. */
export type CaptureRecord =
  | (Event & { readonly time: number; readonly connection: Connection; readonly number: number })
  | { readonly event: 'connection'; readonly time: number; readonly connection: Connection; readonly number: number }
  | { readonly event: 'finding'; readonly time: number; readonly number: number; readonly finding: Finding };

/** Follows the connections of a capture that comes piece by piece, and rebuilds each client's snapshots. */
export class CaptureReplay {
  readonly #reader = new CaptureReader();
  readonly #open = new Map<string, Connection>();
  readonly connections: Connection[] = [];
  /** UDP datagrams in all, and those of no connection. */
  datagrams = 0;
  connless = 0;
  other = 0;

  feed(piece: Uint8Array): Generator<CaptureRecord, void> {
    return this.#records(this.#reader.feed(piece));
  }

  /** The capture has ended. */
  *finish(): Generator<CaptureRecord, void> {
    yield* this.#records(this.#reader.finish());
    for (const connection of this.connections) {
      for (const event of connection.finish()) yield { ...event, time: connection.lastTime, connection, number: 0 };
    }
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
    const bytes = frame.bytes.subarray(frame.start, frame.end);
    if (isConnless(bytes)) {
      this.connless++;
      return;
    }
    const { time, number } = frame;
    const source = endpoint(frame.source, frame.sourcePort);
    const destination = endpoint(frame.destination, frame.destinationPort);
    const key = source < destination ? `${source} ${destination}` : `${destination} ${source}`;
    const request = requestOf(bytes);
    let connection = this.#open.get(key);
    if (!connection || (request && connection.client === source && connection.beginsAnew(time))) {
      if (!request && !looksLikePacket(bytes)) {
        this.other++;
        return;
      }
      const clientFirst = request !== undefined || frame.sourcePort > frame.destinationPort;
      const [client, server] = clientFirst ? [source, destination] : [destination, source];
      connection = new Connection(client, server, time, request !== undefined, request);
      this.#open.set(key, connection);
      this.connections.push(connection);
      yield { event: 'connection', time, connection, number };
    }
    const direction: Direction = connection.client === source ? 'to_server' : 'to_client';
    for (const event of connection.take(bytes, direction, time)) yield { ...event, time, connection, number };
  }
}

/** The version in which a client asks for a connection, where a packet does that: 0.7 asks for a token first. */
function requestOf(bytes: Uint8Array): PacketVersion | undefined {
  if (bytes.length >= 4 && bytes[0] === 0x10 && bytes[1] === 0 && bytes[2] === 0 && bytes[3] === 1) return '0.6';
  if (bytes.length >= 12 && bytes[0] === 0x04 && bytes[1] === 0 && bytes[2] === 0) {
    // A request for a token comes without one; the answer has it.
    const code = bytes[7];
    const hasToken = bytes[3] !== 0xff || bytes[4] !== 0xff || bytes[5] !== 0xff || bytes[6] !== 0xff;
    if (code === 5 && !hasToken) return '0.7';
  }
  return undefined;
}

function isConnless(bytes: Uint8Array): boolean {
  const first = bytes[0];
  if (first === 0x21) return bytes.length >= 9;
  if (bytes.length < 6) return false;
  if (first === 0x78 && bytes[1] === 0x65) return true;
  return bytes.subarray(0, 6).every((byte) => byte === 0xff);
}

const looksLikePacket = (bytes: Uint8Array) => fitPacket(bytes)[0].odd < 3;

function endpoint(address: string, port: number): Endpoint {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}
