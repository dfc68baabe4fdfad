import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { checksum, readCapture, readDemo, type Snapshot } from '../../../src/api/index.ts';
import {
  Channel,
  readMessage,
  readPacket,
  SnapshotReceiver,
  SnapshotSender,
  writeMessage,
  writePacket,
} from '../../../src/api/live.ts';
import { messageFields, readMessage as parse } from '../../../src/wire/packet/message.ts';
import { messageBytes } from '../../../src/wire/packet/write.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { compare } from '../../../src/wire/snapshot/compare.ts';
import { corpusFile, hasCorpus } from '../../support/corpus.ts';
import {
  chunk06,
  chunk07,
  ints,
  packet06,
  packet07,
  snapPart,
  snapSingle,
  someToken,
} from '../../support/packet-builder.ts';

const sample = (name: string) => new Uint8Array(readFileSync(join(import.meta.dirname, '../../../samples', name)));

describe.each(['0.6', '0.7'] as const)('a packet of %s', (version) => {
  it('is written as another program writes it', () => {
    const [chunk, packet] = version === '0.6' ? [chunk06, packet06] : [chunk07, packet07];
    const long = Array.from({ length: 700 }, (_, i) => (i * 37) & 0xff);
    const chunks = [
      { message: [1, 2, 3] },
      { message: long, vital: true, sequence: 0x3a5 },
      { message: [9], vital: true, resend: true, sequence: 2 },
    ];
    const expected = packet(
      chunks.map(({ message, ...options }) => chunk(message, options)),
      { ack: 0x2c1, resend: true, token: someToken },
    );
    const token = 0x12345678;
    const own = chunks.map(({ message, ...options }) => ({ message: Uint8Array.from(message), ...options }));
    expect(writePacket(version, { ack: 0x2c1, resend: true, chunks: own, token })).toEqual(expected);
    const zeros = { message: new Uint8Array(900) };
    const compressed = writePacket(version, { chunks: [zeros], token });
    expect(compressed.length).toBeLessThan(150);
    expect(readPacket(compressed, version)).toMatchObject({ compressed: true, token, contentEnd: 902 });
  });

  it('connects, and delivers vital messages once and in order though packets are lost and repeated', () => {
    const client = new Channel(version, 'client');
    const server = new Channel(version, 'server');
    const ends = [client, server] as const;
    const received: number[][] = [[], []];
    let random = 1;
    for (let tick = 0; tick < 3000; tick++) {
      const seconds = tick / 50;
      for (const [i, end] of ends.entries()) {
        if (tick < 1500 && end.state === 'online') {
          end.send(messageBytes('0.6', 'map_change', { name: 'x'.repeat(tick % 300), crc: tick, size: i }), {
            vital: true,
          });
        }
        for (const packet of end.packets(seconds)) {
          random = (random * 48_271) % 0x7fffffff;
          for (let copies = random % 4; copies > 1; copies--) {
            for (const message of ends[1 - i]!.receive(packet.slice())) {
              const { name, fields } = readMessage(message, '0.6');
              if (name === 'map_change') received[1 - i]!.push(fields.crc);
            }
          }
        }
      }
    }
    for (const numbers of received) {
      expect(numbers.length).toBeGreaterThan(1000);
      expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, i) => numbers[0]! + i));
    }
    expect(received[0]!.at(-1)).toBe(1499);
    client.close('bye');
    for (const packet of client.packets(61)) server.receive(packet);
    expect([server.state, server.closed?.reason]).toEqual(['closed', 'bye']);
  });
});

/** Both ends after a handshake without losses, and the seconds that it took. */
function online(version: '0.6' | '0.7') {
  const [client, server] = [new Channel(version, 'client'), new Channel(version, 'server')];
  let seconds = 0;
  for (let i = 0; i < 10; i++) {
    seconds += 0.6;
    for (const packet of client.packets(seconds)) server.receive(packet);
    for (const packet of server.packets(seconds)) client.receive(packet);
    if (i > 5) client.send(Uint8Array.of(2));
  }
  expect([client.state, server.state]).toEqual(['online', 'online']);
  return { client, server, seconds };
}

/** A client of 0.6 that DDNet's token was given to. */
function onlineWithToken(token: number) {
  const client = new Channel('0.6', 'client');
  client.packets(1);
  const accept = Uint8Array.of(2, ...[0x54, 0x4b, 0x45, 0x4e]);
  client.receive(writePacket('0.6', { control: accept, token }));
  expect(client.state).toBe('online');
  return client;
}

const close = Uint8Array.of(4, 0x62, 0x79, 0x65, 0);

describe.each(['0.6', '0.7'] as const)('an end of a connection of %s', (version) => {
  it('sends what is not acknowledged once for any number of requests', () => {
    const { client, server, seconds } = online(version);
    for (let i = 0; i < 50; i++) server.send(new Uint8Array(100).fill(i), { vital: true });
    const chunksOf = (packets: readonly Uint8Array[]) =>
      packets.flatMap((packet) => [...readPacket(packet, version).chunks]);
    expect(chunksOf(server.packets(seconds + 0.1))).toHaveLength(50);
    client.send(Uint8Array.of(9));
    const [request] = client.packets(seconds + 0.2);
    request![0]! |= version === '0.6' ? 0x40 : 0x08;
    for (const at of [0.3, 0.4]) {
      for (let i = 0; i < 20; i++) server.receive(request!);
      const again = chunksOf(server.packets(seconds + at));
      expect(again.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
      expect(again.every(({ resend }) => resend)).toBe(true);
    }
  });

  it('takes the acks of keep-alives, so that more messages arrive than there are sequence numbers', () => {
    const { client, server, seconds } = online(version);
    const received: number[] = [];
    for (let i = 0; i < 3000; i++) {
      const now = seconds + i / 50;
      server.send(Uint8Array.of(i >> 8, i & 0xff), { vital: true });
      for (const packet of server.packets(now)) {
        for (const [high = 0, low = 0] of client.receive(packet)) received.push((high << 8) | low);
      }
      for (const packet of client.packets(now)) server.receive(packet);
    }
    expect(received).toEqual(Array.from({ length: 3000 }, (_, i) => i));
    for (const packet of client.packets(seconds + 61)) server.receive(packet);
    server.packets(seconds + 61);
    const late = server.packets(seconds + 65);
    expect(late.map((packet) => readPacket(packet, version).chunks.length)).toEqual([0]);
  });

  it('drops a packet with an ack of what was never sent', () => {
    const { client, server, seconds } = online(version);
    client.send(Uint8Array.of(9));
    const [packet] = client.packets(seconds + 0.1);
    const wrong = packet!.slice();
    wrong[1]! = 77;
    expect(server.receive(wrong)).toEqual([]);
    expect(server.receive(packet!).at(-1)).toEqual(Uint8Array.of(9));
  });
});

it.each([undefined, 0xdeadbeef])('a close with the token %s ends no connection with another token', (token) => {
  const client = onlineWithToken(0x01020304);
  client.receive(writePacket('0.6', { control: close, token }));
  expect([client.state, client.closed?.reason]).toEqual(['online', undefined]);
  client.receive(writePacket('0.6', { control: close, token: 0x01020304 }));
  expect([client.state, client.closed?.reason]).toEqual(['closed', 'bye']);
});

it('a close without tokens ends a connection of 0.6 without tokens, and a refusal an attempt to connect', () => {
  const [client, attempt] = [new Channel('0.6', 'client'), new Channel('0.6', 'client')];
  client.receive(writePacket('0.6', { control: Uint8Array.of(2) }));
  expect([client.state, attempt.state]).toEqual(['online', 'connecting']);
  for (const end of [client, attempt]) {
    end.receive(writePacket('0.6', { control: close }));
    expect([end.state, end.closed?.reason]).toEqual(['closed', 'bye']);
  }
});

it('in 0.7, a close needs the token of its receiver before the connection is made, too', () => {
  for (const role of ['client', 'server'] as const) {
    const end = new Channel('0.7', role);
    end.receive(writePacket('0.7', { control: close, token: 5 }));
    expect(end.state).toBe('connecting');
  }
});

it('in 0.7, a token request or a connect of a stranger changes no token', () => {
  const request = new Uint8Array(512);
  const strange = (control: number) => {
    request.set([control, 0xde, 0xad, 0xbe, 0xef]);
    return writePacket('0.7', { control: request, token: 0xffffffff });
  };
  const [client, server] = [new Channel('0.7', 'client'), new Channel('0.7', 'server')];
  const steps: (readonly [Channel, Channel])[] = [
    [client, server],
    [server, client],
    [client, server],
    [server, client],
  ];
  for (const [i, [from, to]] of steps.entries()) {
    for (const packet of from.packets(i)) to.receive(packet);
    for (const control of [5, 1]) server.receive(strange(control));
  }
  expect(client.state).toBe('online');
  client.send(Uint8Array.of(2));
  for (const packet of client.packets(5)) server.receive(packet);
  for (const control of [5, 1]) server.receive(strange(control));
  server.send(Uint8Array.of(1, 2, 3), { vital: true });
  expect(server.packets(6).flatMap((packet) => client.receive(packet))).toEqual([Uint8Array.of(1, 2, 3)]);
});

/** The snapshots of a demo, as a server would have them. */
const snapshotsOf = (file: Uint8Array): [number, Snapshot][] =>
  [...readDemo(file)].flatMap((entry) => (entry.record === 'snapshot' ? [[entry.tick, entry.snapshot!]] : []));

it.each([
  ['vanilla-dm1.demo', '0.7', 0],
  ['vanilla-dm1.demo', '0.7', 5],
  ['ddnet-race-player.demo', '0.6', 3],
] as const)('the snapshots of %s arrive (%s, 1 message of %i lost)', (name, version, lost) => {
  const sender = new SnapshotSender(version);
  const receiver = new SnapshotReceiver(version);
  const found: [number, number][] = [];
  let messages = 0;
  const all = snapshotsOf(sample(name));
  for (const [tick, snapshot] of all) {
    for (const bytes of sender.send(tick, snapshot)) {
      if (lost > 0 && ++messages % lost === 0) continue;
      for (const entry of receiver.add(readMessage(bytes, version).message, tick / 50)) {
        expect(entry.verdict).toMatch(/^(ok|unchecked|missing_part)$/);
        if (entry.snapshot) found.push([entry.tick, entry.snapshot.checksum()]);
      }
    }
    sender.acknowledge(receiver.acknowledged);
  }
  const expected = all.map(([tick, snapshot]): [number, number] => [tick, checksum(snapshot)]);
  if (lost === 0) expect(found).toEqual(expected);
  expect(found.length).toBeGreaterThan(all.length * (lost === 0 ? 0.99 : 1 - 2 / lost));
  const sums = new Map(expected);
  expect(found).toEqual(found.map(([tick]) => [tick, sums.get(tick)]));
});

/** Deltas keep the order of their base. */
function differences(a: Snapshot, b: Snapshot): number {
  const { removed, added, changed } = compare(a, b);
  return removed.length + added.length + changed.length;
}

it('snapshots that a receiver returned stay what they are', () => {
  const sender = new SnapshotSender('0.7');
  const receiver = new SnapshotReceiver('0.7');
  const sent = snapshotsOf(sample('vanilla-dm1.demo'));
  const stored = new Map<number, { readonly snapshot: Snapshot | undefined; readonly before: Snapshot | undefined }>();
  for (const [tick, snapshot] of sent) {
    for (const part of sender.send(tick, snapshot)) {
      for (const entry of receiver.add(readMessage(part, '0.7').message)) stored.set(entry.tick, entry);
    }
    sender.acknowledge(receiver.acknowledged);
  }
  expect(stored.size).toBe(sent.length);
  for (const [i, [tick, snapshot]] of sent.entries()) {
    expect(differences(stored.get(tick)!.snapshot!, snapshot)).toBe(0);
    if (i > 0) expect(differences(stored.get(tick)!.before!, sent[i - 1]![1])).toBe(0);
  }
});

it('the receiver asks for a whole snapshot where the base of one is missing', () => {
  const sender = new SnapshotSender('0.7');
  const receiver = new SnapshotReceiver('0.7');
  const [first, second] = snapshotsOf(sample('vanilla-dm1.demo'));
  const add = (bytes: Uint8Array) => [...receiver.add(readMessage(bytes, '0.7').message)];
  expect(receiver.acknowledged).toBe(-1);
  sender.send(...first!);
  sender.acknowledge(first![0]);
  const [delta] = sender.send(...second!);
  expect(add(delta!).map(({ verdict }) => verdict)).toEqual(['missing_base']);
  expect(receiver.acknowledged).toBe(-1);
  sender.acknowledge(-1);
  const whole = sender.send(second![0] + 2, second![1]);
  expect(whole.flatMap(add).map(({ verdict }) => verdict)).toEqual(['ok']);
  expect(receiver.acknowledged).toBe(second![0] + 2);
});

// m_SnapCrcErrors of CClient: more than ten, and a right one takes one back.
it('the receiver asks for a whole snapshot after eleven with a wrong sum, as the games do', () => {
  const receiver = new SnapshotReceiver('0.6');
  const add = (tick: number, sum: number) => {
    const message = Uint8Array.from(snapSingle(7, tick, tick + 1, sum, ints(0, 0, 0)));
    return [...receiver.add(readMessage(message, '0.6').message)].map(({ verdict }) => verdict);
  };
  expect(add(100, 0)).toEqual(['ok']);
  for (let tick = 101; tick <= 110; tick++) expect(add(tick, 1)).toEqual(['mismatch']);
  expect(receiver.acknowledged).toBe(100);
  expect(add(111, 0)).toEqual(['ok']);
  expect(add(112, 1)).toEqual(['mismatch']);
  expect(receiver.acknowledged).toBe(111);
  expect(add(113, 1)).toEqual(['mismatch']);
  expect(receiver.acknowledged).toBe(-1);
});

// CClient::ProcessServerPacket: m_aCurrentRecvTick, m_aAckGameTick, MAX_SNAPSHOT_PACKSIZE, PurgeUntil.
describe('the receiver does as the games do with what', () => {
  const emptyDelta = ints(0, 0, 0);
  const receiver = () => {
    const all = new SnapshotReceiver('0.6');
    const add = (bytes: readonly number[]) =>
      [...all.add(readMessage(Uint8Array.from(bytes), '0.6').message)].map(({ tick, verdict }) => `${tick} ${verdict}`);
    const single = (tick: number, base = -1) => add(snapSingle(7, tick, tick - base, 0, emptyDelta));
    return { all, add, single };
  };

  it('is not newer than the last one, or than the one that is received', () => {
    const { all, single, add } = receiver();
    expect(single(100)).toEqual(['100 ok']);
    expect(single(98)).toEqual([]);
    expect(single(104, 100)).toEqual(['104 ok']);
    expect(add(snapPart(5, 106, 2, 0, emptyDelta))).toEqual([]);
    expect(single(105, 104)).toEqual([]);
    expect(all.acknowledged).toBe(104);
  });

  it('has parts of an older tick: they are forgotten', () => {
    const { all, add, single } = receiver();
    expect(add(snapPart(5, 100, 2, 0, emptyDelta))).toEqual([]);
    expect(single(102)).toEqual(['100 missing_part', '102 ok']);
    expect(add(snapPart(5, 100, 2, 1, []))).toEqual([]);
    expect(all.acknowledged).toBe(102);
  });

  it('lacks its base: it does not wait for it', () => {
    const { all, single } = receiver();
    expect(single(100)).toEqual(['100 ok']);
    expect(single(104, 102)).toEqual(['104 missing_base']);
    expect(all.acknowledged).toBe(-1);
    expect(single(102, 100)).toEqual([]);
    expect(single(106)).toEqual(['106 ok']);
  });

  it('has a part of more than 900 bytes: it is no part', () => {
    const { all, add } = receiver();
    const long = new Array<number>(901).fill(0);
    expect(add(snapSingle(7, 100, 101, 0, long))).toEqual([]);
    expect(add(snapPart(5, 102, 2, 0, long))).toEqual([]);
    expect(all.acknowledged).toBe(-1);
  });

  it('ends before its numbers do, or is damaged: it says nothing of its tick', () => {
    const { all, add, single } = receiver();
    expect(single(100)).toEqual(['100 ok']);
    // It states 3 bytes and has 2.
    expect(add(snapSingle(7, 110, 111, 0, emptyDelta).slice(0, -1))).toEqual([]);
    expect(single(104, 100)).toEqual(['104 ok']);
    // The delta announces an item that is not there.
    expect(add(snapSingle(7, 106, 2, 0, ints(0, 1, 0)))).toEqual(['106 damaged']);
    expect(all.acknowledged).toBe(104);
  });

  it('has no byte: it is its base, if that has the sum', () => {
    const { all, add, single } = receiver();
    expect(single(100)).toEqual(['100 ok']);
    expect(add(snapSingle(7, 102, 2, 0, []))).toEqual(['102 ok']);
    expect(add(snapSingle(7, 104, 2, 1, []))).toEqual(['104 mismatch']);
    expect(all.acknowledged).toBe(102);
  });

  it('has a base before the one that was used last: it was purged', () => {
    const { all, single } = receiver();
    for (const tick of [100, 102, 104]) expect(single(tick)).toEqual([`${tick} ok`]);
    // Those of 102 and 104 are shown, and stay.
    expect(single(106, 104)).toEqual(['106 ok']);
    expect(single(108, 102)).toEqual(['108 ok']);
    expect(single(110, 108)).toEqual(['110 ok']);
    expect(single(112, 104)).toEqual(['112 missing_base']);
    expect(all.acknowledged).toBe(-1);
  });

  it('has a part that is too short: what an older one left there counts, and the size is that of the last part', () => {
    const pickup = (id: number) => ints(4, id, 1, 0, 0, 0);
    const ids = Array.from({ length: 200 }, (_, i) => i);
    const delta = [...ints(0, 200, 0), ...ids.flatMap(pickup)];
    expect([delta.length > 900, delta.length < 1800]).toEqual([true, true]);
    const parts = [delta.slice(0, 900), delta.slice(900)] as const;
    const part = (tick: number, number: 0 | 1, bytes: readonly number[]) =>
      // Numbers of a tick: its difference to the base, the parts, this one, and the sum.
      [...ints((5 << 1) | 1, tick, tick + 1, 2, number, 200, bytes.length), ...bytes];
    const { all, add } = receiver();
    expect([...add(part(100, 0, parts[0])), ...add(part(100, 1, parts[1]))]).toEqual(['100 ok']);
    expect([...add(part(102, 0, parts[0].slice(0, 500))), ...add(part(102, 1, parts[1]))]).toEqual(['102 ok']);
    expect([...add(part(104, 0, parts[0])), ...add(part(104, 1, parts[1].slice(0, 5)))]).toEqual(['104 damaged']);
    expect(all.acknowledged).toBe(102);
  });

  // UnpackDelta and IsValid: MAX_ITEMS.
  it('has more items than a snapshot has room for: it is not acknowledged', () => {
    const { all, add } = receiver();
    const items = (from: number, count: number) => [
      ...ints(0, count, 0),
      ...Array.from({ length: count }, (_, i) => ints(100, from + i, 0)).flat(),
    ];
    let tick = 100;
    for (let from = 0; from < 1024; from += 128) {
      expect(add(snapSingle(7, tick, from === 0 ? tick + 1 : 2, 0, items(from, 128)))).toEqual([`${tick} ok`]);
      tick += 2;
    }
    expect(add(snapSingle(7, tick, 2, 0, items(2000, 1)))).toEqual([`${tick} damaged`]);
    expect(all.acknowledged).toBe(tick - 2);
  });

  // CClient::UnpackAndValidateSnapshot: -4.
  it('has no room in the copy that a client makes: it is not acknowledged, and no base', () => {
    const { all, add } = receiver();
    // An older server leaves out the last fields of this one: DDNetCharacter, 76ce455b-f9eb-3a48-add7-e04b941d045c.
    const uuid = [0x76ce455b, 0xf9eb3a48, 0xadd7e04b, 0x941d045c].map((int) => int | 0);
    const short = 7;
    const registered = ints(0, 0x7fff, 4, ...uuid);
    const one = (id: number) => ints(0x7fff, id, short, ...new Array(short).fill(0));
    const sum = uuid.reduce((all, int) => (all + int) | 0, 0);
    const delta = (from: number, count: number, head: readonly number[]) => [
      ...ints(0, count + (head.length > 0 ? 1 : 0), 0),
      ...head,
      ...Array.from({ length: count }, (_, i) => one(from + i)).flat(),
    ];
    // Sent are 8 + 4 * 7 bytes of each item, as is room for; the copy has 8 + 4 * size.
    const size = protocolOf('0.6').byUuid('76ce455b-f9eb-3a48-add7-e04b941d045c')!.size;
    const fits = Math.min(1023, Math.floor((0x10000 - 8 - 24) / (8 + 4 * size)));
    let tick = 100;
    let count = 0;
    const send = (more: number) => {
      const told = add(
        snapSingle(7, tick, count === 0 ? tick + 1 : 2, sum, delta(count, more, count === 0 ? registered : [])),
      );
      tick += 2;
      count += more;
      return told.map((line) => line.split(' ')[1]);
    };
    while (count + 50 <= fits) expect(send(50)).toEqual(['ok']);
    const taken = tick - 2;
    expect([send(fits - count + 1), all.acknowledged]).toEqual([['damaged'], taken]);
    expect([send(0), all.acknowledged]).toEqual([['missing_base'], -1]);
  });
});

describe('a message', () => {
  it('is written as it was recorded', () => {
    const names = new Set<string>();
    const files: Uint8Array[] = [sample('ddnet-ipv6.pcap')];
    if (hasCorpus) files.push(...['07-vanilla-mapchange.pcap', '06-ddnet-race.pcap'].map((name) => corpusFile(name)));
    for (const file of files) {
      for (const { record, ...entry } of readCapture(file)) {
        if (record !== 'message' || !('message' in entry)) continue;
        const { message, bytes, stream } = entry;
        if (!message.type || message.diagnostics.all.length > 0) continue;
        const fields = messageFields(message, (bytes) => bytes);
        expect(messageBytes(stream.protocol, message.type.name, fields), message.type.name).toEqual(bytes.slice());
        names.add(message.type.name);
      }
    }
    expect(names.size).toBeGreaterThan(10);
  });

  it('is typed by its name', () => {
    expect(readMessage(writeMessage('0.6', 'sv_motd', { message: 'hi' }), '0.6').fields).toEqual({ message: 'hi' });
    expect(writeMessage('0.6', 'cl_kill')).toEqual(Uint8Array.of(22 << 1));
    expect(writeMessage(protocolOf('0.6', { items: [], messages: [] }), 'sv_motd', { message: 'hi' }).length).toBe(4);
    const text = { message: 1 };
    // @ts-expect-error: a text
    expect(() => writeMessage('0.6', 'sv_motd', text)).toThrow(
      new TypeError('sv_motd.message is a number; it takes a text'),
    );
    // @ts-expect-error: no such message
    expect(() => writeMessage('0.6', 'sv_modt', {})).toThrow(new TypeError('0.6 has no message "sv_modt"'));
    // @ts-expect-error: it has a text
    expect(() => writeMessage('0.6', 'sv_motd')).toThrow('sv_motd.message is missing');
    const read = readMessage(Uint8Array.of(2), '0.7');
    if (read.name === 'sv_clientdrop') expectTypeOf(read.fields.reason).toEqualTypeOf<string>();
    expect(parse(Uint8Array.of(2), 0, 1, '0.7').type?.name).toBe(read.name);
  });
});
