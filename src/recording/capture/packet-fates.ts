import { areSameBytes } from '../../wire/bytes/copy.ts';
import { ignore } from '../../wire/bytes/diagnostic.ts';
import { u32 } from '../../wire/bytes/fixed-int.ts';
import {
  controlCode,
  flagsIn,
  isConnless,
  type Packet,
  type PacketVersion,
  type PartOfPacket,
  readPartOfPacket,
} from '../../wire/packet/packet.ts';
import { type CopyFate, numberAfter, stepsTo } from '../../wire/packet/sequence.ts';
import { oftenSeconds, repeatSeconds } from '../replay/limits.ts';
import { type Ahead, type WaitingDatagram, wayOf } from './ahead.ts';

/*
 * What became of the vital chunks of a packet, by what is captured after it. The receiver's acks decide:
 *
 *   5 6      ack 6                        taken: no other copy passed before
 *   5 6      ack 4, again!   5 6          5 is lost: this packet has what is asked for, so it did not arrive
 *   6        ack 4, again!   5 6          6 is early: it arrived, and 5 had not
 *   5        ack 4 …         5            5 is lost: it is not taken for a while, and sent again
 *   5        5        ack 5               open: either copy may have been taken
 *
 * A capture between the two ends sees an ack some time after the chunk, and a request may be under way when the chunk
 * passes. So a packet of the receiver tells nothing of a copy before the longest such time (`lag`) is over.
 *
 * Source: `CNetRecvUnpacker::FetchChunk` in network.cpp, `CNetConnection::Feed` and `SignalResend` in network_conn.cpp of
 * the games.
 */

/** What is known of the connection. */
interface FateContext {
  readonly version: PacketVersion;
  /** The tokens of packets that go the same way, and back; undefined where they are not known. */
  readonly tokens: readonly [sameWay: number | undefined, back: number | undefined];
  /** The last ack of the receiver, if there was one, and the last number that was sent, as far as is known. */
  readonly acknowledged: number | undefined;
  readonly newest: number | undefined;
  /** How long after a chunk its receiver may still send packets that it wrote before it had it. */
  readonly lag: number;
  /** Whether the receiver asked for something shortly before, so that copies may be under way. */
  readonly isAsked: boolean;
  /**
   * Whether the receiver is a server that has taken nothing so far. If it sends messages all the same, they are a
   * challenge, and it takes any number as the first: `m_UnknownAck`.
   */
  readonly isFirst?: boolean;
  readonly isChallenged?: boolean;
}

/** A chunk, and what passed since. */
interface Watched {
  readonly sequence: number;
  fate: CopyFate | undefined;
  /** The first packet that asks for it or one before it. */
  asked: { readonly frame: number; readonly ack: number } | undefined;
  /** The first packet of the receiver that can know of it, and does not acknowledge it. */
  isRefused: boolean;
  /** The first packet with another copy. */
  copy: number | undefined;
}

/** The vital chunks of a packet, and what later packets show of them. */
export class PacketFates {
  readonly #context: FateContext;
  readonly #time: number;
  readonly #all: Watched[];
  /** The first one is the packet itself. */
  #looked = 1;
  /** The last number that can have been sent: each chunk of a later packet may be a vital one. */
  #newest: number;
  #isEnded = false;
  #isChallenged: boolean;
  /** Whether there may be a copy that nobody asked for: then either may have been taken. */
  #isDoubled: boolean;
  /** The time of the packet itself, or of the last one of its receiver. */
  #before: number;
  /** After how long at most its receiver acknowledged a chunk, if it took this copy for certain. */
  lag: number | undefined;
  /** Whether its receiver also spoke shortly before, so that it would have acknowledged it then. */
  isLagExact = false;

  constructor({ packet, error }: PartOfPacket, time: number, context: FateContext) {
    const numbers = vitalsOf(packet!);
    // A chunk that is asked for while it waits to be sent is twice in its packet.
    this.#isDoubled = error !== undefined || numbers.some((sequence, i) => numbers.indexOf(sequence) < i);
    const { acknowledged, newest } = context;
    this.#newest = numbers.reduce(
      (last, sequence) => (stepsTo(last, sequence) > 0 ? sequence : last),
      newest ?? numbers[0]!,
    );
    this.#all = numbers.map((sequence) => {
      // What was acknowledged before was taken from another copy, or in a file of another order from this one.
      const isLate = acknowledged !== undefined && stepsTo(sequence, acknowledged) >= 0;
      return {
        sequence,
        fate: isLate ? { fate: 'open' } : undefined,
        asked: undefined,
        isRefused: false,
        copy: undefined,
      };
    });
    this.#time = time;
    this.#before = time;
    this.#context = context;
    this.#isChallenged = context.isChallenged === true;
  }

  /** What becomes of a chunk, as far as is known. */
  of(sequence: number): CopyFate | undefined {
    return this.#all.find((chunk) => chunk.sequence === sequence)?.fate;
  }

  /**
   * Looks at those packets that were not there before.
   * @param ahead the packet itself, and those after it
   * @returns whether all is decided
   */
  look(ahead: Ahead): boolean {
    for (; this.#looked < ahead.length && !this.#isDecided; this.#looked++) {
      const packet = ahead.at(this.#looked);
      const way = wayOf(ahead.at(0), packet);
      const isSameWay = way === 'same';
      if (way === undefined || isConnless(packet.bytes) || isOther(packet.bytes, this.#context, isSameWay)) continue;
      if (isEnd(packet.bytes, this.#context.version)) this.#isEnded = true;
      else if (isSameWay) this.#onCopies(packet, ahead.at(0));
      else this.#onAck(packet);
    }
    return this.#isDecided;
  }

  get #isDecided(): boolean {
    return this.#isEnded || this.#all.every(({ fate }) => fate);
  }

  #onAck({ bytes, time, number: frame }: WaitingDatagram): void {
    const { version, lag, isFirst } = this.#context;
    const ack = ((bytes[0]! & 3) << 8) | bytes[1]!;
    // What acknowledges more than was sent is of an earlier session of these two ends, or forged.
    if (stepsTo(this.#newest, ack) > 0) return;
    const isAsked = (flagsIn(bytes[0]!, version) & 2) !== 0;
    if (isFirst && ack === 0 && bytes[2]! > 0) this.#isChallenged = true;
    const waits = time - this.#time;
    for (const chunk of this.#all) {
      if (chunk.fate) continue;
      if (stepsTo(chunk.sequence, ack) >= 0) {
        // The other copy may be the one that was taken, and a later number the first one.
        const isOpen = chunk.copy !== undefined || this.#isDoubled || (this.#isChallenged && chunk.sequence !== ack);
        chunk.fate = isOpen ? { fate: 'open' } : { fate: 'taken', frame };
        if (!isOpen && waits >= (this.lag ?? 0)) {
          this.lag = waits;
          this.isLagExact = time - this.#before < oftenSeconds;
        }
        continue;
      }
      if (isAsked) chunk.asked ??= { frame, ack };
      // Without times, only a request shows that it was not there.
      chunk.isRefused ||= waits > lag || (isAsked && Number.isNaN(waits));
      this.#settle(chunk);
    }
    this.#before = time;
  }

  #onCopies({ bytes, time, number: frame }: WaitingDatagram, own: WaitingDatagram): void {
    // A sender repeats what is asked for, and what is not acknowledged after a second: no other packet is read.
    const isLater = time - this.#time > repeatSeconds;
    const { version, tokens, isAsked } = this.#context;
    this.#newest = numberAfter(this.#newest, bytes[2]!);
    if (!isLater && !isAsked && !this.#all.some(({ asked }) => asked)) {
      this.#isDoubled ||= areSameBytes(bytes, own.bytes);
      return;
    }
    const { packet, error } = readPartOfPacket(bytes, version, ignore, { token: tokens[0] });
    // Of which not all was captured, it may have a copy.
    if (error) this.#isDoubled = true;
    if (packet?.kind !== 'chunks') return;
    for (const sequence of vitalsOf(packet)) {
      const chunk = this.#all.find((chunk) => chunk.sequence === sequence);
      if (!chunk) continue;
      chunk.copy ??= frame;
      this.#settle(chunk);
    }
  }

  /** A chunk that its receiver does not have, and that is sent again, was not taken: a sender keeps what it needs. */
  #settle(chunk: Watched): void {
    const { asked, isRefused, copy } = chunk;
    if (chunk.fate || !isRefused || copy === undefined) return;
    const hasNext = asked && this.#all.some(({ sequence }) => sequence === numberAfter(asked.ack));
    if (asked && !hasNext) {
      chunk.fate = { fate: 'early', frame: asked.frame };
      return;
    }
    // With one chunk, all of its packet are lost.
    for (const other of this.#all) other.fate ??= { fate: 'lost', frame: other.copy ?? copy };
  }
}

const vitalsOf = ({ chunks }: Packet): number[] => chunks.filter(({ vital }) => vital).map(({ sequence }) => sequence);

/** Whether its token shows that it is of another connection, or forged. */
function isOther(bytes: Uint8Array, { version, tokens }: FateContext, isSameWay: boolean): boolean {
  if (bytes.length < 3) return true;
  const token = tokens[isSameWay ? 0 : 1];
  return version === '0.7' && token !== undefined && (bytes.length < 7 || u32(bytes, 3, false) !== token);
}

/** Whether a packet ends a connection or begins another one: what comes after it says nothing of the ones before. */
function isEnd(bytes: Uint8Array, version: PacketVersion): boolean {
  if ((flagsIn(bytes[0]!, version) & 1) === 0) return false;
  return bytes[version === '0.7' || (bytes[0]! & 0x08) !== 0 ? 7 : 3] !== controlCode.keepAlive;
}
