import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messageOf } from '../../../src/api/index.ts';
import { Channel, readMessage, writeMessage, writePacket } from '../../../src/api/live.ts';
import { isVital } from '../../../src/wire/packet/vital.ts';
import { intBytes } from '../../../src/wire/packet/write.ts';
import { messagesOf } from '../../../src/wire/protocol/message-registry.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { intsOfUuid } from '../../../src/wire/protocol/texts.ts';

type Version = '0.6' | '0.7';
const versions = ['0.6', '0.7'] as const;
const sizeOf = (packets: readonly Uint8Array[]) => packets.reduce((sum, { length }) => sum + length, 0);
const magic = [0x54, 0x4b, 0x45, 0x4e];

/** Both ends after a handshake, and the time. */
function online(version: Version) {
  const [client, server] = [new Channel(version, 'client'), new Channel(version, 'server')];
  let now = 0;
  for (; now < 6 && server.state !== 'online'; now += 0.6) {
    for (const packet of client.packets(now)) server.receive(packet);
    for (const packet of server.packets(now)) client.receive(packet);
  }
  expect([client.state, server.state]).toEqual(['online', 'online']);
  return { client, server, now };
}

interface Network {
  readonly seed: number;
  readonly loss: number;
  readonly repeats: number;
  /** The most steps of 20 ms that a packet is late. */
  readonly late: number;
  /** How many of the steps have a message. */
  readonly busy: number;
  readonly messages: number;
}

/** Runs both ends on a network; returns the numbers of the messages that each end received. */
function run(version: Version, { seed, loss, repeats, late, busy, messages }: Network) {
  let state = seed | 1;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const ends = [
    new Channel(version, 'client', { timeout: 60 }),
    new Channel(version, 'server', { timeout: 60 }),
  ] as const;
  const received: [number[], number[]] = [[], []];
  const sent: [number, number] = [0, 0];
  const underway: { readonly to: 0 | 1; readonly at: number; readonly packet: Uint8Array }[] = [];
  const deliver = (step: number) => {
    for (let i = 0; i < underway.length; ) {
      const { to, at, packet } = underway[i]!;
      if (at > step) {
        i++;
        continue;
      }
      underway.splice(i, 1);
      for (const message of ends[to].receive(packet)) {
        received[to].push(new DataView(message.buffer, message.byteOffset).getUint32(0));
      }
    }
  };
  for (let step = 0; step < 60_000; step++) {
    for (const i of [0, 1] as const) {
      if (ends[i].state === 'online' && sent[i] < messages && random() < busy) {
        const message = new Uint8Array(4 + Math.floor(random() * 60));
        new DataView(message.buffer).setUint32(0, sent[i]++);
        ends[i].send(message, { vital: true });
        message.fill(0xff);
      }
      for (const packet of ends[i].packets(step / 50)) {
        if (random() < loss) continue;
        for (let copies = random() < repeats ? 3 : 1; copies > 0; copies--) {
          underway.push({ to: i === 0 ? 1 : 0, at: step + Math.floor(random() * (late + 1)), packet: packet.slice() });
        }
        // In 0.6, nothing tells a client who answers its request.
        const isMade = ends[0].state === 'online' && ends[1].state === 'online';
        if (isMade && random() < 0.05)
          underway.push({ to: i === 0 ? 1 : 0, at: step, packet: forged(version, random) });
      }
    }
    deliver(step);
    if (received[0].length >= messages && received[1].length >= messages) break;
  }
  return { received, ends };
}

/** A packet of somebody who does not know the tokens. */
function forged(version: Version, random: () => number): Uint8Array {
  const token = Math.floor(random() * 2 ** 32);
  const sequence = Math.floor(random() * 1024);
  const ack = Math.floor(random() * 1024);
  const contents = [
    { control: Uint8Array.of(4, 0x62, 0) },
    { control: Uint8Array.of(0) },
    { chunks: [{ message: Uint8Array.of(9, 9, 9, 9), vital: true, sequence }], ack, resend: true },
    { control: Uint8Array.of(1, ...magic, 0, 0, 0, 0) },
    { control: Uint8Array.of(5, ...new Uint8Array(512)) },
    { control: Uint8Array.of(2, ...magic) },
  ];
  return writePacket(version, { token, ...contents[Math.floor(random() * contents.length)]! });
}

describe.each(versions)('two ends of a connection of %s', (version) => {
  const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

  it.each([
    ['idle between messages', { loss: 0, repeats: 0, late: 0, busy: 0.02, messages: 100 }],
    ['lossy', { loss: 0.3, repeats: 0, late: 0, busy: 0.5, messages: 1500 }],
    ['reordering and duplicating', { loss: 0.05, repeats: 0.3, late: 8, busy: 0.7, messages: 1500 }],
  ])('deliver 1,500 vital messages once and in order: %s, with strangers', (_, network) => {
    const { received, ends } = run(version, { ...network, seed: 7 });
    for (const list of received) expect(list).toEqual(numbers(network.messages));
    expect(ends.map(({ state }) => state)).toEqual(['online', 'online']);
  });

  it('deliver everything on any network that delivers something', () => {
    const network = fc.record({
      seed: fc.nat(),
      loss: fc.double({ min: 0, max: 0.4, noNaN: true }),
      repeats: fc.double({ min: 0, max: 1, noNaN: true }),
      late: fc.nat(20),
      busy: fc.double({ min: 0.05, max: 1, noNaN: true }),
      messages: fc.integer({ min: 1, max: 300 }),
    });
    fc.assert(
      fc.property(network, (entry) => {
        const { received } = run(version, entry);
        for (const list of received) expect(list).toEqual(numbers(entry.messages));
      }),
      { numRuns: 30 },
    );
  });

  it('deliver what is sent at once, never more of it under way than the games hold', () => {
    const { client, server, now } = online(version);
    for (let i = 0; i < 200; i++) server.send(new Uint8Array(1000).fill(i), { vital: true });
    const received: number[] = [];
    for (let i = 1; i < 100; i++) {
      const packets = server.packets(now + i / 50);
      expect(sizeOf(packets)).toBeLessThan(40_000);
      for (const packet of packets) for (const [first] of client.receive(packet)) received.push(first!);
      client.send(Uint8Array.of(1));
      for (const packet of client.packets(now + i / 50)) server.receive(packet);
    }
    expect(received).toEqual(Array.from({ length: 200 }, (_, i) => i & 0xff));
  });

  it('give up after 10 seconds of silence, or as many as the option says', () => {
    const { client, server, now } = online(version);
    expect(client.lastReceived).toBeGreaterThanOrEqual(now - 2);
    const patient = new Channel(version, 'client', { timeout: 100 });
    for (let second = 1; second <= 8; second++) for (const end of [client, server, patient]) end.packets(now + second);
    expect([client.state, server.state]).toEqual(['online', 'online']);
    for (const end of [client, server]) {
      end.packets(now + 12);
      expect([end.state, end.closed]).toEqual(['closed', { by: 'timeout', reason: 'Timeout' }]);
      expect(end.packets(now + 13)).toEqual([]);
    }
    patient.packets(now + 90);
    expect(patient.state).toBe('connecting');
    patient.packets(now + 102);
    expect(patient.closed?.by).toBe('timeout');
    expect(() => new Channel(version, 'client', { timeout: -1 })).toThrow(RangeError);
  });

  it('give up as too weak without acknowledgements, with bounded memory', () => {
    const { server } = online(version);
    for (let i = 0; i < 20_000 && server.state === 'online'; i++) server.send(new Uint8Array(100), { vital: true });
    expect(server.closed).toEqual({ by: 'weak', reason: 'too weak connection (out of buffer)' });
    // The other end goes on saying that it is there, and takes nothing.
    const talking = online(version);
    const early = talking.client.packets(talking.now + 0.6);
    talking.server.send(Uint8Array.of(1), { vital: true });
    for (let i = 1; i < 13; i++) {
      talking.server.packets(talking.now + i);
      for (const packet of early) talking.server.receive(packet);
    }
    expect(talking.server.closed).toEqual({ by: 'weak', reason: 'too weak connection (not acked for 10 seconds)' });
  });

  it('say why they were closed', () => {
    const { client, server, now } = online(version);
    client.close('bye');
    client.close('again');
    const sent = client.packets(now + 1);
    // A head of 3 and a token at the end, or a head of 7; the code, and a text with its zero.
    expect(sent.map(({ length }) => length)).toEqual([7 + 1 + 4]);
    for (const packet of sent) server.receive(packet);
    expect([client.closed, server.closed]).toEqual([
      { by: 'self', reason: 'bye' },
      { by: 'peer', reason: 'bye' },
    ]);
    client.send(Uint8Array.of(1), { vital: true });
    expect(client.packets(now + 2)).toEqual([]);
  });

  it('refuse what no chunk holds, and what is no message, packet, time or protocol', () => {
    const { client } = online(version);
    const most = version === '0.6' ? 1023 : 1390;
    client.send(new Uint8Array(most).fill(7), { vital: true });
    for (const size of [most + 1, 1391, 4096, 70_000]) {
      expect(() => client.send(new Uint8Array(size))).toThrow(
        new RangeError(`a message of ${size} bytes; a chunk of ${version} holds ${most}`),
      );
    }
    expect(() => client.send('hello' as never)).toThrow(TypeError);
    expect(() => client.receive('hello' as never)).toThrow(TypeError);
    expect(() => client.packets(Number.NaN)).toThrow(TypeError);
    expect(new Channel(protocolOf(version), 'server').state).toBe('connecting');
    expect(() => new Channel('0.5' as never, 'client')).toThrow('packets have the version 0.6 or 0.7, not 0.5');
    expect(() => new Channel(version, 'klient' as never)).toThrow(TypeError);
  });

  it('a client is online when the server accepts it, not because of a message', () => {
    const client = new Channel(version, 'client');
    client.packets(0);
    for (const token of [undefined, 1, 0xffffffff]) {
      client.receive(writePacket(version, { chunks: [{ message: Uint8Array.of(1) }], token }));
    }
    expect(client.state).toBe('connecting');
  });

  it('a server answers with no more bytes than it was asked with, and only once for each', () => {
    const asked = [
      { control: Uint8Array.of(1) },
      { control: Uint8Array.of(1, ...magic), token: 0xffffffff },
      { control: Uint8Array.of(1, ...magic, 1, 2, 3, 4) },
      { control: Uint8Array.of(5, 1, 2, 3, 4) },
      { control: Uint8Array.of(5, 1, 2, 3, 4, ...new Uint8Array(508)) },
      { control: Uint8Array.of(1, 1, 2, 3, 4, ...new Uint8Array(508)) },
      { chunks: [{ message: Uint8Array.of(1, 2, 3) }], resend: true },
    ];
    for (const content of asked) {
      const server = new Channel(version, 'server');
      const packet = writePacket(version, content);
      for (let i = 0; i < 5; i++) server.receive(packet);
      let answered = 0;
      for (let i = 0; i < 30; i++) answered += sizeOf(server.packets(i));
      expect(answered).toBeLessThanOrEqual(5 * packet.length);
      expect(server.state).not.toBe('online');
    }
  });
});

it('a server of 0.6 gives a token to a client that knows of them, and believes no other', () => {
  const { client, server, now } = online('0.6');
  const strange = [
    writePacket('0.6', { control: Uint8Array.of(4, 0x62, 0) }),
    writePacket('0.6', { control: Uint8Array.of(4, 0x62, 0), token: 0xdeadbeef }),
    writePacket('0.6', { control: Uint8Array.of(1) }),
    writePacket('0.6', { control: Uint8Array.of(1, ...magic), token: 0xffffffff }),
    writePacket('0.6', { chunks: [{ message: Uint8Array.of(1), vital: true, sequence: 1 }] }),
  ];
  for (const packet of strange) for (const end of [client, server]) expect(end.receive(packet)).toEqual([]);
  expect([client.state, server.state]).toEqual(['online', 'online']);
  server.send(Uint8Array.of(1, 2, 3), { vital: true });
  expect(server.packets(now + 1).flatMap((packet) => client.receive(packet))).toEqual([Uint8Array.of(1, 2, 3)]);
});

it('a client from before the tokens connects without one', () => {
  const server = new Channel('0.6', 'server');
  server.receive(writePacket('0.6', { control: Uint8Array.of(1) }));
  expect(server.packets(0)).toEqual([writePacket('0.6', { control: Uint8Array.of(2) })]);
  const hello = writePacket('0.6', { chunks: [{ message: Uint8Array.of(7), vital: true, sequence: 1 }] });
  expect(server.receive(hello)).toEqual([Uint8Array.of(7)]);
  expect(server.state).toBe('online');
});

describe('what is sent again unless it is said', () => {
  /** As the flags of SendMsg in client.cpp and server.cpp of DDNet 19.1 and Teeworlds 0.7.5 are. */
  it.each([
    ['0.6', 'cl_say', { team: true, message: 'hi' }, true],
    ['0.6', 'snap_empty', { tick: 1, delta: 2 }, false],
    ['0.6', 'input_timing', { input_pred_tick: 1, time_left: 2 }, false],
    ['0.6', 'ping', {}, false],
    ['0.6', 'ping_reply', {}, false],
    ['0.6', 'ping_ex', { id: '00000000-0000-0000-0000-000000000000' }, false],
    ['0.6', 'con_ready', {}, true],
    ['0.7', 'snap_empty', { tick: 1, delta: 2 }, false],
    ['0.7', 'ready', {}, true],
  ] as const)('%s %s', (version, name, fields, vital) => {
    expect(isVital(writeMessage(version as string as never, name as never, fields as never), version)).toBe(vital);
  });

  it.each(['0.6', '0.7'] as const)('%s: is all of the tables but snapshots, inputs and pings', (version) => {
    for (const { name, system, id = 0, uuid } of messagesOf(version).all) {
      const bytes = new Uint8Array(20);
      bytes.set(intBytes((id << 1) | Number(system)));
      const view = new DataView(bytes.buffer);
      if (uuid !== undefined) for (const [i, int] of intsOfUuid(uuid).entries()) view.setInt32(1 + 4 * i, int);
      expect([name, isVital(bytes, version)]).toEqual([name, !(system && /^(snap|input|ping|pong)/.test(name))]);
    }
  });

  it('arrives, all of it, where every fifth packet is lost', () => {
    const [client, server] = [new Channel('0.6', 'client'), new Channel('0.6', 'server')];
    const texts: unknown[] = [];
    let packets = 0;
    const arrives = () => ++packets < 20 || packets % 5 !== 0;
    for (let seconds = 0, sent = 0; seconds < 60; seconds += 0.02) {
      if (client.state === 'online' && sent < 100) {
        client.send(writeMessage('0.6', 'cl_say', { team: false, message: `${sent++}` }));
      }
      for (const packet of client.packets(seconds)) {
        if (!arrives()) continue;
        for (const bytes of server.receive(packet)) texts.push(messageOf(readMessage(bytes, '0.6').message).fields);
      }
      for (const packet of server.packets(seconds)) if (arrives()) client.receive(packet);
    }
    expect(texts).toEqual(Array.from({ length: 100 }, (_, i) => ({ team: 0, message: `${i}` })));
  });
});
