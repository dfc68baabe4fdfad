import { describe, expect, it } from 'vitest';
import {
  messageOf,
  type RecordingEntry,
  readCapture,
  readDemo,
  read as readRecording,
} from '../../../src/api/index.ts';
import { eventsOf } from '../../../src/api/match.ts';
import { type EventKind, eventGroups, type GameEvent } from '../../../src/recording/events/event.ts';
import type { ConnectionStream, Stream } from '../../../src/recording/replay/stream.ts';
import { corpusFile, hasCorpus } from '../../support/corpus.ts';
import { run } from '../../support/run.ts';
import { read } from '../../support/samples.ts';

const eventsIn = (records: Iterable<RecordingEntry>) => [...eventsOf(records)].flatMap(({ events }) => events);
/** The texts of a kind of messages that a client was sent. */
const sent = (records: Iterable<RecordingEntry>, kind: string, field: string) =>
  [...records].flatMap((entry) => {
    if (entry.record !== 'message' || entry.direction !== 'to_client') return [];
    const { name, fields } = messageOf(entry.message);
    return name === kind ? [(fields as Record<string, unknown>)[field]] : [];
  });

describe('the events of a capture', () => {
  const file = read('ddnet-ipv6.pcap');

  it('are those of its messages and snapshots', () => {
    const events = eventsIn(readCapture(file));
    const chat = events.flatMap((event) => (event.what === 'chat' ? [event.text] : []));
    expect(chat.length).toBeGreaterThan(5);
    expect(chat).toEqual(sent(readCapture(file), 'sv_chat', 'message'));
    expect(new Set(events.map(({ what }) => what))).toContain('fire');
    expect(events.every(({ at }) => typeof at === 'number')).toBe(true);
  });

  it('are the same from bytes, a Blob and records, and for await', async () => {
    const expected = [...eventsOf(readCapture(file))];
    expect([...eventsOf(file)]).toEqual(expected);
    expect([...eventsOf([file.subarray(0, 1000), file.subarray(1000)])]).toEqual(expected);
    for (const later of [eventsOf(new Blob([file])), eventsOf(readCapture(new Blob([file])))]) {
      const found = [];
      for await (const events of later) found.push(events);
      expect(found).toEqual(expected);
    }
  });

  it('are also those of its connection', () => {
    const told = eventsIn(readCapture(read('vanilla-ctf-timeout.pcap')));
    const [connect, accept] = told.filter(({ what }) => what === 'connect' || what === 'accept');
    expect(connect).toMatchObject({ what: 'connect', server: '127.0.0.1:8303', version: '0.7' });
    expect(accept).toMatchObject({ what: 'accept', packets: 7 });
    expect(told.filter(({ what }) => what === 'enter')).toHaveLength(1);
    // `strings` of the file has the reason: the server gave the client up, ten seconds after its last packet.
    expect(told.filter(({ what }) => what === 'close').at(-1)).toMatchObject({ side: 'server', reason: 'Timeout' });
    const silences = told.flatMap((event) => (event.what === 'silence' ? [[event.side, event.seconds]] : []));
    expect(silences).toContainEqual(['client', expect.closeTo(10, 1)]);
    expect(told.filter(({ what }) => what === 'timeout')).toMatchObject([
      { side: 'client', seconds: expect.closeTo(10, 1) as number },
    ]);
  });

  it('that several clients are told are one, of the first', () => {
    const records = [...readCapture(file)];
    const own = records.find(({ record }) => record === 'snapshot')!.stream as ConnectionStream;
    const { server, mapChanges, protocol } = own;
    const heartbeat = own.heartbeat.bind(own);
    const other = { number: 2, client: 'other', server, mapChanges, protocol, heartbeat } as Stream;
    const twice = records.flatMap((entry) =>
      entry.record === 'message' || entry.record === 'snapshot'
        ? [entry, { ...entry, stream: other } as RecordingEntry]
        : [entry],
    );
    // Its connection is each client's own.
    const isTold = ({ what }: GameEvent) => eventGroups[what as EventKind] !== 'connection';
    const [once, both] = [eventsIn(records).filter(isTold), eventsIn(twice).filter(isTold)];
    expect(both.map(({ what }) => what)).toEqual(once.map(({ what }) => what));
    const chat = both.filter(({ what }) => what === 'chat');
    expect(chat.every((event) => 'receivers' in event && event.receivers === 2)).toBe(true);
  });

  it.skipIf(!hasCorpus)('with three clients has what the first of them was sent (needs ../shared)', () => {
    const capture = corpusFile('07-vanilla-dm1.pcap');
    const all = [...readCapture(capture)];
    const first = all.find(({ record }) => record === 'snapshot')!.stream!;
    const texts = sent(
      all.filter(({ stream }) => stream === first),
      'sv_chat',
      'message',
    );
    const found = eventsIn(all).flatMap((event) => (event.what === 'chat' ? [event.text] : []));
    expect(texts.length).toBeGreaterThan(10);
    for (const text of new Set(texts)) {
      const times = (list: readonly unknown[]) => list.filter((entry) => entry === text).length;
      expect([text, times(found)]).toEqual([text, times(texts)]);
    }
  });
});

it.skipIf(!hasCorpus)('the time of a race is not the time at which it was captured (needs ../shared)', () => {
  const records = [...readCapture(corpusFile('06-ddnet-race.pcap'))];
  const first = records.find(({ record }) => record === 'snapshot')!.stream!;
  const ofFirst = records.filter(({ stream }) => stream === first);
  // In hundredths of a second, 0 without a record; a server sends it again with every finish.
  const sentBests = sent(ofFirst, 'sv_record', 'server_time_best').filter(
    (best, i, all) => best !== all[i - 1] && best !== 0,
  );
  const bests = eventsIn(ofFirst).flatMap((event) => (event.what === 'best_time' ? [event] : []));
  expect(sentBests.length).toBeGreaterThan(1);
  expect(bests.map(({ time }) => time)).toEqual(sentBests.map((best) => 10 * Number(best)));
  expect(bests.every(({ at = 0 }) => at > 1_795_173_983 && at < 1_795_174_100)).toBe(true);
});

it('the events of a demo need neither its header nor the records of ticks', () => {
  const file = read('vanilla-dm1.demo');
  const kills = (records: Iterable<RecordingEntry>) =>
    [...eventsOf(records)].flatMap(({ tick, events }) =>
      events.flatMap((event) => (event.what === 'kill' ? [[tick, event.victim.name]] : [])),
    );
  const expected = kills(readDemo(file));
  expect(expected.length).toBeGreaterThan(1);
  expect(kills([...readDemo(file)].filter(({ record }) => record !== 'header' && record !== 'tick'))).toEqual(expected);
  expect(kills(readDemo(file, { ticks: false }))).toEqual(expected);
});

it('what is no recording, and what are no records, is refused', () => {
  expect(() => [...eventsOf(new Uint8Array(100))]).toThrow('not a recording');
  expect(() => [...eventsOf([{ tick: 5 }] as never)]).toThrow(TypeError);
  expect(() => [...eventsOf(7 as never)]).toThrow(TypeError);
  expect(() => [...readRecording('path' as never)]).toThrow(TypeError);
});

it('a silence is in the tick in which it begins, not in that of the record that ends it', async () => {
  const files = { 'a.pcap': read('vanilla-ctf-timeout.pcap') };
  const { stdout } = await run('dump a.pcap --events --ticks 700..720', files);
  expect(stdout).toMatch(/the client says nothing for 10\.00 s\n.*\(timeout\)\n$/);
  expect((await run('dump a.pcap --events --ticks 721..800', files)).stdout).toBe('');
});
