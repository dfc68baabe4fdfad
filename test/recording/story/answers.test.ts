import { describe, expect, it } from 'vitest';
import { type AnswerExpectation, answers } from '../../../src/recording/games/expectations.ts';
import { maxQuestions } from '../../../src/recording/replay/limits.ts';
import type { ConnectionEnd, Direction } from '../../../src/recording/replay/stream.ts';
import { Answers } from '../../../src/recording/story/answers.ts';
import { expectedName, firstByte } from '../../../src/recording/story/message-facts.ts';
import type { Told } from '../../../src/recording/story/told.ts';
import { bytesOfType } from '../../../src/wire/packet/write.ts';
import { messagesOf } from '../../../src/wire/protocol/message-registry.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';

// A question and what follows it, in seconds: the numbers of the table's head are those of `answers.ts`.

const other = { to_client: 'to_server', to_server: 'to_client' } as const;

interface Course {
  /** When the message is sent; it is vital unless `isVital` is false. */
  readonly asked?: readonly number[];
  readonly isVital?: boolean;
  /** When its receiver acknowledges it. */
  readonly taken?: number;
  /** When the other end is heard last. */
  readonly heard?: number;
  readonly uncaptured?: number;
  readonly hasHole?: boolean;
  /** The message that comes, its key, and the ack beside it. */
  readonly comes?: { readonly name: string; readonly from: Direction; readonly key?: number; readonly ack?: number };
  readonly comesFirst?: boolean;
  readonly end?: Partial<ConnectionEnd>;
}

const questionOf = (row: AnswerExpectation): Direction => (row.by === 'server' ? 'to_client' : 'to_server');

function told(row: AnswerExpectation, course: Course): Told[] {
  const { asked = [1], isVital = true, taken, heard = 10, uncaptured = 0, hasHole = false, comes, end } = course;
  const direction = questionOf(row);
  const all = new Answers();
  const answer = () => {
    if (!comes) return;
    const { name, from, key, ack = 7 } = comes;
    all.add({ name, direction: from, key, ack, sequence: 1, time: 2, frame: 20 });
  };
  if (course.comesFirst) answer();
  for (const time of asked) {
    const sequence = isVital ? 5 : undefined;
    const key = row.key === undefined ? undefined : 3;
    all.add({ name: row.after, direction, key, ack: 0, sequence, time, frame: 10 * time });
  }
  if (taken !== undefined) all.acknowledged(direction, 5, { time: taken, frame: 15 });
  if (!course.comesFirst) answer();
  const found = end && { direction, reason: '', time: 10, frame: 99, isHeard: true, ...end };
  return all.finish({ end: found, sender: () => ({ last: heard, uncaptured, hasHole }) });
}

const timeout = { reason: 'Timeout', direction: 'to_client' as const, time: 12 };

describe.each(answers.map((row) => [row.after, row] as const))('after %s', (after, row) => {
  const end = row.ifGivenUp ? timeout : undefined;
  const asked = { taken: 1.5, ...(end && { end }) };

  it('the answer is missing if it was taken, and the other end spoke on for two resends', () => {
    const [found, ...others] = told(row, asked);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      code: 'unanswered',
      weight: row.weight,
      direction: questionOf(row),
      frame: 10,
      args: { message: after, expected: row.answers[0], times: 1, taken: 15, first_frame: 10, last_frame: 10 },
    });
    // A map that is announced again ends the wait for the one before.
    const [times, last] = row.ended?.includes(after) ? [1, 30] : [3, 30];
    expect(told(row, { ...asked, asked: [1, 2, 3] })[0]?.args).toMatchObject({ times, last_frame: last });
  });

  it('nothing is said without an acknowledgement, or without packets after it', () => {
    expect(told(row, { ...(end && { end }) })).toEqual([]);
    if (!row.ifGivenUp) expect(told(row, { ...asked, heard: 3.4 })).toEqual([]);
    expect(told(row, { ...asked, heard: Number.NaN, taken: Number.NaN, ...(end && { end: {} }) })).toEqual([]);
  });

  it('nothing is said where numbers of the other end were not captured', () => {
    expect(told(row, { ...asked, uncaptured: 1 })).toEqual([]);
    expect(told(row, { ...asked, hasHole: true })).toEqual([]);
  });

  it.each(row.answers)('%s is an answer, also where the file has it first', (name) => {
    const comes = { name, from: other[questionOf(row)] };
    expect(told(row, { ...asked, comes })).toEqual([]);
    expect(told(row, { ...asked, comes: { ...comes, ack: 5 }, comesFirst: true })).toEqual([]);
    // It was sent before the question was taken.
    expect(told(row, { ...asked, comes: { ...comes, ack: 4 }, comesFirst: true })).toHaveLength(1);
  });
});

const withEnds = answers.filter(({ ended }) => ended);
it.each(withEnds.map((row) => [row.after, row.ended!.join(', '), row] as const))(
  'after %s: %s ends it',
  (_, __, row) => {
    const end = row.ifGivenUp ? timeout : {};
    for (const name of row.ended!)
      expect(told(row, { taken: 1.5, comes: { name, from: questionOf(row) }, end })).toEqual([]);
  },
);

const withoutEnd = answers.filter(({ ifGivenUp }) => !ifGivenUp);
describe.each(withoutEnd.map((row) => [row.after, row] as const))('%s', (_, row) => {
  it('who closes at once has answered, and who asked may give up', () => {
    const asked = { taken: 1.5 };
    const far = other[questionOf(row)];
    expect(told(row, { ...asked, end: { direction: far, time: 2 } })).toEqual([]);
    expect(told(row, { ...asked, end: { direction: far, time: 4 } })).toHaveLength(1);
    expect(told(row, { ...asked, end: { direction: questionOf(row), time: 2 } })).toHaveLength(1);
  });

  it('one that may be lost has to be sent three times', () => {
    expect(told(row, { isVital: false, asked: [1, 2] })).toEqual([]);
    expect(told(row, { isVital: false, asked: [1, 2, 3] })).toHaveLength(1);
  });
});

describe('pieces of a map', () => {
  const row = answers.find(({ key }) => key === 'chunk')!;
  const piece = (key?: number) => ({ name: 'map_data', from: 'to_client' as const, ...(key !== undefined && { key }) });

  it('each request waits for its own piece; 0.7 does not number them', () => {
    expect(told(row, { taken: 2, comes: piece(2) })).toHaveLength(1);
    expect(told(row, { taken: 2, comes: piece(3) })).toEqual([]);
    expect(told(row, { taken: 2, comes: piece() })).toEqual([]);
  });

  it('a piece that was sent ahead needs no answer', () => {
    expect(told(row, { taken: 2, comes: { ...piece(3), ack: 0 }, comesFirst: true })).toEqual([]);
    expect(told(row, { taken: 2, comes: { ...piece(2), ack: 0 }, comesFirst: true })).toHaveLength(1);
  });
});

it('more questions than are remembered are told, whatever becomes of the others', () => {
  const all = new Answers();
  const ask = (key: number) => {
    const at = { time: key, frame: 10 * key };
    all.add({ name: 'request_map_data', direction: 'to_server', key, ack: 0, sequence: key, ...at });
    all.acknowledged('to_server', key, at);
  };
  const found = () => {
    const pieces = Array.from({ length: maxQuestions }, (_, i) => i + 1);
    for (const key of pieces)
      all.add({ name: 'map_data', direction: 'to_client', key, ack: 99, sequence: 1, time: 40, frame: 400 });
    return all.finish({ end: undefined, sender: () => ({ last: 50, uncaptured: 0, hasHole: false }) });
  };
  for (let key = 1; key <= maxQuestions; key++) ask(key);
  expect(found()).toEqual([]);
  for (let key = 1; key <= maxQuestions + 3; key++) ask(key + 100);
  for (let key = 1; key <= maxQuestions; key++)
    all.add({ name: 'map_data', direction: 'to_client', key: key + 100, ack: 99, sequence: 1, time: 40, frame: 400 });
  const args = { of: 'unanswered_messages', limit: maxQuestions };
  const frame = 10 * (101 + maxQuestions);
  expect(found()).toEqual([{ code: 'limit_reached', weight: 'warning', direction: 'to_server', frame, args }]);
});

it('where the server sends a map before it takes anything, any answer counts, and every place', () => {
  const all = new Answers();
  const add = (name: string, direction: Direction, sequence: number, ack: number) =>
    all.add({ name, direction, key: undefined, ack, sequence, time: sequence, frame: sequence });
  add('map_change', 'to_client', 1, 0);
  add('con_ready', 'to_client', 2, 0);
  add('ready', 'to_server', 2, 2);
  expect(all.misplaced('ready')).toBeUndefined();
  add('info', 'to_server', 1, 0);
  all.acknowledged('to_server', 2, { time: 3, frame: 3 });
  expect(all.finish({ end: undefined, sender: () => ({ last: 50, uncaptured: 0, hasHole: false }) })).toEqual([]);
});

it('a map that nobody asks for is told only if the connection then breaks', () => {
  const row = answers.find(({ ifGivenUp }) => ifGivenUp)!;
  expect(told(row, { taken: 2, end: { reason: 'bye', time: 12 } })).toEqual([]);
  expect(told(row, { taken: 2 })).toEqual([]);
  expect(told(row, { taken: 2, end: timeout })).toHaveLength(1);
});

describe('the place of a message', () => {
  const places = (...names: string[]) => {
    const all = new Answers();
    return names.map((name) => {
      all.add({ name, direction: 'to_server', key: undefined, ack: 0, sequence: 1, time: 1, frame: 1 });
      return all.misplaced(name)?.args.place;
    });
  };

  it('info is the first one, and comes once', () => {
    expect(places('info', 'ready', 'enter_game')).toEqual([undefined, undefined, undefined]);
    // Clients of DDNet 20 enter before they are ready.
    expect(places('info', 'enter_game', 'enter_game', 'ready')).toEqual([undefined, undefined, undefined, undefined]);
    expect(places('ready', 'info')).toEqual(['before_info', undefined]);
    expect(places('enter_game')).toEqual(['before_info']);
    expect(places('info', 'enter_game', 'info')).toEqual([undefined, undefined, 'after_entering']);
  });
});

it('messages are known by their number, also by one of two bytes, and by their UUID', () => {
  for (const version of ['0.6', '0.7'] as const) {
    const protocol = protocolOf(version);
    const named = answers.flatMap(({ after, answers: all }) => [after, ...all]);
    const there = messagesOf(version).all.filter(({ name }) => named.includes(name));
    expect(there.some(({ id }) => id !== undefined && id >= 32)).toBe(version === '0.7');
    for (const type of there) {
      const head = bytesOfType({ ...type, fields: [] }, {});
      const { isLong, expected } = firstByte(head[0], version);
      const name = isLong ? expectedName(head, protocol, 0, head.length) : expected;
      expect(name, `${version} ${type.name}`).toBe(type.name);
    }
  }
});
