import { describe, expect, it } from 'vitest';
import { CaptureReplay } from '../../../src/recording/capture/capture-replay.ts';
import { SnapshotReceiver } from '../../../src/recording/capture/snapshot-receiver.ts';
import { readMessage } from '../../../src/wire/packet/message.ts';
import { partBytes } from '../../../src/wire/snapshot/key.ts';
import { type Bytes, file, text } from '../../support/bytes.ts';
import { ethernet, ipv4, pcap, pcapHeader, pcapRecord, someTime, udp, v4 } from '../../support/capture-builder.ts';
import { chunk06, ints, packet06, snapSingle } from '../../support/packet-builder.ts';

// Two snapshots of two parts and one of one part arrive at a client in any order. What the client takes is what a live
// receiver takes, which does as CClient: a newer tick ends the older one. It acknowledges after each packet.

const token = [10, 11, 12, 13];
const control = (...bytes: Bytes) => Uint8Array.from([0x10, 0, 0, ...bytes]);
const connects = [control(1, ...text('TKEN'), 255, 255, 255, 255), control(2, ...text('TKEN'), ...token)] as const;

/** `snap` or `snap_single` with characters that the empty snapshot does not have, of `more` parts than there are. */
function messagesOf(tick: number, characters: number, more = 0): { readonly tick: number; readonly message: Bytes }[] {
  const items = Array.from({ length: characters }, (_, i) =>
    Array.from({ length: 22 }, (_, k) => 0x20000000 + 1000 * tick + 22 * i + k),
  );
  const crc = items.flat().reduce((sum, int) => (sum + int) | 0, 0);
  const delta = ints(0, characters, 0, ...items.flatMap((item, i) => [9, i, ...item]));
  const parts = Math.ceil(delta.length / partBytes);
  return Array.from({ length: parts }, (_, part) => {
    const bytes = delta.slice(part * partBytes, (part + 1) * partBytes);
    const place = parts === 1 ? [] : [parts + more, part];
    const head = ints(((parts === 1 ? 7 : 5) << 1) | 1, tick, tick + 1, ...place, crc, bytes.length);
    return { tick, message: [...head, ...bytes] };
  });
}

const ordersOf = <T>(all: readonly T[]): T[][] =>
  all.length === 0
    ? [[]]
    : all.flatMap((one) => ordersOf(all.filter((other) => other !== one)).map((rest) => [one, ...rest]));

it('what a client takes is told, and what is told to be late or to lack a part is not taken', () => {
  const ticks = [102, 104, 106];
  const sent = [...messagesOf(102, 12), ...messagesOf(104, 12), ...messagesOf(106, 4)];
  const counts: Record<string, number> = {};
  const unproven = new Set<string>();
  for (const order of ordersOf(sent)) {
    const live = new SnapshotReceiver('0.6');
    const taken = new Set<number>();
    const frames: Bytes[] = [];
    const pass = (packet: Uint8Array, isClient: boolean) => {
      const [from, to] = isClient ? [50000, 8303] : [8303, 50000];
      const fraction = 10_000 * frames.length;
      frames.push(pcapRecord(ethernet(v4, ipv4(udp([...packet], from!, to!))), { seconds: someTime, fraction }));
    };
    for (const [i, packet] of [...connects, control(3, ...token)].entries()) pass(packet, i !== 1);
    for (const { message } of order) {
      pass(packet06([chunk06(message)], { token }), false);
      const read = readMessage(Uint8Array.from(message), 0, message.length, '0.6');
      for (const { verdict, tick } of live.add(read)) if (verdict === 'ok') taken.add(tick);
      const input = ints((16 << 1) | 1, live.acknowledged, live.acknowledged + 2, 40, ...new Array(10).fill(0));
      pass(packet06([chunk06(input)], { token }), true);
    }
    const replay = new CaptureReplay();
    const told = new Map<number, string>();
    for (const entry of [...replay.feed(file(pcapHeader(), ...frames)), ...replay.finish()])
      if (entry.record === 'snapshot') told.set(entry.tick, entry.verdict);
    for (const tick of ticks) {
      const what = `${told.get(tick) ?? 'late'}, ${taken.has(tick) ? 'taken' : 'not taken'}`;
      counts[what] = (counts[what] ?? 0) + 1;
      if (what === 'ok, not taken')
        unproven.add(
          order
            .slice(0, 3)
            .map((one) => one.tick)
            .join(' '),
        );
    }
  }
  expect(counts).toEqual({
    'ok, taken': 172,
    'missing_part, not taken': 84,
    'late, not taken': 88,
    'ok, not taken': 16,
  });
  // A newer tick began before the older one was whole, and was not whole itself: nothing newer was acknowledged then. The
  // order of a file need not be that of arrival, so that what was sent is told.
  expect([...unproven]).toEqual(['102 104 102', '104 102 102']);
});

describe('of the parts of one tick', () => {
  const [first, last] = messagesOf(102, 12).map(({ message }) => message) as [Bytes, Bytes];
  const [firstOfThree, lastOfThree] = messagesOf(102, 12, 1).map(({ message }) => message) as [Bytes, Bytes];
  // Of a part of 898 bytes and its head, in which the size has two bytes.
  const short = [...first.slice(0, -partBytes - 2), ...ints(partBytes - 2), ...first.slice(-partBytes, -2)];
  const damaged = first.map((byte, i) => (i === 500 ? byte ^ 1 : byte));

  // CClient copies each part to its place, and compares those it has with the number in the message that came last.
  it.each([
    ['the copy that comes last counts', [damaged, first, last], 'ok'],
    ['a damaged copy of a part takes the place of the right one', [first, damaged, last], 'mismatch'],
    ['a copy that comes after the whole is nothing', [first, last, damaged], 'ok'],
    ['the number of parts in the first message may be wrong', [firstOfThree, last], 'ok'],
    ['the number of parts in the last message counts', [first, lastOfThree], 'missing_part'],
    ['a short part before the last leaves a gap, in which a client has older bytes', [short, last], 'damaged'],
  ] as const)('%s', (_, messages, verdict) => {
    expect(verdictsOf(messages)).toEqual({ told: [verdict], live: [verdict] });
  });
});

describe('of the copies of a tick', () => {
  // A new obj_game_info of eight ints, whose sum is 1.
  const delta = [0, 1, 0, 6, 0, 1, 0, 0, 0, 0, 0, 0, 0];
  const single = (crc: number, distance = 101) => snapSingle(7, 100, distance, crc, delta);

  // CClient compares ticks with that of the last snapshot it took.
  it.each([
    ['one is read after one with a wrong sum', [single(2), single(1)], ['mismatch', 'ok']],
    ['those with a wrong sum are told once', [single(2), single(2)], ['mismatch']],
    ['the first right one is taken', [single(1), single(1)], ['ok']],
    ['a base below -1 is the empty snapshot, too', [single(1, 1000)], ['ok']],
  ] as const)('%s', (_, messages, verdicts) => {
    expect(verdictsOf(messages).told).toEqual(verdicts);
  });
});

/** What is told of messages of a server in a capture, and what becomes of them in a live client. */
function verdictsOf(messages: readonly Bytes[]) {
  const packets = messages.map((message) => packet06([chunk06(message)], { token }));
  const frames = [...connects, control(3, ...token), ...packets].map((packet, i) => {
    const [from, to] = i === 0 || i === 2 ? [50000, 8303] : [8303, 50000];
    return ethernet(v4, ipv4(udp([...packet], from, to)));
  });
  const replay = new CaptureReplay();
  const told = [...replay.feed(pcap(frames)), ...replay.finish()].flatMap((entry) =>
    entry.record === 'snapshot' ? [entry.verdict] : [],
  );

  const live = new SnapshotReceiver('0.6');
  const taken = messages.flatMap((message) => [
    ...live.add(readMessage(Uint8Array.from(message), 0, message.length, '0.6')),
  ]);
  return { told, live: [...taken, ...live.finish()].map((snapshot) => snapshot.verdict) };
}
