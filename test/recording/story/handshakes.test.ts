import { describe, expect, it } from 'vitest';
import { eventsOf } from '../../../src/api/match.ts';
import { Tracks } from '../../../src/page/report/tracks.ts';
import { CaptureReplay } from '../../../src/recording/capture/capture-replay.ts';
import {
  maxAddresses,
  maxAnswered,
  maxAsking,
  maxServers,
  maxUnanswered,
} from '../../../src/recording/replay/limits.ts';
import type { HandshakeFact, RecordingEntry } from '../../../src/recording/replay/record.ts';
import { Connects } from '../../../src/recording/story/flood.ts';
import { Asking, Handshakes } from '../../../src/recording/story/handshakes.ts';
import { type Bytes, file, text } from '../../support/bytes.ts';
import { ethernet, ipv4, pcapHeader, pcapRecord, someTime, udp, v4 } from '../../support/capture-builder.ts';
import { chunk06, ints, packet06 } from '../../support/packet-builder.ts';
import { run } from '../../support/run.ts';

// Clients at ports from 50000 on ask a server. The clock of a client is half a second (CNetConnection::Update).

const serverPort = 8303;
const halfSecond = 0.5;

interface Sent {
  readonly time: number;
  readonly client: number;
  readonly bytes: Uint8Array;
  readonly isOfServer?: boolean;
  readonly server?: number;
}

const none = [255, 255, 255, 255];
const magic = text('TKEN');
const token = [1, 2, 3, 4];
const control06 = (...bytes: Bytes) => Uint8Array.from([0x10, 0, 0, ...bytes]);
const control07 = (to: Bytes, ...bytes: Bytes) => Uint8Array.from([0x04, 0, 0, ...to, ...bytes]);
const steps = {
  connect: control06(1, ...magic, ...none),
  accept: control06(2, ...magic, ...token),
  accepted: control06(3, ...token),
  close: control06(4, ...text('bye'), 0, ...token),
  tokenRequest: control07(none, 5, ...token),
  token: control07(token, 5, 5, 6, 7, 8),
};
const info = packet06([chunk06([...ints((1 << 1) | 1), ...text('0.6'), 0, 0], { vital: true, sequence: 1 })], {
  token,
});

/** A client's packets of one kind by its clock. */
const asks = (client: number, times: number, from = 0, every = halfSecond, bytes = steps.connect): Sent[] =>
  Array.from({ length: times }, (_, i) => ({ time: from + i * every, client, bytes }));
const answers = (client: number, time: number, bytes = steps.accept): Sent => ({
  time,
  client,
  bytes,
  isOfServer: true,
});
const sends = (client: number, time: number, bytes: Uint8Array): Sent => ({ time, client, bytes });

const many = <T>(length: number, make: (i: number) => T): T[] => Array.from({ length }, (_, i) => make(i));

function capture(packets: readonly Sent[]): Uint8Array {
  const inOrder = [...packets].sort((a, b) => a.time - b.time);
  const records = inOrder.map(({ time, client, bytes, isOfServer, server = serverPort }) => {
    const ports = [50000 + client, server] as const;
    const [from, to] = isOfServer ? ports.toReversed() : ports;
    return pcapRecord(ethernet(v4, ipv4(udp([...bytes], from!, to!))), {
      seconds: someTime + Math.floor(time),
      fraction: Math.round((time % 1) * 1e6),
    });
  });
  return file(pcapHeader(), ...records);
}

function read(...packets: (Sent | readonly Sent[])[]) {
  const replay = new CaptureReplay();
  const entries: RecordingEntry[] = [...replay.feed(capture(packets.flat())), ...replay.finish()];
  const told = entries.flatMap((entry) =>
    entry.record === 'diagnostic' ? [{ code: entry.diagnostic.code, ...entry.diagnostic.args }] : [],
  );
  const packetsOf = entries.flatMap((entry) => (entry.record === 'handshake' ? [entry] : []));
  return { told, packets: packetsOf, connections: replay.streams.length };
}

describe('a request that nobody answers', () => {
  it('is told of the third one on, with both ends', () => {
    expect(read(asks(0, 2)).told).toEqual([]);
    expect(read(asks(0, 12)).told).toMatchObject([
      { code: 'never_answered', clients: 1, asks: 12, first_frame: 1, last_frame: 12 },
    ]);
    const [{ client, server }] = read(asks(0, 12)).told as unknown as [{ client: string; server: string }];
    expect([client, server]).toEqual([expect.stringMatching(/:50000$/), expect.stringMatching(/:8303$/)]);
  });

  it('each packet is a record with both ends', () => {
    const { packets, connections } = read(asks(0, 12), sends(0, 6.5, steps.close));
    expect(connections).toBe(0);
    expect(packets.map(({ step }) => step)).toEqual([...new Array<string>(12).fill('connect'), 'close']);
    expect(packets.every(({ direction, version }) => direction === 'to_server' && version === '0.6')).toBe(true);
    expect(packets.every(({ client, server }) => client.endsWith(':50000') && server.endsWith(':8303'))).toBe(true);
  });

  it('all clients of a server are one line', () => {
    expect(read(asks(0, 5), asks(1, 5, 10), asks(2, 2, 20)).told).toMatchObject([{ clients: 2, asks: 10 }]);
    const other = asks(1, 5).map((sent) => ({ ...sent, server: 8304 }));
    expect(read(asks(0, 5), other).told).toHaveLength(2);
  });

  it('a browser that asks for a token now and then is none who connects', () => {
    expect(read(asks(0, 6, 0, 2, steps.tokenRequest)).told).toEqual([]);
    expect(read(asks(0, 6, 0, halfSecond, steps.tokenRequest)).told).toMatchObject([{ code: 'never_answered' }]);
  });

  it('another address of the server that answers is what a client asks all of them for', () => {
    const other = asks(0, 5).map((sent) => ({ ...sent, server: 8304 }));
    expect(read(asks(0, 1), answers(0, 0.1), sends(0, 0.2, info), other).told).toEqual([]);
    // Who tries another server later is not answered.
    const later = asks(0, 5, 30).map((sent) => ({ ...sent, server: 8304 }));
    expect(read(asks(0, 1), answers(0, 0.1), sends(0, 0.2, info), later).told).toMatchObject([
      { code: 'never_answered', asks: 5 },
    ]);
  });

  it('a refusal and an accept are answers', () => {
    expect(read(asks(0, 3), answers(0, 1.1), sends(0, 1.2, info)).told).toEqual([]);
    expect(read(asks(0, 3), answers(0, 1.1, steps.close)).told).toEqual([]);
  });

  it('a player who comes back in vain is told, and one who goes on without an answer is not', () => {
    const before = [...asks(0, 1), answers(0, 0.1), sends(0, 0.2, info), sends(0, 1, steps.close)];
    expect(read(before, asks(0, 8, 30)).told).toMatchObject([{ code: 'never_answered', asks: 8 }]);
    expect(read(asks(0, 4), sends(0, 2, info)).told).toEqual([]);
  });
});

describe('an answer after which the client does not go on', () => {
  const left = (clients: number, step = steps.accept, ask = steps.connect) =>
    Array.from({ length: clients }, (_, i) => [...asks(i, 1, i, halfSecond, ask), answers(i, i + 0.1, step)]).flat();

  it('is told of the third client on, also where a token is all', () => {
    expect(read(left(2)).told).toEqual([]);
    expect(read(left(300)).told).toMatchObject([{ code: 'never_went_on', clients: 300, asks: 0 }]);
    expect(read(left(300, steps.token, steps.tokenRequest)).told).toMatchObject([{ code: 'never_went_on' }]);
  });

  it('beside clients who go on, it is told after a flood', () => {
    const player = [...asks(500, 1), answers(500, 0.1), sends(500, 0.2, info)];
    expect(read(left(100), player).told).toEqual([]);
    const fast = left(100).map((sent) => ({ ...sent, time: sent.time / 20 }));
    expect(read(fast, player).told).toMatchObject([
      { code: 'flood', requests: 101 },
      { code: 'never_went_on', clients: 100 },
    ]);
  });

  it('one client that asks on does not get the answers', () => {
    const both = Array.from({ length: 6 }, (_, i) => [...asks(0, 1, i / 2), answers(0, i / 2 + 0.1)]).flat();
    expect(read(both).told).toMatchObject([{ code: 'never_went_on', clients: 1, asks: 5 }]);
  });

  it('who closes, or takes the accept, has gone on; so has who asks for information with the token', () => {
    const each = (bytes: Uint8Array) => [0, 1, 2].map((client) => sends(client, client + 0.2, bytes));
    expect(read(left(3), each(steps.close)).told).toEqual([]);
    expect(read(left(3), each(steps.accepted)).told).toEqual([]);
    const getinfo = Uint8Array.from([0x21, 5, 6, 7, 8, ...token, ...none, ...text('gie3'), 1]);
    expect(read(left(3, steps.token, steps.tokenRequest), each(getinfo)).told).toEqual([]);
  });
});

describe('a flood', () => {
  // CNetServer::OnPreConnMsg: the 11th request within a second of the first one is too many (sv_van_conn_per_second).
  const burst = (from: number, clients: number, bytes = steps.connect) =>
    Array.from({ length: clients }, (_, i) => sends(i, from + i / 100, bytes));
  const floodsIn = (...packets: readonly Sent[][]) => read(...packets).told.filter(({ code }) => code === 'flood');

  it('is more than ten requests in a second, of whatever clients', () => {
    expect(floodsIn(burst(0, 10))).toEqual([]);
    expect(floodsIn(burst(0, 11))).toMatchObject([{ requests: 11, addresses: 1, seconds: 0.1, first_frame: 1 }]);
    expect(floodsIn(Array.from({ length: 11 }, (_, i) => sends(0, i / 100, steps.connect)))).toHaveLength(1);
    // The second begins with its first request.
    expect(floodsIn(burst(0, 1), burst(0.9, 9), burst(1.05, 10))).toEqual([]);
  });

  it('goes on in the next second, and is over after one without', () => {
    expect(floodsIn(burst(0, 11), burst(1.2, 11), burst(2.5, 11))).toMatchObject([{ requests: 33, seconds: 2.6 }]);
    expect(floodsIn(burst(0, 11), burst(1.2, 10), burst(2.5, 11))).toMatchObject([{ requests: 11 }, { requests: 11 }]);
    expect(floodsIn(burst(0, 11), burst(60, 12))).toMatchObject([{ requests: 11 }, { requests: 12 }]);
  });

  it('is of one server, and not of those who ask for a token', () => {
    const half = (server: number) => burst(0, 10).map((sent) => ({ ...sent, server }));
    expect(floodsIn(half(8303), half(8304))).toEqual([]);
    expect(floodsIn(burst(0, 100, steps.tokenRequest))).toEqual([]);
  });

  it('is told when it is over, also beyond the clients that are followed', () => {
    const replay = new CaptureReplay();
    const far = sends(600, 10, steps.connect);
    const records = [...replay.feed(capture([...burst(0, 300), far]))];
    expect(records.filter(({ record }) => record === 'diagnostic')).toMatchObject([
      { time: someTime, frame: 1, weight: 'note', diagnostic: { code: 'flood' } },
    ]);
  });

  it('has no more addresses than are remembered', () => {
    const connects = new Connects();
    for (let i = 0; i < maxAddresses + 5; i++)
      connects.add(`10.0.${i >> 8}.${i & 255}:50000`, { time: i / 1e4, frame: i });
    expect(connects.endedAt(2)).toBeUndefined();
    const { requests, addresses } = connects.endedAt(10)!;
    expect([requests, addresses.size]).toEqual([maxAddresses + 5, maxAddresses]);
    expect(connects.endedAt(20)).toBeUndefined();
  });

  it('is the same in all commands', async () => {
    const files = { 'a.pcap': capture(burst(3, 20)) };
    const text = /127\.0\.0\.1:8303 gets 20 requests to connect in 0\.19 s/;
    const found = [
      ['dump', 'a.pcap', '--events'],
      ['dump', 'a.pcap', '--events', '--type', 'flood'],
      ['dump', 'a.pcap', '--events', '--type', 'connection', '-t', 'ndjson'],
      ['dump', 'a.pcap', '--where', 'flood'],
      ['dump', 'a.pcap', '--where', 'flood requests>=20 addresses=1'],
      ['dump', 'a.pcap'],
      ['info', 'a.pcap'],
    ];
    for (const line of found) {
      const { stdout } = await run(line, files);
      expect(stdout.replaceAll(/\s+/g, ' '), line.join(' ')).toMatch(text);
    }
    expect((await run(['dump', 'a.pcap', '--where', 'flood requests>20'], files)).status).toBe(1);
    const events = [...eventsOf(files['a.pcap'])].flatMap(({ events }) => events);
    expect(events.filter(({ what }) => what === 'flood')).toEqual([
      { what: 'flood', server: '127.0.0.1:8303', requests: 20, addresses: 1, seconds: 0.19, at: someTime + 3 },
    ]);
  });
});

it('who asks again after a challenge of 0.6.5, whose accept is lost, has one connection', () => {
  const map = packet06([
    chunk06([...ints((2 << 1) | 1), ...text('dm1'), 0, ...ints(0, 0)], { vital: true, sequence: 1 }),
  ]);
  const accept = { ...answers(0, 0.7), bytes: control06(2) };
  const asked = [...asks(0, 2), { time: 0.1, client: 0, bytes: map, isOfServer: true }];
  expect(read(asked, accept, sends(0, 0.8, info))).toMatchObject({ connections: 1, told: [], packets: [] });
});

describe('more than is remembered', () => {
  const asksOf = (server: number, client = 0, times = 3) => asks(client, times).map((sent) => ({ ...sent, server }));
  const answeredBy = (server: number) =>
    [...asks(0, 1), answers(0, 0.1), sends(0, 0.2, info)].map((sent) => ({ ...sent, server }));

  it('servers: what may be missing with the others is one line', () => {
    const { told } = read(...many(maxServers + 5, (i) => asksOf(10_000 + i)));
    expect(told).toHaveLength(maxServers + 1);
    const [last] = told.slice(-1);
    expect(last).toMatchObject({ code: 'limit_reached', of: 'servers', limit: maxServers });
  });

  it('servers that answer, and a single request, are no line', () => {
    const good = many(maxServers + 5, (i) => answeredBy(10_000 + i));
    expect(read(...good).told).toEqual([]);
    expect(read(...good, asksOf(20_000, 1, 1)).told).toEqual([]);
    expect(read(...good, asksOf(20_000, 1)).told).toMatchObject([{ code: 'limit_reached', of: 'servers' }]);
  });

  it('unanswered clients of a server: all are counted', () => {
    const clients = maxUnanswered + 5;
    expect(read(...many(clients, (i) => asksOf(8303, i))).told).toMatchObject([
      { code: 'flood', requests: 3 * clients, addresses: 1 },
      { code: 'never_answered', clients },
    ]);
  });

  it('answered clients: the others count as unanswered by other addresses', () => {
    const at = (client: number, from: number) =>
      [asks(client, 1, from), answers(client, from + 0.1), sends(client, from + 0.2, info)].flat();
    expect(read(at(0, 0), asksOf(8304, 0)).told).toEqual([]);
    const toldAfter = (before: number) => {
      const handshakes = new Handshakes();
      const add = (
        client: string,
        server: string,
        ...facts: (readonly ['connect' | 'accept' | 'accepted', number])[]
      ) => {
        const factOf = (step: (typeof facts)[number][0]): HandshakeFact => ({
          version: '0.6',
          step,
          direction: step === 'accept' ? 'to_client' : 'to_server',
          client,
          server,
        });
        const asking = new Asking(factOf('connect'), { time: 0, frame: 1 });
        for (const [step, time] of facts) asking.add(factOf(step), { time, frame: 1 });
        handshakes.add(asking);
      };
      for (let i = 0; i < before; i++) add(`${i}`, 'one', ['connect', 0], ['accept', 0.1], ['accepted', 0.2]);
      add('last', 'one', ['connect', 0], ['accept', 0.1], ['accepted', 0.2]);
      add('last', 'other', ['connect', 0], ['connect', 0.5], ['connect', 1]);
      return handshakes.finish();
    };
    expect(toldAfter(maxAnswered - 1)).toEqual([]);
    expect(toldAfter(maxAnswered)).toMatchObject([{ code: 'never_answered', args: { clients: 1 } }]);
  });
});

it('dump, info, explain and JSON say the same', async () => {
  const files = { 'a.pcap': capture(asks(0, 12)) };
  const says = /12 requests of \S+:50000 to connect to \S+:8303; no answer is in the capture/;
  const [info, explained, dumped, json] = [
    await run('info a.pcap', files),
    await run('explain a.pcap', files),
    await run('dump a.pcap', files),
    await run('dump a.pcap -t ndjson', files),
  ];
  for (const { stdout, stderr, status } of [info, explained, dumped]) {
    expect(`${stdout}${stderr}`.replaceAll(/\s+/g, ' ')).toMatch(says);
    expect(status).toBe(1);
  }
  expect(info.stdout).toMatch(/suspect/);
  expect(dumped.stdout.match(/to connect \(0\.6\)/g)).toHaveLength(12);
  const records = json.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(records.filter(({ record }) => record === 'handshake')).toHaveLength(12);
  expect(records.filter(({ code }) => code === 'never_answered')).toHaveLength(1);
});

it('the client is one whom --client selects', async () => {
  const files = { 'a.pcap': capture([...asks(0, 3), ...asks(1, 3, 10)]) };
  const { stdout } = await run('dump a.pcap -t ndjson --client 127.0.0.1:50001', files);
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const clients = lines.flatMap(({ record, client }) => (record === 'handshake' ? [client] : []));
  expect(clients).toEqual(new Array(3).fill('127.0.0.1:50001'));
  const nobody = await run('dump a.pcap --client 127.0.0.1:50002', files);
  expect([nobody.status, nobody.stderr]).toEqual([2, expect.stringContaining('there is no client')]);
});

it('what needs a connection says what there is of the client', async () => {
  const files = {
    'a.pcap': capture(asks(0, 3)),
    'many.pcap': capture(many(maxAsking + 1, (i) => asks(i, 1, i)).flat()),
  };
  const client = '127.0.0.1:50000';
  const commands = ['report a.pcap', 'annotate a.pcap -o b', 'decode a.pcap@last', 'extract a.pcap@0:01'];
  for (const command of commands) {
    for (const named of [client, '50000']) {
      const { stderr, status } = await run(`${command} --client ${named}`, files);
      expect(stderr, command).toContain(`${client} has no connection: 3 packets of handshakes with 127.0.0.1:8303`);
      expect(status, command).toBe(1);
    }
  }
  const last = await run(`report many.pcap --client 127.0.0.1:${50000 + maxAsking}`, files);
  expect(last.stderr).toContain('there is no client');
});

it('the page has it among its findings', () => {
  const replay = new CaptureReplay();
  const tracks = new Tracks({ has: () => true, reach: () => undefined });
  for (const entry of [...replay.feed(capture(asks(0, 12))), ...replay.finish()]) tracks.add(entry);
  expect(tracks.findings.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^never_answered, frames 1 to 12: 12/),
  ]);
});
