import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CaptureReplay } from '../../../src/recording/capture/capture-replay.ts';
import { RecordingSummary } from '../../../src/recording/summary/recording-summary.ts';
import { type Bytes, file, text } from '../../support/bytes.ts';
import { ethernet, ipv4, pcapHeader, pcapRecord, someTime, udp, v4 } from '../../support/capture-builder.ts';
import { chunk06, chunk07, ints, packet06, packet07, snapPart, snapSingle } from '../../support/packet-builder.ts';
import { PcapFile } from '../../support/pcap-file.ts';

// One client and one server. Each case is a connection with a handshake, and something in it that no game sends.

interface Sent {
  readonly from: 'client' | 'server';
  readonly packet: Uint8Array;
  readonly at: number;
}

const token = [0x0a, 0x0b, 0x0c, 0x0d];
const control06 = (...bytes: Bytes) => Uint8Array.from([0x10, 0, 0, ...bytes]);
const info = [3, ...text('0.6 626fce9a778df4d4'), 0, 0];

/** The 16 bytes of a UUID. */
const uuid = (digits: string): Bytes => [...Buffer.from(digits.replaceAll('-', ''), 'hex')];

const client = (at: number, packet: Uint8Array): Sent => ({ from: 'client', packet, at });
const server = (at: number, packet: Uint8Array): Sent => ({ from: 'server', packet, at });
/** Packets of both ends with these chunks and the token. */
const toServer = (at: number, ...chunks: Bytes[]) => client(at, packet06(chunks, { token, ack: 0 }));
const toClient = (at: number, ...chunks: Bytes[]) => server(at, packet06(chunks, { token, ack: 1 }));

const begin: readonly Sent[] = [
  client(0, control06(1, ...text('TKEN'), 255, 255, 255, 255)),
  server(0.1, control06(2, ...text('TKEN'), ...token)),
  client(0.2, control06(3, ...token)),
  toServer(0.3, chunk06(info, { vital: true, sequence: 1 })),
];

function summary(packets: readonly Sent[]): RecordingSummary {
  const records = packets.map(({ from, packet, at }) => {
    const ports = from === 'client' ? [50000, 8303] : [8303, 50000];
    return pcapRecord(ethernet(v4, ipv4(udp([...packet], ports[0], ports[1]))), {
      seconds: someTime + Math.floor(at),
      fraction: Math.round((at % 1) * 1e6),
    });
  });
  return summaryOf(file(pcapHeader(), ...records));
}

function summaryOf(bytes: Uint8Array): RecordingSummary {
  const replay = new CaptureReplay();
  const all = new RecordingSummary(replay);
  for (const entry of replay.feed(bytes)) all.add(entry);
  for (const entry of replay.finish()) all.add(entry);
  return all;
}

/** `wrong unknown_message 3`: how bad, the code, how often. */
const found = (...packets: Sent[]) =>
  summary([...begin, ...packets]).findings.map(({ severity, code, count }) => `${severity} ${code} ${count}`);

describe('in a connection of 0.6', () => {
  it('the handshake and the first messages are nothing unusual', () => {
    expect(found(toClient(0.4, chunk06(ints(9), { vital: true, sequence: 1 })))).toEqual([]);
  });

  it('chunks that are more than the packet announces are left over: the number is one byte', () => {
    const all = Array.from({ length: 256 }, () => chunk06(ints((5 << 1) | 0, 1, 2)));
    expect(found(server(0.4, packet06(all, { count: 0, ack: 1, token })))).toEqual(['wrong packet_excess 1']);
    expect(found(server(0.4, packet06([...all, ...all.slice(0, 4)], { count: 4, ack: 1, token })))).toContain(
      'wrong packet_excess 1',
    );
  });

  it('a packet over 1,400 bytes is refused', () => {
    const long = chunk06([(11 << 1) | 1, ...new Array(1000).fill(0x61), 0]);
    expect(found(toClient(0.4, long, long.slice(0, 2).concat(long.slice(2))))).toContain('wrong packet_too_large 1');
  });

  it.each([0, 65])('a part of a snapshot of %i parts is ignored', (parts) => {
    expect(found(toClient(0.4, chunk06(snapPart(5, 100, parts, 0, [0, 0, 0]))))).toEqual(['wrong bad_parts 1']);
  });

  it('the parts of a snapshot agree on what it is, and a part that comes again is the same', () => {
    const full = new Array(900).fill(0);
    const [first, last] = [snapPart(5, 100, 3, 0, full), snapPart(5, 100, 3, 1, full)];
    const foundIn = (...parts: Bytes[]) =>
      found(...parts.map((part, i) => toClient(0.4 + 0.01 * i, chunk06(part)))).filter(
        (one) => !one.includes('missing'),
      );
    expect(foundIn(first, last, first)).toEqual([]);
    expect(foundIn(first, last, snapPart(5, 100, 3, 0, full.with(899, 1)))).toEqual(['wrong changed_part 1']);
    expect(foundIn(first, snapPart(5, 100, 4, 1, full))).toEqual(['wrong changed_part 1']);
  });

  it('a few packets that a client drops are forged; where they are most of what the server sent, it is wrong', () => {
    // No client takes a tick below 0.
    const dropped = (count: number) =>
      found(...Array.from({ length: count }, (_, i) => toClient(0.4 + 0.02 * i, chunk06(ints(15, -9 - i, 1, 0, 0)))));
    expect(dropped(7)).toEqual([]);
    expect(dropped(8)).toEqual(['wrong mostly_rejected 1']);
  });

  it('a number of no table is of a newer game or a mod; a negative one is of none', () => {
    expect(found(toClient(0.4, chunk06(ints(100 << 1, 1))))).toEqual(['warning unknown_message 1']);
    const negative = chunk06(ints(-20 << 1, 1));
    expect(found(toClient(0.4, negative), toClient(0.5, negative))).toEqual(['wrong unknown_message 2']);
  });

  it('an unknown UUID is of a newer game or a mod, if it is one: games take the hashes of names', () => {
    const hashed = [0x76, 0xce, 0x45, 0x5b, 0xf9, 0xeb, 0x3a, 0x48, 0xad, 0xd7, 0xe0, 0x4b, 0x94, 0x1d, 0x04, 0x5d];
    expect(found(toClient(0.4, chunk06([0, ...hashed])))).toEqual([]);
    // The first ints of a delta, two updates of type 9, in a message's place.
    const delta = [0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0];
    expect(found(toClient(0.4, chunk06([0, ...delta])))).toEqual(['wrong unknown_message 1']);
  });

  it("a server's message from a client goes the wrong way", () => {
    expect(found(toServer(0.4, chunk06(ints((4 << 1) | 1))))).toEqual(['wrong wrong_direction 1']);
  });

  it('a delta with a right sum that no game writes is told, although clients take it', () => {
    // On nothing: a removed item, a third int, and an int after the last item. Servers of DDNet remove an item twice.
    const delta = [2, 0, 7, 9 << 16, 9 << 16, 5];
    expect(found(toClient(0.4, chunk06(snapSingle(7, 100, 101, 0, delta))))).toEqual([
      ...['wrong nonzero_zero 1', 'wrong excess_ints 1', 'wrong unknown_removed 1'],
    ]);
  });

  it('bytes left over may be the fields of a newer game', () => {
    expect(found(toServer(0.4, chunk06(ints((14 << 1) | 1, 1, 2))))).toEqual(['warning excess_bytes 1']);
  });

  it('snapshots under the number of 0.7 are of the other version', () => {
    const sent = [1, 2, 3].map((i) => toClient(i, chunk06(snapSingle(8, i, i + 1, 0, [0, 0, 0]))));
    const all = summary([...begin, ...sent]);
    const [finding] = all.findings;
    expect(finding).toMatchObject({ code: 'other_version_message', severity: 'wrong', count: 3 });
    expect(finding!.args).toMatchObject({ version: '0.7', as: 'snap_single' });
    expect(all.health.state).toBe('suspect');
  });

  it('a number without the bit of system messages is told by what the bytes are then', () => {
    // Message 3 of the game, sv_chat, written as 3: that reads as 3 >> 1 = 1 of the system, info.
    const chat = chunk06([3, ...ints(0, 5), ...text('twelve bytes'), 0]);
    const all = summary([...begin, ...Array.from({ length: 1000 }, (_, i) => toClient(1 + i / 100, chat))]);
    const [finding] = all.findings;
    expect(finding).toMatchObject({ code: 'unshifted_message', severity: 'wrong', count: 1000 });
    expect(finding!.args).toEqual({ message: 'info', as: 'sv_chat' });
  });

  it('servers of DDNet before 16.0 and of Teeworlds before 0.6.4 send the projectiles of a shot', () => {
    const shot = chunk06(ints(7 << 1, 1, 100, 200, 10, -10, 1, 50));
    expect(found(toClient(0.4, shot))).toEqual([]);
  });

  // Source: MAX_CLIENTS - 1, NUM_EMOTICONS - 1, … of datasrc/network.py as bounds in `SecureUnpackMsg`.
  it.each([
    ['sv_chat', [3 << 1, 0, -2], 'client_id', -2, -1, 127],
    ['sv_chat', [3 << 1, 0, 500], 'client_id', 500, -1, 127],
    ['sv_chat', [3 << 1, 4, 0], 'team', 4, -2, 3],
    ['sv_killmsg', [4 << 1, 0, -1, 0, 0], 'victim', -1, 0, 127],
    ['sv_killmsg', [4 << 1, 0, 1, 6, 0], 'weapon', 6, -3, 5],
    ['sv_emoticon', [10 << 1, 128, 3], 'client_id', 128, 0, 127],
    ['sv_emoticon', [10 << 1, 3, 16], 'emoticon', 16, 0, 15],
  ])('%s with %j is dropped for a value', (message, values, field, value, min, max) => {
    const end = message === 'sv_chat' ? [...text('hello'), 0] : [];
    const { findings } = summary([...begin, toClient(0.4, chunk06([...ints(...values), ...end]))]);
    expect(findings).toMatchObject([{ code: 'out_of_bounds', severity: 'warning' }]);
    expect(findings[0]!.args).toEqual({ message, field, found: value, min, max });
  });

  it('a server looks at the values of clients, too, but nobody at those of system messages and of teams', () => {
    expect(found(toServer(0.4, chunk06(ints(19 << 1, -2))))).toEqual(['warning out_of_bounds 1']);
    expect(found(toServer(0.4, chunk06(ints(23 << 1, 15))))).toEqual([]);
    expect(found(toClient(0.4, chunk06(ints((10 << 1) | 1, 1, 7))))).toEqual([]);
    expect(found(toClient(0.4, chunk06(ints(30 << 1, ...new Array(64).fill(500)))))).toEqual([]);
  });

  it('clients from 64 on are dropped by the versions that know 64: by the version that the client says, or counted', () => {
    const version = (number: number) =>
      chunk06([1, ...uuid('8c001304-8461-3e47-8787-f672b3835bd4'), ...uuid('0'.repeat(32)), ...ints(number), 0], {
        vital: true,
        sequence: 2,
      });
    const chat = toClient(0.5, chunk06([...ints(3 << 1, 0, 70), ...text('hello'), 0]));
    expect(found(toServer(0.4, version(18_060)), chat)).toEqual(['warning out_of_bounds 1']);
    expect(found(toServer(0.4, version(19_000)), chat)).toEqual([]);
    const unknown = summary([...begin, chat, chat]);
    expect(unknown.findings).toEqual([]);
    expect(unknown.streams[0]!.items.high).toEqual([
      { item: 'sv_chat', field: 'client_id', isMessage: true, value: 70, count: 2 },
    ]);
    expect(summary([...begin, toServer(0.4, version(18_060)), chat]).streams[0]!.items.high).toEqual([]);
  });

  it('a message of the game with the bit of system messages is named, and dropped', () => {
    const kill = chunk06([1, ...uuid('ee610b6f-909f-311e-93f7-11a95f55a086'), ...ints(3, -1)]);
    const { findings, streams } = summary([...begin, toClient(0.4, kill)]);
    expect(findings).toMatchObject([{ code: 'wrong_flag', severity: 'wrong' }]);
    expect(findings[0]!.args).toEqual({ message: 'sv_killmsgteam', system: 1 });
    expect([...streams[0]!.messages.to_client]).toEqual([['sv_killmsgteam as a system message', 1]]);
    // Bots made with the npm package `teeworlds` introduce themselves so.
    const bot = chunk06([1, ...uuid('ee610b6f-909f-311e-93f7-11a95f55a086'), ...text('https://example.org'), 0]);
    const all = summary([...begin, toServer(0.4, bot)]);
    expect(all.findings).toMatchObject([{ code: 'wrong_flag', severity: 'note' }]);
    expect(all.health.state).toBe('healthy');
  });
});

it("DDNet's client asks a server of 0.7 for a map with the number of 0.6, too, which does no harm", () => {
  const tokens = { client: [1, 2, 3, 4], server: [5, 6, 7, 8] };
  const control07 = (to: Bytes, ...bytes: Bytes) => Uint8Array.from([0x04, 0, 0, ...to, ...bytes]);
  const all = summary([
    client(0, control07([255, 255, 255, 255], 5, ...tokens.client, ...new Array(504).fill(0))),
    server(0.1, control07(tokens.client, 5, ...tokens.server)),
    client(0.2, control07(tokens.server, 1, ...tokens.client, ...new Array(504).fill(0))),
    server(0.3, control07(tokens.client, 2)),
    client(
      0.4,
      packet07([chunk07([3, ...text('0.7 802f1be60a05665f'), 0, 0, ...ints(0x705)], { vital: true, sequence: 1 })], {
        token: tokens.server,
      }),
    ),
    client(0.5, packet07([chunk07(ints((19 << 1) | 1, 0))], { token: tokens.server })),
  ]);
  expect(all.findings).toMatchObject([{ code: 'other_version_message', severity: 'note' }]);
  expect(all.health.state).toBe('healthy');
});

describe('the end of a connection', () => {
  const chat = (sequence: number, message = 'hello', resend = false) =>
    chunk06([3 << 1, ...ints(0, -1), ...text(message), 0], { vital: true, sequence, resend });
  const alive = (seconds: number) =>
    Array.from({ length: Math.floor(seconds) }, (_, i) => client(1 + i, packet06([], { token, ack: 1, resend: true })));

  it('is told with the chunk that was never acknowledged: wrong after the 10 seconds in which games give up', () => {
    const stuck = (seconds: number) =>
      summary(
        [
          ...begin,
          toClient(0.4, chunk06([1 << 1, ...text('motd'), 0], { vital: true, sequence: 1 })),
          ...Array.from({ length: seconds }, (_, i) => toClient(1 + i, chat(2, 'hello', i > 0))),
          ...alive(seconds),
        ].sort((a, b) => a.at - b.at),
      );
    for (const [seconds, severity] of [
      [5, 'warning'],
      [12, 'wrong'],
    ] as const) {
      const finding = stuck(seconds).findings.find(({ code }) => code === 'never_acknowledged');
      expect(finding).toMatchObject({ severity });
      expect(finding!.args).toMatchObject({ sequence: 2, message: 'sv_chat', times: seconds });
    }
  });

  it('a resent number with other content is of no game', () => {
    const codes = found(toClient(0.4, chat(1)), toClient(1.5, chat(1, 'other', true)));
    expect(codes).toEqual(['wrong changed_chunk 1']);
  });

  const close = (...reason: Bytes) => control06(4, ...reason, ...token);

  it('a close that the other end does not hear is not the end', () => {
    const going = Array.from({ length: 10 }, (_, i) => toClient(2 + i, chunk06(ints((9 << 1) | 1, i, 5))));
    const timeout = server(12, close(...text('Timeout'), 0));
    const { streams } = summary([...begin, toClient(0.4, chat(1)), client(1, close()), ...going, timeout]);
    expect(streams[0]!.close).toMatchObject({ direction: 'to_client', reason: 'Timeout' });
    expect(streams[0]!.connection!.closes.map(({ isHeard }) => isHeard)).toEqual([false, true]);
  });

  it('packets under way do not show that it was not heard', () => {
    const late = toClient(1.2, chunk06(ints((9 << 1) | 1, 1, 5)));
    const { streams } = summary([...begin, toClient(0.4, chat(1)), client(1, close()), late]);
    expect(streams[0]!.close).toMatchObject({ direction: 'to_server', isHeard: true });
  });
});

it('a healthy capture in which 19 neighbouring frames are exchanged stays healthy', () => {
  const bytes = new Uint8Array(readFileSync(join(import.meta.dirname, '../../../samples/ddnet-ipv6.pcap')));
  const capture = new PcapFile(bytes);
  const every = Math.floor(capture.records.length / 20);
  const records = [...capture.records];
  for (let i = 1; i <= 19; i++) {
    const at = i * every;
    [records[at], records[at - 1]] = [records[at - 1]!, records[at]!];
  }
  const [exchanged, whole] = [summaryOf(capture.with(records)), summaryOf(bytes)];
  expect(whole.findings).toEqual([]);
  expect(exchanged.findings).toEqual([]);
  expect(exchanged.health.state).toBe('healthy');
  expect(exchanged.streams.map(({ messages }) => messages)).toEqual(whole.streams.map(({ messages }) => messages));
});
