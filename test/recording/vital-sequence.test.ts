import { describe, expect, it } from 'vitest';
import { VitalSequence } from '../../src/recording/connection.ts';

/** Does what a line says, and writes what was read: `5` takes chunk 5, `ack 7` is a packet of the receiver, `end` the end. */
function read(sequence: VitalSequence<string>, steps: string): string {
  const reported: string[] = [];
  for (const step of steps.split(', ')) {
    const chunksRead: string[] = [];
    const acknowledge = (chunk: string) => chunksRead.push(chunk);
    if (step === 'end') sequence.finish(acknowledge);
    else if (step.startsWith('ack ')) sequence.acknowledged(Number(step.slice(4)), acknowledge);
    else sequence.add(Number(step), step, (chunk) => chunk, acknowledge);
    reported.push(chunksRead.join('+') || '-');
  }
  return reported.join(', ');
}

describe('vital chunks', () => {
  const cases: readonly (readonly [what: string, last: number | undefined, steps: string, reported: string])[] = [
    ['in order', 0, '1, 2, 3', '1, 2, 3'],
    ['a first number that is not 1 begins a capture in the middle', undefined, '700, 701', '700, 701'],
    ['a known beginning waits for its first', 0, '2, 1, 3', '-, 1+2, 3'],
    ['wrap after 1023', 1021, '1022, 1023, 0, 1', '1022, 1023, 0, 1'],
    ['wrap while one is missing', 1021, '1023, 0, 1022, 1', '-, -, 1022+1023+0, 1'],
    ['come again', 0, '1, 1, 2, 1, 2', '1, -, 2, -, -'],
    ['come again early', 0, '3, 3, 1, 2, 3', '-, -, 1, 2+3, -'],
    ['what lies half a turn back is old', 600, '601, 100, 89, 602', '601, -, -, 602'],
    ['a gap is closed by two acknowledgements', 0, '1, 3, ack 3, ack 3, 4', '1, -, -, 3, 4'],
    ['one alone is not believed', 0, '1, 3, ack 3, ack 1, 2', '1, -, -, -, 2+3'],
    ['both count as far as they agree', 0, '1, 4, ack 4, ack 2, ack 3, 5', '1, -, -, -, -, -'],
    ['an acknowledged gap across the wrap', 1022, '1, ack 1, ack 1, 2', '-, -, 1, 2'],
    ['a gap without a later chunk', 0, '1, ack 3, ack 3, 4', '1, -, -, 4'],
    ['chunks of a gap that come at last are old', 0, '3, ack 3, ack 3, 2', '-, -, 3, -'],
    ['acknowledgements before the first chunk', undefined, 'ack 5, ack 5, 6', '-, -, 6'],
    ['an acknowledgement before its chunk', 0, 'ack 1, 1, ack 1, 2', '-, 1, -, 2'],
    ['the end gives what waits', 1020, '2, 1023, end', '-, -, 1023+2'],
    ['an end without anything', undefined, 'end', '-'],
  ];
  it.each(cases)('%s', (_, last, steps, reported) => {
    expect(read(new VitalSequence(last), steps)).toBe(reported);
  });

  it('reports the outcome of each chunk', () => {
    const sequence = new VitalSequence<string>(0);
    const add = (number: number) =>
      sequence.add(
        number,
        '',
        (chunk) => chunk,
        () => {},
      );
    expect([1, 1, 3, 3, 2, 4].map(add)).toEqual(['next', 'again', 'early', 'again', 'next', 'next']);
  });

  it('counts resent chunks, and chunks that were never captured', () => {
    const sequence = new VitalSequence<string>(0);
    read(sequence, '1, 1, 5, ack 5, ack 5, 3, 6');
    expect([sequence.resent, sequence.lost]).toEqual([2, 3]);
  });

  it('copies only chunks that have to wait', () => {
    const sequence = new VitalSequence<string>(0);
    const reported: string[] = [];
    const keep = (chunk: string) => `kept ${chunk}`;
    for (const number of [2, 1, 3]) sequence.add(number, String(number), keep, (chunk) => reported.push(chunk));
    expect(reported).toEqual(['1', 'kept 2', '3']);
  });

  it('reports thousands of chunks once and in order, however the chunks are repeated and swapped', () => {
    const sequence = new VitalSequence<number>(0);
    const reported: number[] = [];
    const order = Array.from({ length: 5000 }, (_, i) => i + 1).flatMap((i) =>
      i % 3 === 0 ? [i + 1, i] : i % 3 === 1 ? [i] : [i, i],
    );
    for (const i of order)
      sequence.add(
        i % 1024,
        i,
        (one) => one,
        (one) => reported.push(one),
      );
    expect(reported).toEqual(Array.from({ length: Math.max(...reported) }, (_, i) => i + 1));
    expect(reported.length).toBeGreaterThanOrEqual(5000);
  });
});
