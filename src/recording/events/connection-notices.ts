import { getOr } from '../../wire/bytes/get-or.ts';
import { timeoutSeconds } from '../../wire/packet/sequence.ts';
import { RecordingClock } from '../replay/clock.ts';
import type { RecordingEntry, SnapshotEntry } from '../replay/record.ts';
import type { ConnectionStream, Direction } from '../replay/stream.ts';
import type { ConnectionNotice } from './event.ts';

/** Less is no silence: packets that are lost leave gaps of a second, after which they are sent again. */
export const silentSeconds = 2;

/** The tick of a connection about once a second, with the time. */
interface TickOfSecond {
  readonly time: number;
  readonly tick: number;
}

/** A notice that is known only later: when it was, and at which tick, about a second exact; -1 before the first. */
type LateNotice = ConnectionNotice & { readonly at: number; readonly tick: number };

interface LateAccept {
  /** When the handshake ends. */
  readonly at: number;
  readonly notice: Extract<ConnectionNotice, { what: 'accept' }>;
}

const sides = ['to_server', 'to_client'] as const;

export const sideOf = (direction: Direction) => (direction === 'to_server' ? 'client' : 'server');

/**
 * What becomes of the connections of a capture, as events:
 * ```
 *   connect  ─▶  accept  ─▶  enter  ─▶  close, or an end is silent: timeout
 *            └─▶  refuse: closed by the server before the client entered
 * ```
 */
export class ConnectionNotices {
  readonly #entered = new WeakSet<object>();
  readonly #ticks = new WeakMap<object, TickOfSecond[]>();
  /** Connections whose handshake is known from its first packet on, and has not ended yet. */
  readonly #accepts = new WeakMap<object, LateAccept>();

  /** What a record tells. */
  *add(entry: RecordingEntry): Iterable<ConnectionNotice> {
    const accept = entry.stream && this.#accepts.get(entry.stream);
    // The first record after the handshake: other clients' records come between its packets.
    if (accept && !(entry.time! < accept.at)) {
      this.#accepts.delete(entry.stream!);
      yield accept.notice;
    }
    if (entry.record === 'snapshot') this.#noteTick(entry);
    else if (entry.record === 'connection') {
      const { server, version, handshake } = entry.stream;
      // Without its first packets, it was there before.
      if (version === undefined || !handshake) return;
      yield { what: 'connect', server, version };
      const { packets, seconds } = handshake;
      const hasTime = Number.isFinite(seconds);
      const notice = {
        what: 'accept',
        packets,
        seconds: hasTime ? RecordingClock.rounded(seconds) : undefined,
      } as const;
      if (hasTime) this.#accepts.set(entry.stream, { at: entry.time! + seconds, notice });
      else yield notice;
    } else if (entry.record === 'message') {
      if (entry.direction !== 'to_server' || entry.head.type?.name !== 'enter_game') return;
      if (this.#entered.has(entry.stream)) return;
      this.#entered.add(entry.stream);
      yield { what: 'enter' };
    } else if (entry.record === 'close') {
      const { stream, direction, reason } = entry;
      const isRefused = direction === 'to_client' && stream.handshake !== undefined && !this.#entered.has(stream);
      yield isRefused ? { what: 'refuse', reason } : { what: 'close', side: sideOf(direction), reason };
    }
  }

  /** What is known of a connection at the end of a capture, in the order of time. */
  finish(stream: ConnectionStream): readonly LateNotice[] {
    const ticks = this.#ticks.get(stream) ?? [];
    return Array.from(this.#atEnd(stream), (notice) => {
      return { ...notice, tick: ticks.findLast(({ time }) => time <= notice.at)?.tick ?? -1 };
    }).sort((a, b) => a.at - b.at);
  }

  #noteTick({ stream, time = Number.NaN, tick }: SnapshotEntry): void {
    const ticks = getOr(this.#ticks, stream, (): TickOfSecond[] => []);
    if (!(time - (ticks.at(-1)?.time ?? -Infinity) < 1)) ticks.push({ time, tick });
  }

  *#atEnd(stream: ConnectionStream): Iterable<ConnectionNotice & { readonly at: number }> {
    const accept = this.#accepts.get(stream);
    if (accept) yield { ...accept.notice, at: accept.at };
    for (const direction of sides)
      for (const { seconds, from } of silencesOf(stream, direction))
        yield { what: 'silence', side: sideOf(direction), seconds: RecordingClock.rounded(seconds), at: from };
    const timeout = timeoutOf(stream);
    if (timeout) yield { what: 'timeout', ...timeout, seconds: RecordingClock.rounded(timeout.seconds) };
  }
}

/** When an end says nothing for longer than loss explains: between its packets, and at the end, while the other goes on. */
export function silencesOf(stream: ConnectionStream, direction: Direction) {
  const { silence, last } = stream.heartbeat(direction);
  const other = stream.heartbeat(direction === 'to_server' ? 'to_client' : 'to_server');
  return [silence, { seconds: other.last - last, from: last }].filter(({ seconds }) => seconds >= silentSeconds);
}

/** The end that is silent for longer than the games wait, where nobody closes the connection. */
export function timeoutOf(
  stream: ConnectionStream,
): { side: 'client' | 'server'; seconds: number; at: number } | undefined {
  if (stream.end) return undefined;
  const [client, server] = sides.map((direction) => stream.heartbeat(direction).last) as [number, number];
  const seconds = Math.abs(client - server);
  if (!(seconds > timeoutSeconds)) return undefined;
  return { side: client < server ? 'client' : 'server', seconds, at: Math.min(client, server) };
}
