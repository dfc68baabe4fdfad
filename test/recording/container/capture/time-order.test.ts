import { expect, it } from 'vitest';
import { type Bytes, file } from '../../../support/bytes.ts';
import {
  description,
  enhanced,
  ethernet,
  ipv4,
  pcapHeader,
  pcapRecord,
  section,
  someTime,
  udp,
  v4,
} from '../../../support/capture-builder.ts';
import { diagnosticsOf } from '../../../support/capture-frames.ts';
import { replayed } from '../../../support/captures.ts';
import { serverMessage } from '../../../support/made-capture.ts';
import { chunk06, packet06 } from '../../../support/packet-builder.ts';

const packet = ethernet(v4, ipv4(udp([1])));
const told = (bytes: Uint8Array) =>
  diagnosticsOf(bytes).map((one) => 'code' in one && [one.code, one.frame, one.args.seconds]);

/** Packets of one interface, so many milliseconds after each other's start. */
const captured = (...ms: readonly number[]) =>
  file(pcapHeader(), ...ms.map((at) => pcapRecord(packet, { fraction: 1000 * at })));

it('tells the first time that is before an earlier one', () => {
  expect(told(captured(0, 500, 60, 520, 10))).toEqual([['time_backwards', 3, 0.44]]);
});

it('tells nothing of packets that come slightly out of order', () => {
  expect(told(captured(0, 80, 2, 120, 120, 30))).toEqual([]);
});

it('lets the packets of interfaces come in turn', () => {
  const at = (ms: number, number: number): Bytes =>
    enhanced(packet, { interface: number, time: BigInt(someTime) * 1_000_000n + BigInt(1000 * ms) });
  const read = (...blocks: Bytes[]) => told(file(section(), description(1), description(1), ...blocks));
  expect(read(at(0, 0), at(900, 0), at(0, 1), at(900, 1))).toEqual([]);
  expect(read(at(0, 0), at(900, 0), at(100, 0))).toEqual([['time_backwards', 3, 0.8]]);
  expect(read(at(3000, 0), at(900, 1))).toEqual([['time_backwards', 2, 2.1]]);
});

it('gives a connection the time from its earliest to its latest packet', () => {
  const frame = ethernet(v4, ipv4(udp([...packet06([chunk06(serverMessage('con_ready'))])])));
  const records = [5000, 5001, 1400, 1401].map((ms) =>
    pcapRecord(frame, { seconds: someTime + Math.floor(ms / 1000), fraction: 1000 * (ms % 1000) }),
  );
  const [connection] = replayed(file(pcapHeader(), ...records)).connections;
  expect(connection).toMatchObject({ firstTime: someTime + 1.4, lastTime: someTime + 5.001 });
});
