import { expect, it } from 'vitest';
import { recorded, writeDemo } from '../../../src/api/edit.ts';
import { type RecordingEntry, readCapture, readDemo } from '../../../src/api/index.ts';
import { observe } from '../../../src/api/live.ts';
import { EventFinder, eventsOf } from '../../../src/api/match.ts';
import { CaptureReader } from '../../../src/recording/container/capture/capture-reader.ts';
import { read } from '../../support/samples.ts';

const capture = read('ddnet-ipv6.pcap');

/** The datagrams of a capture, as a proxy would see them. */
function* datagrams() {
  const reader = new CaptureReader();
  for (const { kind, bytes, start, end, time, ...ends } of reader.feed(capture)) {
    if (kind === 'datagram') yield { time, bytes: bytes.slice(start, end), ...ends };
  }
}

function observed(): RecordingEntry[] {
  const observer = observe();
  const records: RecordingEntry[] = [];
  for (const { time, bytes, source, sourcePort, destination, destinationPort } of datagrams()) {
    const from = { address: source, port: sourcePort };
    records.push(...observer.add(time, from, `[${destination}]:${destinationPort}`, bytes));
  }
  return [...records, ...observer.finish()];
}

const plain = (records: Iterable<RecordingEntry>) =>
  [...records].map((entry) => [
    entry.record,
    entry.stream?.client,
    entry.time,
    entry.record === 'snapshot' ? [entry.tick, entry.verdict, entry.snapshot?.checksum()] : undefined,
    entry.record === 'message'
      ? [entry.direction, entry.message.type?.name, Buffer.from(entry.bytes).toString('hex')]
      : undefined,
  ]);

it('datagrams give the records of the capture that has them', () => {
  const records = observed();
  expect(records.filter(({ record }) => record === 'snapshot').length).toBeGreaterThan(400);
  expect(plain(records)).toEqual(plain(readCapture(capture)));
});

it('events are found while a match runs, and are those of the capture', () => {
  const finder = new EventFinder();
  const found = [...observed().flatMap((entry) => finder.add(entry)), ...finder.finish()];
  // A finder has no clock.
  const ofCapture = [...eventsOf(readCapture(capture))].map((ended) => ({
    ...ended,
    events: ended.events.map(({ elapsed: _, ...event }) => event),
    stream: expect.anything(),
  }));
  expect(found.filter(({ events }) => events.length > 0)).toEqual(ofCapture);
});

it('the records of a client make its demo', () => {
  const demo = writeDemo(recorded(observed()));
  const sums = (records: Iterable<RecordingEntry>) =>
    [...records].flatMap((entry) =>
      entry.record === 'snapshot' && entry.snapshot ? [[entry.tick, entry.snapshot.checksum()]] : [],
    );
  const sent = new Map(sums(readCapture(capture)) as [number, number][]);
  const written = sums(readDemo(demo));
  expect(written.length).toBeGreaterThan(300);
  for (const [tick, sum] of written) expect(sent.get(tick!)).toBe(sum);
  expect(writeDemo(recorded(capture))).toEqual(demo);
  expect(() => writeDemo(recorded(capture, { client: '10.0.0.1:1' }))).toThrow('the header comes first');
});

it.each([['localhost'], ['1.2.3.4'], ['1.2.3.4:70000'], [{ address: '1.2.3.4' }], [null]])(
  '%j is no end of a datagram',
  (end) => {
    expect(() => observe().add(1, end as never, '1.2.3.4:5', new Uint8Array(8))).toThrow(TypeError);
  },
);
