import { type Args, type Code, ignore, type Warn } from '../../wire/bytes/diagnostic.ts';
import { u32 } from '../../wire/bytes/fixed-int.ts';
import { endOfInt, unpackInt } from '../../wire/codec/varint.ts';
import {
  type Message,
  readMessage,
  readMessageHead,
  snapshotMessage,
  valueNamed,
  wholeSnapshotMessage,
} from '../../wire/packet/message.ts';
import { mayBeMixed } from '../../wire/packet/mixed-message.ts';
import {
  controlCode,
  type Packet,
  type PacketChunk,
  type PacketVersion,
  type PartOfPacket,
  readPartOfPacket,
  refusalsOf,
} from '../../wire/packet/packet.ts';
import { readControl } from '../../wire/packet/packet-values.ts';
import { CapturedSequence, type CopyFate, type ReadyChunk } from '../../wire/packet/sequence.ts';
import { fitPacket } from '../../wire/packet/version.ts';
import { clientsOf } from '../../wire/protocol/bounds.ts';
import { type Protocol, protocolOf } from '../../wire/protocol/registry.ts';
import { impossibleMessage, intsByFirstByte, isOfInts } from '../replay/impossible-message.ts';
import { ConnectionCopy, ConnectionMessage, viewOf } from '../replay/lazy-message.ts';
import { enoughLags, lagFactor, moreThanForged, repeatSeconds, sureDifference } from '../replay/limits.ts';
import { ListBuffer } from '../replay/list-buffer.ts';
import {
  type ChunkFate,
  type DiagnosticEntry,
  isUntaken,
  type PacketEntry,
  type RecordingEntry,
  type SentPacket,
  type SnapshotEntry,
  unconnected,
  type Weight,
} from '../replay/record.ts';
import type { ReadOptions } from '../replay/replay.ts';
import type {
  ChunkWait,
  ConnectionEnd,
  ConnectionStream,
  Direction,
  Endpoint,
  HandshakeFacts,
} from '../replay/stream.ts';
import { Answers, neverTaken, type SenderFacts } from '../story/answers.ts';
import { expectedName, type FirstByte, firstByte, keyOf, MapProgress } from '../story/message-facts.ts';
import { SnapshotStory } from '../story/snapshot-story.ts';
import type { Told } from '../story/told.ts';
import type { Ahead } from './ahead.ts';
import { Closes, Heartbeat, isGivenUp, waitOf } from './connection-story.ts';
import { AckRange, ExpectedToken, type TokenVerdict } from './guards.ts';
import type { Handshake } from './handshake.ts';
import { PacketFates } from './packet-fates.ts';
import { SharedMemory } from './snapshot-history.ts';
import { type ReceivedSnapshot, SnapshotReceiver, type TickSequence } from './snapshot-receiver.ts';

/*
 * A session, as it is captured between the two ends:
 *
 *   client                                      server
 *     │  connect, token?                           │
 *     ├───────────────────────────────────────────▶│   handshake.ts: who begins, which version, the tokens of both ends
 *     │                       accept, token?       │
 *     │◀───────────────────────────────────────────┤
 *     │  vital 1, 2, …   ack of what was received  │   sequence.ts: every vital chunk once and in order, until it is
 *     │◀──────────────────────────────────────────▶│   acknowledged; guards.ts: packets that the games would drop
 *     │          map change, tick T, snapshot whole│
 *     │◀───────────────────────────────────────────┤   snapshot-receiver.ts: parts become a delta, the delta is added to
 *     │  input, ack of T                           │   its base, the sum is compared with the announced one
 *     ├───────────────────────────────────────────▶│
 *     │   snapshot of T + 2 as a delta on T        │   its base is what the client acknowledged: it was captured, or
 *     │◀───────────────────────────────────────────┤   `missing_base` until the next whole one
 *     │  close, reason?                            │
 *     ├─── from either end ────────────────────────┤   connection-story.ts: how it joined and ended, what it waited for
 *
 * One packet goes through here in two steps, since flow.ts has to know the first before it takes the second:
 *
 *   read     which version?  parse  ─▶  token ─▶ too large, unknown control ─▶ ack      a verdict, nothing has changed but the guards
 *   add      counts ─▶ control, or chunks ─▶ in order? ─▶ message ─▶ snapshot           records
 *   lookAhead  what became of its vital chunks? (packet-fates.ts)                        it may wait for later packets
 *   reject   a diagnostic; an ack out of range is held instead, since the next packets show whether acks have moved
 *
 * Without a handshake the version is a guess: the bits of evidence for both are added up (packet/version.ts) until
 * they are `sureDifference` apart. If the guess changes, what was inferred in the other version is discarded
 * (`restart`).
 *
 * Nearly all packets are in order and without oddities. They take no generator, which would cost as much as reading the
 * packet.
 */

class DirectionState {
  sequence: CapturedSequence;
  token = new ExpectedToken();
  acks: AckRange;
  /** Packets with an ack out of range: the next ones show whether the games would drop them. */
  readonly held: SentPacket[] = [];
  readonly heartbeat = new Heartbeat();
  /** By first byte: how many ints follow in a message that has nothing else, which shows quickly that it is sound. */
  intCounts: ReturnType<typeof intsByFirstByte> | undefined;
  packets = 0;
  rejected = 0;
  firstRejected = 0;
  bytes = 0;
  chunks = 0;
  /** What its sender had taken of the other direction when it sent the last packet. */
  ack = 0;
  /** When its sender last asked for something again; NaN in a capture without times. */
  askedAt: number | undefined;
  /** The longest time to an acknowledgement, and that of exact ones, and their number. */
  #longestLag: number | undefined;
  #exactLag = 0;
  #exactLags = 0;

  constructor(last: number | undefined) {
    this.sequence = new CapturedSequence(last);
    this.acks = new AckRange(last);
  }

  /** How long after a chunk its receiver may still send packets that it wrote before it had it. */
  get lag(): number {
    return (
      lagFactor * (this.#exactLags >= enoughLags ? this.#exactLag : (this.#longestLag ?? Number.POSITIVE_INFINITY))
    );
  }

  addLag(seconds: number, isExact: boolean): void {
    this.#longestLag = Math.max(this.#longestLag ?? 0, seconds);
    if (!isExact) return;
    this.#exactLag = Math.max(this.#exactLag, seconds);
    this.#exactLags++;
  }

  /** Discards what was inferred from packets that were read in another version. */
  restart(): void {
    this.sequence = new CapturedSequence();
    this.token = new ExpectedToken();
    this.acks = new AckRange();
    this.intCounts = undefined;
    this.chunks = 0;
  }
}

/** What no game writes, or its receiver drops, in something that is read all the same. */
interface Odd {
  readonly code: Code;
  readonly args: Args;
  readonly offset?: number;
  readonly weight?: Weight;
}

const none: readonly Odd[] = [];
const noRecords: readonly RecordingEntry[] = [];

/** Packets that no attacker gains from: their sender has a fault. */
const tooLarge: ReadonlySet<Code> = new Set(['packet_too_large', 'payload_too_large']);

/** What no game writes into a packet: its receiver ignores a part of it, or drops it. */
const oddPacketCodes: ReadonlySet<Code> = new Set(['packet_excess', 'chunks_in_control', 'packet_padding']);

/** A packet as its connection reads it. It is valid until the next one is read. */
export interface PacketReading extends PartOfPacket {
  /** Why the games would drop it; `changed` if its token shows that it is of another session. */
  readonly verdict?: Code | 'changed' | undefined;
  /** The numbers of that reason. */
  readonly args?: Args;
  /** Whether it shows that acks go on elsewhere. */
  readonly isAckChanged?: boolean;
}

/** The message of a chunk, which is read on first use. */
class ChunkMessage {
  readonly #chunk: ReadyChunk;
  readonly #protocol: Protocol;
  #message: Message | undefined;

  constructor(chunk: ReadyChunk, protocol: Protocol) {
    this.#chunk = chunk;
    this.#protocol = protocol;
  }

  get message(): Message {
    this.#message ??= readWhole(this.#chunk, this.#protocol);
    return this.#message;
  }
}

/** The record of a packet, to which the fates of its chunks are added while it is read. */
type ReadPacket = PacketEntry & { readonly fates: ChunkFate[] };

/** A player's connection to a server, from handshake to close, as far as it was captured. */
export class Connection implements ConnectionStream {
  readonly mixesVersions = false;
  readonly hidesSecrets: boolean;
  readonly number: number;
  readonly client: Endpoint;
  readonly server: Endpoint;
  /** The earliest and the latest of its packets, which may not be the first and the last: clocks are set back. */
  firstTime: number;
  lastTime: number;
  /** That of the packet which was read last. */
  time: number;
  #frame = 0;
  /** The last one that the end of its packet cuts: it says nothing of who sent it, since a capture may cut packets. */
  #cutMessage: ReadyChunk | undefined;
  /** The chunks of a packet that are to be read, and their records; then those of the next one. */
  readonly #ready = new ListBuffer<ReadyChunk>();
  readonly #records = new ListBuffer<RecordingEntry>();
  /** Undefined before the first packet unless that begins the connection. */
  version: PacketVersion | undefined;
  /**
   * How much more plausible the packets so far are in 0.7 than in 0.6, while the version is a guess: the handshake was
   * not captured. Undefined once it is certain.
   */
  #preference07: number | undefined;
  #protocol: Protocol | undefined;
  readonly #options: ReadOptions;
  readonly #toClient: DirectionState;
  readonly #toServer: DirectionState;
  #snapshots: SnapshotReceiver | undefined;
  readonly #memory: SharedMemory;
  readonly #closes = new Closes();
  /** What is expected of the two ends, and what came of their map. */
  #answers = new Answers();
  readonly #map = new MapProgress();
  /** What the snapshots tell together, and what has ended and waits to be told. */
  #story: SnapshotStory | undefined;
  #told: Told[] = [];
  ddnetVersion: number | undefined;
  readonly hasHandshake: boolean;
  /** Whether the connection before of these two ends had the same token: only its acks tell a packet of that one. */
  comesAgain = false;
  readonly handshake: HandshakeFacts | undefined;
  /** What is wrong with the handshake, which is told with the accept. */
  #handshakeFault: Odd | undefined;
  undecodable = 0;
  rejectedPackets = 0;
  lateSnapshots = 0;
  #mapChanges = 0;

  constructor(
    number: number,
    client: Endpoint,
    server: Endpoint,
    time: number,
    { begins, version, tokens, made, acceptToken }: Omit<Handshake, 'sender'>,
    options: ReadOptions = {},
    memory = new SharedMemory(),
  ) {
    this.#memory = memory;
    this.number = number;
    this.client = client;
    this.server = server;
    this.firstTime = time;
    this.lastTime = time;
    this.time = time;
    this.version = version;
    if (version === undefined) this.#preference07 = 0;
    this.hasHandshake = begins;
    this.handshake = made && { ...made, tokens };
    if (acceptToken !== undefined) this.#handshakeFault = oddAccept(acceptToken, tokens?.to_server);
    this.#options = options;
    this.hidesSecrets = options.hidesSecrets === true;
    const last = begins ? 0 : undefined;
    this.#toClient = new DirectionState(last);
    this.#toServer = new DirectionState(last);
    if (!tokens) return;
    this.#toClient.token.set(tokens.to_client);
    this.#toServer.token.set(tokens.to_server);
  }

  /** Not a record by direction: V8 looks up a property by name at each access if there are two names. */
  #of(direction: Direction): DirectionState {
    return direction === 'to_client' ? this.#toClient : this.#toServer;
  }

  get mapChanges(): number {
    return this.#mapChanges + (this.#snapshots?.uncapturedMapChanges ?? 0);
  }

  get protocol(): Protocol {
    const version = this.version ?? '0.6';
    if (this.#protocol?.version !== version) {
      this.#protocol = protocolOf(version, this.#options.schema);
    }
    return this.#protocol;
  }

  counts(direction: Direction) {
    const { packets, bytes, chunks, sequence } = this.#of(direction);
    const { resent, uncaptured: lost, copies } = sequence;
    return { packets, bytes, chunks, resent, lost, ...copies };
  }

  /** Whether messages were exchanged. Before that, the handshake is still in progress. */
  get isUsed(): boolean {
    return this.#toClient.chunks + this.#toServer.chunks > 0;
  }

  /** Whether the client has sent messages. Before that it may repeat its request. */
  get goesOn(): boolean {
    return this.#toServer.chunks > 0;
  }

  get hasSnapshots(): boolean {
    return this.#snapshots !== undefined;
  }

  get hasTokens(): boolean {
    return this.#toClient.token.isThere || this.#toServer.token.isThere;
  }

  /** Whether its token is that of another one, as on a server of DDNet, which makes it of the client's address. */
  hasTokenOf(other: Connection): boolean {
    const token = this.#toServer.token.known;
    return token !== undefined && token === other.#toServer.token.known;
  }

  get isClosed(): boolean {
    return !this.#closes.isEmpty;
  }

  /** How it ended, by what the two ends sent; undefined if neither closed it. */
  get end(): ConnectionEnd | undefined {
    return this.#closes.end;
  }

  get closes(): readonly ConnectionEnd[] {
    return this.#closes.all;
  }

  /** When an end spoke, and for how long it was silent. */
  heartbeat(direction: Direction): Heartbeat {
    return this.#of(direction).heartbeat;
  }

  /** The vital chunk of a direction that waited for longest. */
  slowest(direction: Direction): ChunkWait | undefined {
    const { slowest } = this.#of(direction).sequence;
    return slowest && waitOf(slowest, this.protocol);
  }

  /** The vital chunk of a direction that was never acknowledged. */
  stuck(direction: Direction): ChunkWait | undefined {
    const stuck = neverTaken(this.#of(direction).sequence, this.#sender(oppositeOf(direction)));
    return stuck && waitOf(stuck, this.protocol);
  }

  /** What the packet that was read last has although no game writes it: nearly none has any. */
  #warned: readonly Odd[] = none;
  readonly #warn: Warn = (code, offset, args = {}) => {
    if (oddPacketCodes.has(code)) this.#warned = [...this.#warned, { code, offset, args }];
  };

  /** Reads a packet for {@link add} or, if its verdict is a code, for {@link reject}. */
  read({ bytes }: SentPacket, direction: Direction): PacketReading {
    if (this.#preference07 !== undefined) this.#guessVersion(bytes, this.#preference07);
    const reading = this.#readPacket(bytes, direction);
    const { packet, error } = reading;
    if (!packet) return reading;
    const verdict = this.#checkToken(reading, direction);
    if (verdict !== 'right') return { ...reading, verdict: verdict === 'wrong' ? 'wrong_token' : verdict };
    if (error) return reading;
    const [refusal] = refusalsOf(bytes, packet);
    if (refusal) return { ...reading, verdict: refusal.code, args: refusal.args };
    if (packet.kind !== 'chunks' || (packet.token !== undefined && !this.comesAgain)) return reading;
    const { newest } = this.#of(oppositeOf(direction)).sequence;
    const ack = this.#of(direction).acks.check(packet.ack, newest);
    if (ack === 'right') return reading;
    return { ...reading, verdict: ack === 'wrong' ? 'wrong_ack' : undefined, isAckChanged: ack === 'changed' };
  }

  /** Reads a packet again, since the memory that it was read into was used for others, or its bytes were copied. */
  readAgain(reading: PacketReading, bytes: Uint8Array, direction: Direction): PacketReading {
    const again = this.#readPacket(bytes, direction);
    return reading.verdict || reading.isAckChanged ? { ...reading, ...again } : again;
  }

  /** What became of the vital chunks of the packet that was read last; undefined if it has none. */
  #fates: PacketFates | undefined;

  /**
   * Looks in later packets for what becomes of the chunks of the one that was read.
   * @param ahead it and those after it
   * @returns false if more of them may show it
   */
  lookAhead(reading: PacketReading, time: number, direction: Direction, ahead: Ahead): boolean {
    const { packet } = reading;
    if (packet?.kind !== 'chunks') return true;
    const { chunks } = packet;
    for (let i = 0; i < chunks.length; i++) {
      if (chunks[i]!.vital) return this.#lookAhead(reading, chunks, time, direction, ahead);
    }
    return true;
  }

  #lookAhead(
    reading: PacketReading,
    chunks: readonly PacketChunk[],
    time: number,
    direction: Direction,
    ahead: Ahead,
  ): boolean {
    const opposite = oppositeOf(direction);
    const { sequence, lag, token } = this.#of(direction);
    const receiver = this.#of(opposite);
    const isFirst = direction === 'to_server' && (sequence.lastAck ?? 0) === 0;
    this.#fates ??= new PacketFates(reading, time, {
      version: this.version!,
      tokens: [token.known, receiver.token.known],
      acknowledged: sequence.lastAck,
      newest: sequence.newest,
      lag,
      isAsked: receiver.askedAt !== undefined && !(time - receiver.askedAt > repeatSeconds + receiver.lag),
      isFirst,
      isChallenged: isFirst && receiver.chunks > 0,
    });
    const isDecided = this.#fates.look(ahead);
    // Nobody answers, or nothing depends on it: a chunk that was read is read once.
    const isNew = chunks.some((chunk) => chunk.vital && sequence.expects(chunk.sequence));
    return isDecided || receiver.packets === 0 || this.isClosed || !isNew;
  }

  #readPacket(bytes: Uint8Array, direction: Direction): PacketReading {
    this.#warned = none;
    const token = this.#of(direction).token.known;
    return readPartOfPacket(bytes, this.version!, this.#warn, { into: this.#memory.packet, token });
  }

  #checkToken({ packet, error }: PacketReading, direction: Direction): TokenVerdict {
    const { token: expected, chunks } = this.#of(direction);
    const { kind, headSize, payload, token } = packet!;
    // Tokens are requested during the handshake; a client that gives up may have none.
    if (kind === 'control' && chunks === 0) return 'right';
    if (headSize > 3) return expected.check(token);
    // In a damaged packet the token may come after the damage.
    if (error || (kind === 'control' && expected.known === undefined)) return 'right';
    const isAtEnd = expected.known !== undefined && payload.length >= 4;
    return expected.check(isAtEnd ? u32(payload, payload.length - 4, false) : token);
  }

  /** Reports a packet that the games drop. Nothing in it counts. */
  *reject(code: Code, sent: SentPacket, direction: Direction, args?: Args): Generator<RecordingEntry, void> {
    const { bytes, time, frame } = sent;
    if (code === 'wrong_ack') this.#of(direction).held.push({ bytes: bytes.slice(), time, frame });
    else yield* this.#rejected(code, sent, direction, args);
  }

  *#rejected(code: Code, sent: SentPacket, direction: Direction, args?: Args): Generator<RecordingEntry, void> {
    if (this.#options.parts) yield unconnected(sent);
    this.#frame = sent.frame;
    yield this.#rejection(code, direction, sent.time, args);
  }

  /** Decides on the packets with an ack out of range: they are added if it has changed, and rejected otherwise. */
  *#settleHeld(direction: Direction, isChanged: boolean): Generator<RecordingEntry, void> {
    for (const held of this.#of(direction).held.splice(0)) {
      if (isChanged) yield* this.#addRead(this.#readPacket(held.bytes, direction), held, direction);
      else yield* this.#rejected('wrong_ack', held, direction);
    }
  }

  /** Yields a diagnostic for each snapshot of earlier packets that was rejected. */
  *#implausible(rejected: TickSequence['rejected']): Generator<DiagnosticEntry, void> {
    for (const args of rejected) yield this.#rejection('implausible_tick', 'to_client', this.time, args);
  }

  #rejection(code: Code, direction: Direction, time: number, args: Args = {}): DiagnosticEntry {
    this.rejectedPackets++;
    const state = this.#of(direction);
    if (state.rejected++ === 0) state.firstRejected = this.#frame;
    const diagnostic = { severity: 'warning', code, offset: 0, args } as const;
    const entry = { record: 'diagnostic', stream: this, time, frame: this.#frame, direction, diagnostic } as const;
    return tooLarge.has(code) ? { ...entry, weight: 'wrong' } : entry;
  }

  /** What is wrong with something that is read all the same. */
  #odd({ code, args, offset = 0, weight = 'wrong' }: Odd, direction: Direction, frame = this.#frame): DiagnosticEntry {
    const diagnostic = { severity: 'warning', code, offset, args } as const;
    return { record: 'diagnostic', stream: this, time: this.time, frame, direction, diagnostic, weight };
  }

  add(reading: PacketReading, sent: SentPacket, direction: Direction): Iterable<RecordingEntry> {
    return this.#told.length > 0 ? this.#addAfterTold(reading, sent, direction) : this.#add(reading, sent, direction);
  }

  *#addAfterTold(reading: PacketReading, sent: SentPacket, direction: Direction): Generator<RecordingEntry, void> {
    for (const told of this.#told.splice(0)) yield this.#toldEntry(told);
    yield* this.#add(reading, sent, direction);
  }

  #toldEntry({ frame, direction, ...odd }: Told): DiagnosticEntry {
    return this.#odd(odd, direction, frame);
  }

  #add(reading: PacketReading, sent: SentPacket, direction: Direction): Iterable<RecordingEntry> {
    const settlesHeld = this.#of(direction).held.length > 0 && reading.packet?.kind === 'chunks' && !reading.error;
    return settlesHeld ? this.#addAfterHeld(reading, sent, direction) : this.#addRead(reading, sent, direction);
  }

  *#addAfterHeld(reading: PacketReading, sent: SentPacket, direction: Direction): Generator<RecordingEntry, void> {
    const isChanged = reading.isAckChanged === true;
    yield* this.#settleHeld(direction, isChanged);
    // The held packets were read into the same memory.
    yield* this.#addRead(isChanged ? this.#readPacket(sent.bytes, direction) : reading, sent, direction);
  }

  /**
   * Nearly all packets are in order and have chunks: no generator is made for them, since each takes about as long as
   * reading a packet.
   */
  #addRead(
    { packet, error }: PacketReading,
    { bytes, time, frame }: SentPacket,
    direction: Direction,
  ): Iterable<RecordingEntry> {
    const state = this.#of(direction);
    state.packets++;
    state.bytes += bytes.length;
    this.time = time;
    if (time > this.lastTime) this.lastTime = time;
    else if (time < this.firstTime) this.firstTime = time;
    this.#frame = frame;
    state.heartbeat.onPacket(time);
    this.#closes.onPacket(direction, time);
    const code = error?.code;
    const entry: ReadPacket | undefined = this.#options.parts
      ? { record: 'packet', stream: this, time, frame, direction, bytes, packet, code, fates: [] }
      : undefined;
    const isOrdinary = packet?.kind === 'chunks' && !code && this.#warned.length === 0 && !this.#closes.has(direction);
    return isOrdinary ? this.#chunks(packet, entry, direction) : this.#withOddities(packet, code, entry, direction);
  }

  *#withOddities(
    packet: Packet | undefined,
    code: Code | undefined,
    entry: ReadPacket | undefined,
    direction: Direction,
  ): Generator<RecordingEntry, void> {
    const time = this.time;
    const frame = this.#frame;
    const odd = this.#warned;
    if (this.#handshakeFault && packet?.control === controlCode.accept) {
      yield this.#odd(this.#handshakeFault, direction);
      this.#handshakeFault = undefined;
    }
    if (code) {
      this.undecodable++;
      const diagnostic = { severity: 'error', code, offset: 0, args: {} } as const;
      yield { record: 'diagnostic', stream: this, time, frame, direction, diagnostic };
    }
    // A damaged packet has one reason, and a guessed version may be the wrong one.
    if (odd.length > 0 && !code && this.#preference07 === undefined) {
      for (const oddity of odd) yield this.#odd(oddity, direction);
    }
    if (packet?.kind === 'chunks') {
      const close = this.#closes.forgetFalse(direction, time);
      // Some clients close before they connect.
      if (close && this.#of(direction).chunks > 0)
        yield { ...this.#rejection('false_close', direction, time), frame: close.frame };
      yield* this.#chunks(packet, entry, direction);
      return;
    }
    if (entry) yield entry;
    if (packet?.kind === 'control') {
      // A keep-alive acknowledges, as every packet does.
      if (packet.control === controlCode.keepAlive) {
        const opposite = oppositeOf(direction);
        this.#ready.length = 0;
        this.#acknowledged(opposite, packet.ack);
        yield* this.#messages(opposite);
      }
      if (packet.control !== controlCode.close) return;
      // No earlier chunks can follow from now on.
      yield* this.#pendingChunks(direction);
      const reason = String(valueNamed(readControl(packet), 'reason') ?? '');
      this.#closes.add(direction, reason, time, frame, this.#of(direction).sequence.slowest?.seconds);
      yield { record: 'close', stream: this, time, frame, direction, reason };
    }
  }

  /** Yields the records of the chunks that are still pending at the end of the capture. */
  *finish(): Generator<RecordingEntry, void> {
    for (const direction of ['to_client', 'to_server'] as const) {
      yield* this.#settleHeld(direction, this.#of(direction).held.length >= moreThanForged);
    }
    this.#frame = 0;
    yield* this.#missing();
    yield* this.#stuckChunks();
    yield* this.#pendingChunks('to_client');
    yield* this.#pendingChunks('to_server');
    yield* this.#received(this.#snapshots?.finish());
    if (this.#snapshots) yield* this.#implausible(this.#snapshots.tickSequence.rejected.splice(0));
    const { rejected, packets, firstRejected } = this.#of('to_client');
    // What is read from packets that make no sense is rejected, too.
    if (rejected >= moreThanForged && 2 * rejected > packets && this.undecodable === 0)
      yield this.#odd({ code: 'mostly_rejected', args: { rejected } }, 'to_client', firstRejected);
    for (const told of this.#story?.finish() ?? []) yield this.#toldEntry(told);
  }

  *#stuckChunks(): Generator<DiagnosticEntry, void> {
    for (const direction of ['to_client', 'to_server'] as const) {
      const { changed, tooSoon } = this.#of(direction).sequence;
      // One may be of a damaged packet.
      if (tooSoon.chunks > 1 && this.hasHandshake) {
        const odd = { code: 'wrong_ack', args: { count: tooSoon.chunks }, weight: 'warning' } as const;
        yield this.#odd(odd, direction, tooSoon.frame);
      }
      for (const { sequence, frame, before, fate } of changed) {
        yield this.#odd({ code: 'changed_chunk', args: { sequence, before, fate } }, direction, frame);
      }
      const stuck = this.stuck(direction);
      if (!stuck) continue;
      const { sequence, message, times, seconds, frame } = stuck;
      const args = { sequence, message, times, seconds };
      yield this.#odd(
        { code: 'never_acknowledged', args, weight: isGivenUp(stuck) ? 'wrong' : 'warning' },
        direction,
        frame,
      );
    }
  }

  /** Yields the records of chunks that were pending because earlier ones were not captured. */
  #pendingChunks(direction: Direction): Iterable<RecordingEntry> {
    this.#ready.length = 0;
    for (const chunk of this.#of(direction).sequence.finish()) this.#ready.push(chunk);
    return this.#messages(direction);
  }

  #chunks(packet: Packet, entry: ReadPacket | undefined, direction: Direction): Iterable<RecordingEntry> {
    this.#ready.length = 0;
    // The messages to the sender of the packet that wait for one which it has, but the capture has not.
    this.#acknowledged(oppositeOf(direction), packet.ack);
    this.#of(direction).ack = packet.ack;
    if (packet.resend) this.#of(direction).askedAt = this.time;
    if (this.#ready.length > 0) return this.#chunksAfter(packet, entry, direction);
    const copies = this.#readChunks(packet, direction, entry?.fates);
    return this.#messages(direction, entry, copies);
  }

  #acknowledged(direction: Direction, ack: number): void {
    this.#of(direction).sequence.acknowledged(ack, this.time, this.#ready);
    if (this.#answers.isWaiting) this.#answers.acknowledged(direction, ack, { time: this.time, frame: this.#frame });
  }

  *#chunksAfter(packet: Packet, entry: ReadPacket | undefined, direction: Direction): Generator<RecordingEntry, void> {
    yield* this.#messages(oppositeOf(direction));
    this.#ready.length = 0;
    const copies = this.#readChunks(packet, direction, entry?.fates);
    yield* this.#messages(direction, entry, copies);
  }

  /**
   * Finds the messages of a packet that are to be read now, and adds to `shown` what becomes of its vital chunks.
   * @returns the records of those that its receiver does not take from this packet, if there are any
   */
  #readChunks(
    { chunks, cut, payload }: Packet,
    direction: Direction,
    shown?: ChunkFate[],
  ): RecordingEntry[] | undefined {
    const ready = this.#ready;
    const state = this.#of(direction);
    const fates = this.#fates;
    this.#fates = undefined;
    const { resent } = state.sequence;
    let copies: RecordingEntry[] | undefined;
    state.chunks += chunks.length;
    for (const place of chunks) {
      const { start, end, vital } = place;
      if (!vital) {
        ready.push({ bytes: payload, start, end, sequence: undefined, fate: undefined });
        continue;
      }
      const copy = this.#readVital(place, payload, direction, fates, shown);
      if (!copy) continue;
      copies ??= [];
      copies.push(copy);
    }
    // Of a chunk that was sent before, another copy may be the one that was acknowledged.
    if (fates?.lag !== undefined && state.sequence.resent === resent && !chunks.some(({ resend }) => resend))
      state.addLag(fates.lag, fates.isLagExact);
    if (!cut || cut.vital || cut.start >= payload.length) return copies;
    this.#cutMessage = { bytes: payload, start: cut.start, end: payload.length, sequence: undefined, fate: undefined };
    ready.push(this.#cutMessage);
    return copies;
  }

  /** Few chunks are vital. @returns the record of one that its receiver does not take from this packet */
  #readVital(
    place: PacketChunk,
    bytes: Uint8Array,
    direction: Direction,
    fates: PacketFates | undefined,
    shown: ChunkFate[] | undefined,
  ): RecordingEntry | undefined {
    const { start, end, sequence, resend } = place;
    const all = this.#of(direction).sequence;
    const known = fates?.of(sequence) ?? this.#undecided(direction);
    // Of one that is sent again, a copy that was not captured may be the one that was taken.
    const isOther = resend && known?.fate === 'taken' && !all.isWaitedFor(sequence);
    const chunk = { bytes, start, end, sequence, fate: isOther ? undecided : known };
    const { arrival, fate } = all.add(chunk, { time: this.time, frame: this.#frame }, this.#ready, resend);
    const isDropped = fate !== undefined && isUntaken(fate);
    shown?.push({ ...(fate ?? undecided), chunk: place, isRead: !isDropped && arrival !== 'again' });
    if (!isDropped || this.#options.messages === false) return undefined;
    return new ConnectionCopy(this, direction, chunk, this.#frame, fate);
  }

  /** Without a packet of the receiver, nothing is said of what it takes. */
  #undecided(direction: Direction): CopyFate | undefined {
    return this.#of(oppositeOf(direction)).packets > 0 ? undecided : undefined;
  }

  /**
   * The records of the messages that are ready, nearly always at once: most packets have a snapshot and a few messages.
   * A second snapshot uses the memory of the first, so it is read when that was taken.
   * @param packet the record before them
   * @param copies those after it, of chunks that were not taken
   */
  #messages(
    direction: Direction,
    packet?: PacketEntry,
    copies: readonly RecordingEntry[] = noRecords,
  ): Iterable<RecordingEntry> {
    const ready = this.#ready;
    const records = this.#records;
    records.length = 0;
    if (packet) records.push(packet);
    for (let i = 0; i < copies.length; i++) records.push(copies[i]!);
    let hasSnapshot = false;
    for (let i = 0; i < ready.length; i++) {
      const chunk = ready.items[i]!;
      const first = firstByte(chunk.bytes[chunk.start], this.version!);
      const isSnapshot = first.snapshot !== undefined && direction === 'to_client';
      if (isSnapshot && hasSnapshot) return this.#messagesFrom(i, direction);
      hasSnapshot ||= isSnapshot;
      const later = this.#message(chunk, first, direction);
      if (later) return this.#messagesFrom(i + 1, direction, later);
    }
    return records;
  }

  /** The records so far, and those of the messages from a position on, each read when it is asked for. */
  *#messagesFrom(
    next: number,
    direction: Direction,
    later: Iterable<RecordingEntry> = noRecords,
  ): Generator<RecordingEntry, void> {
    const ready = this.#ready;
    const records = this.#records;
    yield* records;
    yield* later;
    for (let i = next; i < ready.length; i++) {
      const chunk = ready.items[i]!;
      records.length = 0;
      const more = this.#message(chunk, firstByte(chunk.bytes[chunk.start], this.version!), direction);
      yield* records;
      if (more) yield* more;
    }
  }

  /**
   * Adds the records of a message.
   * @returns those that are made when they are asked for, of a few messages
   */
  #message(chunk: ReadyChunk, first: FirstByte, direction: Direction): Iterable<RecordingEntry> | undefined {
    const { snapshot } = first;
    if (snapshot && direction === 'to_client') {
      if (snapshot === 'map_change' || this.#answers.isWaiting) this.#expect(snapshot, chunk, direction);
      return snapshot === 'map_change' ? this.#mapChange(chunk) : this.#snapshotMessage(snapshot, chunk);
    }
    if (first.isInput && direction === 'to_server') this.#onInput(chunk);
    const isSound = chunk === this.#cutMessage || this.#isSound(chunk, direction);
    const impossible = isSound ? undefined : this.#impossible(chunk, direction);
    const odd = impossible ?? (first.isFollowed ? this.#follow(chunk, first, direction) : undefined);
    if (odd) this.#records.push(odd);
    if (this.#options.messages !== false)
      this.#records.push(new ConnectionMessage(this, direction, chunk, this.#frame));
    return undefined;
  }

  /** The first value of an input is the tick of the snapshot that the client took last. */
  #onInput({ bytes, start, end }: ReadyChunk): void {
    const next = endOfInt(bytes, start + 1, end);
    if (next >= 0) this.#snapshots?.onInput(unpackInt(bytes, start + 1, next, ignore), this.time, this.#frame);
  }

  #isSound({ bytes, start, end }: ReadyChunk, direction: Direction): boolean {
    const state = this.#of(direction);
    state.intCounts ??= intsByFirstByte(this.protocol, direction === 'to_client' ? 'server' : 'client');
    const count = state.intCounts[bytes[start]!];
    return count !== undefined && isOfInts(bytes, count, start, end);
  }

  /**
   * What a message shows that its sender cannot have meant. While the version is a guess, that may be the wrong one.
   */
  #impossible(chunk: ReadyChunk, direction: Direction): DiagnosticEntry | undefined {
    if (this.#preference07 !== undefined) return undefined;
    const bytes = viewOf(chunk);
    if (mayBeMixed(this.version!, direction === 'to_client', bytes[0])) return undefined;
    const { protocol } = this;
    const from = direction === 'to_client' ? 'server' : 'client';
    const lazy = new ChunkMessage(chunk, protocol);
    const head = readMessageHead(bytes, protocol);
    const clients = from === 'server' && this.ddnetVersion !== undefined ? clientsOf(this.ddnetVersion) : undefined;
    const odd = impossibleMessage(head, bytes, from, protocol, lazy, { clients });
    if (odd) return this.#odd(odd, direction);
    if (head.type?.name === 'client_version')
      this.ddnetVersion = Number(valueNamed(lazy.message.values, 'ddnet_version'));
    return undefined;
  }

  /** Notes a message that the table of expectations names. @returns what is wrong with its place */
  #follow(chunk: ReadyChunk, first: FirstByte, direction: Direction): DiagnosticEntry | undefined {
    if (first.namesPlayers && direction === 'to_client') this.#followPlayers(chunk);
    const name = first.isLong ? expectedName(chunk.bytes, this.protocol, chunk.start, chunk.end) : first.expected;
    if (name === undefined || chunk === this.#cutMessage) return undefined;
    this.#expect(name, chunk, direction);
    const told = direction === 'to_server' && this.#isWhole(direction) ? this.#answers.misplaced(name) : undefined;
    return told && this.#odd(told, direction);
  }

  /** Who is announced, and whom a message names. */
  #followPlayers(chunk: ReadyChunk): void {
    this.#story ??= this.#newStory();
    this.#story.addMessage(readWhole(chunk, this.protocol), { frame: this.#frame });
  }

  #expect(name: string, chunk: ReadyChunk, direction: Direction): void {
    const { sequence } = chunk;
    const read = new ChunkMessage(chunk, this.protocol);
    const { ack } = this.#of(direction);
    const key = keyOf(name, read);
    this.#answers.add({ name, direction, sequence, ack, key, time: this.time, frame: this.#frame });
    this.#map.add(name, read);
  }

  #sender(direction: Direction): SenderFacts {
    const { sequence, heartbeat } = this.#of(direction);
    return { last: heartbeat.last, uncaptured: sequence.uncaptured, hasHole: sequence.hasHole };
  }

  /** What the two ends should have sent, and did not. */
  *#missing(): Generator<DiagnosticEntry, void> {
    for (const told of this.#told.splice(0)) yield this.#toldEntry(told);
    const told = this.#answers.finish({ end: this.end, sender: (direction) => this.#sender(direction) });
    for (const missing of told) yield this.#toldEntry({ ...missing, args: this.#map.argsWith(missing.args) });
  }

  #snapshotMessage(name: string, chunk: ReadyChunk): Iterable<RecordingEntry> | undefined {
    this.#snapshots ??= new SnapshotReceiver(this, this.#memory);
    const { tickSequence, oddities } = this.#snapshots;
    const whole = wholeSnapshotMessage(chunk.bytes, name, 0, chunk.start, chunk.end);
    const message = whole ? undefined : readWhole(chunk, this.version!);
    const odd = message && chunk !== this.#cutMessage ? oddSnapshotMessage(message) : undefined;
    const tick = (whole ?? snapshotMessage(message!))?.tick;
    const frame = tick === undefined ? undefined : this.#snapshots.frameBefore(tick, this.time);
    if (frame !== undefined) {
      this.lateSnapshots++;
      const fate = { fate: 'late', frame } as const;
      if (this.#options.messages !== false)
        this.#records.push(new ConnectionCopy(this, 'to_client', chunk, this.#frame, fate));
      return undefined;
    }
    const settled = whole
      ? this.#snapshots.addRead(whole, whole.bytes, undefined, this.time, this.#frame)
      : this.#snapshots.add(message!, this.time, this.#frame);
    const isOrdinary = !odd && Array.isArray(settled) && tickSequence.rejected.length === 0 && oddities.length === 0;
    if (!isOrdinary) return this.#withRejected(odd, settled, this.#snapshots);
    for (const received of settled as readonly ReceivedSnapshot[]) this.#records.push(this.#arrived(received));
    return undefined;
  }

  *#withRejected(
    odd: Odd | undefined,
    settled: Iterable<ReceivedSnapshot>,
    { tickSequence, oddities }: SnapshotReceiver,
  ): Generator<RecordingEntry, void> {
    if (odd) yield this.#odd(odd, 'to_client');
    yield* this.#received(settled);
    if (tickSequence.rejected.length > 0) yield* this.#implausible(tickSequence.rejected.splice(0));
    for (const found of oddities.splice(0)) yield this.#odd(found, 'to_client');
  }

  *#mapChange(chunk: ReadyChunk): Generator<RecordingEntry, void> {
    yield* this.#received(this.#snapshots?.beginAgain());
    this.#mapChanges++;
    this.#story?.restart();
    yield* this.#received(this.#snapshots?.restart());
    if (this.#options.messages !== false) yield new ConnectionMessage(this, 'to_client', chunk, this.#frame);
  }

  #arrived(received: ReceivedSnapshot): SnapshotEntry {
    received.time = this.time;
    if (received.frame === 0) received.frame = this.#frame;
    const entry = received as SnapshotEntry;
    this.#story ??= this.#newStory();
    if (!entry.snapshot || entry.verdict === 'mismatch' || entry.uncertain) this.#story.addGap();
    else {
      const told = this.#story.add(entry, entry.snapshot, this.protocol);
      if (told.length > 0) this.#told.push(...told);
    }
    return entry;
  }

  #newStory(): SnapshotStory {
    return new SnapshotStory(false, () => this.#isWhole('to_client'));
  }

  /** Whether all vital messages of a direction are here, from the first one on. */
  #isWhole(direction: Direction): boolean {
    const { sequence } = this.#of(direction);
    return this.hasHandshake && sequence.uncaptured === 0 && !sequence.hasHole;
  }

  *#received(all: Iterable<ReceivedSnapshot> | undefined): Generator<RecordingEntry, void> {
    for (const received of all ?? []) yield this.#arrived(received);
  }

  #guessVersion(bytes: Uint8Array, before: number): void {
    const [best, other] = fitPacket(bytes, this.#options.schema);
    const preference = before + (best.version === '0.7' ? 1 : -1) * (best.evidence - other.evidence);
    const version = preference > 0 ? '0.7' : '0.6';
    this.#preference07 = Math.abs(preference) >= sureDifference ? undefined : preference;
    if (this.version !== undefined && this.version !== version) {
      this.#snapshots = undefined;
      this.#answers = new Answers();
      this.#story = undefined;
      this.#toClient.restart();
      this.#toServer.restart();
    }
    this.version = version;
  }
}

/** All of a message, of which nearly all need a few bytes. */
function readWhole(chunk: ReadyChunk, protocol: Protocol | PacketVersion): Message {
  const bytes = viewOf(chunk);
  return readMessage(bytes, 0, bytes.length, protocol);
}

/** Bytes after a snapshot message, or an end before its tick: other ends make the snapshot a damaged one. */
function oddSnapshotMessage({ type, values, diagnostics }: Message): Odd | undefined {
  const { error, warnings } = diagnostics;
  if (error && values.length < 2) return { code: error.code, args: error.args };
  const excess = warnings.length > 0 && warnings.find(({ code }) => code === 'excess_bytes');
  return excess ? { code: 'excess_bytes', args: { message: type!.name, ...excess.args } } : undefined;
}

/**
 * A server of DDNet repeats its token with the bytes in the order of its memory: `CNetServer::OnSixupCtrlMsg` in
 * network_server.cpp.
 */
function oddAccept(found: number, expected: number | undefined): Odd | undefined {
  if (expected === undefined || found === expected) return undefined;
  const isSwapped = found === swapped(expected);
  return {
    code: 'accept_token',
    args: { found, expected, isSwapped: Number(isSwapped) },
    weight: isSwapped ? 'note' : 'warning',
  };
}

const swapped = (token: number): number =>
  ((token >>> 24) | ((token >>> 8) & 0xff00) | ((token & 0xff00) << 8) | (token << 24)) >>> 0;

const undecided: CopyFate = { fate: 'open' };

const oppositeOf = (direction: Direction): Direction => (direction === 'to_client' ? 'to_server' : 'to_client');
