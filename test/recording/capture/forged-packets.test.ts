import { describe, expect, it } from 'vitest';
import { CaptureReplay } from '../../../src/recording/capture/capture-replay.ts';
import type { RecordingEntry } from '../../../src/recording/replay/record.ts';
import type { Args } from '../../../src/wire/bytes/diagnostic.ts';
import { type Bytes, file, text, zeros } from '../../support/bytes.ts';
import { ethernet, ipv4, pcapHeader, pcapRecord, someTime, udp, v4 } from '../../support/capture-builder.ts';
import { chunk06, chunk07, ints, packet06, packet07, snapSingle } from '../../support/packet-builder.ts';
import { run } from '../../support/run.ts';

// One client and one server. Each case lists all packets between them.

const [clientPort, serverPort] = [50000, 8303];
interface Sent {
  readonly from: 'client' | 'server';
  readonly packet: Uint8Array;
}

const client = (packet: Uint8Array): Sent => ({ from: 'client', packet });
const server = (packet: Uint8Array): Sent => ({ from: 'server', packet });

function capture(packets: readonly Sent[]): Uint8Array {
  const records = packets.map(({ from, packet }, i) => {
    const ports = from === 'client' ? [clientPort, serverPort] : [serverPort, clientPort];
    return pcapRecord(ethernet(v4, ipv4(udp([...packet], ports[0], ports[1]))), {
      seconds: someTime + Math.floor(i / 25),
      fraction: (i % 25) * 40_000,
    });
  });
  return file(pcapHeader(), ...records);
}

const countOf = ({ count }: Args) => (count === undefined ? [] : [count]);

function read(...packets: (Sent | readonly Sent[])[]) {
  const replay = new CaptureReplay();
  const sums: string[] = [];
  const others: string[] = [];
  const add = (entry: RecordingEntry) => {
    if (entry.record === 'snapshot') sums.push(`${entry.stream.number}:${entry.tick} ${entry.verdict}`);
    else if (entry.record === 'diagnostic')
      others.push([entry.frame, entry.diagnostic.code, ...countOf(entry.diagnostic.args)].join(' '));
    else if (entry.record === 'close') others.push(`close ${entry.direction} ${entry.reason}`);
  };
  for (const entry of replay.feed(capture(packets.flat()))) add(entry);
  for (const entry of replay.finish()) add(entry);
  return { sums, others, connections: replay.streams.map((stream) => stream.client), datagrams: replay.datagrams };
}

/** A delta with one new item (type 10, of 5 ints in 0.6 and 2 in 0.7), or none. */
const oneItem = (version: '0.6' | '0.7') => [
  ...ints(0, 1, 0, 4, 0, 1),
  ...ints(...(version === '0.6' ? [0, 0, 0] : [0, 0])),
];

const token = [0x0a, 0x0b, 0x0c, 0x0d];
const forged = [0x66, 0x66, 0x66, 0x66];
const magic = text('TKEN');
const none = [255, 255, 255, 255];
const control06 = (...bytes: Bytes) => Uint8Array.from([0x10, 0, 0, ...bytes]);
const control07 = (to: Bytes, ...bytes: Bytes) => Uint8Array.from([0x04, 0, 0, ...to, ...bytes]);
const [clientToken, serverToken] = [
  [1, 2, 3, 4],
  [5, 6, 7, 8],
];

const snap06 = (tick: number, end: Bytes) =>
  server(packet06([chunk06(snapSingle(7, tick, tick + 1, 1, oneItem('0.6')))], { token: end }));
const snap07 = (tick: number, to: Bytes = clientToken) =>
  server(packet07([chunk07(snapSingle(8, tick, tick + 1, 1, oneItem('0.7')))], { token: to }));
const info06 = (end: Bytes) =>
  client(packet06([chunk06([3, ...text('0.6 626fce9a778df4d4'), 0, 0], { vital: true, sequence: 1 })], { token: end }));
const info07 = client(
  packet07([chunk07([3, ...text('0.7 802f1be60a05665f'), 0, 0, ...ints(0x705)], { vital: true, sequence: 1 })], {
    token: serverToken,
  }),
);

const connect06 = client(control06(1, ...magic, ...none));
const begin06 = (end: Bytes = token) => [
  connect06,
  server(control06(2, ...magic, ...end)),
  client(control06(3, ...end)),
  info06(end),
];
const beginPlain = [client(control06(1)), server(control06(2)), client(control06(3)), info06([])];
const request07 = client(control07(none, 5, ...clientToken, ...zeros(508)));
const token07 = server(control07(clientToken, 5, ...serverToken));
const connect07 = client(control07(serverToken, 1, ...clientToken, ...zeros(508)));
const begin07 = [request07, token07, connect07, server(control07(clientToken, 2)), info07];

const ticks06 = (from: number, count: number, end: Bytes) =>
  Array.from({ length: count }, (_, i) => snap06(from + 2 * i, end));
const ok = (number: number, from: number, count: number) =>
  Array.from({ length: count }, (_, i) => `${number}:${from + 2 * i} ok`);

describe('a request for a token', () => {
  it('does not begin a connection, with or without its answer', () => {
    const { connections, datagrams } = read(request07, token07, request07);
    expect([connections, datagrams]).toMatchObject([
      [],
      { total: 3, connless: 0, handshakes: 3, dropped: { connections: 0, packets: 0, undecodable: 0 }, other: 0 },
    ]);
  });

  it('begins a connection when the server accepts', () => {
    const { connections, sums, datagrams, others } = read(begin07, snap07(100), snap07(102));
    expect([connections.length, sums, others]).toEqual([1, ['1:100 ok', '1:102 ok'], []]);
    expect(datagrams.handshakes).toBe(0);
  });
});

describe('a request for a connection', () => {
  it('does not begin a connection until it is answered', () => {
    const { connections, datagrams } = read(connect06, connect06, connect06);
    expect([connections, datagrams.handshakes]).toEqual([[], 3]);
  });

  it('begins a connection when the server refuses', () => {
    const { connections, others } = read(connect06, server(control06(4, ...text('full'), 0)));
    expect([connections.length, others]).toEqual([1, ['close to_client full']]);
  });

  it('begins a connection where only the client was captured', () => {
    expect(read(connect06, info06(token)).connections.length).toBe(1);
  });
});

describe('a forged packet', () => {
  const session = [...begin06(), ...ticks06(100, 3, token)];

  it.each([
    'info a.pcap',
    'checksum a.pcap',
    'stats a.pcap',
    'dump a.pcap -t ndjson',
    'annotate a.pcap -o b.pcapng',
    'export a.pcap --tables kills -t csv',
    'report a.pcap -o a.html',
  ])('is no finding, since the games drop it: %s --strict', async (line) => {
    const files = { 'a.pcap': capture([...session, snap06(106, forged), snap06(106, token)]) };
    const { status, stderr } = await run(`${line} --strict`, files, { hasNoProgram: true });
    expect(status, stderr).toBe(0);
  });

  it('with another token is rejected (0.6 of DDNet)', () => {
    const { sums, others } = read(session, snap06(106, forged), snap06(106, token));
    expect([sums, others]).toEqual([ok(1, 100, 4), ['8 wrong_token']]);
  });

  it('with another token is rejected (0.7)', () => {
    const { sums, others } = read(begin07, snap07(100), snap07(102, forged), snap07(102));
    expect([sums, others]).toEqual([['1:100 ok', '1:102 ok'], ['7 wrong_token']]);
  });

  it('that closes does not end a connection with tokens', () => {
    const { sums, others } = read(session, server(control06(4, ...text('bye'), 0, ...forged)), ticks06(106, 2, token));
    expect([sums, others]).toEqual([ok(1, 100, 5), ['8 wrong_token']]);
  });

  it('that closes a connection without tokens is detected when its sender continues', () => {
    const { sums, others } = read(
      beginPlain,
      ticks06(100, 2, []),
      server(control06(4, ...text('bye'), 0)),
      ticks06(104, 30, []),
    );
    expect([sums, others]).toEqual([ok(1, 100, 32), ['close to_client bye', '7 false_close']]);
  });

  it('a close ends a connection, though packets that were under way come after it', () => {
    const { sums, others } = read(
      beginPlain,
      ticks06(100, 2, []),
      server(control06(4, ...text('bye'), 0)),
      ticks06(104, 2, []),
    );
    expect([sums, others]).toEqual([ok(1, 100, 4), ['close to_client bye']]);
  });

  it('that asks for a connection does not end one, though the server answers', () => {
    const { sums, connections, datagrams } = read(
      session,
      connect06,
      server(control06(2, ...magic, ...token)),
      ticks06(106, 3, token),
    );
    expect([sums, connections.length, datagrams.handshakes]).toEqual([ok(1, 100, 6), 1, 2]);
  });

  it('that asks for a connection of the other version does not end one', () => {
    const { sums, connections } = read(session, request07, connect07, ticks06(106, 3, token));
    expect([sums, connections.length]).toEqual([ok(1, 100, 6), 1]);
  });

  it('that asks for a connection does not end one without tokens', () => {
    const { sums, connections } = read(beginPlain, ticks06(100, 2, []), client(control06(1)), ticks06(104, 2, []));
    expect([sums, connections.length]).toEqual([ok(1, 100, 4), 1]);
  });

  it('that is too large is rejected', () => {
    const large = chunk06([...ints((7 << 1) | 1, 104, 105, 0, 900), ...zeros(900)]);
    const { sums, others } = read(session, server(packet06([large, large], { token })), snap06(106, token));
    expect([sums, others]).toEqual([ok(1, 100, 4), ['8 packet_too_large']]);
  });
});

describe('a snapshot with a tick out of line', () => {
  const session = [...begin06(), ...ticks06(100, 3, token)];
  const delta = (tick: number, base: number) =>
    server(packet06([chunk06(snapSingle(7, tick, tick - base, 1, [0, 0, 0]))], { token }));

  it.each([2 ** 30, 2 ** 31 - 1, 106 + 2000, -5])('of %d is rejected, and the next deltas have their base', (tick) => {
    const { sums, others } = read(session, snap06(tick, token), delta(106, 104), delta(108, 106));
    expect([sums, others]).toEqual([ok(1, 100, 5), [expect.stringMatching(/^\d implausible_tick$/)]]);
  });

  it('that announces another checksum for a received tick is rejected', () => {
    const other = server(packet06([chunk06(snapSingle(7, 104, 105, 0, [0, 0, 0]))], { token }));
    const { sums, others } = read(session, other, delta(106, 104), delta(108, 106));
    expect([sums, others]).toEqual([ok(1, 100, 5), ['9 implausible_tick']]);
  });

  it('counts where the next snapshots continue from it: a map change that was not captured, or a gap', () => {
    expect(read(session, snap06(2, token), delta(4, 2)).sums).toEqual([...ok(1, 100, 3), ...ok(1, 2, 2)]);
    expect(read(session, snap06(90_000, token), delta(90_002, 90_000)).sums).toEqual([
      ...ok(1, 100, 3),
      ...ok(1, 90_000, 2),
    ]);
  });
});

describe('a second session on the same ports', () => {
  it('is another connection, with its number after the address', () => {
    const { sums, connections } = read([...begin06(), ...ticks06(100, 2, token)], client(control06(4, 0, ...token)), [
      ...begin06(forged),
      ...ticks06(100, 2, forged),
    ]);
    expect(connections).toEqual(['127.0.0.1:50000', '127.0.0.1:50000#2']);
    expect(sums).toEqual([...ok(1, 100, 2), ...ok(2, 100, 2)]);
  });

  it('begins without the close of the first, when the client continues', () => {
    const { sums } = read([...begin06(), ...ticks06(100, 2, token)], [...begin06(forged), ...ticks06(50, 2, forged)]);
    expect(sums).toEqual([...ok(1, 100, 2), ...ok(2, 50, 2)]);
  });

  it('begins without tokens, when the client continues', () => {
    const { sums } = read([...beginPlain, ...ticks06(100, 2, [])], [...beginPlain, ...ticks06(50, 2, [])]);
    expect(sums).toEqual([...ok(1, 100, 2), ...ok(2, 50, 2)]);
  });

  it('is found by its token where the handshake was not captured', () => {
    const { sums, connections } = read([...begin06(), ...ticks06(100, 2, token)], ticks06(500, 20, forged));
    expect(connections.length).toBe(2);
    expect(sums).toEqual([...ok(1, 100, 2), ...ok(2, 530, 5)]);
  });
});

describe('a connection without tokens', () => {
  const acked = (tick: number, ack: number) =>
    server(packet06([chunk06(snapSingle(7, tick, tick + 1, 1, oneItem('0.6')))], { ack }));
  const many = (from: number, count: number, ack: number) =>
    Array.from({ length: count }, (_, i) => acked(from + 2 * i, ack));

  it('does not count a snapshot with a likely tick whose ack the server cannot have sent', () => {
    const forgedOnes = [0, 2, 700].map((ack) => acked(111, ack));
    const [a, b, c] = forgedOnes as [Sent, Sent, Sent];
    const { sums, others } = read(beginPlain, many(100, 9, 1), a, acked(118, 1), b, c, acked(120, 1));
    expect(sums).toEqual(ok(1, 100, 11));
    expect(others).toEqual(['14 wrong_ack', '16 wrong_ack', '17 wrong_ack']);
  });

  it('loses no snapshot where the server acknowledges packets of the client that were not captured', () => {
    const { sums, others } = read(beginPlain, many(100, 9, 1), many(118, 40, 5));
    expect([sums, others]).toEqual([ok(1, 100, 49), []]);
  });

  it('loses no snapshot where such packets are the last of the capture', () => {
    const { sums, others } = read(beginPlain, many(100, 9, 1), many(118, 10, 5));
    expect([sums, others]).toEqual([ok(1, 100, 19), []]);
  });

  it('does not count some forged snapshots at the end of the capture', () => {
    const { sums, others } = read(beginPlain, many(100, 9, 1), many(118, 3, 700));
    expect([sums, others.length]).toEqual([ok(1, 100, 9), 3]);
  });

  it('a token at the end is no chunk, however many are announced', () => {
    const announced = (count: number) => {
      const sent = snap06(100, token);
      const packet = sent.packet.slice();
      packet[2] = count;
      return { ...sent, packet };
    };
    // DDNet's `CNetConnection::Feed` takes the last four bytes off first.
    expect(read(begin06(), announced(1))).toMatchObject({ sums: ['1:100 ok'], others: [] });
    for (const more of [2, 3, 255])
      expect(read(begin06(), announced(more))).toMatchObject({ sums: ['1:100 ok'], others: ['5 missing_chunks'] });
    expect(read(begin06(), announced(0)).others).toContain('5 packet_excess');
  });
});

describe('with the right token, a chunk that is acknowledged before it is sent', () => {
  const chat = (sequence: number, resend = false) =>
    server(
      packet06([chunk06([(3 << 1) | 0, ...ints(0, 0), ...text('x'), 0], { vital: true, sequence, resend })], { token }),
    );
  const ack = (number: number) => client(packet06([], { ack: number, token }));
  /** Chunks, after each of which two packets of the client acknowledge so many more than were sent. */
  const exchange = (count: number, ahead: number, resend = false) =>
    Array.from({ length: count }, (_, i) => [chat(i + 1, resend), ack(i + 1 + ahead), ack(i + 1 + ahead)]).flat();

  it('is told with the number of those, by the first one', () => {
    // Frame 7 proves that 2 to 8 are acknowledged. 2 is sent 0.04 s later, which may be the order of the file, 3 in frame 11.
    const { others } = read(begin06(), exchange(10, 7), chat(11));
    expect(others).toEqual(['11 wrong_ack 9']);
  });

  it('is not told where the acks are right, or where a chunk is sent again', () => {
    expect(read(begin06(), exchange(10, 0)).others).toEqual([]);
    expect(read(begin06(), exchange(10, 7, true)).others).toEqual([]);
  });

  it('is not told where the capture lacks packets of the server', () => {
    const captured = exchange(30, 0).filter((_, i) => i % 3 > 0 || i % 5 > 2);
    expect(read(begin06(), captured).others).toEqual([]);
  });
});
