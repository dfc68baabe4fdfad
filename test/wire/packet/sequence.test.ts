import { describe, expect, it } from 'vitest';
import {
  CapturedSequence,
  type ReadyChunk,
  stepsTo,
  VitalReceiver,
  VitalSender,
} from '../../../src/wire/packet/sequence.ts';

const passage = { time: 0, frame: 1 };
const [bytesOf, textOf] = [new TextEncoder(), new TextDecoder()];

const vital = (sequence: number, bytes: Uint8Array) => ({
  bytes,
  start: 0,
  end: bytes.length,
  sequence,
  fate: undefined,
});

/**
 * Does what a line says, and writes what was read: `5` takes chunk 5, `ack 7` is a packet of the receiver, `end` the
 * end.
 */
function read(sequence: CapturedSequence, steps: string): string {
  const reported: string[] = [];
  for (const step of steps.split(', ')) {
    const ready: ReadyChunk[] = [];
    if (step === 'end') ready.push(...sequence.finish());
    else if (step.startsWith('ack ')) sequence.acknowledged(Number(step.slice(4)), 0, ready);
    else sequence.add(vital(Number(step), bytesOf.encode(step)), passage, ready);
    reported.push(ready.map(({ bytes }) => textOf.decode(bytes)).join('+') || '-');
  }
  return reported.join(', ');
}

describe('the vital chunks of a capture', () => {
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
    ['a chunk of an acknowledged gap is read when it comes at last, once', 0, '3, ack 3, ack 3, 2, 2', '-, -, 3, 2, -'],
    ['acknowledgements before the first chunk', undefined, 'ack 5, ack 5, 6', '-, -, 6'],
    ['an acknowledgement before its chunk', 0, 'ack 1, 1, ack 1, 2', '-, 1, -, 2'],
    ['those before the first are read when they follow, once', undefined, '9, 7, 7, 10, 8', '9, 7, -, 10, 8'],
    ['but not what was acknowledged', undefined, '9, ack 9, 7, 10', '9, -, -, 10'],
    ['the end gives what waits', 1020, '2, 1023, end', '-, -, 1023+2'],
    ['an end without anything', undefined, 'end', '-'],
  ];
  it.each(cases)('%s', (_, last, steps, reported) => {
    expect(read(new CapturedSequence(last), steps)).toBe(reported);
  });

  const none = new Uint8Array();

  it.each([
    ['was missing', 0, '1, 3, ack 3, ack 3'],
    ['was before the first', undefined, '3'],
  ])('a number that %s is the next one again after 1,024', (_, last, begin) => {
    const sequence = new CapturedSequence(last);
    read(sequence, begin);
    const numbers = Array.from({ length: 1025 }, (_, i) => (4 + i) % 1024);
    expect(numbers.filter((number) => read(sequence, String(number)) !== String(number))).toEqual([]);
  });

  it('has a hole while what was sent is not read, also where a copy was not taken', () => {
    const sequence = new CapturedSequence(0);
    const holes = (['taken', 'lost', 'taken'] as const).map((fate, i) => {
      sequence.add({ ...vital(i === 0 ? 1 : 2, none), fate: { fate } }, passage, []);
      return sequence.hasHole;
    });
    expect(holes).toEqual([false, true, false]);
  });

  it('reports the outcome of each chunk', () => {
    const sequence = new CapturedSequence(0);
    const add = (number: number) => sequence.add(vital(number, none), passage, []).arrival;
    expect([1, 1, 3, 3, 2, 4].map(add)).toEqual(['next', 'again', 'early', 'again', 'next', 'next']);
  });

  it('counts resent chunks, and chunks that were never captured', () => {
    const sequence = new CapturedSequence(0);
    read(sequence, '1, 1, 5, ack 5, ack 5, 3, 6');
    expect([sequence.resent, sequence.uncaptured]).toEqual([1, 2]);
  });

  it('copies only chunks that have to wait', () => {
    const sequence = new CapturedSequence(0);
    const ready: ReadyChunk[] = [];
    const chunks = [2, 1, 3].map((number) => bytesOf.encode(String(number)));
    for (const [i, number] of [2, 1, 3].entries()) sequence.add(vital(number, chunks[i]!), passage, ready);
    expect(ready.map(({ bytes }) => textOf.decode(bytes))).toEqual(['1', '2', '3']);
    expect(ready.map(({ bytes }) => chunks.some((sent) => sent === bytes))).toEqual([true, false, true]);
  });

  it('reports thousands of chunks once and in order, however the chunks are repeated and swapped', () => {
    const sequence = new CapturedSequence(0);
    const ready: ReadyChunk[] = [];
    const order = Array.from({ length: 5000 }, (_, i) => i + 1).flatMap((i) =>
      i % 3 === 0 ? [i + 1, i] : i % 3 === 1 ? [i] : [i, i],
    );
    for (const i of order) {
      sequence.add(vital(i % 1024, Uint8Array.of(i >> 8, i & 0xff)), passage, ready);
    }
    const reported = ready.map(({ bytes: [high, low] }) => (high! << 8) | low!);
    expect(reported).toEqual(Array.from({ length: Math.max(...reported) }, (_, i) => i + 1));
    expect(reported.length).toBeGreaterThanOrEqual(5000);
  });

  it('tells how long a chunk waited for its acknowledgement, and what still waits', () => {
    const sequence = new CapturedSequence(0);
    const send = (number: number, time: number) =>
      sequence.add(vital(number, Uint8Array.of(number)), { time, frame: time }, []);
    const acknowledge = (number: number, time: number) => {
      for (let i = 0; i < 2; i++) sequence.acknowledged(number, time, []);
    };
    send(1, 10);
    acknowledge(1, 11);
    send(2, 12);
    send(2, 13);
    acknowledge(1, 15);
    send(2, 16);
    acknowledge(2, 17);
    send(3, 20);
    send(3, 21);
    acknowledge(2, 30);
    expect(sequence.slowest).toMatchObject({ sequence: 2, frame: 12, times: 3, seconds: 5 });
    expect([...sequence.unacknowledged]).toMatchObject([{ sequence: 3, time: 20, lastTime: 21, times: 2 }]);
    expect([...sequence.unacknowledged][0]!.head).toEqual(Uint8Array.of(3));
  });

  it('tells a number that was sent again with other content, which no game does', () => {
    const sequence = new CapturedSequence(0);
    const send = (...bytes: number[]) => sequence.add(vital(1, Uint8Array.from(bytes)), passage, []);
    send(1, 2);
    send(1, 2);
    expect(sequence.changed).toEqual([]);
    send(1, 3);
    expect(sequence.changed).toEqual([{ sequence: 1, frame: 1, before: 1, fate: 'open' }]);
  });
});

describe('an end of a live connection', () => {
  it('takes the next number only, and asks again for what an early one shows to be missing', () => {
    const receiver = new VitalReceiver();
    expect([1, 3, 4, 2, 3, 3, 1].map((number) => receiver.take(number))).toEqual(
      'next early early next next again again'.split(' '),
    );
    expect([receiver.last, receiver.asksAgain]).toEqual([3, true]);
  });

  it('asks for nothing that it has', () => {
    const receiver = new VitalReceiver();
    for (const number of [1, 1, 2, 1]) receiver.take(number);
    expect([receiver.last, receiver.asksAgain]).toEqual([2, false]);
  });

  it('keeps what was sent until it is acknowledged, and refuses the ack of anything else', () => {
    const sender = new VitalSender<number>();
    for (let i = 0; i < 3; i++) sender.add((sequence) => sequence);
    expect(sender.acknowledge(4)).toBe(false);
    expect(sender.acknowledge(2)).toBe(true);
    expect(sender.waiting).toEqual([3]);
    expect(sender.acknowledge(1)).toBe(false);
    expect(sender.acknowledge(3)).toBe(true);
    for (let i = 0; i < 1024; i++) {
      expect(sender.add((sequence) => sequence)).toBe((4 + i) % 1024);
      expect(sender.acknowledge((4 + i) % 1024)).toBe(true);
    }
  });

  // `CNetConnection::IsSeqInBackroom`: 512 behind is old, 511 ahead is early.
  it.each([
    [5, 5, 0],
    [5, 516, 511],
    [5, 517, -512],
    [1020, 3, 7],
    [3, 1020, -7],
  ])('from %i to %i are %i steps', (from, to, steps) => {
    expect(stepsTo(from, to)).toBe(steps);
  });
});
