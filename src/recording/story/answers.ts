import { type Passage, resendSeconds, stepsTo } from '../../wire/packet/sequence.ts';
import { type AnswerExpectation, answers, order } from '../games/expectations.ts';
import { maxQuestions } from '../replay/limits.ts';
import type { ConnectionEnd, Direction } from '../replay/stream.ts';
import { beyond, spanOf, type Told } from './told.ts';

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

/** The resends of the other end after which an answer would have come. */
const enoughResends = 2;
/** How often something is asked that may be lost. */
const enoughTimes = 3;

/** Follows the questions of one connection. */
export class Answers {
  readonly #questions: Question[] = [];
  /** The first question for which there was no room. */
  #beyond: { readonly direction: Direction; readonly frame: number } | undefined;
  /** By message: the ack beside it, of the last one. */
  readonly #acks = new Map<string, number>();
  /** By message with a key: the highest one since the last map. */
  readonly #keys = new Map<string, number>();
  readonly #steps = { hasInfo: false, hasEntered: false };

  /** Whether an acknowledgement may show anything. */
  get isWaiting(): boolean {
    return this.#questions.length > 0;
  }

  add(fact: MessageFact): void {
    const { name, direction, key, ack } = fact;
    for (let i = this.#questions.length - 1; i >= 0; i--) {
      if (isEndedBy(this.#questions[i]!, fact)) this.#questions.splice(i, 1);
    }
    for (const row of rowsAfter.get(name) ?? []) this.#ask(row, fact);
    if (key === undefined) this.#acks.set(name, ack);
    else this.#keys.set(name, Math.max(key, this.#keys.get(name) ?? 0));
    if (name === 'map_change' && direction === 'to_client') this.#keys.clear();
  }

  #ask(row: AnswerExpectation, { direction, sequence, key, time, frame }: MessageFact): void {
    if (row.by !== 'both' && (row.by === 'client') !== (direction === 'to_server')) return;
    // It was sent ahead, or stands before the question in the file.
    const isAnswered = row.answers.some(
      (answer) =>
        (key !== undefined && key <= (this.#keys.get(answer) ?? -1)) ||
        (sequence !== undefined && this.#acks.has(answer) && stepsTo(sequence, this.#acks.get(answer)!) >= 0),
    );
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

  /** Whether a client's message stands where the server ignores it. */
  misplaced(name: string): Told | undefined {
    const steps = this.#steps;
    const isAfterEntering = steps.hasEntered;
    if (name === 'info') steps.hasInfo = true;
    steps.hasEntered ||= name === 'enter_game';
    const row = order.find(
      ({ message, place }) => message === name && (place === 'before_info' ? !steps.hasInfo : isAfterEntering),
    );
    return (
      row && { code: row.code, weight: row.weight, direction: 'to_server', args: { message: name, place: row.place } }
    );
  }

  /** What is missing at the end of the connection. */
  finish(course: Course): Told[] {
    const missing = this.#questions.splice(0).flatMap((question) => this.#judge(question, course) ?? []);
    return this.#beyond ? [...missing, { ...this.#beyond, ...beyond('unanswered_messages', maxQuestions) }] : missing;
  }

  #judge({ row, key, direction, sequence, times, first, last, taken }: Question, course: Course) {
    const { end } = course;
    const answering = direction === 'to_server' ? 'to_client' : 'to_server';
    const sender = course.sender(answering);
    // Also before the question: that may be a copy, and the answer to the one before it was not captured.
    if (sender.hasHole || sender.uncaptured > 0) return undefined;
    if (row.ifGivenUp && !(end && isGivenUp(end))) return undefined;
    const from = sequence === undefined ? first : taken;
    if (!from || (sequence === undefined && times < enoughTimes)) return undefined;
    const heard = sender.last - from.time;
    const isProven = row.ifGivenUp ?? (sequence === undefined ? heard > 0 : heard >= enoughResends * resendSeconds);
    if (!isProven) return undefined;
    // Who closes answers, too, but not long after.
    if (end?.direction === answering && end.time - from.time < enoughResends * resendSeconds) return undefined;
    const { code, weight, after, answers } = row;
    const span = spanOf({ frame: first.frame, tick: -1 }, { frame: last.frame, tick: -1 });
    const args = {
      message: after,
      expected: answers[0]!,
      times,
      seconds: Math.round(10 * heard) / 10,
      ...(key !== undefined && { key }),
      ...(taken && { taken: taken.frame }),
      ...span.args,
    };
    return { code, weight, direction, frame: first.frame, args } satisfies Told;
  }
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
