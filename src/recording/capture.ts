import { getOr } from '../bytes/get-or.ts';
import { type CaptureFormat, type CaptureFrame, CaptureReader } from '../container/capture/reader.ts';
import { endpointText } from '../container/net/ip.ts';
import { isConnless, isWrittenByGames } from '../packet/packet.ts';
import { Connection } from './connection.ts';
import { Flow, type FlowOwner, type HeldPacket, type Side } from './flow.ts';
import type { Handshake } from './handshake.ts';
import type { BlockEntry, RecordingEntry } from './record.ts';
import { Datagrams, type ReadOptions, type Replay } from './replay.ts';
import { SharedMemory } from './snapshot-history.ts';
import type { Endpoint } from './stream.ts';

export type FlowKey = Pick<CaptureFrame, 'source' | 'sourcePort' | 'destination' | 'destinationPort'>;

/** Finds what has the ends of a datagram. A key of all four would be a new text for each datagram, whose hash is computed again. */
export class FlowMap<Value extends FlowKey> {
  readonly #bySource = new Map<string, Map<string, Map<number, Value>>>();

  constructor(values: readonly Value[] = []) {
    for (const value of values) this.add(value);
  }

  get({ source, sourcePort, destination, destinationPort }: FlowKey): Value | undefined {
    return this.#bySource.get(source)?.get(destination)?.get(portsOf(sourcePort, destinationPort));
  }

  add(value: Value): void {
    const { source, sourcePort, destination, destinationPort } = value;
    const byDestination = getOr(this.#bySource, source, () => new Map<string, Map<number, Value>>());
    const byPorts = getOr(byDestination, destination, () => new Map<number, Value>());
    byPorts.set(portsOf(sourcePort, destinationPort), value);
  }
}

const portsOf = (source: number, destination: number) => (source << 16) | destination;

interface SentFlow extends FlowKey {
  readonly flow: Flow;
  readonly sender: Side;
}

/** Follows the connections of a capture piece by piece and rebuilds each client's snapshots. */
export class CaptureReplay implements Replay {
  readonly #reader: CaptureReader;
  readonly #options: ReadOptions;
  /** Each flow as seen from both ends. */
  #flows: SentFlow[] = [];
  #byKey = new FlowMap<SentFlow>();
  readonly #owner: FlowOwner;
  readonly #memory = new SharedMemory();
  readonly #connectionsFrom = new Map<Endpoint, number>();
  streams: Connection[] = [];
  readonly #ended = new Set<Connection>();
  #begun = 0;
  readonly datagrams: Datagrams;

  constructor(options: ReadOptions = {}) {
    this.#options = options;
    this.#reader = new CaptureReader(options.blocks);
    this.datagrams = new Datagrams(options);
    this.#owner = { options, datagrams: this.datagrams, begin: (...args) => this.#begin(...args) };
  }

  get container(): CaptureFormat | undefined {
    return this.#reader.format;
  }

  feed(piece: Uint8Array): Generator<RecordingEntry, void> {
    return this.#records(this.#reader.feed(piece));
  }

  restart(): Generator<RecordingEntry, void> {
    return this.#records(this.#reader.restart());
  }

  *finish(): Generator<RecordingEntry, void> {
    yield* this.#records(this.#reader.finish());
    for (const { flow, sender } of this.#flows) if (sender === 0) yield* flow.finish();
    yield* this.datagrams.finish();
  }

  *#records(frames: Iterable<CaptureFrame>): Generator<RecordingEntry, void> {
    for (const frame of frames) {
      const { time, number, kind } = frame;
      if (this.#options.blocks && kind !== 'diagnostic') yield this.#block(frame);
      if (kind === 'diagnostic') {
        yield { record: 'diagnostic', stream: undefined, time, frame: number, diagnostic: frame.diagnostic! };
      } else if (kind === 'datagram') {
        this.datagrams.total++;
        const bytes = frame.bytes.subarray(frame.start, frame.end);
        if (isConnless(bytes)) {
          const what = isWrittenByGames(bytes) ? 'connless' : 'other';
          yield* this.datagrams.unconnected(what, { bytes, time, frame: number }, frame);
        } else {
          if (this.#flows.length > 2 * maxFlows) yield* this.#dropSilent(time, number);
          yield* this.#ofFlow(frame, bytes);
        }
      }
    }
  }

  #block({ kind, time, number, bytes, start, end }: CaptureFrame): BlockEntry {
    const { block } = this.#reader;
    const datagram = kind === 'datagram' ? bytes.subarray(start, end) : undefined;
    const entry = { record: 'block', stream: undefined, block, datagram } as const;
    return kind === 'block' ? entry : { ...entry, time, frame: number };
  }

  #ofFlow(frame: CaptureFrame, bytes: Uint8Array): Iterable<RecordingEntry> {
    const { time, number } = frame;
    const { flow, sender } = this.#byKey.get(frame) ?? this.#addFlow(frame);
    flow.lastFrame = number;
    this.#memory.bases.packets = number;
    this.#memory.bases.ends = this.#flows.length;
    return flow.add({ bytes, sender, time, frame: number });
  }

  #addFlow({ source, sourcePort, destination, destinationPort }: FlowKey): SentFlow {
    const names = [endpointText(source, sourcePort), endpointText(destination, destinationPort)] as const;
    const flow = new Flow(this.#owner, names, [sourcePort, destinationPort]);
    const sent: SentFlow = { flow, sender: 0, source, sourcePort, destination, destinationPort };
    const from = { source: destination, sourcePort: destinationPort };
    const to = { destination: source, destinationPort: sourcePort };
    for (const one of [sent, { flow, sender: 1, ...from, ...to } as const]) {
      this.#flows.push(one);
      this.#byKey.add(one);
    }
    return sent;
  }

  /** Ends the flows that were silent for longest, those without snapshots first, and forgets connections if there are too many. */
  *#dropSilent(time: number, frame: number): Generator<RecordingEntry, void> {
    const flows = this.#flows.filter(({ sender }) => sender === 0).map(({ flow }) => flow);
    const rank = ({ connection, lastFrame }: Flow) => lastFrame + (connection?.hasSnapshots ? usedRank : 0);
    const silent = new Set(flows.sort((a, b) => rank(a) - rank(b)).slice(0, maxFlows / 2));
    this.#flows = this.#flows.filter(({ flow }) => !silent.has(flow));
    this.#byKey = new FlowMap(this.#flows);
    for (const flow of silent) yield* flow.finish();
    for (const { connection } of silent) if (connection) this.#ended.add(connection);
    let tooMany = this.streams.length - maxFlows;
    const dropped = this.streams.filter((one) => this.#ended.has(one) && (!one.hasSnapshots || tooMany-- > 0));
    for (const stream of dropped) yield* this.#drop(stream, time, frame);
    const gone = new Set(dropped);
    for (const stream of gone) this.#ended.delete(stream);
    this.streams = this.streams.filter((one) => !gone.has(one));
  }

  *#drop(stream: Connection, time: number, frame: number): Generator<RecordingEntry, void> {
    const { dropped } = this.datagrams;
    dropped.connections++;
    dropped.packets += stream.counts('to_client').packets + stream.counts('to_server').packets;
    dropped.undecodable += stream.undecodable;
    this.#connectionsFrom.delete(stream.client);
    yield { record: 'drop', stream, time, frame };
  }

  #begin({ names }: Flow, client: Side, handshake: Handshake, { time }: HeldPacket): Connection {
    const address = names[client];
    const times = (this.#connectionsFrom.get(address) ?? 0) + 1;
    this.#connectionsFrom.set(address, times);
    const name = times === 1 ? address : `${address}#${times}`;
    const number = ++this.#begun;
    const server = names[1 - client]!;
    const connection = new Connection(number, name, server, time, handshake, this.#options, this.#memory);
    this.streams.push(connection);
    return connection;
  }
}

/** The maximum number of flows that are followed at once, and of ended connections that are kept. */
const maxFlows = 2048;
/** More than any frame number, so that silent flows without snapshots end first. */
const usedRank = 2 ** 40;
