import type { Message } from '../../packet/message.ts';
import type { Stream } from '../../recording/record.ts';
import type { FrameReading, SentPart } from './frame-reading.ts';

/** The number of ticks of a stream whose results are kept for repeated messages. */
const maxSettled = 64;

interface StreamState {
  /** The messages in frames that are not written yet, by tick. */
  readonly parts: Map<number, SentPart[]>;
  /** The results of the last ticks. */
  readonly settled: Map<number, string>;
}

/** The snapshot messages in frames that are not written yet, since a later frame may complete their snapshot. */
export class SentSnapshots {
  readonly #states = new WeakMap<Stream, StreamState>();

  /** Adds a message to its frame, and returns whether it is a snapshot message. */
  add(stream: Stream, { system, type, values }: Message, frame: FrameReading): boolean {
    if (!system || !type || !/^snap(_single|_empty)?$/.test(type.name)) return false;
    const value = (name: string) => values.find((one) => one.name === name)?.value;
    const [tick, count, part] = [value('tick'), value('num_parts') ?? 1, value('part') ?? 0];
    if (typeof tick !== 'number' || typeof count !== 'number' || typeof part !== 'number') return false;
    const { parts, settled } = this.#stateOf(stream);
    const known = settled.get(tick);
    const what = count === 1 ? 'snapshot' : `part ${part + 1} of ${count}`;
    const ending = known === undefined ? undefined : `again, ${known}`;
    const one: SentPart = {
      stream,
      tick,
      frame,
      text: `${what} of tick ${tick}`,
      ending,
      isWaiting: ending === undefined,
    };
    frame.parts.push(one);
    const list = parts.get(tick);
    if (list) list.push(one);
    else parts.set(tick, [one]);
    return true;
  }

  /**
   * Records the result for a snapshot that is complete or lost.
   * @param number the number of the frame that has the record
   * @returns the last unwritten frame that contains one of its messages
   */
  settle(stream: Stream, tick: number, number: number, ending: string): FrameReading | undefined {
    const { parts, settled } = this.#stateOf(stream);
    settled.delete(tick);
    settled.set(tick, ending);
    if (settled.size > maxSettled) settled.delete(settled.keys().next().value!);
    const list = parts.get(tick) ?? [];
    parts.delete(tick);
    for (const part of list) {
      part.isWaiting = false;
      part.ending = ending;
      // This frame contains the snapshot, so it needs no reference to it.
      if (part.frame.number === number) part.frame.parts.splice(part.frame.parts.indexOf(part), 1);
    }
    return list.at(-1)?.frame;
  }

  /** Removes the messages of a frame that is being written. */
  forget({ parts: own }: FrameReading): void {
    for (const part of own) {
      const { parts } = this.#stateOf(part.stream);
      const left = parts.get(part.tick)?.filter((one) => one !== part) ?? [];
      if (left.length > 0) parts.set(part.tick, left);
      else parts.delete(part.tick);
    }
  }

  #stateOf(stream: Stream): StreamState {
    let state = this.#states.get(stream);
    if (!state) {
      state = { parts: new Map(), settled: new Map() };
      this.#states.set(stream, state);
    }
    return state;
  }
}
