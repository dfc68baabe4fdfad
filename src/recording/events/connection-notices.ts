import { getOr } from '../../wire/bytes/get-or.ts';
import { timeoutSeconds } from '../../wire/packet/sequence.ts';
import { RecordingClock } from '../replay/clock.ts';
import { longestTimeout, silentSeconds } from '../replay/limits.ts';
import type { DiagnosticEntry, RecordingEntry, SnapshotEntry } from '../replay/record.ts';
import { type ConnectionStream, type Direction, type Heard, isConnection } from '../replay/stream.ts';
import type { ConnectionNotice } from './event.ts';

type Silence = Heard['silence'];

/** The tick of a connection about once a second, with the time. */
interface TickOfSecond {
  readonly time: number;
  readonly tick: number;
}

interface LateAccept {
  /** When the handshake ends. */
  readonly at: number;
  readonly notice: Extract<ConnectionNotice, { what: 'accept' }>;
}

/** What is known of a connection so far. */
interface State {
  mapChanges: number;
  hasEntered: boolean;
  readonly ticks: TickOfSecond[];
  tick: number;
  /** Of a connection whose handshake is known from its first packet on, and has not ended yet. */
  accept: LateAccept | undefined;
  /** How many silences of each end were told, and when the last one began. */
  readonly silences: Record<Direction, number>;
  readonly lastSilence: Record<Direction, number>;
  timeoutAt: number;
}

const newState = (): State => ({
  mapChanges: 0,
  hasEntered: false,
  ticks: [],
  tick: -1,
  accept: undefined,
  silences: { to_server: 0, to_client: 0 },
  lastSilence: { to_server: Number.NaN, to_client: Number.NaN },
  timeoutAt: Number.NaN,
});

const none: readonly PlacedNotice[] = [];

/** A notice and where it stands, which may be before the record that tells it. */
export interface PlacedNotice {
  readonly notice: ConnectionNotice;
  /** Undefined for a flood, which is of no connection. */
  readonly stream: ConnectionStream | undefined;
  /** Seconds since 1970; NaN in a capture without times. */
  readonly at: number;
  /** That of the connection's last snapshot, about a second exact for what is told later; -1 before the first. */
  readonly tick: number;
  /** The packet that tells it; undefined for what no packet tells. */
  readonly frame?: number | undefined;
}

const sides = ['to_server', 'to_client'] as const;

export const sideOf = (direction: Direction) => (direction === 'to_server' ? 'client' : 'server');

/**
 * What becomes of the connections of a capture, as events:
 * ```
 *   connect  ─▶  accept  ─▶  enter  ─▶  close, or an end is silent: timeout
 *            └─▶  refuse: closed by the server before the client entered
 * ```
 * A silence is told when it is over, and stands where it began.
 */
export class ConnectionNotices {
  readonly #states = new WeakMap<ConnectionStream, State>();
  /** The connections of which more may be told. */
  readonly #open = new Set<ConnectionStream>();
  /** When the connections were last looked at. */
  #looked = -Infinity;
  /**
   * The time, in seconds since 1970, after which notices may still stand: an end of a connection has said nothing since.
   * It is up to a second old.
   */
  oldest = Infinity;

  /** What a record tells. Nearly none tells anything, so this is fast. */
  add(entry: RecordingEntry): readonly PlacedNotice[] {
    const { stream, time = Number.NaN } = entry;
    const isTime = time > this.#looked + 1;
    if (!stream) {
      return isFlood(entry) ? [this.#flood(entry)] : isTime ? [...this.#look(time)] : none;
    }
    if (!isConnection(stream)) return none;
    if (entry.record === 'drop') return [...this.#end(stream)];
    const state = this.#at(stream);
    const told = this.#tells(entry, stream, state) ? [...this.#told(entry, stream, state)] : none;
    if (entry.record === 'snapshot') noteTick(entry, state);
    return isTime ? [...told, ...this.#look(time)] : told;
  }

  /** What is known at the end of a capture, in the order of time. */
  finish(): readonly PlacedNotice[] {
    return [...this.#open].flatMap((stream) => [...this.#end(stream)]).sort((a, b) => a.at - b.at);
  }

  #at(stream: ConnectionStream): State {
    this.#open.add(stream);
    const state = getOr(this.#states, stream, newState);
    if (state.mapChanges !== stream.mapChanges) {
      // A map change restarts the ticks.
      state.mapChanges = stream.mapChanges;
      state.tick = -1;
    }
    return state;
  }

  #flood({ diagnostic: { args }, time: at = Number.NaN, frame }: DiagnosticEntry): PlacedNotice {
    const server = String(args.server);
    const { requests, addresses, seconds } = args;
    const sums = { requests: Number(requests), addresses: Number(addresses), seconds: Number(seconds) };
    // All clients of a server have its ticks.
    const ticks = [...this.#open]
      .filter((stream) => stream.server === server)
      .map((stream) => tickAt(this.#at(stream), at));
    return { notice: { what: 'flood', server, ...sums }, stream: undefined, at, tick: Math.max(-1, ...ticks), frame };
  }

  #tells({ record }: RecordingEntry, stream: ConnectionStream, { accept, silences }: State): boolean {
    if (record === 'connection' || record === 'message' || record === 'close' || accept) return true;
    return sides.some((direction) => stream.heartbeat(direction).silences.length > silences[direction]);
  }

  *#told(entry: RecordingEntry, stream: ConnectionStream, state: State): Generator<PlacedNotice, void> {
    const { time: at = Number.NaN, frame } = entry;
    yield* this.#silences(stream, state);
    for (const notice of noticesIn(entry, stream, state)) yield { notice, stream, at, tick: state.tick, frame };
  }

  /** The silences that are over. */
  *#silences(stream: ConnectionStream, state: State): Generator<PlacedNotice, void> {
    for (const direction of sides) {
      const { silences } = stream.heartbeat(direction);
      const known = state.silences[direction];
      state.silences[direction] = silences.length;
      for (const silence of silences.slice(known)) yield* this.#silence(stream, state, direction, silence);
    }
  }

  /** A silence, unless it was told when the connection seemed to have ended. */
  *#silence(
    stream: ConnectionStream,
    state: State,
    direction: Direction,
    { seconds, from }: Silence,
  ): Generator<PlacedNotice, void> {
    if (from === state.lastSilence[direction]) return;
    state.lastSilence[direction] = from;
    const notice = { what: 'silence', side: sideOf(direction), seconds: RecordingClock.rounded(seconds) } as const;
    yield late(stream, state, notice, from);
  }

  /** Ends the connections that are closed or silent for longer than the games wait, as far as that shows now. */
  *#look(now: number): Generator<PlacedNotice, void> {
    this.#looked = now;
    this.oldest = Infinity;
    for (const stream of this.#open) {
      const accepted = this.#at(stream).accept?.at ?? Infinity;
      const [client, server] = sides.map((direction) => stream.heartbeat(direction).last) as [number, number];
      const silent = now - Math.max(client, server);
      if (silent > (stream.end ? silentSeconds : longestTimeout)) yield* this.#end(stream);
      else this.oldest = Math.min(this.oldest, ...[client, server, accepted].filter((at) => now - at < longestTimeout));
      // The packets of a handshake come after the first record.
      if (Number.isNaN(client) && Number.isNaN(server)) this.oldest = Math.min(this.oldest, stream.firstTime);
    }
  }

  *#end(stream: ConnectionStream): Generator<PlacedNotice, void> {
    const state = this.#at(stream);
    const { accept, timeoutAt } = state;
    state.accept = undefined;
    if (accept) yield late(stream, state, accept.notice, accept.at);
    yield* this.#silences(stream, state);
    for (const direction of sides) {
      const silence = silenceAtEnd(stream, direction);
      if (isSilentAtEnd(stream, direction)) yield* this.#silence(stream, state, direction, silence);
    }
    const { side, seconds = 0, at = Number.NaN } = timeoutOf(stream) ?? givenUp(stream) ?? {};
    if (side && at !== timeoutAt)
      yield late(stream, state, { what: 'timeout', side, seconds: RecordingClock.rounded(seconds) }, at);
    state.timeoutAt = at;
    this.#open.delete(stream);
  }
}

/** A flood is told by the story of handshakes: there is one judgement of it. */
const isFlood = (entry: RecordingEntry): entry is DiagnosticEntry =>
  entry.record === 'diagnostic' && entry.diagnostic.code === 'flood';

function* noticesIn(entry: RecordingEntry, stream: ConnectionStream, state: State): Generator<ConnectionNotice, void> {
  const { accept } = state;
  // The first record after the handshake: other clients' records come between its packets.
  if (accept && !(entry.time! < accept.at)) {
    state.accept = undefined;
    yield accept.notice;
  }
  if (entry.record === 'connection') {
    const { server, version, handshake } = stream;
    // Without its first packets, it was there before.
    if (version === undefined || !handshake) return;
    yield { what: 'connect', server, version };
    const { packets, seconds } = handshake;
    const hasTime = Number.isFinite(seconds);
    const notice = { what: 'accept', packets, seconds: hasTime ? RecordingClock.rounded(seconds) : undefined } as const;
    if (hasTime) state.accept = { at: entry.time! + seconds, notice };
    else yield notice;
  } else if (entry.record === 'message') {
    if (state.hasEntered || entry.direction !== 'to_server' || entry.head.type?.name !== 'enter_game') return;
    state.hasEntered = true;
    yield { what: 'enter' };
  } else if (entry.record === 'close') {
    const { direction, reason } = entry;
    const isRefused = direction === 'to_client' && stream.handshake !== undefined && !state.hasEntered;
    yield isRefused ? { what: 'refuse', reason } : { what: 'close', side: sideOf(direction), reason };
  }
}

function noteTick({ time = Number.NaN, tick }: SnapshotEntry, state: State): void {
  state.tick = Math.max(state.tick, tick);
  if (!(time - (state.ticks.at(-1)?.time ?? -Infinity) < 1)) state.ticks.push({ time, tick });
}

const late = (stream: ConnectionStream, state: State, notice: ConnectionNotice, at: number): PlacedNotice => ({
  notice,
  stream,
  at,
  tick: tickAt(state, at),
});

const tickAt = ({ ticks }: State, at: number) => ticks.findLast(({ time }) => time <= at)?.tick ?? -1;

/** For how long the other end goes on alone. */
function silenceAtEnd(stream: ConnectionStream, direction: Direction): Silence {
  const { last } = stream.heartbeat(direction);
  return { seconds: stream.heartbeat(direction === 'to_server' ? 'to_client' : 'to_server').last - last, from: last };
}

export const isSilentAtEnd = (stream: ConnectionStream, direction: Direction): boolean =>
  silenceAtEnd(stream, direction).seconds >= silentSeconds;

/** When an end says nothing for longer than loss explains: for longest between its packets, and at the end. */
export const silencesOf = (stream: ConnectionStream, direction: Direction): readonly Silence[] =>
  [stream.heartbeat(direction).silence, silenceAtEnd(stream, direction)].filter(
    ({ seconds }) => seconds >= silentSeconds,
  );

/** The end that the other one gives up for its silence, and says so when it closes the connection. */
function givenUp(stream: ConnectionStream): Timeout | undefined {
  const { end } = stream;
  if (!end || !/^timeout/i.test(end.reason)) return undefined;
  const at = stream.heartbeat(end.direction === 'to_server' ? 'to_client' : 'to_server').last;
  return { side: end.direction === 'to_server' ? 'server' : 'client', seconds: end.time - at, at };
}

interface Timeout {
  readonly side: 'client' | 'server';
  readonly seconds: number;
  readonly at: number;
}

/** The end that is silent for longer than the games wait, where nobody closes the connection. */
export function timeoutOf(stream: ConnectionStream): Timeout | undefined {
  if (stream.end) return undefined;
  const [client, server] = sides.map((direction) => stream.heartbeat(direction).last) as [number, number];
  const seconds = Math.abs(client - server);
  if (!(seconds > timeoutSeconds)) return undefined;
  return { side: client < server ? 'client' : 'server', seconds, at: Math.min(client, server) };
}
