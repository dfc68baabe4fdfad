import { noBytes } from '../../wire/bytes/buffers.ts';
import { isConnless, isWrittenByGames } from '../../wire/packet/packet.ts';
import { type CaptureFormat, type CaptureFrame, CaptureReader } from '../container/capture/capture-reader.ts';
import { endpointText } from '../container/net/ip.ts';
import { maxFlows, maxForgotten, maxOthers, searchSeconds, silentSeconds } from '../replay/limits.ts';
import { ListBuffer } from '../replay/list-buffer.ts';
import type { BlockEntry, DiagnosticEntry, RecordingEntry } from '../replay/record.ts';
import { Datagrams, type ReadOptions, type Replay } from '../replay/replay.ts';
import type { Endpoint } from '../replay/stream.ts';
import { Handshakes } from '../story/handshakes.ts';
import type { Told } from '../story/told.ts';
import { Ahead } from './ahead.ts';
import { Connection } from './connection.ts';
import { Flow, type FlowOwner, type HeldPacket, type Side } from './flow.ts';
import { type DatagramPlace, type FlowKey, FlowMap, reversed } from './flow-map.ts';
import { directionOf, type Handshake, handshakeFact, handshakeStepOf, readFirstPacket } from './handshake.ts';
import { SharedMemory } from './snapshot-history.ts';

/*
 * From the datagrams of a capture to the records of its connections:
 *
 *   CaptureReader ─▶ datagram ─▶ waits until what became of it shows (`Ahead`)
 *                        ├─────▶ connectionless? counted or listed (`Datagrams`)
 *                        └─────▶ Flow of these two ends ─▶ Connection ─▶ SnapshotReceiver ─▶ records
 *
 * A capture may be as long as a server lives, and may contain a flood. So what is kept is bounded, and what is dropped
 * is counted:
 *
 *   #others       new flows, mostly requests without an answer     up to `maxOthers`; silent ones are ended first
 *   #proven       flows that nobody can forge                      up to `maxFlows`; they never make room for others
 *   #ended        connections for the summary                      up to `maxFlows`; those without snapshots are dropped first
 *   #forgotten    the ends of what was dropped while it went on    so that it isn't taken for a new connection
 *
 * Looking for silent flows costs a walk through all of them; it is done at most every `searchSeconds` of the capture's
 * time.
 */

interface SentFlow extends FlowKey {
  readonly flow: Flow;
  readonly sender: Side;
}

/**
 * Follows the connections among datagrams and rebuilds each client's snapshots. Without a file there is no reader: a
 * program that only observes has none in its bundle.
 */
export class DatagramReplay implements Replay {
  readonly #reader: CaptureReader | undefined;
  readonly #options: ReadOptions;
  /** The flows that are followed, each as seen by one end: those that nobody forges, and the others. */
  readonly #proven = new Map<Flow, FlowKey>();
  readonly #others = new Map<Flow, FlowKey>();
  /** Each flow as seen from both ends. */
  readonly #byKey = new FlowMap<SentFlow>();
  /** The ends that are not followed any more, and whether they went on. */
  readonly #forgotten = new Map<string, boolean>();
  /** When silent flows were last looked for in vain or not. */
  #searchedProven = Number.NaN;
  #searchedOthers = Number.NaN;
  /** The datagrams that are not read yet, since what became of the first of them is not known. */
  readonly #ahead = new Ahead();
  readonly #owner: FlowOwner;
  readonly #memory = new SharedMemory();
  readonly #connectionsFrom = new Map<Endpoint, number>();
  streams: Connection[] = [];
  readonly #ended = new Set<Connection>();
  #begun = 0;
  readonly datagrams: Datagrams;
  readonly #handshakes = new Handshakes();

  constructor(options: ReadOptions, reader?: CaptureReader) {
    this.#options = options;
    this.#reader = reader;
    this.datagrams = new Datagrams(options);
    const { datagrams } = this;
    this.#owner = { options, datagrams, handshakes: this.#handshakes, begin: (...args) => this.#begin(...args) };
  }

  get container(): CaptureFormat | undefined {
    return this.#reader?.format;
  }

  feed(piece: Uint8Array): Generator<RecordingEntry, void> {
    return this.#records(this.#reader!.feed(piece));
  }

  restart(): Generator<RecordingEntry, void> {
    return this.#records(this.#reader!.restart());
  }

  *finish(): Generator<RecordingEntry, void> {
    yield* this.#records(this.#reader!.finish());
    yield* this.end();
  }

  /** The records that still wait, after the last {@link datagram}. */
  *end(): Generator<RecordingEntry, void> {
    yield* this.#readAhead(true);
    for (const flows of [this.#proven, this.#others]) for (const flow of flows.keys()) yield* flow.finish();
    for (const told of this.#handshakes.finish()) yield missing(told);
    yield* this.datagrams.finish();
  }

  *#records(frames: Iterable<CaptureFrame>): Generator<RecordingEntry, void> {
    for (const frame of frames) {
      const { time, number, kind } = frame;
      if (this.#options.blocks && kind !== 'diagnostic') yield this.#block(frame);
      if (kind === 'diagnostic') {
        yield* this.#readAhead(true);
        yield { record: 'diagnostic', stream: undefined, time, frame: number, diagnostic: frame.diagnostic! };
      } else if (kind === 'datagram') {
        const bytes = frame.bytes.subarray(frame.start, frame.end);
        // Not the generator below: another one for each datagram would take as long as reading a small one.
        let of: DatagramPlace | undefined = frame;
        do {
          const read = this.#next(of, bytes, false);
          if (!read) break;
          of = undefined;
          // `yield*` makes an iterator and an object for each record.
          if (read instanceof ListBuffer) for (let i = 0; i < read.length; i++) yield read.items[i]!;
          else yield* read;
        } while (this.#ahead.length > 0);
      }
    }
    this.datagrams.copies = this.#reader!.counts.copies;
  }

  /** The records of a datagram, as {@link feed} finds them in a file, and of those that waited for it. */
  *datagram(of: DatagramPlace, bytes: Uint8Array): Generator<RecordingEntry, void> {
    const first = this.#next(of, bytes, false);
    if (first) yield* first;
    yield* this.#readAhead(false);
  }

  /** Reads what waits, as far as it is known what became of it, or all. */
  *#readAhead(isEnd: boolean): Generator<RecordingEntry, void> {
    for (let read = this.#next(undefined, noBytes, isEnd); read; read = this.#next(undefined, noBytes, isEnd))
      yield* read;
  }

  /**
   * Reads a datagram where it lies if nothing waits, as nearly always. Otherwise it waits, too, and the first one is read.
   * @param newest undefined if there is none but those that wait
   * @returns the records; undefined if nothing may be read
   */
  #next(newest: DatagramPlace | undefined, bytes: Uint8Array, isEnd: boolean): Iterable<RecordingEntry> | undefined {
    const ahead = this.#ahead;
    const hasWaiting = ahead.length > 0;
    if (!hasWaiting && !newest) return undefined;
    if (hasWaiting && newest) {
      ahead.push(newest, bytes);
      if (!ahead.mayBeRead) return undefined;
    }
    const first = hasWaiting ? ahead.at(0) : undefined;
    // Called from one place: V8 compiles all that it calls into each.
    const records = this.#read(first ?? newest!, first?.bytes ?? bytes, isEnd || (hasWaiting && ahead.isOverdue));
    if (hasWaiting && records) ahead.shift();
    else if (!hasWaiting && !records) ahead.push(newest!, bytes);
    return records;
  }

  /**
   * The records of a datagram, after the floods that are over with it.
   * @returns undefined if it has to wait for later datagrams
   */
  #read(of: DatagramPlace, bytes: Uint8Array, isLast: boolean): Iterable<RecordingEntry> | undefined {
    const records = isConnless(bytes) ? this.#connless(of, bytes) : this.#ofFlow(of, bytes, isLast);
    if (!records) return undefined;
    const floods = this.#handshakes.floodsEndedAt(of.time);
    return floods.length === 0 ? records : withFloods(floods, records);
  }

  #connless(of: DatagramPlace, bytes: Uint8Array): Iterable<RecordingEntry> {
    this.datagrams.total++;
    this.#byKey.get(of)?.flow.onConnless();
    const what = isWrittenByGames(bytes) ? 'connless' : 'other';
    return this.datagrams.unconnected(what, { bytes, time: of.time, frame: of.number }, of);
  }

  #block(frame: CaptureFrame): BlockEntry {
    const { kind, time, number, bytes, start, end, fragments } = frame;
    const { block } = this.#reader!;
    const datagram = kind === 'datagram' ? bytes.subarray(start, end) : undefined;
    const entry = { record: 'block', stream: undefined, block, datagram } as const;
    return kind === 'block' ? entry : { ...entry, time, frame: number, fragments, ends: datagram && endsOf(frame) };
  }

  #ofFlow(frame: DatagramPlace, bytes: Uint8Array, isLast: boolean): Iterable<RecordingEntry> | undefined {
    const { time, number } = frame;
    const sent = this.#byKey.get(frame);
    const packet = { bytes, sender: sent?.sender ?? 0, time, frame: number } as const;
    if (sent?.flow.waits(packet, this.#ahead, isLast)) return undefined;
    this.datagrams.total++;
    if (!sent) return this.#ofOther(frame, bytes);
    const { flow } = sent;
    if (!flow.isFollowed && flow.isProven) return this.#prove(flow, packet);
    return this.#add(flow, packet);
  }

  #add(flow: Flow, packet: HeldPacket): Iterable<RecordingEntry> {
    flow.lastTime = packet.time;
    this.#memory.bases.packets = packet.frame;
    this.#memory.bases.ends = 2 * (this.#proven.size + this.#others.size);
    return flow.add(packet);
  }

  /** Follows a flow that nobody forges as long as it speaks, if there is room; otherwise it is forgotten. */
  *#prove(flow: Flow, packet: HeldPacket): Generator<RecordingEntry, void> {
    const { time, frame } = packet;
    if (this.#proven.size >= maxFlows && isDue(time, this.#searchedProven)) {
      this.#searchedProven = time;
      yield* this.#end(silentIn(this.#proven, time), time, frame);
      flow.readAgain(packet);
    }
    if (this.#proven.size < maxFlows) {
      this.#proven.set(flow, this.#others.get(flow)!);
      this.#others.delete(flow);
      flow.isFollowed = true;
      yield* this.#add(flow, packet);
      return;
    }
    yield* this.#end([flow], time, frame, true);
    yield* this.#goesOn(flow.names.join(' '), packet);
  }

  /** The records of a packet between ends that are not followed: a new flow, or one too many. */
  *#ofOther(frame: DatagramPlace, bytes: Uint8Array): Generator<RecordingEntry, void> {
    const { time, number, source, sourcePort, destination, destinationPort } = frame;
    const names = [endpointText(source, sourcePort), endpointText(destination, destinationPort)] as const;
    const packet = { bytes, sender: 0, time, frame: number } as const;
    if (this.#forgotten.size > 0) {
      const found = [names.join(' '), `${names[1]} ${names[0]}`].find((ends) => this.#forgotten.has(ends));
      // Another handshake begins another connection.
      if (found !== undefined && !isRequest(bytes)) {
        yield* this.#goesOn(found, packet);
        return;
      }
    }
    if (this.#others.size >= maxOthers && isDue(time, this.#searchedOthers)) {
      this.#searchedOthers = time;
      yield* this.#end(silentIn(this.#others, time), time, number);
    }
    if (this.#others.size < maxOthers) yield* this.#add(this.#addFlow(frame, names), packet);
    else yield* this.#refuse(names, packet);
  }

  /** There are too many new flows to follow another one. */
  *#refuse(ends: readonly [Endpoint, Endpoint], packet: HeldPacket): Generator<RecordingEntry, void> {
    const { bytes } = packet;
    const step = handshakeStepOf(bytes);
    if (step) {
      if (step.kind === 'connect')
        this.#handshakes.asks({ client: ends[0], server: ends[1] }, { time: packet.time, frame: packet.frame });
      yield* this.datagrams.handshake(handshakeFact(step, ends, directionOf(step) ?? 'to_server'), packet);
      return;
    }
    if (!readFirstPacket(bytes, this.#options)) {
      yield* this.datagrams.unconnected('other', packet);
      return;
    }
    const both = ends.join(' ');
    if (this.#forget(both)) this.datagrams.dropped.connections++;
    yield* this.#goesOn(both, packet);
  }

  #goesOn(ends: string, packet: HeldPacket): Iterable<RecordingEntry> {
    const isFirst = this.#forgotten.get(ends) === false;
    if (isFirst) this.#forgotten.set(ends, true);
    return this.datagrams.unread(packet, isFirst);
  }

  #forget(ends: string): boolean {
    if (this.#forgotten.size >= maxForgotten) return false;
    this.#forgotten.set(ends, false);
    return true;
  }

  #addFlow({ source, sourcePort, destination, destinationPort }: FlowKey, names: readonly [string, string]): Flow {
    const flow = new Flow(this.#owner, names, [sourcePort, destinationPort]);
    const sent: SentFlow = { flow, sender: 0, source, sourcePort, destination, destinationPort };
    this.#others.set(flow, sent);
    this.#byKey.add(sent);
    this.#byKey.add({ flow, sender: 1, ...reversed(sent) });
    return flow;
  }

  /**
   * Ends flows, and drops connections if too many have ended. What may go on is forgotten, not followed again as
   * another connection.
   */
  *#end(flows: readonly Flow[], time: number, frame: number, drop = false): Generator<RecordingEntry, void> {
    for (const flow of flows) {
      const key = (this.#proven.get(flow) ?? this.#others.get(flow))!;
      this.#proven.delete(flow);
      this.#others.delete(flow);
      this.#byKey.delete(key);
      this.#byKey.delete(reversed(key));
      yield* flow.finish();
      const { connection } = flow;
      if (!connection) continue;
      this.#ended.add(connection);
      if (!connection.isClosed) this.#forget(flow.names.join(' '));
    }
    const forced = new Set(drop ? flows.map(({ connection }) => connection) : []);
    let tooMany = this.#ended.size - maxFlows;
    const dropped = [...this.#ended].filter(
      (connection) => forced.has(connection) || !connection.hasSnapshots || tooMany-- > 0,
    );
    if (dropped.length === 0) return;
    for (const stream of dropped) {
      yield* this.#drop(stream, time, frame);
      this.#ended.delete(stream);
    }
    const gone = new Set(dropped);
    this.streams = this.streams.filter((stream) => !gone.has(stream));
  }

  *#drop(stream: Connection, time: number, frame: number): Generator<RecordingEntry, void> {
    const { datagrams } = this;
    const { dropped } = datagrams;
    dropped.connections++;
    dropped.packets += stream.counts('to_client').packets + stream.counts('to_server').packets;
    dropped.undecodable += stream.undecodable;
    datagrams.droppedAt(stream.firstTime, stream.lastTime);
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

/** The same of a capture, piece by piece. */
export class CaptureReplay extends DatagramReplay {
  constructor(options: ReadOptions = {}) {
    super(options, new CaptureReader(options.blocks));
  }
}

/** What is missing between two ends without a connection. */
function missing({ code, args, weight, time, frame = 0 }: Told): DiagnosticEntry {
  const diagnostic = { severity: 'warning', code, offset: 0, frame, args, isSuspect: weight === 'wrong' } as const;
  return { record: 'diagnostic', stream: undefined, ...(time !== undefined && { time }), frame, diagnostic, weight };
}

function* withFloods(floods: readonly Told[], records: Iterable<RecordingEntry>): Generator<RecordingEntry, void> {
  yield* floods.map(missing);
  yield* records;
}

/** A copy, since the frame is reused. */
const endsOf = ({ source, sourcePort, destination, destinationPort, missing }: CaptureFrame) => ({
  source,
  sourcePort,
  destination,
  destinationPort,
  missing,
});

function isRequest(bytes: Uint8Array): boolean {
  const kind = handshakeStepOf(bytes)?.kind;
  return kind === 'connect' || kind === 'token_request';
}

/**
 * Whether silent flows were last looked for some time ago: looking at each new flow would cost more than following it.
 */
const isDue = (time: number, searched: number) => !(Math.abs(time - searched) < searchSeconds);

/** The flows that were closed or have been silent for so long that they may have ended. */
const silentIn = (flows: ReadonlyMap<Flow, unknown>, time: number) =>
  [...flows.keys()].filter(
    ({ connection, lastTime }) => connection?.isClosed || !(Math.abs(time - lastTime) < silentSeconds),
  );
