import {
  type CapturedSequence,
  type Passage,
  resendSeconds,
  type StuckChunk,
  stepsTo,
} from '../../wire/packet/sequence.ts';
import { type AnswerExpectation, answers, order } from '../games/expectations.ts';
import { hopelessTimes, maxQuestions } from '../replay/limits.ts';
import type { ConnectionEnd, Direction } from '../replay/stream.ts';
import { beyond, type Told, tell } from './told.ts';

/*
 * Questions of a connection, and the answers that the table expects:
 *
 *   client                                             server
 *     │  request_map_data 1, vital 4  ──────────────────▶│   a question: it waits
 *     │◀──────────────────────────────────────  ack 4    │   proven to be taken: an answer is due
 *     │◀──────────────────────────────────────  … 2 s    │   heard for two resends: it would have been sent again
 *     │  close                                           │   judged: missing, if none of the server's numbers is
 *
 * Time alone proves nothing, since a capture may lack packets. Without the ack, the later packets or with a hole in the
 * numbers nothing is said. So a capture that begins late, ends early or has one direction needs no exception. Whether an
 * answer is later than its question is told by the ack beside it, not by its place in the file.
 */

/** A message that the table names, as it was read. */
interface MessageFact extends Passage {
  readonly name: string;
  readonly direction: Direction;
  /** The number of a vital message. */
  readonly sequence: number | undefined;
  /** What the sender had taken of the other end. */
  readonly ack: number;
  /** The value of the field that question and answer share, if the message has it. */
  readonly key: number | undefined;
}

/** What is known of the packets of one end. */
export interface SenderFacts {
  /** When it was heard last, in seconds; NaN before its first packet. */
  readonly last: number;
  /** Its numbers that were not captured. */
  readonly uncaptured: number;
  /** Whether there may be more of them: some are ahead of the next one, or acknowledged and not here. */
  readonly hasHole: boolean;
}

/** How the connection went on, for judging what is missing. */
interface Course {
  sender(direction: Direction): SenderFacts;
  readonly end: ConnectionEnd | undefined;
}

interface Question {
  readonly row: AnswerExpectation;
  readonly key: number | undefined;
  readonly direction: Direction;
  readonly sequence: number | undefined;
  readonly first: Passage;
  last: Passage;
  times: number;
  /** The packet that acknowledges it. */
  taken: Passage | undefined;
}

/** The seconds for which the other end is heard: in two resends of its own an answer would have come. */
const enoughSeconds = 2 * resendSeconds;
/** How often something is sent that may be lost, or is never acknowledged. */
const enoughTimes = 3;

/** Follows the questions of one connection. */
export class Answers {
  #questions: Question[] = [];
  /** The first question for which there was no room. */
  #beyond: { readonly direction: Direction; readonly frame: number } | undefined;
  /** Whether the server sent a map before it took anything. */
  #isChallenged = false;
  /** The last one of each message: the ack beside it, and the highest key since the last map. */
  readonly #last = new Map<string, Pick<MessageFact, 'ack' | 'key'>>();

  /** Whether an acknowledgement may show anything. */
  get isWaiting(): boolean {
    return this.#questions.length > 0;
  }

  add(fact: MessageFact): void {
    const { name, direction, key, ack } = fact;
    this.#questions = this.#questions.filter((question) => !isEndedBy(question, fact));
    for (const row of rowsAfter.get(name) ?? []) this.#ask(row, fact);
    if (name === 'map_change' && direction === 'to_client') {
      this.#last.delete('map_data');
      this.#isChallenged ||= ack === 0;
    }
    const highest = key === undefined ? undefined : Math.max(key, this.#last.get(name)?.key ?? 0);
    this.#last.set(name, { ack, key: highest });
  }

  #ask(row: AnswerExpectation, { direction, sequence, key, time, frame }: MessageFact): void {
    if (row.by !== 'both' && (row.by === 'client') !== (direction === 'to_server')) return;
    // It was sent ahead, or stands before the question in the file.
    const isAnswered = row.answers.some((answer) => {
      const last = this.#last.get(answer);
      if (last?.key !== undefined) return key !== undefined && key <= last.key;
      return last && (this.#isChallenged || (sequence !== undefined && stepsTo(sequence, last.ack) >= 0));
    });
    if (isAnswered) return;
    const passage = { time, frame };
    const known = this.#questions.find((question) => question.row === row && question.key === key);
    if (known) {
      known.times++;
      known.last = passage;
    } else if (this.#questions.length < maxQuestions) {
      const asked = { row, key, direction, sequence, times: 1, taken: undefined };
      this.#questions.push({ ...asked, first: passage, last: passage });
    } else this.#beyond ??= { direction, frame };
  }

  /** Adds the ack of a packet for the messages of a direction. */
  acknowledged(direction: Direction, ack: number, passage: Passage): void {
    for (const question of this.#questions) {
      if (question.taken || question.sequence === undefined || question.direction !== direction) continue;
      if (stepsTo(question.sequence, ack) >= 0) question.taken = { ...passage };
    }
  }

  /** Whether a client's message that was added stands where the server ignores it. */
  misplaced(name: string): Told | undefined {
    if (this.#isChallenged) return undefined;
    const isOut = { before_info: !this.#last.has('info'), after_entering: this.#last.has('enter_game') };
    const row = order.find(({ message, place }) => message === name && isOut[place]);
    return row && tell(row, {}, {}, { message: name, place: row.place }, 'to_server');
  }

  /** What is missing at the end of the connection. */
  finish(course: Course): Told[] {
    const told = this.#questions.flatMap((question) => missing(question, course) ?? []);
    return this.#beyond ? [...told, { ...this.#beyond, ...beyond('unanswered_messages', maxQuestions) }] : told;
  }
}

/** What is told of a question without an answer, if it is proven that none came. */
function missing(question: Question, { end, sender }: Course): Told | undefined {
  const { row, key, direction, sequence, times, first, last, taken } = question;
  const answering = direction === 'to_server' ? 'to_client' : 'to_server';
  const { hasHole, uncaptured, last: heard } = sender(answering);
  // Also before the question: that may be a copy, and the answer to the one before it was not captured.
  if (hasHole || uncaptured > 0) return undefined;
  const from = sequence === undefined ? first : taken;
  if (!from || (sequence === undefined && times < enoughTimes)) return undefined;
  if (row.ifGivenUp && !(end && isGivenUp(end))) return undefined;
  const seconds = heard - from.time;
  const isProven = row.ifGivenUp || (sequence === undefined ? seconds > 0 : seconds >= enoughSeconds);
  // Who closes answers, too, but not long after.
  const isClosed = end?.direction === answering && end.time - from.time < enoughSeconds;
  if (!isProven || isClosed) return undefined;
  const args = {
    message: row.after,
    expected: row.answers[0]!,
    times,
    seconds: Math.round(10 * seconds) / 10,
    ...(key !== undefined && { key }),
    ...(taken && { taken: taken.frame }),
  };
  return tell(row, { frame: first.frame }, { frame: last.frame }, args, direction);
}

/**
 * The oldest chunk of a direction that its receiver never acknowledged, although that spoke on: all later ones wait for
 * it. At the end of a capture some chunks are always under way.
 */
export function neverTaken({ unacknowledged }: CapturedSequence, receiver: SenderFacts): StuckChunk | undefined {
  const [oldest] = unacknowledged;
  if (!oldest || oldest.times < enoughTimes) return undefined;
  const heard = receiver.last - oldest.time;
  const sent = oldest.lastTime - oldest.time;
  if (!(heard >= enoughSeconds) && oldest.times < hopelessTimes) return undefined;
  return { ...oldest, seconds: heard >= sent ? heard : sent };
}

const isGivenUp = ({ reason }: ConnectionEnd) => /timeout|weak/i.test(reason);

/** Whether a message is the answer to a question, or no answer is due after it. */
function isEndedBy({ row, key, direction }: Question, fact: MessageFact): boolean {
  if (row.ended?.includes(fact.name)) return true;
  if (fact.direction === direction || !row.answers.includes(fact.name)) return false;
  return key === undefined || fact.key === undefined || key === fact.key;
}

const rowsAfter: ReadonlyMap<string, readonly AnswerExpectation[]> = new Map(
  answers.map(({ after }) => [after, answers.filter((row) => row.after === after)]),
);

/** All messages that the rows name: no other one has to be looked at. */
export const namedMessages: ReadonlySet<string> = new Set([
  ...answers.flatMap(({ after, answers: all, ended = [] }) => [after, ...all, ...ended]),
  ...order.map(({ message }) => message),
]);
